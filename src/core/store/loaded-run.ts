import type { StoredRun } from './manifest.js'
import type { PointBuffer } from './point-buffer.js'

/** A run as a reader holds it: what the manifest lists, and the points of a live file on top. */
export interface LoadedRun extends StoredRun {
  readonly live: PointBuffer | null
  /** All points of the parts, where this process has just read or written them: then nothing has to be read back. */
  readonly recent?: PointBuffer
}

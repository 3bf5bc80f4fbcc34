import { createHash } from 'node:crypto'
import { idFromHash } from '../model/id.js'
import type { Belonging, Source, SourceFile } from './source.js'

/** A run as it was found: which files make it up, and by what it is known again. */
export interface FoundRun {
  /** A tracker's own id, else one that is made of where the log lies and how it begins: what a new run is called by. */
  readonly id: string
  /**
   * The same wherever the log lies: the tracker's own id of the run within its project, else what stands first in the
   * log. Of two runs with the same first record, as equal seeds have it, only more of their logs tells them apart.
   */
  readonly identity: string
  /** Whether the identity is a tracker's own, which no other run has. */
  readonly isTracked: boolean
  readonly name: string
  readonly source: Source
  readonly folder: string
  readonly logs: readonly RunFile[]
  /** Tables beside the log, whose metrics are prefixed with the file's name, and further logs of the same training. */
  readonly tables: readonly RunFile[]
  readonly configs: readonly SourceFile[]
}

/** A file of a run, and the source that reads it. */
export interface RunFile {
  readonly file: SourceFile
  readonly source: Source
  /** Which of the file's runs. */
  readonly run: string
  /** Of a further log of a training whose points another log tells better: what its metrics are called there. */
  readonly witness?: { metricAs(metric: string): string }
}

/** Ids become folder names, so a tracker's own id is taken only when it is harmless as one. */
const HARMLESS_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/

export function idsOf(
  source: Source,
  file: SourceFile,
  { trackerId, trackerScope = '', run, member = '', firstRecord }: Belonging,
): Pick<FoundRun, 'id' | 'identity' | 'isTracked'> {
  if (trackerId !== undefined) {
    const id = HARMLESS_ID.test(trackerId) ? trackerId : idFromHash(digest([source.id, run, trackerId]))
    return { id, identity: digest([source.id, trackerScope, trackerId]), isTracked: true }
  }
  const beginning = firstRecord === '' ? digest(file.head) : firstRecord
  const id = idFromHash(digest([source.id, run, firstRecord]))
  return { id, identity: digest([source.id, member, beginning]), isTracked: false }
}

function digest(content: Uint8Array | readonly string[]): string {
  const bytes = content instanceof Uint8Array ? content : JSON.stringify(content)
  return createHash('sha256').update(bytes).digest('hex')
}

import { realpath } from 'node:fs/promises'
import { imageType, type LoggedMedia } from '../../logs/sources/media.js'
import { tensorboardImage, tensorboardMedia } from '../../logs/sources/tensorboard/media.js'
import { wandbImage, wandbMedia } from '../../logs/sources/wandb/media.js'
import type { FileRecord, Manifest } from './manifest.js'
import { asItWasRead } from './origin.js'

/** Pictures, histograms and system stats, read from the logs of a run when somebody asks: klens keeps no second copy. */

const READERS: {
  readonly [source: string]: {
    readonly all: typeof wandbMedia
    readonly image: typeof tensorboardImage
  }
} = {
  wandb: { all: wandbMedia, image: wandbImage },
  tensorboard: { all: tensorboardMedia, image: tensorboardImage },
}

interface MediaOptions {
  readonly mayOpen: (path: string) => boolean
  readonly signal?: AbortSignal | undefined
}

/** Of each log that can hold some; `file` is its place among the run's files. */
export async function mediaOf(
  { files }: Manifest,
  { mayOpen, signal }: MediaOptions,
): Promise<readonly (LoggedMedia & { readonly file: number })[]> {
  const found: (LoggedMedia & { readonly file: number })[] = []
  for (const [file, record] of files.entries()) {
    const reader = READERS[record.source]
    if (reader === undefined || !(await isReadable(record, mayOpen))) continue
    found.push({ file, ...(await reader.all(record.path, signal)) })
  }
  return found
}

export async function imageOf(
  { files }: Manifest,
  { file, place }: { readonly file: number; readonly place: string },
  { mayOpen, signal }: MediaOptions,
): Promise<{ readonly type: string; readonly bytes: Buffer } | null> {
  const record = files[file]
  const reader = record && READERS[record.source]
  if (reader === undefined || !(await isReadable(record, mayOpen))) return null
  const bytes = await reader.image(record.path, place, signal)
  const type = bytes === null ? null : imageType(bytes)
  return bytes === null || type === null ? null : { type, bytes }
}

async function isReadable(record: FileRecord, mayOpen: (path: string) => boolean): Promise<boolean> {
  const real = await realpath(record.path).catch(() => null)
  return real !== null && mayOpen(real) && typeof (await asItWasRead(record)) !== 'string'
}

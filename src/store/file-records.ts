import { createHash } from 'node:crypto'
import type { FoundRun } from '../sources/discover.js'
import { type Source, type SourceFile, TAIL_BYTES } from '../sources/source.js'
import { bytesBefore } from '../sources/walk.js'
import type { FileRecord, Manifest } from './manifest.js'

/** How the files of a run stand to what is known of them: the same, grown, moved by a rotation, begun anew, rewritten. */

interface Standing {
  /** A file changed other than by growing: the whole run is read again. */
  readonly rewritten: boolean
  /** Logs that something else was written over. What they held before is in the store, and nowhere else. */
  readonly begunAnew: readonly string[]
  /** Logs that were put aside under another name, and the record of each, which still has the old one. */
  readonly moved: readonly { readonly record: FileRecord; readonly file: SourceFile }[]
}

/** Without `keepsEarlier` a log that something else was written over counts as rewritten. */
export async function standingOf(manifest: Manifest, found: FoundRun, keepsEarlier: boolean): Promise<Standing> {
  const moved = await movedFiles(manifest.files, found)
  const begunAnew: string[] = []
  let rewritten = false
  for (const { file, source, witness } of manifest.files.length === 0 ? [] : [...found.logs, ...found.tables]) {
    // Of a further log only what is new counts, however it has changed.
    if (witness !== undefined) continue
    const movedHere = moved.find(move => move.file === file)
    const movedAway = movedHere === undefined && moved.some(({ record }) => record.path === file.path)
    const known = movedHere?.record ?? (movedAway ? null : await knownFile(manifest.files, file, source))
    if (known === null) {
      rewritten ||= source.keep === 'newest' && manifest.files.some(other => other.source === source.id)
    } else if (!isSame(known, file) && !(await mayGoOn(known, file, source))) {
      if (keepsEarlier && known.role === 'log' && isAppendedTo(source) && !(await holdsAllOf(known, file))) {
        begunAnew.push(known.path)
      } else {
        rewritten = true
      }
    }
  }
  return { rewritten, begunAnew, moved }
}

/** Whether the format is a log that is only ever added to, at its end. */
export function isAppendedTo({ grows, role, keep, continues }: Source): boolean {
  return grows && (role === 'log' || role === 'steps') && keep === 'all' && continues === undefined
}

/** A step of a large model takes minutes, and a console may say nothing meanwhile. */
const ALIVE_MS = 10 * 60_000

/** Whether one of the logs was written so recently that more may come. */
export function isFresh(logs: FoundRun['logs']): boolean {
  return logs.some(({ file }) => isYoung(file))
}

/** A clone or a copy writes a file in one go, and then has nothing to add. */
const IN_ONE_GO_MS = 250

/** Whether one of the logs is fresh and was not written in one go: somebody is writing it. */
export function isBeingWritten(logs: FoundRun['logs']): boolean {
  return logs.some(({ file }) => {
    const { modifiedMs, createdMs = Number.NEGATIVE_INFINITY } = file
    return isYoung(file) && modifiedMs - createdMs > IN_ONE_GO_MS
  })
}

function isYoung({ modifiedMs }: SourceFile): boolean {
  return Date.now() - modifiedMs < ALIVE_MS
}

/** Only where another content stands under the old name now: a copy made elsewhere is no move. */
async function movedFiles(records: readonly FileRecord[], { logs }: FoundRun): Promise<Standing['moved']> {
  const appended = logs.filter(({ source }) => isAppendedTo(source))
  const taken: FileRecord[] = []
  for (const record of records) {
    const there = appended.find(({ file }) => file.path === record.path)
    if (there !== undefined && !(await holdsAllOf(record, there.file))) taken.push(record)
  }
  const moved: Standing['moved'][number][] = []
  for (const { file } of taken.length === 0 ? [] : appended) {
    for (const record of taken) {
      if (record.path === file.path || !(await holdsAllOf(record, file))) continue
      moved.push({ record, file })
      break
    }
  }
  return moved
}

async function mayGoOn(known: FileRecord, file: SourceFile, source: Source): Promise<boolean> {
  if (!source.grows || known.cursor === null) return false
  if (source.continues !== undefined) return source.continues(file, known.cursor)
  return holdsAllOf(known, file)
}

export async function isUpToDate(manifest: Manifest, { logs, tables, configs }: FoundRun): Promise<boolean> {
  if (manifest.liveFolded !== null) return false
  // A run that runs may have ended by falling silent, even though no file has changed.
  if (manifest.status === 'running' && !(manifest.statusTold === 'unknown' && isFresh(logs))) return false
  for (const { file, source } of [...logs, ...tables, ...configs.map(file => ({ file, source: undefined }))]) {
    const known = await knownFile(manifest.files, file, source)
    if (known === null || !isSame(known, file)) return false
  }
  return true
}

/**
 * The record of this very file, or of one that it is a copy of (a W&B folder that was moved or copied). Files of samples
 * begin alike at every step, so they are known by their path alone.
 */
export async function knownFile(
  files: readonly FileRecord[],
  file: SourceFile,
  source?: Source,
): Promise<FileRecord | null> {
  const itself = files.find(({ path }) => path === file.path)
  if (itself !== undefined || source?.role === 'samples') return itself ?? null
  for (const known of files) {
    if ((await holdsAllOf(known, file)) || (await isBeginningOf(file, known))) return known
  }
  return null
}

type Known = Pick<FileRecord, 'path' | 'size' | 'headBytes' | 'headHash' | 'tailHash'>

/**
 * Whether a file is one that was known, perhaps grown: it begins alike, and just before where the known one ended it holds
 * the same. Logs of one job share their first pages, so their beginning alone says nothing.
 */
export async function holdsAllOf(known: Known, file: SourceFile): Promise<boolean> {
  if (file.size < known.size || !startsAlike(known, file)) return false
  if (known.tailHash === null) return true
  return hashOf(await bytesBefore(file, known.size, tailLength(known))) === known.tailHash
}

/** A copy that was made before the log was complete. Only the log itself tells, where it still lies. */
async function isBeginningOf(file: SourceFile, known: Known): Promise<boolean> {
  if (file.size >= known.size || file.tail === undefined || !startsAlike(known, file)) return false
  if (known.tailHash === null) return true
  const there: SourceFile = { path: known.path, size: known.size, modifiedMs: 0, head: new Uint8Array() }
  const bytes = await bytesBefore(there, file.size, file.tail.length).catch(() => null)
  return bytes !== null && Buffer.compare(bytes, file.tail) === 0
}

function tailLength({ size }: Pick<Known, 'size'>): number {
  return Math.min(TAIL_BYTES, size)
}

export function isSame(known: FileRecord, file: SourceFile): boolean {
  if (!known.complete) return false
  if (known.path === file.path) return known.size === file.size && known.modifiedMs === file.modifiedMs
  return file.size <= known.size
}

function startsAlike(known: Pick<FileRecord, 'headBytes' | 'headHash'>, file: SourceFile): boolean {
  return file.size >= known.headBytes && hashOf(file.head.subarray(0, known.headBytes)) === known.headHash
}

/** Enough to tell logs apart (a W&B header with its run record), and so little that a cut copy still has it. */
export const FINGERPRINT_BYTES = 4096

export function fingerprint(
  file: SourceFile,
): Pick<FileRecord, 'path' | 'size' | 'modifiedMs' | 'headBytes' | 'headHash' | 'tailHash'> {
  const headBytes = Math.min(FINGERPRINT_BYTES, file.head.length)
  const { path, size, modifiedMs } = file
  const tailHash = file.tail === undefined ? null : hashOf(file.tail)
  return { path, size, modifiedMs, headBytes, headHash: hashOf(file.head.subarray(0, headBytes)), tailHash }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}

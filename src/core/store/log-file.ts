import { statSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { sha256 } from '../../logs/model/id.js'
import { attempt } from '../../logs/model/problem.js'
import type { FoundRun } from '../../logs/sources/run-identity.js'
import { type Source, type SourceFile, TAIL_BYTES } from '../../logs/sources/source.js'
import { isWrittenInOneGo } from '../../logs/sources/source-helpers.js'
import { bytesBefore } from '../../logs/sources/walk.js'
import type { FileRecord, Manifest } from './manifest.js'

/**
 * What is known of a file of a run, and what has become of the file since: the same, grown, cut, replaced, moved by a
 * rotation. It is known by its record in the manifest, or, while it is followed, as it was last seen. Size, beginning
 * and what stands before the known end decide, since logs of one job begin alike for pages.
 */
type LogFile = Pick<FileRecord, 'path' | 'size' | 'modifiedMs' | 'headBytes' | 'headHash' | 'tailHash'>

interface LogChanges {
  /** A file changed other than by growing: the whole run is read again. */
  readonly rewritten: boolean
  /** Logs that something else was written over. What they held before is in the store, and nowhere else. */
  readonly begunAnew: readonly string[]
  /** Logs that were put aside under another name, and the record of each, which still has the old one. */
  readonly moved: readonly { readonly record: FileRecord; readonly file: SourceFile }[]
}

/** Without `keepsEarlier` a log that something else was written over counts as rewritten. */
export async function changesSinceRead(
  manifest: Manifest,
  found: FoundRun,
  keepsEarlier: boolean,
): Promise<LogChanges> {
  const moved = await movedFiles(manifest.files, found)
  const begunAnew: string[] = []
  let rewritten = false
  for (const { file, source, mergesInto } of manifest.files.length === 0 ? [] : [...found.logs, ...found.tables]) {
    // Of a further log only what is new counts, however it has changed; but once it may have told the points.
    if (mergesInto !== undefined) {
      rewritten ||= manifest.files.some(({ path, role }) => role === 'log' && path === file.path)
      continue
    }
    const movedHere = moved.find(move => move.file === file)
    const movedAway = movedHere === undefined && moved.some(({ record }) => record.path === file.path)
    const known = movedHere?.record ?? (movedAway ? null : await knownFile(manifest.files, file, source))
    if (known?.role === 'witness') {
      rewritten = true
    } else if (known === null) {
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

/** Whether one of the logs is fresh and was not written in one go: somebody is writing it. */
export function isBeingWritten(logs: FoundRun['logs']): boolean {
  return logs.some(({ file }) => isYoung(file) && !isWrittenInOneGo(file))
}

function isYoung({ modifiedMs }: SourceFile): boolean {
  return Date.now() - modifiedMs < ALIVE_MS
}

/** Only where another content stands under the old name now: a copy made elsewhere is no move. */
async function movedFiles(records: readonly FileRecord[], { logs }: FoundRun): Promise<LogChanges['moved']> {
  const appended = logs.filter(({ source }) => isAppendedTo(source))
  const taken: FileRecord[] = []
  for (const record of records) {
    const there = appended.find(({ file }) => file.path === record.path)
    if (there !== undefined && !(await holdsAllOf(record, there.file))) taken.push(record)
  }
  const moved: LogChanges['moved'][number][] = []
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

/**
 * Whether a file is one that was known, perhaps grown: it begins alike, and just before where the known one ended it holds
 * the same. Logs of one job share their first pages, so their beginning alone says nothing.
 */
export async function holdsAllOf(known: Omit<LogFile, 'modifiedMs'>, file: SourceFile): Promise<boolean> {
  if (file.size < known.size || !startsAlike(known, file)) return false
  if (known.tailHash === null) return true
  return hashOf(bytesBefore(file, known.size, tailLength(known))) === known.tailHash
}

/**
 * Whether another file lies under the name since this one was looked at: what stood before its end no longer does. A log
 * that is rotated between look and reading would be read under the record of the one put aside, and that one from the
 * wrong place later. A file that is gone is for its reader to complain of.
 */
export async function isExchanged(file: SourceFile): Promise<boolean> {
  const { path, size, tail } = file
  if (tail === undefined || tail.length === 0) return false
  // Asked for every piece of a log; as long as nothing has touched the file, its date answers.
  const look = statSync(path, { throwIfNoEntry: false })
  const stamp = look === undefined ? '' : `${look.ino} ${look.size} ${look.mtimeMs} ${look.ctimeMs}`
  if (unexchanged.get(file) === stamp) return false
  const there: SourceFile = { path, size, modifiedMs: 0, head: new Uint8Array() }
  const bytes = attempt(() => bytesBefore(there, size, tail.length), null)
  const isOther = bytes !== null && Buffer.compare(bytes, tail) !== 0
  if (!isOther) unexchanged.set(file, stamp)
  return isOther
}

/** How a file looked when it was last found to be the one that was looked at. */
const unexchanged = new WeakMap<SourceFile, string>()

/** A copy that was made before the log was complete. Only the log itself tells, where it still lies. */
async function isBeginningOf(file: SourceFile, known: Omit<LogFile, 'modifiedMs'>): Promise<boolean> {
  if (file.size >= known.size || file.tail === undefined || !startsAlike(known, file)) return false
  if (known.tailHash === null) return true
  const there: SourceFile = { path: known.path, size: known.size, modifiedMs: 0, head: new Uint8Array() }
  const { size, tail } = file
  const bytes = attempt(() => bytesBefore(there, size, tail.length), null)
  return bytes !== null && Buffer.compare(bytes, tail) === 0
}

function tailLength({ size }: Pick<LogFile, 'size'>): number {
  return Math.min(TAIL_BYTES, size)
}

export function isSame(known: FileRecord, file: SourceFile): boolean {
  if (!known.complete) return false
  if (known.path === file.path) return known.size === file.size && known.modifiedMs === file.modifiedMs
  return file.size <= known.size
}

function startsAlike(known: Pick<LogFile, 'headBytes' | 'headHash'>, file: SourceFile): boolean {
  return file.size >= known.headBytes && hashOf(file.head.subarray(0, known.headBytes)) === known.headHash
}

/** Enough to tell logs apart (a W&B header with its run record), and so little that a cut copy still has it. */
const FINGERPRINT_BYTES = 4096

export function logFileOf(file: SourceFile): LogFile {
  const headBytes = Math.min(FINGERPRINT_BYTES, file.head.length)
  const { path, size, modifiedMs } = file
  const tailHash = file.tail === undefined ? null : hashOf(file.tail)
  return { path, size, modifiedMs, headBytes, headHash: hashOf(file.head.subarray(0, headBytes)), tailHash }
}

function hashOf(bytes: Uint8Array): string {
  return sha256(bytes).slice(0, 32)
}

/** trainer_state.json, tables of samples, JSON: never added to, but written whole. */
export function isWrittenAtOnce({ grows, keep, continues }: Source): boolean {
  return continues === undefined && (!grows || keep === 'newest')
}

/** A file as it is remembered between two looks: its head is cut, for there may be thousands. */
export function withShortHead(file: SourceFile): SourceFile {
  if (file.head.length <= FINGERPRINT_BYTES) return file
  const short = { ...file, head: Buffer.from(file.head.subarray(0, FINGERPRINT_BYTES)) }
  marks.set(short, marksOf(file.head))
  return short
}

/**
 * What has become of a log that is only added to. The logs of one job begin alike for pages, so a longer one must also
 * hold the same where the shorter ended, and of a shorter one all must be there that was known of its first 64 KB.
 */
export async function changeOf(before: SourceFile, now: SourceFile): Promise<'grown' | 'cut' | 'replaced'> {
  const length = Math.min(before.head.length, now.head.length)
  if (Buffer.compare(before.head.subarray(0, length), now.head.subarray(0, length)) !== 0) return 'replaced'
  if (now.size < before.size) return agreesWithMarks(now, marks.get(before)) ? 'cut' : 'replaced'
  if (before.tail === undefined) return 'grown'
  const bytes = bytesBefore(now, before.size, before.tail.length)
  return Buffer.compare(bytes, before.tail) === 0 ? 'grown' : 'replaced'
}

/** Of a head that was cut short: checksums of all before each of these places. */
const MARK_BYTES = 256
const marks = new WeakMap<SourceFile, Uint32Array>()

function marksOf(head: Uint8Array): Uint32Array {
  const sums = new Uint32Array(Math.floor(head.length / MARK_BYTES))
  let sum = 0
  for (let i = 0; i < sums.length; i += 1) {
    sum = crc32(head.subarray(i * MARK_BYTES, (i + 1) * MARK_BYTES), sum)
    sums[i] = sum
  }
  return sums
}

function agreesWithMarks({ head }: SourceFile, known: Uint32Array | undefined): boolean {
  if (known === undefined) return true
  const own = marksOf(head)
  const last = Math.min(own.length, known.length) - 1
  return last < 0 || own[last] === known[last]
}

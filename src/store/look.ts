import { stat } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { FoundRun, RunFile } from '../sources/discover.js'
import type { Hints, Source, SourceFile } from '../sources/source.js'
import { bytesBefore, lastWritten, type Skipped, walk } from '../sources/walk.js'
import { FINGERPRINT_BYTES, isAppendedTo } from './file-records.js'

/**
 * What has become of the files of a run since they were last seen. Size and date are asked, because watching does not
 * work on the network file systems that training logs lie on; only what changed is opened.
 */
interface Look {
  /** The run with no other files than those that hold something new; null when there are none. */
  readonly news: FoundRun | null
  /** A log has become shorter, but begins as before: it was cut, or is being written again. */
  readonly isCut: boolean
  /** Under the name of a log stands something else now. Whose it is, only a search can tell. */
  readonly isReplaced: boolean
  /** Files that are gone, or may no longer be read. */
  readonly lost: readonly Skipped[]
}

interface Looking {
  readonly hints: Hints
  /** A file that is written at one go may not be whole until it is this old. */
  readonly settleMs: number
}

/**
 * Looks at runs one after the other; a file that several of them share is looked at once. `onlySince` passes over what was
 * written at one go before then: a run may have thousands of dumps, which hardly ever change.
 */
export function lookAround({ hints, settleMs }: Looking): (found: FoundRun, onlySince: number) => Promise<Look> {
  const stamps = new Map<string, Promise<string | null>>()
  const opened = new Map<string, Promise<{ readonly file?: SourceFile; readonly problem?: Skipped }>>()
  const stampOf = (file: SourceFile): Promise<string | null> => remembered(stamps, file.path, () => stampNow(file))

  return async (found, onlySince) => {
    const lost: Skipped[] = []
    let isCut = false
    let isReplaced = false

    async function again(before: SourceFile): Promise<SourceFile | null> {
      const stamp = await stampOf(before)
      if (stamp === stampText(before.size, before.modifiedMs)) return null
      const { file, problem } = await remembered(opened, before.path, () => openAgain(before.path))
      if (problem !== undefined && problem.reason.key !== 'skip.empty') lost.push(problem)
      return file ?? null
    }

    async function changed(before: RunFile): Promise<RunFile[]> {
      const { source, run } = before
      if (isWrittenAtOnce(source) && before.file.modifiedMs < onlySince) return []
      const file = await again(before.file)
      if (file === null) return []
      if (isAppendedTo(source)) {
        const standing = await standingOf(before.file, file)
        if (standing === 'replaced') {
          isReplaced = true
          return []
        }
        if (standing === 'cut') {
          // The first lines of a job that was started again are often those of the last time.
          if (!(await holdsPoints(source, file, run, hints))) return []
          isCut = true
        }
      } else if (isWrittenAtOnce(source) && Date.now() - file.modifiedMs < settleMs) {
        return []
      } else if (!source.recognise(file)) {
        return []
      }
      return [{ ...before, file }]
    }

    const logs: RunFile[] = []
    const tables: RunFile[] = []
    const configs: SourceFile[] = []
    for (const log of found.logs) logs.push(...(await changed(log)))
    for (const table of found.tables) tables.push(...(await changed(table)))
    for (const config of found.configs) configs.push(...[await again(config)].filter(file => file !== null))
    const isNews = logs.length + tables.length + configs.length > 0
    return { news: isNews ? { ...found, logs, tables, configs } : null, isCut, isReplaced, lost }
  }
}

/** trainer_state.json, tables of samples, JSON: never added to, but written whole. */
export function isWrittenAtOnce({ grows, keep, continues }: Source): boolean {
  return continues === undefined && (!grows || keep === 'newest')
}

/** The run as it was, but for the files that were seen again. Heads are cut, for there may be thousands. */
export function asSeen(found: FoundRun, news: FoundRun): FoundRun {
  const seen = new Map([...news.logs, ...news.tables].map(({ file }) => [file.path, file]))
  for (const file of news.configs) seen.set(file.path, file)
  const cut = (file: SourceFile): SourceFile => withShortHead(seen.get(file.path) ?? file)
  const cutFile = (runFile: RunFile): RunFile => ({ ...runFile, file: cut(runFile.file) })
  return { ...found, logs: found.logs.map(cutFile), tables: found.tables.map(cutFile), configs: found.configs.map(cut) }
}

function withShortHead(file: SourceFile): SourceFile {
  if (file.head.length <= FINGERPRINT_BYTES) return file
  const short = { ...file, head: Buffer.from(file.head.subarray(0, FINGERPRINT_BYTES)) }
  marks.set(short, marksOf(file.head))
  return short
}

/** The run with the whole heads of its files, as reading asks for. Files that are gone are left out. */
export async function withWholeHeads(found: FoundRun): Promise<FoundRun> {
  const files = new Map<string, SourceFile>()
  const paths = [...found.logs, ...found.tables].map(({ file }) => file.path).concat(found.configs.map(f => f.path))
  for (const file of await walk(paths, () => {})) files.set(file.path, file)
  const wholes = (runFiles: readonly RunFile[]): RunFile[] =>
    runFiles.flatMap(runFile => {
      const file = files.get(runFile.file.path)
      return file === undefined ? [] : [{ ...runFile, file }]
    })
  const configs = found.configs.flatMap(({ path }) => files.get(path) ?? [])
  return { ...found, logs: wholes(found.logs), tables: wholes(found.tables), configs }
}

/** Size and date of what lies at a path; null where there is nothing. */
export async function stampAt(path: string): Promise<string | null> {
  return stat(path).then(
    ({ size, mtimeMs }) => stampText(size, mtimeMs),
    () => null,
  )
}

async function stampNow(file: SourceFile): Promise<string | null> {
  try {
    const { size, mtimeMs } = await stat(file.path)
    return stampText(size, await lastWritten(file.path, file.head, mtimeMs))
  } catch {
    return null
  }
}

function stampText(size: number, modifiedMs: number): string {
  return `${size} ${modifiedMs}`
}

async function openAgain(path: string): Promise<{ readonly file?: SourceFile; readonly problem?: Skipped }> {
  let problem: Skipped | undefined
  const [file] = await walk([path], skipped => {
    problem = skipped
  })
  return { ...(file && { file }), ...(problem && { problem }) }
}

/**
 * What has become of a log that is only added to. The logs of one job begin alike for pages, so a longer one must also
 * hold the same where the shorter ended, and of a shorter one all must be there that was known of its first 64 KB.
 */
async function standingOf(before: SourceFile, now: SourceFile): Promise<'grown' | 'cut' | 'replaced'> {
  const length = Math.min(before.head.length, now.head.length)
  if (Buffer.compare(before.head.subarray(0, length), now.head.subarray(0, length)) !== 0) return 'replaced'
  if (now.size < before.size) return agreesWithMarks(now, marks.get(before)) ? 'cut' : 'replaced'
  if (before.tail === undefined) return 'grown'
  const bytes = await bytesBefore(now, before.size, before.tail.length)
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

async function holdsPoints(source: Source, file: SourceFile, run: string, hints: Hints): Promise<boolean> {
  if (!source.recognise(file)) return false
  for await (const events of source.read(file, { run, cursor: null, hints })) {
    if (events.some(({ type }) => type === 'row')) return true
  }
  return false
}

function remembered<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>) {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

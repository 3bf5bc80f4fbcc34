import { appendFile, type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { nullWhenMissing } from '../../../core/store/lease.js'
import { birthOf, isAlive, isGroupAlive } from '../../../core/store/process.js'
import type { JobStatus, LogPiece } from './executor.js'

/** What a program has printed into a file that may still grow. */

const CHUNK = 1 << 20

/** Whole characters only: the rest of one that is being written comes next time. A file that is not there yet is empty. */
export async function textFrom(path: string, from: number | 'end'): Promise<LogPiece> {
  if (from === 'end') return { text: '', next: (await withFile(path, file => file.stat()))?.size ?? 0 }
  const read = await withFile(path, file => file.read(Buffer.alloc(CHUNK), 0, CHUNK, from))
  if (read === null) return { text: '', next: from }
  const whole = wholeCharacters(read.buffer.subarray(0, read.bytesRead))
  return { text: whole.toString('utf8'), next: from + whole.length }
}

const TAIL = 4096

export async function lastLines(path: string, count: number): Promise<string> {
  const text = await withFile(path, async file => {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL), 0, TAIL, Math.max(0, size - TAIL))
    return buffer.toString('utf8', 0, bytesRead)
  })
  return (text ?? '').trimEnd().split('\n').slice(-count).join(' ').trim()
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result | null> {
  const file = await open(path).catch(() => null)
  if (file === null) return null
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** UTF-8: the first byte of a character tells its length, all others begin with the bits 10. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/**
 * What a job says of itself, in files beside klens's record of it. Every executor starts a program through the few lines
 * of `STARTER`: it claims the job (a hard link is made by one process only, so a job that was handed over twice begins
 * once), runs the program and leaves its exit code. So an end is known for good even if klens was killed meanwhile and
 * the executor has forgotten that the job ever was.
 */
export interface JobFiles {
  /** Made when the program begins. */
  readonly claim: string
  /** Made when it has ended: its exit code. */
  readonly exit: string
  /** Made when somebody asked for its end. */
  readonly stop: string
  readonly log: string
}

export function jobFiles(folder: string, handle: string): JobFiles {
  const base = join(folder, handle)
  return { claim: `${base}.claim`, exit: `${base}.exit`, stop: `${base}.stop`, log: `${base}.log` }
}

/** What a claim tells, a line each. The birth of a process tells it from a later one with the same number. */
interface Claim {
  readonly pid: number
  readonly birth: string
  /** The machine that it runs on. */
  readonly host: string
  /** What the executor wants to find again. */
  readonly note: string
}

/** The exit code of a start that found the job claimed already. */
const CLAIMED_BEFORE = 75

/**
 * For `sh -c`, which gets the path without ending, a note, and then the words of the program as they are: nothing of
 * a job is ever part of a line that a shell reads. A signal to the group reaches the program; the shell survives it to
 * write down the code.
 */
const STARTER = `base=$1; note=$2; shift 2
birth=$(cut -d ' ' -f 22 /proc/$$/stat 2>/dev/null || LC_ALL=C ps -o lstart= -p $$)
printf '%s\\n%s\\n%s\\n%s\\n' "$$" "$birth" "$(uname -n)" "$note" > "$base.claim.$$" || exit 74
ln "$base.claim.$$" "$base.claim" 2>/dev/null || { rm -f "$base.claim.$$"; exit ${CLAIMED_BEFORE}; }
rm -f "$base.claim.$$"
trap : TERM INT HUP USR1 USR2
"$@"
code=$?
echo "$code" > "$base.exit.new" && mv "$base.exit.new" "$base.exit"
exit "$code"`

/** What is to come before the words of a program. */
export function starterWords(folder: string, handle: string, note = ''): readonly string[] {
  return ['sh', '-c', STARTER, 'klens-job', join(folder, handle), note]
}

const claimSchema = z
  .tuple([z.coerce.number().int().positive(), z.string(), z.string(), z.string()])
  .transform(([pid, birth, host, note]): Claim => ({ pid, birth, host, note }))

/** Null: the program has not begun. */
export async function readClaim({ claim }: JobFiles): Promise<Claim | null> {
  const text = await textOf(claim)
  return text === null ? null : claimSchema.parse(text.split('\n').slice(0, 4))
}

/** Null: it has not ended, or was ended together with the shell that would have written it down. */
async function readExit({ exit }: JobFiles): Promise<number | null> {
  const text = await textOf(exit)
  return text === null ? null : z.coerce.number().int().parse(text.trim())
}

/** How it ended, by its own word; null where it has left none. */
export async function endOf(files: JobFiles): Promise<JobStatus | null> {
  const code = await readExit(files)
  if (code === null) return null
  // Who is asked to end may well end with 0, and is not done all the same.
  if ((await stopDueAt(files)) !== null) return { state: 'stopped', reason: null }
  if (code === 0) return { state: 'done', reason: null }
  return { state: 'failed', reason: await reasonOf(files, code) }
}

/**
 * Whether the one that has left this claim still runs, as far as this machine can tell; null: it is another machine's, or
 * the first process of a container, whose number means another process here and whose group means all of them.
 */
export function isRunning({ pid, birth, host }: Claim, here: string): boolean | null {
  if (host !== here || pid === 1) return null
  return isAlive(pid) ? birthOf(pid) === birth : isGroupAlive(pid)
}

/** Of a job that its executor does not know. One that lives on all the same is waited for. */
export async function begunOrLost(files: JobFiles, here: string): Promise<JobStatus> {
  const claim = await readClaim(files)
  if (claim === null) return { state: 'lost', reason: null }
  if (isRunning(claim, here) === true) return { state: 'running', reason: null }
  // It may have ended between the two looks.
  return (await endOf(files)) ?? { state: 'evicted', reason: null }
}

const FROM_A_SIGNAL = 128
const LAST_LINES = 3

/** The last that it printed mostly says why. */
async function reasonOf({ log }: JobFiles, code: number): Promise<string> {
  const how = code > FROM_A_SIGNAL ? `signal ${code - FROM_A_SIGNAL}` : `exit code ${code}`
  const printed = await lastLines(log, LAST_LINES)
  return printed === '' ? how : `${how}: ${printed}`
}

/** Until when it may take its time, in Unix milliseconds; null: it was not asked to stop. */
export async function stopDueAt({ stop }: JobFiles): Promise<number | null> {
  const text = await textOf(stop)
  // An empty one has not been written to yet.
  return text === null ? null : Number(text.split('\n')[0] || Number.POSITIVE_INFINITY)
}

/** Asked again, it keeps the time of the first. */
export async function noteStop({ stop }: JobFiles, seconds: number): Promise<void> {
  await appendFile(stop, `${Date.now() + 1000 * seconds}\n`)
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(nullWhenMissing)
}

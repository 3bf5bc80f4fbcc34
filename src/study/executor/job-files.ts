import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { nullWhenMissing } from '../../store/lease.js'
import type { JobStand } from './executor.js'
import { lastLines } from './log-file.js'

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
export interface Claim {
  readonly pid: number
  readonly birth: string
  /** Of whoever handed it over; what else the executor wants to find again. */
  readonly host: string
  readonly note: string
}

/** The exit code of a start that found the job claimed already. */
export const CLAIMED_BEFORE = 75

/**
 * For `sh -c`, which gets the path without ending, host and note, and then the words of the program as they are: nothing of
 * a job is ever part of a line that a shell reads. A signal to the group reaches the program; the shell survives it to
 * write down the code.
 */
export const STARTER = `base=$1; host=$2; note=$3; shift 3
birth=$(cut -d ' ' -f 22 /proc/$$/stat 2>/dev/null || LC_ALL=C ps -o lstart= -p $$)
printf '%s\\n%s\\n%s\\n%s\\n' "$$" "$birth" "$host" "$note" > "$base.claim.$$" || exit 74
ln "$base.claim.$$" "$base.claim" 2>/dev/null || { rm -f "$base.claim.$$"; exit ${CLAIMED_BEFORE}; }
rm -f "$base.claim.$$"
trap : TERM INT HUP USR1 USR2
"$@"
code=$?
echo "$code" > "$base.exit.new" && mv "$base.exit.new" "$base.exit"
exit "$code"`

export type StarterWords = readonly ['sh', '-c', string, 'klens-job', base: string, host: string, note: string]

export function starterWords(folder: string, handle: string, host: string, note: string): StarterWords {
  return ['sh', '-c', STARTER, 'klens-job', join(folder, handle), host, note]
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
export async function endOf(files: JobFiles): Promise<JobStand | null> {
  const code = await readExit(files)
  if (code === null) return null
  if (code === 0) return { state: 'done', reason: null }
  if ((await stopAskedAt(files)) !== null) return { state: 'stopped', reason: null }
  return { state: 'failed', reason: await reasonOf(files, code) }
}

const FROM_A_SIGNAL = 128
const LAST_LINES = 3

/** The last that it printed mostly says why. */
async function reasonOf({ log }: JobFiles, code: number): Promise<string> {
  const how = code > FROM_A_SIGNAL ? `signal ${code - FROM_A_SIGNAL}` : `exit code ${code}`
  const printed = await lastLines(log, LAST_LINES)
  return printed === '' ? how : `${how}: ${printed}`
}

/** Unix milliseconds; null: nobody asked. */
export async function stopAskedAt({ stop }: JobFiles): Promise<number | null> {
  const file = await stat(stop).catch(nullWhenMissing)
  return file === null ? null : file.mtimeMs
}

export async function noteStop({ stop }: JobFiles): Promise<void> {
  // Asked again, it keeps the time of the first.
  await writeFile(stop, '', { flag: 'a' })
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(nullWhenMissing)
}

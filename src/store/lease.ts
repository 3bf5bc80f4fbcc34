import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../model/problem.js'
import { message, type TextKey } from '../text/say.js'
import { isAlive } from './process.js'

/**
 * One writer per run. A lease is a file `lease.<n>`; whoever creates the next number (an exclusive create, so one
 * process wins) is the writer. A dead writer is not evicted by deleting its file but outnumbered, so two processes that
 * find the same dead one cannot both win, and a writer that was only asleep learns at its next commit that it lost.
 */

const HEARTBEAT_MS = 5_000
/** After so long without a heartbeat a writer on another machine, or a stopped one, counts as dead. */
const SILENCE_MS = 60_000

/** What a run is held for. A change (a name, a tag, a removal) and an import are done soon. */
export type Purpose = 'import' | 'follow' | 'train' | 'evaluate' | 'change'

interface Holder {
  readonly pid: number
  readonly host: string
  readonly purpose: Purpose
}

/** What somebody is told who wants the run for this while another process holds it. */
const BUSY = {
  import: 'skip.busy',
  follow: 'skip.busy',
  train: 'train.busy',
  evaluate: 'eval.not-kept',
  change: 'rm.busy',
} as const satisfies { readonly [purpose in Purpose]: TextKey }

export interface Lease {
  /** Throws when another writer has taken over. Called before every commit. */
  check(): Promise<void>
  release(): Promise<void>
}

/** So long does one that adds data wait for another that will be done soon. */
const PATIENCE_MS = 10_000
const PATIENT: ReadonlySet<Purpose> = new Set<Purpose>(['import', 'evaluate'])
const LASTING: ReadonlySet<Purpose> = new Set<Purpose>(['follow', 'train'])

/** The problem `busy` when another process holds the run, and goes on doing so. */
export async function takeLease(folder: string, purpose: Purpose): Promise<Lease> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const newest = (await leaseNumbers(folder)).at(-1) ?? 0
    const holder = newest === 0 ? null : await livingHolder(join(folder, `lease.${newest}`))
    if (holder !== null) {
      const isWorthWaiting = PATIENT.has(purpose) && !LASTING.has(holder.purpose) && Date.now() < deadline
      if (!isWorthWaiting) throw busy(folder, purpose, holder)
      await pause(100)
      continue
    }
    const number = newest + 1
    if (await createExclusively(join(folder, `lease.${number}`), { pid: process.pid, host: hostname(), purpose })) {
      return holdLease(folder, number)
    }
  }
}

function busy(folder: string, purpose: Purpose, { pid, host }: Holder): Problem {
  return new Problem('busy', message(BUSY[purpose], { run: basename(folder), pid: String(pid), host }))
}

async function holdLease(folder: string, number: number): Promise<Lease> {
  const path = join(folder, `lease.${number}`)
  for (const older of await leaseNumbers(folder)) {
    if (older < number) await rm(join(folder, `lease.${older}`), { force: true })
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => clearInterval(heartbeat))
  }, HEARTBEAT_MS)
  heartbeat.unref()
  return {
    async check() {
      if ((await leaseNumbers(folder)).at(-1) !== number) {
        throw new Error('another process has taken over this run, because this one was silent for a minute')
      }
    },
    async release() {
      clearInterval(heartbeat)
      await rm(path, { force: true })
    },
  }
}

async function leaseNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  const numbers = names.filter(name => /^lease\.\d+$/.test(name)).map(name => Number(name.slice('lease.'.length)))
  return numbers.sort((a, b) => a - b)
}

async function livingHolder(path: string): Promise<Holder | null> {
  try {
    const { mtimeMs } = await stat(path)
    const silence = Date.now() - mtimeMs
    const holder = parseHolder(await readFile(path, 'utf8'))
    if (holder === null) return silence < HEARTBEAT_MS ? { pid: 0, host: hostname(), purpose: 'import' } : null
    if (silence > SILENCE_MS) return null
    return holder.host === hostname() && !isAlive(holder.pid) ? null : holder
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const { pid, host, purpose } = JSON.parse(text)
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host, purpose } : null
  } catch {
    return null
  }
}

async function createExclusively(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    // On a full disk the file is there, but empty: it must not hold the next writer up.
    await rm(path, { force: true })
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt, Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { once } from '../../logs/model/util/memo.js'
import { message, type TextKey } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { birthOf, isAlive, isProcessNumber, isStillRunning, type LocalProcess } from './process.js'

/**
 * One writer per run. A lease is a file `lease.<n>`; whoever creates the next number (an exclusive create, so one
 * process wins) is the writer. A dead writer is not evicted by deleting its file but outnumbered, so two processes that
 * find the same dead one cannot both win. Each lease has a token of its own: a writer that was only asleep finds another
 * token, a higher number or no file at all, and neither commits nor touches the other's lease.
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
  /** Null in leases of klens 0.1. */
  readonly token: string | null
  /** When its process began; null in leases of earlier versions, and where the system does not tell. */
  readonly birth: string | null
}

/** What somebody is told who wants the run for this while another process holds it. */
const BUSY = {
  import: 'skip.busy',
  follow: 'skip.busy',
  train: 'train.busy',
  evaluate: 'eval.not-kept',
  change: 'rm.busy',
} as const satisfies { readonly [purpose in Purpose]: TextKey }

const say = sentences({
  'lease.lost': {
    en: 'another process took over run {run}, because this one was silent for a minute; what this one read since then was not kept',
    zh: '本进程静默超过一分钟，run {run} 已由另一进程接管；此后读取的内容未保存',
  },
  'lease.gone': {
    en: '{folder} was removed while the run was being written; nothing more of it is kept',
    zh: '写入期间 {folder} 被删除，此后的内容不再保存',
  },
})

export interface Lease {
  /** The problem `busy` when another writer has taken over, or `damaged` when the run is gone. */
  check(): Promise<void>
  release(): Promise<void>
}

/** So long does one that adds data wait for another that will be done soon. */
const PATIENCE_MS = 10_000
const PATIENT: ReadonlySet<Purpose> = new Set<Purpose>(['import', 'evaluate'])
const LASTING: ReadonlySet<Purpose> = new Set<Purpose>(['follow', 'train'])

/** The problem `busy`, in these words, when another process holds the run and goes on doing so. */
export async function takeLease(folder: string, purpose: Purpose, inWords = busyMessage): Promise<Lease> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const numbers = leaseNumbers(folder)
    const newest = numbers.at(-1) ?? 0
    const holder = newest === 0 ? null : livingHolder(leasePath(folder, newest))
    if (holder !== null) {
      const isWorthWaiting = PATIENT.has(purpose) && !LASTING.has(holder.purpose) && Date.now() < deadline
      if (!isWorthWaiting) throw new Problem('busy', inWords(folder, purpose, holder))
      await pause(100)
      continue
    }
    const token = randomUUID()
    const own = { pid: process.pid, host: hostname(), purpose, token, birth: ownBirth() }
    if (createExclusively(leasePath(folder, newest + 1), own)) return holdLease(folder, newest + 1, token, numbers)
  }
}

const ownBirth = once(() => birthOf(process.pid))

/** The process that works on a run or a study just now. */
export interface Worker {
  readonly pid: number
  /** Whether that is this machine. */
  readonly isHere: boolean
  /** What may be signalled; null where it runs elsewhere, or its lease does not say when it began. */
  readonly process: LocalProcess | null
}

export async function workerOn(folder: string, purposes: readonly Purpose[] = ['train']): Promise<Worker | null> {
  const newest = attempt(() => leaseNumbers(folder), []).at(-1)
  const holder = newest === undefined ? null : livingHolder(leasePath(folder, newest))
  if (holder === null || !purposes.includes(holder.purpose)) return null
  const { pid, birth } = holder
  const isHere = holder.host === hostname()
  return { pid, isHere, process: isHere && birth !== null ? { pid, birth } : null }
}

function busyMessage(folder: string, purpose: Purpose, { pid, host }: Pick<Holder, 'pid' | 'host'>): Message {
  return message(BUSY[purpose], { run: basename(folder), pid: String(pid), host })
}

function holdLease(folder: string, number: number, token: string, outnumbered: readonly number[]): Lease {
  const path = leasePath(folder, number)
  const isMine = (): boolean => readHolder(path)?.token === token
  for (const older of outnumbered) rmSync(leasePath(folder, older), { force: true })
  const beat = (): void => {
    const now = new Date()
    if (isMine()) utimesSync(path, now, now)
    else clearInterval(heartbeat)
  }
  const heartbeat = setInterval(() => attempt(beat, null), HEARTBEAT_MS)
  heartbeat.unref()
  return {
    async check() {
      const numbers = attempt(() => leaseNumbers(folder), null)
      if (numbers === null) throw new Problem('damaged', say('lease.gone', { folder }))
      if (numbers.at(-1) !== number || !isMine()) {
        throw new Problem('busy', say('lease.lost', { run: basename(folder) }))
      }
    },
    async release() {
      clearInterval(heartbeat)
      if (!attempt(isMine, false)) return
      try {
        unlinkSync(path)
      } catch (error) {
        nullWhenMissing(error)
      }
    },
  }
}

function leasePath(folder: string, number: number): string {
  return join(folder, `lease.${number}`)
}

function leaseNumbers(folder: string): number[] {
  const names = readdirSync(folder)
  const numbers = names.filter(name => /^lease\.\d{1,15}$/.test(name)).map(name => Number(name.slice('lease.'.length)))
  return numbers.sort((a, b) => a - b)
}

function livingHolder(path: string): Holder | null {
  const file = statSync(path, { throwIfNoEntry: false })
  if (file === undefined) return null
  const silence = Date.now() - file.mtimeMs
  const holder = readHolder(path)
  if (holder === null) {
    // It is being made, or was torn by a full disk.
    const isFresh = Math.abs(silence) < HEARTBEAT_MS
    return isFresh ? { pid: 0, host: hostname(), purpose: 'import', token: null, birth: null } : null
  }
  // Clocks of two machines differ by seconds; a date further ahead is no heartbeat.
  if (Math.abs(silence) > SILENCE_MS) return null
  return holder.host === hostname() && !isWriting(holder) ? null : holder
}

function isWriting({ pid, birth }: Holder): boolean {
  return birth === null ? isAlive(pid) : isStillRunning({ pid, birth })
}

function readHolder(path: string): Holder | null {
  try {
    const { pid, host, purpose, token = null, birth = null } = JSON.parse(readFileSync(path, 'utf8'))
    if (!isProcessNumber(pid) || typeof host !== 'string') return null
    return { pid, host, purpose, token, birth: typeof birth === 'string' ? birth : null }
  } catch (error) {
    return error instanceof SyntaxError || error instanceof TypeError ? null : nullWhenMissing(error)
  }
}

function createExclusively(path: string, holder: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    // On a full disk the file is there, but empty: it must not hold the next writer up.
    rmSync(path, { force: true })
    throw error
  }
}

export function nullWhenMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
  throw error
}

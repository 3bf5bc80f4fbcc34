import { spawn } from 'node:child_process'
import { mkdir, open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../../logs/model/problem.js'
import { sentences } from '../../../text/sentences.js'
import { type Attempt, ENDING, type Ending, type JobQueue, type JobStatus, type Resources } from './executor.js'
import {
  endOf,
  isRunning,
  type JobFiles,
  jobFiles,
  noteStop,
  readClaim,
  starterWords,
  stopDueAt,
  textFrom,
} from './job-files.js'

/**
 * Programs of this machine, each in a process group of its own, so that a stop reaches what it has started itself. They
 * outlive klens: who asks next finds a living one by number and birth in its claim, and does not start it again. How
 * many run at a time is decided by the executor that hands them over; which graphics cards each may see is decided here.
 */
export interface Machine {
  /** As `uname -n` tells it. */
  readonly host: string
  /** What every program gets. */
  readonly environment: NodeJS.ProcessEnv
  readonly cores: number
  /** Names of the graphics cards, as CUDA_VISIBLE_DEVICES takes them. */
  readonly cards: readonly string[]
}

/** The machine that klens runs on, and klens itself as it can be started again. */
export interface Host extends Machine {
  readonly klens: readonly [program: string, script: string]
  /** Where klens was started. */
  readonly folder: string
  /** Of klens. */
  readonly version: string
  /** Lets the errors of trainings through. */
  readonly isLoud: boolean
}

const say = sentences({
  'executor.local.cards': {
    en: 'a trial needs {wanted} GPU{wanted||s} and this machine has {there} ({cards})',
    zh: '每个试验需要 {wanted} 张显卡，而本机有 {there} 张（{cards}）',
  },
  'executor.local.elsewhere': {
    en: '{handle} was started on the machine {host}, and it is unknown from here whether it still runs; check there, or remove {claim} if that machine is gone',
    zh: '{handle} 是在机器 {host} 上开始的，从这里无法得知它是否仍在运行；请到那台机器上操作，若该机器已不存在，请删除 {claim}',
  },
  'executor.local.no-start': {
    en: 'the program of {name} could not be started in {folder}: {reason}',
    zh: '无法在 {folder} 启动 {name} 的程序：{reason}',
  },
})

/** How many of such trials this machine can take at a time. */
export function capacityOf({ cpus, gpus }: Resources, { cores, cards }: Machine): number {
  const byCores = Math.max(1, Math.floor(cores / (cpus ?? 1)))
  if (gpus === null || gpus === 0) return byCores
  const byCards = gpus < 1 ? cards.length * Math.floor(1 / gpus) : Math.floor(cards.length / Math.ceil(gpus))
  if (byCards === 0) {
    const names = cards.join(', ') || '–'
    throw new Problem('bad-request', say('executor.local.cards', { wanted: gpus, there: cards.length, cards: names }))
  }
  return Math.min(byCores, byCards)
}

const LOOK_EVERY_MS = [50, 1000] as const
export function localQueue(folder: string, machine: Machine): JobQueue {
  const filesOf = (handle: string): JobFiles => jobFiles(folder, handle)
  /** By handle; of jobs that this process has begun or found alive. */
  const cardsInUse = new Map<string, CardShares>()

  async function status(handle: string): Promise<JobStatus> {
    const files = filesOf(handle)
    const found = await statusOf(handle, files, machine.host)
    if (found.state !== 'running') cardsInUse.delete(handle)
    else if (!cardsInUse.has(handle)) cardsInUse.set(handle, sharesIn((await readClaim(files))?.note ?? ''))
    return found
  }

  async function submit(job: Attempt): Promise<void> {
    const { handle, resources } = job
    if ((await status(handle)).state !== 'lost') return
    await mkdir(folder, { recursive: true })
    const shares = freeCards(resources.gpus, machine.cards, [...cardsInUse.values()])
    const visible = shares === null ? {} : { CUDA_VISIBLE_DEVICES: [...shares.keys()].join(',') }
    const environment = { ...machine.environment, ...job.environment, ...visible }
    // Taken before the first pause: others may be handed over meanwhile.
    if (shares !== null) cardsInUse.set(handle, shares)
    const words = [...starterWords(folder, handle, noteOf(shares)), ...job.words]
    try {
      await start(job, words, environment)
    } catch (error) {
      cardsInUse.delete(handle)
      throw error
    }
  }

  /** Returns once the program is claimed, so that every later look finds it. */
  async function start(job: Attempt, [program, ...words]: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
    const files = filesOf(job.handle)
    const log = await open(files.log, 'a')
    try {
      const child = spawn(program, words, {
        cwd: job.folder,
        env,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      })
      let fault: Error | null = null
      child.once('error', error => {
        fault = error
      })
      child.unref()
      while ((await readClaim(files)) === null) {
        if (fault !== null || child.exitCode !== null || child.signalCode !== null) throw notStarted(job, fault)
        await pause(5)
      }
    } finally {
      await log.close()
    }
  }

  return {
    place: 'local',
    goesOnAlone: false,
    lookEveryMs: LOOK_EVERY_MS,
    submit,
    status,
    log: (handle, from) => textFrom(filesOf(handle).log, from),
    async stop(handle, { signal, seconds } = ENDING) {
      const files = filesOf(handle)
      const { state } = await status(handle)
      if (state !== 'running') return
      await noteStop(files, seconds)
      const claim = await readClaim(files)
      if (claim !== null && isRunning(claim, machine.host)) signalGroup(claim.pid, signal)
    },
  }
}

function notStarted({ name, folder }: Attempt, fault: Error | null): Problem {
  const reason = fault?.message ?? 'sh'
  return new Problem('bad-request', say('executor.local.no-start', { name, folder, reason }), { cause: fault })
}

async function statusOf(handle: string, files: JobFiles, host: string): Promise<JobStatus> {
  const due = await stopDueAt(files)
  const ended = await endOf(files)
  // What was asked to stop has stopped when all that it has started itself is gone too.
  if (ended !== null && due === null) return ended
  const claim = await readClaim(files)
  if (claim === null) return { state: 'lost', reason: null }
  const runs = isRunning(claim, host)
  if (runs === null) {
    const { claim: path } = files
    throw new Problem('busy', say('executor.local.elsewhere', { handle, host: claim.host, claim: path }))
  }
  if (runs) {
    if (due !== null && Date.now() > due) signalGroup(claim.pid, 'SIGKILL')
    return { state: 'running', reason: null }
  }
  // It may have ended between the two looks.
  return (await endOf(files)) ?? { state: due === null ? 'evicted' : 'stopped', reason: null }
}

function signalGroup(group: number, signal: Ending['signal'] | 'SIGKILL'): void {
  try {
    process.kill(-group, signal)
  } catch {
    // It has just ended.
  }
}

/** How much of each card a job has. */
type CardShares = ReadonlyMap<string, number>

/** Null: a job that says nothing about cards sees what klens sees. */
function freeCards(wanted: number | null, cards: readonly string[], used: readonly CardShares[]): CardShares | null {
  if (wanted === null) return null
  const load = (card: string): number => used.reduce((sum, shares) => sum + (shares.get(card) ?? 0), 0)
  const share = Math.min(1, wanted)
  // Shares such as 0.3 do not add up to exactly 1.
  const free = cards.filter(card => load(card) + share <= 1 + 1e-9)
  const count = Math.ceil(wanted)
  if (free.length < count) {
    const names = free.join(', ') || '–'
    throw new Problem('busy', say('executor.local.cards', { wanted, there: free.length, cards: names }))
  }
  return new Map(free.slice(0, count).map(card => [card, share]))
}

function noteOf(shares: CardShares | null): string {
  return shares === null ? '' : [...shares].map(([card, share]) => `${card}=${share}`).join(' ')
}

function sharesIn(note: string): CardShares {
  const pairs = note.split(' ').filter(each => each !== '')
  return new Map(
    pairs.map(each => [each.slice(0, each.lastIndexOf('=')), Number(each.slice(each.lastIndexOf('=') + 1))]),
  )
}

import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { workerOn } from '../../../core/store/lease.js'
import { isAlive, isStillRunning, type LocalProcess, signalProcess } from '../../../core/store/process.js'
import { cacheFolder, runFolder, type Workspace } from '../../../core/store/workspace.js'
import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'

/**
 * Stops that are announced and may still be vetoed, and those that were carried out, as files in the workspace: every
 * process sees them, whichever one watches. One whose watcher is gone will not happen and is none.
 */

const schema = z.object({
  run: z.string(),
  name: z.string(),
  rule: z.string(),
  /** Why, in the words of whoever watches. */
  message: z.string(),
  /** When the process is asked to stop; Unix seconds. */
  at: z.number(),
  /** Of the process that watches. */
  watcher: z.number().int().positive(),
})

type AnnouncedStop = z.infer<typeof schema>

const [STOP, KEEP, STOPPED] = ['stop-', 'keep-', 'stopped-']

export async function announce(workspace: Workspace, stop: AnnouncedStop): Promise<void> {
  await mkdir(cacheFolder(workspace), { recursive: true })
  // A no to an earlier stop, which came too late, is none to this one; nor is that one's end.
  for (const kind of [KEEP, STOPPED]) await rm(pathOf(workspace, kind, stop.run), { force: true })
  await writeFileAtomically(pathOf(workspace, STOP, stop.run), JSON.stringify(stop))
}

async function withdraw(workspace: Workspace, run: string): Promise<void> {
  for (const kind of [STOP, KEEP]) await rm(pathOf(workspace, kind, run), { force: true })
}

/** Those that can still be vetoed. */
export async function announcedStops(workspace: Workspace): Promise<readonly AnnouncedStop[]> {
  const names = await readdir(cacheFolder(workspace)).catch((): string[] => [])
  // One that is being written lies beside its place under a name of its own, which no veto knows.
  const written = names.filter(name => name.startsWith(STOP) && !name.endsWith('.tmp'))
  const runs = written.map(name => name.slice(STOP.length))
  const open = runs.filter(run => !names.includes(`${KEEP}${run}`))
  const stops = await Promise.all(open.map(run => readStop(pathOf(workspace, STOP, run))))
  return stops.filter(stop => stop !== null)
}

async function readStop(path: string): Promise<AnnouncedStop | null> {
  const { data: stop } = schema.safeParse(
    await readFile(path, 'utf8')
      .then(JSON.parse)
      .catch(() => null),
  )
  return stop !== undefined && isAlive(stop.watcher) ? stop : null
}

/** Says no to a stop that is announced. */
export async function veto(workspace: Workspace, run: string): Promise<void> {
  await writeFile(pathOf(workspace, KEEP, run), '')
}

export function isVetoed(workspace: Workspace, run: string): Promise<boolean> {
  return stat(pathOf(workspace, KEEP, run)).then(
    () => true,
    () => false,
  )
}

/** When a process that trained it was last seen to end because klens asked for it, in Unix seconds; null: never. */
export async function stoppedAt(workspace: Workspace, run: string): Promise<number | null> {
  const mark = await stat(pathOf(workspace, STOPPED, run)).catch(() => null)
  return mark === null ? null : mark.mtimeMs / 1000
}

function pathOf(workspace: Workspace, kind: string, run: string): string {
  return join(cacheFolder(workspace), `${kind}${run}`)
}

/**
 * Stopping a training that a rule wants stopped. A person has time to say no first. Then the process is asked as Ctrl-C
 * asks, so that it saves what it can; after a while more firmly; it is never killed outright, for a checkpoint may be
 * half written.
 */

const say = sentences({
  'act.in': {
    en: '{name} will be stopped in {seconds} s (process {pid}); to keep it: klens watch {run} --keep',
    zh: '{name} 将在 {seconds} 秒后停止（进程 {pid}）；如要继续：klens watch {run} --keep',
  },
  'act.kept': { en: '{name} continues: the stop was vetoed', zh: '{name} 继续训练：有人选择保留' },
  'act.ended': {
    en: '{name} has ended by itself; no process was stopped',
    zh: '{name} 已自行结束；没有要求任何进程停止',
  },
  'act.asked': { en: '{name}: process {pid} was asked to stop', zh: '{name}：已要求进程 {pid} 停止' },
  'act.stopped': { en: '{name}: process {pid} has stopped', zh: '{name}：进程 {pid} 已停止' },
  'act.left': {
    en: '{name}: process {pid} was asked to stop and may still be saving; it is left alone',
    zh: '{name}：已要求进程 {pid} 停止，它可能仍在保存；不再打扰它',
  },
  'act.stubborn': {
    en: '{name}: process {pid} continues after two requests; stop it by hand',
    zh: '{name}：已两次要求进程 {pid} 停止但仍在运行，请手动停止',
  },
  'act.unknown-process': {
    en: '{name}: its process is unknown, so it cannot be stopped from here; give --pid',
    zh: '{name}：无法得知由哪个进程训练，不能从这里停止；请用 --pid 指定',
  },
})

interface Acting {
  readonly vetoSeconds: number
  /** The trainer, as it was when watching began; null: the process that holds the run to train it. */
  readonly trainer: LocalProcess | null
  readonly remark: (remark: Message) => void
  readonly signal: AbortSignal
  /** How long it has to save after the first and the second request. */
  readonly patienceSeconds?: readonly [number, number]
}

const PATIENCE_SECONDS = [300, 60] as const
const LOOK_EVERY_MS = 200

/** True when the training has stopped because it was asked to. */
export async function stopTraining(
  workspace: Workspace,
  { run, name, rule, message }: Pick<AnnouncedStop, 'run' | 'name' | 'rule' | 'message'>,
  { vetoSeconds, trainer: told, remark, signal, patienceSeconds = PATIENCE_SECONDS }: Acting,
): Promise<boolean> {
  const holder = async (): Promise<LocalProcess | null> => (await workerOn(runFolder(workspace, run)))?.process ?? null
  const trainer = told ?? (await holder())
  if (trainer === null || !isStillRunning(trainer)) {
    remark(say('act.unknown-process', { name }))
    return false
  }
  // A process that klens trains with may have gone on to another run, which is none of this stop's business.
  const isTraining = async (): Promise<boolean> =>
    isStillRunning(trainer) && (told !== null || (await holder())?.pid === trainer.pid)
  const pid = String(trainer.pid)
  remark(say('act.in', { name, run, pid, seconds: vetoSeconds }))
  const at = Date.now() / 1000 + vetoSeconds
  await announce(workspace, { run, name, rule, message, at, watcher: process.pid })
  const isKept = await until(vetoSeconds, signal, () => isVetoed(workspace, run))
  await withdraw(workspace, run)
  if (isKept || signal.aborted) {
    remark(say('act.kept', { name }))
    return false
  }
  let isAsked = false
  for (const [i, request] of (['SIGINT', 'SIGTERM'] as const).entries()) {
    if (!(await isTraining()) || !signalProcess(trainer, request)) break
    isAsked = true
    remark(say('act.asked', { name, pid }))
    if (await until(patienceSeconds[i], signal, async () => !(await isTraining()))) break
    if (signal.aborted) {
      remark(say('act.left', { name, pid }))
      return false
    }
  }
  const hasStopped = !(await isTraining())
  if (hasStopped && isAsked) await writeFile(pathOf(workspace, STOPPED, run), '')
  remark(hasStopped ? say(isAsked ? 'act.stopped' : 'act.ended', { name, pid }) : say('act.stubborn', { name, pid }))
  return hasStopped && isAsked
}

/** Whether it came true within so many seconds. */
async function until(seconds: number, signal: AbortSignal, isTrue: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    if (await isTrue()) return true
    if (signal.aborted || performance.now() >= deadline) return false
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

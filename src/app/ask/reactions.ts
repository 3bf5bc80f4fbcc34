import { processNumbered } from '../../core/store/process.js'
import { openWorkspace } from '../../core/store/workspace.js'
import { stopTraining } from '../../lab/study/watch/act.js'
import { type Notifier, notifierFor, runHook, targetFrom, wordsOf } from '../../lab/study/watch/notify.js'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { isNote, type WatchedEvent } from './watch.js'

/**
 * What follows from what was watched, where a person at this machine wants it so: an alert, a program, a stop. No server
 * may do these for a stranger, so they are no questions.
 */
export interface Reactions {
  /** Kinds of places and the variables that hold their addresses: `slack=TEAM_HOOK`. */
  readonly notify: readonly string[]
  readonly exec: string | null
  /** `pid`: of the trainer, where a person names it. */
  readonly act: { readonly pid: number | null; readonly vetoSeconds: number } | null
}

export interface Reacting {
  on(event: WatchedEvent): void
  /** Waits for what is under way. */
  settle(): Promise<void>
}

const say = sentences({
  'react.end': { en: '{name}: {status} at step {step}', zh: '{name}：{status}，step {step}' },
  'react.crash': { en: '{name}: {status} at step {step}. {reason}', zh: '{name}：{status}，step {step}。{reason}' },
  'react.stall': {
    en: '{name}: no new step for {minutes} minute{minutes||s} (step {step})',
    zh: '{name}：已有 {minutes} 分钟没有新的 step（停在 step {step}）',
  },
  'react.finding': { en: '{name}: {rule}: {message}', zh: '{name}：{rule}：{message}' },
  'react.stop': { en: '{name} should stop ({rule}): {message}', zh: '{name} 应停止（{rule}）：{message}' },
  'react.evaluation': {
    en: '{name}: {metric} {value} at step {step}',
    zh: '{name}：step {step} 的 {metric} 为 {value}',
  },
  'react.step': { en: '{name}: step {step}', zh: '{name}：step {step}' },
  'react.verdict': {
    en: '{message}',
    zh: '{message}',
  },
  'react.forecast': { en: '{name}: {message}', zh: '{name}：{message}' },
  'react.no-process': {
    en: 'there is no process {pid} on this machine; --pid takes the id of the training process',
    zh: '本机没有可停止的进程 {pid}；--pid 应为训练进程的进程号',
  },
  'react.hook': { en: '{program} ended with {code}', zh: '{program} 以 {code} 结束' },
})

/** One line for a person. */
export function eventSentence(event: WatchedEvent): Message {
  const { name } = event
  switch (event.event) {
    case 'step':
      return say('react.step', { name, step: event.step })
    case 'evaluation':
      return say('react.evaluation', { name, metric: event.metric, value: inFigures(event.value), step: event.step })
    case 'finding':
      return say('react.finding', { name, rule: event.rule, message: event.message })
    case 'stall':
      return say('react.stall', { name, step: event.step ?? 0, minutes: figure(event.seconds / 60, 2) })
    case 'stop':
      return say('react.stop', { name, rule: event.rule, message: event.message })
    case 'crash': {
      const reason = event.reasons.join('; ')
      return say('react.crash', { name, status: event.status, step: event.step ?? 0, reason })
    }
    case 'verdict':
      return say('react.verdict', { message: event.message })
    case 'forecast':
      return say('react.forecast', { name, message: event.message })
    case 'end':
      return say('react.end', { name, status: event.status, step: event.step ?? 0 })
  }
}

function inFigures(value: number | string): string {
  return typeof value === 'number' ? figure(value, 4) : value
}

/** Worth waking somebody for: a stop, a crash, a stall, an end, and the first finding of a run. */
function isWorthTelling(event: WatchedEvent, found: ReadonlySet<string>): boolean {
  if (event.event === 'finding') return !isNote(event) && !found.has(event.run)
  return event.event !== 'step' && event.event !== 'evaluation' && event.event !== 'forecast'
}

export function reactTo(
  { notify, exec, act }: Reactions,
  {
    render,
    remark,
    signal,
  }: {
    readonly render: (message: Message) => string
    readonly remark: (message: Message) => void
    readonly signal: AbortSignal
  },
): Reacting {
  const notifiers: readonly Notifier[] = notify.map(given => notifierFor(targetFrom(given, process.env), { remark }))
  const command = exec === null ? null : wordsOf(exec)
  const trainer = act?.pid == null ? null : processNumbered(act.pid)
  if (act?.pid != null && trainer === null) {
    throw new Problem('bad-request', say('react.no-process', { pid: String(act.pid) }))
  }
  const found = new Set<string>()
  const stopping = new Set<string>()
  const work: Promise<unknown>[] = []
  return {
    on(event) {
      const isTold = isWorthTelling(event, found)
      if (event.event === 'finding' && !isNote(event)) found.add(event.run)
      if (isTold) {
        for (const notifier of notifiers) notifier.send({ text: render(eventSentence(event)), event })
        if (command !== null) work.push(hooked(command, event, remark))
      }
      if (event.event === 'stop' && act !== null && !stopping.has(event.run)) {
        stopping.add(event.run)
        work.push(stopped(event, { vetoSeconds: act.vetoSeconds, trainer, remark, signal }))
      }
    },
    async settle() {
      await Promise.all(work)
      for (const notifier of notifiers) await notifier.settle()
    },
  }
}

async function hooked(command: readonly string[], event: WatchedEvent, remark: (message: Message) => void) {
  const code = await runHook(command, event)
  if (code !== 0) remark(say('react.hook', { program: command[0], code }))
}

async function stopped(
  event: Extract<WatchedEvent, { event: 'stop' }>,
  acting: Parameters<typeof stopTraining>[2],
): Promise<void> {
  const workspace = await openWorkspace()
  try {
    await stopTraining(workspace, event, acting)
  } finally {
    await workspace.close()
  }
}

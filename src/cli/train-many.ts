import { version } from '../ask/version.js'
import { openWorkspace } from '../store/workspace.js'
import type { EpochReport } from '../train/run/run-training.js'
import type { Trial } from '../train/sweep/grid.js'
import type { FromWorker, TrialOutcome } from '../train/sweep/messages.js'
import { runSweep } from '../train/sweep/run-sweep.js'
import type { Context } from './context.js'
import { interruptible } from './interrupt.js'
import { statusLine } from './print/status-line.js'
import { pad, printable, shortNumber } from './print/style.js'
import { epochJson, resultJson } from './print/training.js'

/** Many trainings at once: a line for each as it ends, and at the end what came of all of them. */
export interface TrainFlags {
  readonly json?: boolean
  readonly from?: string
  readonly fresh?: boolean
}

/** klens itself, told to serve: wherever its files lie, and bundled or not, it can start itself. */
const WORKER = [process.argv[1], 'train', '--worker'] as const

interface Running {
  began: number
  resumedAfter: number | null
  last: EpochReport | null
}

export async function trainMany(
  context: Context,
  trials: readonly Trial[],
  workers: number,
  { json = false, from, fresh = false }: TrainFlags,
): Promise<void> {
  const line = statusLine(json)
  const atOnce = Math.min(workers, trials.length)
  const width = Math.min(60, Math.max(...trials.map(({ name }) => (name ?? '').length)))
  const running = new Map<Trial, Running>()
  const epochsOf = ({ config }: Trial): number => config.epochs.rce + config.epochs.grpo
  const total = trials.reduce((sum, trial) => sum + epochsOf(trial), 0)
  let epochs = 0
  let done = 0
  if (!json) context.print(context.say('train.grid', { trials: trials.length, workers: atOnce }))

  function observe(trial: Trial, said: FromWorker): void {
    const state = running.get(trial) ?? { began: performance.now(), resumedAfter: null, last: null }
    running.set(trial, state)
    switch (said.type) {
      case 'started':
        state.resumedAfter = said.resumedAfter
        epochs += said.resumedAfter ?? 0
        return
      case 'epoch':
        state.last = said.report
        epochs += 1
        if (json) context.printJson({ trial: trial.name, ...epochJson(said.report) })
        break
      case 'end':
        done += 1
        if (said.outcome.kind === 'known') epochs += epochsOf(trial)
        line.clear()
        if (json) context.printJson({ trial: trial.name, ...endJson(context, said.outcome, state) })
        else context.print(endLine(context, trial, width, said.outcome, state))
    }
    line.paint(() => context.say('train.grid-progress', { done, trials: trials.length, epochs, total }))
  }

  const workspace = await openWorkspace()
  const options = { workers: atOnce, command: WORKER, from: from ?? null, fresh, code: version(), observe }
  const { outcomes, stopped } = await interruptible(context, async signal => ({
    outcomes: await runSweep(workspace, trials, { ...options, signal }),
    stopped: signal.aborted,
  })).finally(line.clear)
  conclude(context, trials, outcomes, json, stopped)
}

function conclude(
  context: Context,
  trials: readonly Trial[],
  outcomes: ReadonlyMap<Trial, TrialOutcome>,
  json: boolean,
  stopped: boolean,
): void {
  const ended = [...outcomes.values()]
  const failed = ended.filter(({ kind }) => kind === 'failed').length
  const known = ended.filter(({ kind }) => kind === 'known').length
  if (json) {
    const runs = trials.map(trial => ({ trial: trial.name, ...summary(outcomes.get(trial)) }))
    context.printJson({ runs })
  } else {
    if (known > 0) context.print(context.say('train.grid-skipped', { count: known }))
    if (!stopped && failed === 0) {
      const names = `${printable(commonStart(trials.map(({ name }) => name ?? '')), 200)}*`
      context.print(context.say('train.grid-done', { names }))
    }
  }
  if (stopped) context.remark(context.say('train.grid-stopped', {}))
  if (failed === 0 || stopped) return
  process.exitCode = 1
  context.remark(context.say('train.grid-failed', { failed, trials: trials.length }))
}

function summary(outcome: TrialOutcome | undefined): object {
  switch (outcome?.kind) {
    case 'trained':
      return { run: outcome.result.run, status: outcome.result.status }
    case 'known':
      return { run: outcome.run, status: 'finished' }
    case 'failed':
      return { run: null, status: 'failed' }
    default:
      return { run: null, status: 'unknown' }
  }
}

function endJson(context: Context, outcome: TrialOutcome, { began, resumedAfter }: Running): object {
  const volatile = { seconds: (performance.now() - began) / 1000, resumedAfter }
  if (outcome.kind === 'trained') return resultJson(outcome.result, { folder: outcome.result.folder, ...volatile })
  if (outcome.kind === 'known') return { run: outcome.run, status: 'finished', volatile }
  return { run: null, status: 'failed', reason: reasonText(context, outcome.reasons), volatile }
}

function endLine(context: Context, { name }: Trial, width: number, outcome: TrialOutcome, state: Running): string {
  return `  ${pad(printable(name ?? '', width), width)}  ${endText(context, outcome, state)}`
}

const SHOWN = ['val.score', 'kl.ref.exact', 'kl.coef'] as const

function endText(context: Context, outcome: TrialOutcome, { began, resumedAfter, last }: Running): string {
  if (outcome.kind === 'failed') {
    return context.say('train.trial-failed', { reason: reasonText(context, outcome.reasons) })
  }
  if (outcome.kind === 'known') return `${outcome.run}  ${context.say('status.finished', {})}`
  const { run, status, epoch } = outcome.result
  if (status === 'killed') return `${run}  ${context.say('train.trial-stopped', { epoch })}`
  const figures = SHOWN.flatMap(metric => {
    const value = last?.metrics[metric]
    return value === undefined ? [] : [`${metric} ${shortNumber(value)}`]
  })
  const resumed = resumedAfter === null ? [] : [context.say('train.trial-resumed', { epoch: resumedAfter })]
  return [run, ...figures, `${((performance.now() - began) / 1000).toFixed(1)} s`, ...resumed].join('  ')
}

function reasonText(context: Context, reasons: Extract<TrialOutcome, { kind: 'failed' }>['reasons']): string {
  return printable(reasons.map(context.render).join(' '), 600)
}

function commonStart(names: readonly string[]): string {
  const [first = '', ...others] = names
  let length = first.length
  while (others.some(name => !name.startsWith(first.slice(0, length)))) length -= 1
  return first.slice(0, length)
}

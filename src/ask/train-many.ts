import { availableParallelism } from 'node:os'
import type { Workspace } from '../store/workspace.js'
import type { Language } from '../text/language.js'
import { epochsOf } from '../train/config/any.js'
import { yieldingToEventLoop } from '../train/event-loop.js'
import { makeSharedStarts } from '../train/intention/start.js'
import type { Trial } from '../train/sweep/grid.js'
import type { FromWorker, TrialOutcome } from '../train/sweep/messages.js'
import { runSweep } from '../train/sweep/run-sweep.js'
import { inWords } from './fields.js'
import type { Asking } from './question.js'
import { epochAnswer, type TrainEvent, type TrialEnd, type TrialsAnswer, trainedAnswer } from './training-answers.js'
import { version } from './version.js'

/** Several trainings side by side on this machine. */

interface Running {
  readonly began: number
  resumedAfter: number | null
}

interface AskedTrainings {
  /** Null: as many as there are cores. */
  readonly workers: number | null
  readonly fresh: boolean
  readonly lang: Language
}

/** Each in a process of its own: klens itself, told to serve; wherever its files lie, and bundled or not. */
export async function trainMany(
  workspace: Workspace,
  planned: readonly Trial[],
  { workers, fresh, lang }: AskedTrainings,
  { signal = new AbortController().signal, onProgress }: Asking<TrainEvent>,
): Promise<TrialsAnswer> {
  const running = new Map<Trial, Running>()
  const atOnce = Math.min(workers ?? availableParallelism(), planned.length)
  const nameOf = ({ name }: Trial): string => name ?? ''
  onProgress?.({
    event: 'grid',
    trials: planned.map(trial => ({
      name: nameOf(trial),
      epochs: epochsOf(trial.config),
    })),
    workers: atOnce,
  })
  const observe = (trial: Trial, said: FromWorker): void => {
    const state = running.get(trial) ?? { began: performance.now(), resumedAfter: null }
    running.set(trial, state)
    const name = nameOf(trial)
    switch (said.type) {
      case 'started':
        state.resumedAfter = said.resumedAfter
        onProgress?.({ event: 'started', trial: name, resumedAfter: said.resumedAfter, about: null })
        break
      case 'epoch':
        onProgress?.({ event: 'epoch', trial: name, report: epochAnswer(said.report) })
        break
      case 'end':
        onProgress?.({ event: 'end', trial: name, end: trialEnd(said.outcome, state, lang) })
    }
  }
  if (atOnce > 1) await makeStarts(workspace, planned, { signal, onProgress })
  const outcomes = await runSweep(workspace, planned, {
    workers: atOnce,
    command: [process.argv[1], 'train', '--worker'],
    fresh,
    code: version(),
    signal,
    observe,
    isLoud: Boolean(process.env.KLENS_DEBUG),
  })
  return {
    runs: planned.map(trial => ({ trial: trial.name, ...outcomeOf(outcomes.get(trial)) })),
    known: [...outcomes.values()].filter(({ kind }) => kind === 'known').length,
    stopped: signal.aborted,
  }
}

/** The supervised starts that several of them share, which each would make for itself. */
export async function makeStarts(
  workspace: Workspace,
  planned: readonly Trial[],
  { signal, onProgress }: Asking<TrainEvent>,
): Promise<void> {
  const configs = planned.flatMap(({ config, from }) => (config.task === 'intention' && from === null ? [config] : []))
  const yieldToEventLoop = yieldingToEventLoop(
    (done, total) => onProgress?.({ event: 'start-progress', done, total }),
    signal,
  )
  await makeSharedStarts(workspace, configs, yieldToEventLoop).catch(error => {
    // Asked to stop: then none of them is begun, and the answer says so.
    if (!signal?.aborted) throw error
  })
}

function outcomeOf(outcome: TrialOutcome | undefined): Pick<TrialsAnswer['runs'][number], 'run' | 'status'> {
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

function trialEnd(outcome: TrialOutcome, { began, resumedAfter }: Running, language: Language): TrialEnd {
  const volatile = { seconds: (performance.now() - began) / 1000, resumedAfter }
  switch (outcome.kind) {
    case 'trained':
      return trainedAnswer(outcome.result, volatile)
    case 'known':
      return { run: outcome.run, status: 'finished', volatile }
    case 'failed':
      return { run: null, status: 'failed', reason: inWords(outcome.reasons, language).join(' '), volatile }
  }
}

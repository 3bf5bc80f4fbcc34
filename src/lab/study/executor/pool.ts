import type { Workspace } from '../../../core/store/workspace.js'
import type { Language } from '../../../text/language.js'
import { render } from '../../../text/sentences.js'
import { epochsOf } from '../../train/config/any.js'
import { yieldingToEventLoop } from '../../train/event-loop.js'
import { makeSharedStarts } from '../../train/intention/start.js'
import type { PlannedTraining } from '../../train/sweep/grid.js'
import type { TrialOutcome } from '../../train/sweep/messages.js'
import { runSweep } from '../../train/sweep/run-sweep.js'
import { epochAnswer, type Outcome, type TrainEvent, type TrialEnd, trainedAnswer } from '../events.js'
import type { Executor } from './executor.js'
import type { Host } from './local.js'

interface RunningTraining {
  readonly began: number
  resumedAfter: number | null
}

/**
 * Klens's own trainings side by side on this machine, each in a process of its own: klens itself, started to serve,
 * wherever its files lie, and bundled or not.
 */
export function trainingPool(
  workspace: Workspace,
  { cores, klens: [, script], version, isLoud }: Host,
  { fresh = false }: { readonly fresh?: boolean } = {},
): Executor<PlannedTraining, TrainEvent> {
  return {
    async run(trainings, { workers, signal, spent, language, onEvent }) {
      const stopping = AbortSignal.any([signal, spent])
      const atOnce = Math.min(workers ?? cores, trainings.length)
      onEvent(gridOf(trainings, atOnce))
      if (atOnce > 1) await makeStarts(workspace, trainings, stopping, onEvent)
      const running = new Map<PlannedTraining, RunningTraining>()
      const outcomes = await runSweep(workspace, trainings, {
        workers: atOnce,
        command: [script, 'train', '--worker'],
        fresh,
        code: version,
        signal: stopping,
        isLoud,
        observe(training, said) {
          const state = running.get(training) ?? { began: performance.now(), resumedAfter: null }
          running.set(training, state)
          const trial = training.name ?? ''
          switch (said.type) {
            case 'started':
              state.resumedAfter = said.resumedAfter
              onEvent({ event: 'started', trial, resumedAfter: said.resumedAfter, about: null })
              break
            case 'epoch':
              onEvent({ event: 'epoch', trial, report: epochAnswer(said.report) })
              break
            case 'end':
              onEvent({ event: 'end', trial, end: endOf(said.outcome, state, language) })
          }
        },
      })
      return new Map([...outcomes].map(([training, outcome]) => [training, outcomeOf(outcome, language)]))
    },
  }
}

export function gridOf(trainings: readonly PlannedTraining[], workers: number): TrainEvent {
  const trials = trainings.map(({ name, config }) => ({ name: name ?? '', epochs: epochsOf(config) }))
  return { event: 'grid', trials, workers }
}

/** The supervised starts that several of them share, which each would make for itself. */
export async function makeStarts(
  workspace: Workspace,
  trainings: readonly PlannedTraining[],
  signal: AbortSignal,
  onEvent: (event: TrainEvent) => void,
): Promise<void> {
  const configs = trainings.flatMap(({ config, from }) =>
    config.task === 'intention' && from === null ? [config] : [],
  )
  const progress = (done: number, total: number): void => onEvent({ event: 'start-progress', done, total })
  await makeSharedStarts(workspace, configs, yieldingToEventLoop(progress, signal)).catch(error => {
    // Asked to stop: then none of them is begun, and the answer says so.
    if (!signal.aborted) throw error
  })
}

function outcomeOf(outcome: TrialOutcome, language: Language): Outcome {
  switch (outcome.kind) {
    case 'trained': {
      const { run, status } = outcome.result
      return { state: status === 'finished' ? 'done' : 'stopped', run, reasons: [], isKnown: false }
    }
    case 'known':
      return { state: 'done', run: outcome.run, reasons: [], isKnown: true }
    case 'failed':
      return { state: 'failed', run: null, reasons: [reasonOf(outcome, language)], isKnown: false }
  }
}

function endOf(outcome: TrialOutcome, { began, resumedAfter }: RunningTraining, language: Language): TrialEnd {
  const volatile = { seconds: (performance.now() - began) / 1000, resumedAfter }
  switch (outcome.kind) {
    case 'trained':
      return trainedAnswer(outcome.result, volatile)
    case 'known':
      return { run: outcome.run, status: 'finished', volatile }
    case 'failed':
      return { run: null, status: 'failed', reason: reasonOf(outcome, language), volatile }
  }
}

function reasonOf({ reasons }: Extract<TrialOutcome, { kind: 'failed' }>, language: Language): string {
  return reasons.map(reason => render(reason, language)).join(' ')
}

import type { Workspace } from '../store/workspace.js'
import { readAdopted } from '../study/adopt/adopted.js'
import type { ProgramEvent } from '../study/engine/run-programs.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import type { StudyTrial } from '../study/plan/trials.js'
import { type Determined, stagesBehind } from '../study/stages/plan-stages.js'
import { type Failures, keepFailures } from '../study/status/cells.js'
import type { Language } from '../text/language.js'
import { render } from '../text/sentences.js'
import type { Trial } from '../train/sweep/grid.js'
import type { Asking } from './question.js'
import type { TrainedTrials } from './study-dropping.js'
import { trainElsewhere } from './study-elsewhere.js'
import { isProgram, runProgramTrials } from './study-programs.js'
import { trainStages } from './study-stages.js'
import { trainMany } from './train-many.js'
import type { TrainEvent } from './training-answers.js'

/** Trials of a study trained, whoever trains them, until all are there or the hours of the budget are spent. */

export interface AskedTrials {
  readonly workers: number | null
  readonly lang: Language
  readonly hoursSpent: number
}

/** What is told while trials are trained, by klens itself or by programs. */
export type TrialEvent = TrainEvent | ProgramEvent

/** With the pool of `klens train`, or by handing programs over; both leave out what is finished and resume what was interrupted. */
export async function trainTrials(
  workspace: Workspace,
  study: PlannedStudy,
  trials: readonly StudyTrial[],
  asked: AskedTrials,
  { signal, onProgress, ...asking }: Asking<TrialEvent>,
): Promise<TrainedTrials> {
  const { budget, workers } = study.file
  const spent = new AbortController()
  const failures = new Map<string, readonly string[]>()
  let hours = asked.hoursSpent
  const hear = (told: TrainEvent): void => {
    if (told.event === 'epoch') hours += told.report.volatile['time.step'] / 3600
    if (budget.hours !== null && hours >= budget.hours) spent.abort()
    if (told.event === 'end' && told.end.status === 'failed') failures.set(told.trial, [told.end.reason])
    onProgress?.(told)
  }
  if (budget.hours !== null && hours >= budget.hours) return { known: 0, stopped: 'out-of-budget' }
  const stopping = AbortSignal.any([...(signal === undefined ? [] : [signal]), spent.signal])
  const atOnce = asked.workers ?? workers
  const adopted = await readAdopted(workspace, study.name)
  const wanted = trials.filter(({ id }) => adopted[id] === undefined)
  const programs = wanted.filter(isProgram)
  const builtin = wanted.filter(trial => trial.program === null)
  const clock = programClock(budget.hours === null ? null : budget.hours - hours, () => spent.abort())
  const ran = await runProgramTrials(workspace, study, programs, {
    workers: atOnce,
    language: asked.lang,
    signal: stopping,
    hear(told) {
      clock.hear(told)
      onProgress?.(told)
    },
  }).finally(clock.stop)
  const { executor: section, resources } = study.file
  const train = (planned: readonly Trial[]) => {
    const { lang } = asked
    if (section.kind === 'local') {
      const plain = { workers: atOnce, fresh: false, lang }
      return trainMany(workspace, planned, plain, { ...asking, onProgress: hear, signal: stopping })
    }
    const elsewhere = { study: study.name, section, resources, workers: atOnce, lang, spent: spent.signal }
    return trainElsewhere(workspace, planned, elsewhere, { ...asking, onProgress: hear, ...(signal && { signal }) })
  }
  const ready = await trainStages(workspace, study, builtin, train, name => failures.get(name) ?? [], stopping)
  if (!stopping.aborted) {
    for (const [{ name }, { sentence }] of ready.held) failures.set(name, [render(sentence, asked.lang)])
  }
  const trained = ready.trials.length === 0 ? { known: 0 } : await train(ready.trials)
  const known = trained.known + ran.known
  await keepFailures(workspace, study.name, {
    ...failuresById([...stagesBehind(trials), ...trials], failures),
    ...Object.fromEntries(ran.failures),
  })
  return { known, stopped: signal?.aborted ? 'asked' : spent.signal.aborted ? 'out-of-budget' : null }
}

interface Clock {
  hear(told: TrialEvent): void
  stop(): void
}

const TICK_MS = 1_000

/** Programs tell no hours: what they take is counted while they run. */
function programClock(hoursLeft: number | null, out: () => void): Clock {
  let running = 0
  let hours = 0
  const ticking = setInterval(() => {
    hours += (running * TICK_MS) / 3_600_000
    if (hoursLeft !== null && hours >= hoursLeft) out()
  }, TICK_MS)
  return {
    hear(told) {
      if (told.event !== 'program') return
      if (told.what === 'begun' || told.what === 'found') running += 1
      if (told.what === 'ended') running = Math.max(0, running - 1)
    },
    stop: () => clearInterval(ticking),
  }
}

function failuresById(
  trials: readonly Pick<Determined, 'id' | 'name'>[],
  reasons: ReadonlyMap<string, readonly string[]>,
): Failures {
  return Object.fromEntries(
    trials.flatMap(({ id, name }) => {
      const failed = reasons.get(name)
      return failed === undefined ? [] : [[id, failed]]
    }),
  )
}

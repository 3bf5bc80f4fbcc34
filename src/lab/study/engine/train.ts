import { render } from '../../../text/sentences.js'
import type { PlannedTraining } from '../../train/sweep/grid.js'
import { costOf } from '../cell.js'
import { metricInTraining } from '../evaluations/plan-evaluations.js'
import type { Outcome, StudyEvent } from '../events.js'
import type { Executor, Running } from '../executor/executor.js'
import { openQueue, queueCapacity } from '../executor/open-queue.js'
import { trainingPool } from '../executor/pool.js'
import { queuedTrainings } from '../executor/queued-trainings.js'
import { jobRecords } from '../executor/records.js'
import { type Failures, keepFailures, readAdopted } from '../ledger.js'
import { queuedPrograms } from '../program/run-programs.js'
import { readCells } from '../status/status.js'
import { studyStopRules } from '../stop-rules.js'
import type { BuiltinTrial, CommandTrial, Trial } from '../trial.js'
import type { Stopped, StudyEngine } from './engine.js'
import { evaluateTrials } from './evaluate.js'
import { trainStages } from './stages.js'

export interface TrainedTrials {
  /** How many were finished before and left out. */
  readonly known: number
  readonly stopped: Stopped
}

/** Trains these, wherever they run, until all are there or the hours of the budget are spent. */
export async function trainTrials(
  engine: StudyEngine,
  trials: readonly Trial[],
  hoursSpent: number,
): Promise<TrainedTrials> {
  const { workspace, plan, signal, language, remark } = engine
  const spent = new AbortController()
  const clock = budgetClock(plan.file.budget.hours, hoursSpent, () => spent.abort())
  if (clock.isSpent()) return { known: 0, stopped: 'out-of-budget' }
  const running: Running = {
    workers: engine.workers ?? plan.file.workers,
    signal,
    spent: spent.signal,
    language,
    onEvent(event) {
      clock.onEvent(event)
      engine.onEvent(event)
    },
    remark,
  }
  const adopted = await readAdopted(workspace, plan.name)
  const wanted = trials.filter(({ id }) => adopted[id] === undefined)
  try {
    const outcomes =
      plan.file.engine === 'builtin'
        ? await runTrainings(engine, wanted.filter(isBuiltin), running)
        : await runWork(programExecutor(engine), wanted.filter(isProgram), running)
    const failures: Failures = Object.fromEntries(
      [...outcomes].flatMap(([id, { state, reasons }]) => (state === 'failed' ? [[id, reasons]] : [])),
    )
    await keepFailures(workspace, plan.name, failures)
    const known = wanted.filter(({ id }) => {
      const outcome = outcomes.get(id)
      return outcome?.isKnown && outcome.state === 'done'
    })
    const stopped = signal.aborted ? 'asked' : spent.signal.aborted ? 'out-of-budget' : null
    return { known: known.length, stopped }
  } finally {
    clock.stop()
  }
}

/** By trial or stage, whichever it was. */
type Outcomes = ReadonlyMap<string, Outcome>

async function runWork<Work extends { readonly id: string }>(
  executor: Executor<Work>,
  work: readonly Work[],
  running: Running,
): Promise<Outcomes> {
  if (work.length === 0) return new Map()
  return new Map([...(await executor.run(work, running))].map(([{ id }, outcome]) => [id, outcome]))
}

/** What they start from is trained before them; what cannot start has failed, unless it was asked to stop. */
async function runTrainings(engine: StudyEngine, trials: readonly BuiltinTrial[], running: Running): Promise<Outcomes> {
  const executor = trainingExecutor(engine)
  const outcomes = new Map<string, Outcome>()
  const train = async (trainings: ReadonlyMap<string, PlannedTraining>): Promise<void> => {
    if (trainings.size === 0) return
    const ended = await executor.run([...trainings.values()], running)
    for (const [id, training] of trainings) {
      const outcome = ended.get(training)
      if (outcome !== undefined) outcomes.set(id, outcome)
    }
  }
  const stopping = AbortSignal.any([running.signal, running.spent])
  const { ready, blocked } = await trainStages(engine, trials, train, outcomes, stopping)
  if (!stopping.aborted) {
    for (const [{ id }, reason] of blocked) {
      outcomes.set(id, { state: 'failed', run: null, reasons: [render(reason, engine.language)], isKnown: false })
    }
  }
  await train(ready)
  return outcomes
}

function trainingExecutor({ workspace, plan: { name, file }, host }: StudyEngine): Executor<PlannedTraining> {
  const { executor: section, resources } = file
  if (section.kind === 'local') return trainingPool(workspace, host)
  const records = jobRecords(workspace, name)
  const queue = openQueue(section, records.folder, host)
  return queuedTrainings(workspace, { queue, records, section, resources, host })
}

function programExecutor({ workspace, plan, host }: StudyEngine): Executor<CommandTrial> {
  const { name, file } = plan
  const { executor: section, resources, stop } = file
  const records = jobRecords(workspace, name)
  return queuedPrograms(workspace, {
    study: name,
    metric: metricInTraining(plan),
    isJudgedByIt: plan.primary === null,
    queue: openQueue(section, records.folder, host),
    records,
    resources,
    capacity: queueCapacity(section, resources, host),
    stopRules: studyStopRules(stop),
    klens: (section.kind === 'local' ? null : section.klens) ?? host.klens,
    evaluated: Object.values(file.evaluations).map(({ checkpoints }) => checkpoints),
  })
}

function isBuiltin(trial: Trial): trial is BuiltinTrial {
  return trial.program === null
}

function isProgram(trial: Trial): trial is CommandTrial {
  return trial.program !== null
}

/** What came of wanting trials: those that were trained for it, and how many of them are not there. */
export interface CompletedTrials {
  readonly trials: readonly string[]
  readonly missing: number
  readonly stopped: Stopped
}

/**
 * Trains what is missing of these trials, as far as the budget of the study goes, and scores it where an evaluation is what
 * the study judges by. `counted`: all trials that the budget has been spent on, these included.
 */
export async function completeTrials(
  engine: StudyEngine,
  trials: readonly Trial[],
  counted: readonly Trial[],
): Promise<CompletedTrials> {
  const { workspace, plan } = engine
  const wanted = (await readCells(workspace, plan, trials)).filter(({ state }) => state !== 'done')
  if (wanted.length === 0) return { trials: [], missing: 0, stopped: null }
  const spent = costOf(await readCells(workspace, plan, counted))
  const begun = wanted.filter(({ runs }) => runs.length > 0).length
  const budget = plan.file.budget.trials
  if (budget !== null && spent.trials + wanted.length - begun > budget) {
    return { trials: [], missing: wanted.length, stopped: 'out-of-budget' }
  }
  const missing = wanted.map(({ trial }) => trial)
  const { stopped } = await trainTrials(engine, missing, spent.hours)
  if (plan.primary !== null) await evaluateTrials({ ...engine, onEvent: () => {} }, missing)
  return { trials: missing.map(({ name }) => name), missing: stopped === null ? 0 : wanted.length, stopped }
}

/** The hours of a study's budget: of epochs as they are reported, of programs, which report none, while they run. */
interface BudgetClock {
  onEvent(event: StudyEvent): void
  isSpent(): boolean
  stop(): void
}

const TICK_MS = 1_000

/** `limit` in hours; null: there is none. */
function budgetClock(limit: number | null, hoursSpent: number, onSpent: () => void): BudgetClock {
  let hours = hoursSpent
  let programs = 0
  const isSpent = (): boolean => limit !== null && hours >= limit
  const add = (more: number): void => {
    hours += more
    if (isSpent()) onSpent()
  }
  const ticking = setInterval(() => add((programs * TICK_MS) / 3_600_000), TICK_MS)
  if (isSpent()) clearInterval(ticking)
  return {
    onEvent(event) {
      if (event.event === 'epoch') add(event.report.volatile['time.step'] / 3600)
      if (event.event !== 'program') return
      if (event.what === 'begun' || event.what === 'found') programs += 1
      if (event.what === 'ended') programs = Math.max(0, programs - 1)
    },
    isSpent,
    stop: () => clearInterval(ticking),
  }
}

import { listRuns, type RunEntry } from '../../../core/store/catalogue.js'
import { workerOn } from '../../../core/store/lease.js'
import { runFolder, type Workspace } from '../../../core/store/workspace.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import type { Cell, EvaluationCell, NewSuspicion, Suspicion } from '../cell.js'
import { evaluationCells, judgedBy } from '../evaluations/matrix.js'
import { metricInTraining, type PlannedCondition } from '../evaluations/plan-evaluations.js'
import { readRecords } from '../evaluations/records.js'
import type { ReadStudy } from '../file/read.js'
import {
  type AdoptedRun,
  acknowledgementKey,
  type Failures,
  readAcknowledged,
  readAdopted,
  readDropped,
  readFailures,
} from '../ledger.js'
import { evaluationSuspicions } from '../lineage/suspicious-evaluations.js'
import { adoptionSuspicions, trialSuspicions } from '../lineage/suspicious-trials.js'
import type { PlannedStudy } from '../plan/plan-study.js'
import { lastCheckpoint, trialFolder } from '../program/trial-folder.js'
import { trialsToBuy } from '../settle/settled-arms.js'
import { type Standing, type StudyStage, stagesBehind, type Trial, type TrialCheckpoint } from '../trial.js'
import { judgedTrials } from '../verdicts.js'
import {
  candidateRuns,
  type ProgramPlace,
  type ResultNeeds,
  type RunResult,
  runResults,
  trialRuns,
} from './run-results.js'

/** How a study stands, worked out from the runs of the workspace and from what was evaluated. */
interface StudyStatus {
  /** Of each trial its own validation, or the evaluation that the study is judged by. */
  readonly cells: readonly Cell[]
  /** Each trial under each condition at each checkpoint that is asked for. */
  readonly evaluations: readonly EvaluationCell[]
  /** Those that the trials rest on, each once. */
  readonly stages: readonly StudyStage[]
  /** Manifests that cannot be read: any of them may be that of a trial. */
  readonly damaged: readonly string[]
}

/** What of a planned study decides how it stands. */
interface JudgedStudy extends Pick<ReadStudy, 'name' | 'file'> {
  /** By arm. */
  readonly conditions: ReadonlyMap<string, readonly PlannedCondition[]>
  /** By arm, what it is judged by; null: the validation in training. */
  readonly primary: ReadonlyMap<string, PlannedCondition> | null
}

export async function readCells(
  workspace: Workspace,
  study: JudgedStudy,
  trials: readonly Trial[],
): Promise<readonly Cell[]> {
  return (await readStatus(workspace, study, trials)).cells
}

/** Every trial that there is: those of the file, and those that were begun beyond them. */
export async function readWholeStatus(workspace: Workspace, study: PlannedStudy): Promise<StudyStatus> {
  const planned = new Set(study.trials.map(({ id }) => id))
  const begun = await begunTrials(workspace, study.name)
  const further = [...judgedTrials(study), ...trialsToBuy(study)].filter(
    ({ id, settings }) => planned.has(id) || begun.has(id) || begun.has(settings),
  )
  const possible = [...new Map(further.map(each => [each.id, each])).values()]
  const { cells, stages, evaluations, damaged } = await readStatus(workspace, study, possible)
  const isThere = ({ trial: { id, runs, state } }: Cell): boolean =>
    planned.has(id) || runs.length > 0 || state === 'failed'
  const kept = cells.filter(isThere)
  const behind = new Set(stagesBehind(kept.map(({ trial }) => trial)).map(({ id }) => id))
  return {
    cells: kept,
    stages: stages.filter(({ id }) => behind.has(id)),
    evaluations: evaluations.filter(isThere),
    damaged,
  }
}

/** Trials that can have left something here, by their ids or settings: a study may add as many again; most of those are not there. */
async function begunTrials(workspace: Workspace, study: string): Promise<ReadonlySet<string>> {
  const { entries } = await listRuns(workspace)
  const kept = [await readAdopted(workspace, study), await readFailures(workspace, study)]
  return new Set([
    ...entries.flatMap(({ lineage }) => lineage.settings ?? []),
    ...kept.flatMap(each => Object.keys(each)),
  ])
}

export async function readStatus(
  workspace: Workspace,
  study: JudgedStudy,
  trials: readonly Trial[],
): Promise<StudyStatus> {
  const { entries, damaged } = await listRuns(workspace)
  const adopted = await readAdopted(workspace, study.name)
  const candidates = candidateRuns(entries, trials, adopted)
  const results = await runResults(
    workspace,
    study.name,
    candidates,
    needsOf(study),
    evaluatedPrograms(workspace, study, trials),
  )
  const runs = trialRuns(candidates, trials, results, adopted)
  const known = { workspace, results, failures: await readFailures(workspace, study.name) }

  const stages = new Map<string, StudyStage>()
  for (const stage of stagesBehind(trials)) {
    const start = stage.start === null ? null : (stages.get(stage.start.id) ?? null)
    stages.set(stage.id, { ...stage, ...(await stageStanding(known, stage, runs.ofStage(stage))), start })
  }
  const dropped = await readDropped(workspace, study.name)
  const trained: Cell[] = []
  for (const trial of trials) {
    const cell = await trainedCell(known, trial, runs.ofTrial(trial), adopted[trial.id])
    const { state } = cell
    const isDropped = dropped.has(trial.arm.name) && (state === 'pending' || state === 'failed')
    const start = trial.start === null ? null : (stages.get(trial.start.id) ?? null)
    const standing = isDropped ? ({ state: 'dropped', start } as const) : { start }
    trained.push({ ...cell, ...(isDropped && { state: 'dropped' }), trial: withStanding(cell.trial, standing) })
  }
  const records = Object.keys(study.file.evaluations).length === 0 ? [] : await readRecords(workspace, study.name)
  const evaluated = evaluationCells(trained, study.conditions, results, records)
  const acknowledged = new Map(
    (await readAcknowledged(workspace, study.name)).map(each => [acknowledgementKey(each), each]),
  )
  const answered = (trial: Trial, found: readonly NewSuspicion[]): readonly Suspicion[] =>
    found.map(each => ({
      ...each,
      acknowledged: acknowledged.get(acknowledgementKey({ trial: trial.id, ...each })) ?? null,
    }))
  const ofTrials = await trialSuspicions(trained, results)
  const ofEvaluations = evaluationSuspicions(evaluated)
  const evaluations = evaluated.map((cell, i) => ({ ...cell, suspicious: answered(cell.trial, ofEvaluations[i]) }))
  const cells = trained.map((cell, i) => {
    const found = [...ofTrials[i], ...adoptionSuspicions(adopted[cell.trial.id])]
    return { ...cell, suspicious: answered(cell.trial, found) }
  })
  return { cells: judgedCells(study, cells, evaluations), stages: [...stages.values()], evaluations, damaged }
}

/** The compiler cannot spread over a union of trials. */
function withStanding(trial: Trial, standing: Partial<Standing> & { readonly start?: StudyStage | null }): Trial {
  return trial.program === null ? { ...trial, ...standing } : { ...trial, ...standing, start: null }
}

function judgedCells(
  { primary }: JudgedStudy,
  cells: readonly Cell[],
  evaluations: readonly EvaluationCell[],
): readonly Cell[] {
  if (primary === null) return cells
  const deciding = evaluations.filter(({ trial, condition }) => primary.get(trial.arm.name)?.hash === condition.hash)
  const byTrial = groupBy(deciding, ({ trial }) => trial.id)
  return cells.map(cell => judgedBy(cell, byTrial.get(cell.trial.id) ?? []))
}

/** By the settings of their trials: programs whose checkpoints are evaluated. */
function evaluatedPrograms(
  workspace: Workspace,
  { conditions }: JudgedStudy,
  trials: readonly Trial[],
): ReadonlyMap<string, ProgramPlace> {
  return new Map(
    trials.flatMap(({ program, arm, seed, id, settings }) => {
      if (program === null || (conditions.get(arm.name) ?? []).length === 0) return []
      const folder = trialFolder(workspace, program.study, { arm: arm.name, seed, id })
      return [[settings, { folder, pattern: program.engine.checkpoints }] as const]
    }),
  )
}

/** Headers of all checkpoints are only read where an evaluation asks for more than the last. */
function needsOf(study: JudgedStudy): ResultNeeds {
  const { file, conditions } = study
  const wanted = [...conditions.values()].flat().map(({ checkpoints }) => checkpoints)
  return {
    ...{ metric: metricInTraining(study), direction: file.direction },
    all: wanted.some(which => which === 'all' || typeof which === 'object'),
    best: wanted.includes('best'),
    chosen: wanted.includes('chosen'),
  }
}

interface Known {
  readonly workspace: Workspace
  readonly results: ReadonlyMap<string, RunResult>
  readonly failures: Failures
}

/** The trial as its runs tell of it, under its own validation. */
async function trainedCell(
  { workspace, results, failures }: Known,
  planned: Trial,
  runs: readonly RunEntry[],
  adopted: AdoptedRun | undefined,
): Promise<Cell> {
  const run = runs.at(0)
  const result = run === undefined ? undefined : results.get(run.id)
  const figure = result?.figure ?? null
  const failed = failures[planned.id] ?? []
  // Of what was made elsewhere no more is known than that it has ended.
  const isAdopted = run !== undefined && run.id === adopted?.run
  const trained = isAdopted ? 'done' : await trainingState(workspace, run, failed)
  // A program may have ended well and left no checkpoint where the study expects one.
  const isFaulty = planned.program !== null && failed.length > 0 && !isAdopted
  const state = trained !== 'done' ? trained : figure === null ? 'missing' : isFaulty ? 'failed' : trained
  const isDone = state === 'done'
  const trial = withStanding(planned, {
    state: state === 'missing' ? 'done' : state,
    runs: runs.map(({ id }) => id),
    checkpoint: isAdopted ? adoptedCheckpoint(adopted, result) : checkpointOf(workspace, planned, result),
    seconds: planned.program === null ? secondsOf(runs, results) : programSeconds(runs),
    reasons: isDone ? [] : failed,
  })
  const { runs: ids, checkpoint, reasons } = trial
  const value = isDone ? (figure?.last ?? null) : null
  const nothing = { condition: null, step: null, record: null, suspicious: [] }
  return { ...nothing, trial, state, runs: ids, checkpoint, value, n: figure?.n ?? 0, reasons }
}

function checkpointOf(
  workspace: Workspace,
  { program, arm, seed, id }: Trial,
  result: RunResult | undefined,
): TrialCheckpoint | null {
  if (program === null) return result?.checkpoints.at(-1) ?? null
  return lastCheckpoint(trialFolder(workspace, program.study, { arm: arm.name, seed, id }))
}

function adoptedCheckpoint({ checkpoint }: AdoptedRun, result: RunResult | undefined): TrialCheckpoint | null {
  return checkpoint === null ? (result?.checkpoints.at(-1) ?? null) : { ...checkpoint, settings: null, run: null }
}

function programSeconds(runs: readonly RunEntry[]): number {
  return runs.reduce(
    (sum, { startedAt, endedAt }) => sum + Math.max(0, (endedAt ?? 0) - (startedAt ?? endedAt ?? 0)),
    0,
  )
}

/** What is started from it is its last checkpoint, once it is done. */
async function stageStanding(
  { workspace, results, failures }: Known,
  stage: StudyStage,
  runs: readonly RunEntry[],
): Promise<Standing & Pick<StudyStage, 'runName'>> {
  const run = runs.at(0)
  const reasons = failures[stage.id] ?? []
  const state = await trainingState(workspace, run, reasons)
  const isDone = state === 'done' && run !== undefined
  return {
    state,
    runName: run?.name ?? stage.name,
    runs: runs.map(({ id }) => id),
    checkpoint: isDone ? (results.get(run.id)?.checkpoints.at(-1) ?? null) : null,
    seconds: secondsOf(runs, results),
    reasons: isDone ? [] : reasons,
  }
}

async function trainingState(
  workspace: Workspace,
  run: RunEntry | undefined,
  reasons: readonly string[],
): Promise<'done' | 'failed' | 'running' | 'pending'> {
  if (run?.status === 'finished') return 'done'
  if (run?.status === 'failed') return 'failed'
  if (run !== undefined && (await workerOn(runFolder(workspace, run.id), WRITING))?.isHere) return 'running'
  return reasons.length > 0 ? 'failed' : 'pending'
}

/** The process that trains it, or follows the program that does. */
const WRITING = ['train', 'follow'] as const

function secondsOf(runs: readonly RunEntry[], results: Known['results']): number {
  return runs.reduce((sum, { id }) => sum + (results.get(id)?.seconds ?? 0), 0)
}

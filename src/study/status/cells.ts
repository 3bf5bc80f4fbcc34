import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../store/atomic.js'
import { listRuns, type RunEntry } from '../../store/catalogue.js'
import { trainerOf } from '../../store/lease.js'
import { runFolder, type Workspace } from '../../store/workspace.js'
import { readDrops } from '../drop/ledger.js'
import { evaluationCells } from '../evaluations/matrix.js'
import type { PlannedCondition } from '../evaluations/plan-evaluations.js'
import { readRecords } from '../evaluations/records.js'
import { studyFolder } from '../file/frozen.js'
import type { ReadStudy } from '../file/read.js'
import { acknowledgementKey, readAcknowledged } from '../lineage/acknowledged.js'
import type { NewSuspicion, Suspicion } from '../lineage/suspicion.js'
import { evaluationSuspicions } from '../lineage/suspicious-evaluations.js'
import { trialSuspicions } from '../lineage/suspicious-trials.js'
import type { StudyTrial } from '../plan/trials.js'
import { type StageTrial, stagesBehind } from '../stages/plan-stages.js'
import type { Cell, StageStand, StudyStand } from './cell.js'
import { type ResultNeeds, type RunResult, runResults } from './results.js'
import { candidateRuns, trialRuns } from './trial-runs.js'

/** How a study stands, worked out from the runs of the workspace and from what was evaluated. */

/** What of a planned study decides how it stands. */
export interface StandingStudy extends Pick<ReadStudy, 'name' | 'file'> {
  /** By arm. */
  readonly conditions: ReadonlyMap<string, readonly PlannedCondition[]>
}

export async function cellsOf(
  workspace: Workspace,
  study: StandingStudy,
  trials: readonly StudyTrial[],
): Promise<readonly Cell[]> {
  return (await studyStand(workspace, study, trials)).cells
}

export async function studyStand(
  workspace: Workspace,
  study: StandingStudy,
  trials: readonly StudyTrial[],
): Promise<StudyStand> {
  const { entries } = await listRuns(workspace)
  const candidates = candidateRuns(entries, trials)
  const results = await runResults(workspace, study.name, candidates, needsOf(study))
  const runs = trialRuns(candidates, trials, results)
  const failures = await readFailures(workspace, study.name)

  const stages = new Map<string, StageStand>()
  for (const stage of stagesBehind(trials)) {
    const start = stage.start === null ? null : (stages.get(stage.start.id) ?? null)
    stages.set(stage.id, await stageStand(workspace, stage, runs.ofStage(stage), results, { failures, start }))
  }
  const dropped = new Set((await readDrops(workspace, study.name)).map(({ arm }) => arm))
  const cells: Cell[] = []
  for (const trial of trials) {
    const start = trial.start === null ? null : (stages.get(trial.start.id) ?? null)
    const cell = await trialCell(workspace, trial, runs.ofTrial(trial), results, { failures, start })
    const isLeft = dropped.has(trial.arm.name) && (cell.state === 'pending' || cell.state === 'failed')
    cells.push(isLeft ? { ...cell, state: 'dropped' } : cell)
  }
  const evaluated = evaluationCells(cells, study.conditions, results, await readRecords(workspace, study.name))
  const acknowledged = new Map(
    (await readAcknowledged(workspace, study.name)).map(each => [acknowledgementKey(each), each]),
  )
  const answered = (trial: StudyTrial, found: readonly NewSuspicion[]): readonly Suspicion[] =>
    found.map(each => ({
      ...each,
      acknowledged: acknowledged.get(acknowledgementKey({ trial: trial.id, ...each })) ?? null,
    }))
  const ofTrials = await trialSuspicions(cells, results)
  const ofEvaluations = evaluationSuspicions(evaluated)
  return {
    cells: cells.map((cell, i) => ({ ...cell, suspicious: answered(cell.trial, ofTrials[i]) })),
    stages: [...stages.values()],
    evaluations: evaluated.map((cell, i) => ({ ...cell, suspicious: answered(cell.trial, ofEvaluations[i]) })),
  }
}

/** Headers of all checkpoints are only read where an evaluation asks for more than the last. */
function needsOf({ file: { metric, direction }, conditions }: StandingStudy): ResultNeeds {
  const wanted = [...conditions.values()].flat().map(({ checkpoints }) => checkpoints)
  return {
    ...{ metric, direction },
    all: wanted.some(which => which === 'all' || typeof which === 'object'),
    best: wanted.includes('best'),
    chosen: wanted.includes('chosen'),
  }
}

type Results = ReadonlyMap<string, RunResult>
type Around<Start> = { readonly failures: Failures; readonly start: Start }

async function trialCell(
  workspace: Workspace,
  trial: StudyTrial,
  runs: readonly RunEntry[],
  results: Results,
  { failures, start }: Around<StageStand | null>,
): Promise<Cell> {
  const run = runs.at(0)
  const result = run === undefined ? undefined : results.get(run.id)
  const figure = result?.figure ?? null
  const reasons = failures[trial.id] ?? []
  const trained = await trainingState(workspace, run, reasons)
  const state = trained === 'done' && figure === null ? 'missing' : trained
  const isDone = state === 'done'
  return {
    trial,
    state,
    runs: runs.map(({ id }) => id),
    checkpoint: result?.checkpoints.at(-1) ?? null,
    value: isDone ? (figure?.last ?? null) : null,
    n: figure?.n ?? 0,
    suspicious: [],
    seconds: secondsOf(runs, results),
    reasons: isDone ? [] : reasons,
    start,
  }
}

async function stageStand(
  workspace: Workspace,
  stage: StageTrial,
  runs: readonly RunEntry[],
  results: Results,
  { failures, start }: Around<StageStand | null>,
): Promise<StageStand> {
  const run = runs.at(0)
  const reasons = failures[stage.id] ?? []
  const state = await trainingState(workspace, run, reasons)
  const isDone = state === 'done' && run !== undefined
  return {
    stage,
    state,
    runName: run?.name ?? stage.name,
    runs: runs.map(({ id }) => id),
    checkpoint: isDone ? (results.get(run.id)?.checkpoints.at(-1) ?? null) : null,
    seconds: secondsOf(runs, results),
    reasons: isDone ? [] : reasons,
    start,
  }
}

async function trainingState(
  workspace: Workspace,
  run: RunEntry | undefined,
  reasons: readonly string[],
): Promise<StageStand['state']> {
  if (run?.status === 'finished') return 'done'
  if (run?.status === 'failed') return 'failed'
  if (run !== undefined && (await trainerOf(runFolder(workspace, run.id))) !== null) return 'running'
  return reasons.length > 0 ? 'failed' : 'pending'
}

function secondsOf(runs: readonly RunEntry[], results: Results): number {
  return runs.reduce((sum, { id }) => sum + (results.get(id)?.seconds ?? 0), 0)
}

/** By trial or stage, in the words of whoever ran it. */
export type Failures = { readonly [trial: string]: readonly string[] }

const failuresSchema = z.record(z.string(), z.array(z.string()))

function failuresPath(workspace: Workspace, study: string): string {
  return join(studyFolder(workspace, study), 'failed.json')
}

/** Of trials that ended before there was a run that could tell. */
async function readFailures(workspace: Workspace, study: string): Promise<Failures> {
  try {
    return failuresSchema.parse(JSON.parse(await readFile(failuresPath(workspace, study), 'utf8')))
  } catch {
    return {}
  }
}

/** Those of the last attempt: what is tried again and succeeds has not failed. */
export async function keepFailures(workspace: Workspace, study: string, failures: Failures): Promise<void> {
  await mkdir(studyFolder(workspace, study), { recursive: true })
  await writeFileAtomically(failuresPath(workspace, study), `${JSON.stringify(failures)}\n`)
}

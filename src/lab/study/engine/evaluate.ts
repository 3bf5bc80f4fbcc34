import { problemOf } from '../../../core/store/disk-problem.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { render } from '../../../text/sentences.js'
import type { EvaluationCell } from '../cell.js'
import { isToEvaluate } from '../evaluations/matrix.js'
import type { ProgramCondition } from '../evaluations/plan-evaluations.js'
import { type EvaluationRecord, keepRecord, recordKey } from '../evaluations/records.js'
import type { PlannedStudy } from '../plan/plan-study.js'
import { readStatus } from '../status/status.js'
import type { Trial } from '../trial.js'
import type { CellEvaluator, CellToEvaluate, OwnCondition, StudyEngine } from './engine.js'
import { evaluatePrograms } from './evaluate-programs.js'

export interface EvaluatedTrials {
  /** How many were evaluated by this call. */
  readonly evaluated: number
  /** How many have still no score of every sample, with a checkpoint to evaluate. */
  readonly left: number
}

/** The evaluations that have no score yet, the cheapest first, each recorded as soon as it is there. The study must be leased. */
export async function evaluateTrials(engine: StudyEngine, trials: readonly Trial[]): Promise<EvaluatedTrials> {
  const { workspace, plan, scoring, signal, onEvent } = engine
  const todo = await cellsToEvaluate(workspace, plan, trials)
  const evaluate = scoring.cellEvaluator()
  let evaluated = 0
  const keep = async ({ cell, checkpoint }: CellToEvaluate, record: EvaluationRecord): Promise<void> => {
    await keepRecord(workspace, plan.name, record)
    evaluated += 1
    const { evaluation, condition } = cell.condition
    const { value, n, missing } = record
    const place = { trial: cell.trial.name, evaluation, step: checkpoint.step, shots: condition.shots ?? null }
    onEvent({ event: 'evaluation', ...place, value, n, missing, done: evaluated, total: todo.length })
  }
  const programs = todo.filter(isByProgram)
  if (programs.length > 0) await evaluatePrograms(engine, programs, keep)
  for (const asked of todo.filter(isByKlens)) {
    if (signal.aborted) break
    const record = await recordOf(engine, evaluate, asked)
    if (record === null) break
    await keep(asked, record)
  }
  return { evaluated, left: (await cellsToEvaluate(workspace, plan, trials)).length }
}

function isByProgram(asked: CellToEvaluate): asked is CellToEvaluate<ProgramCondition> {
  return asked.cell.condition.asks.kind === 'program'
}

function isByKlens(asked: CellToEvaluate): asked is CellToEvaluate<OwnCondition> {
  return asked.cell.condition.asks.kind !== 'program'
}

/** Weights that several trials have, such as those of a shared stage, are evaluated once. */
async function cellsToEvaluate(
  workspace: Workspace,
  plan: PlannedStudy,
  trials: readonly Trial[],
): Promise<readonly CellToEvaluate[]> {
  const { evaluations } = await readStatus(workspace, plan, trials)
  const wanted = new Map<string, CellToEvaluate>()
  for (const cell of evaluations) {
    const { checkpoint, condition } = cell
    if (checkpoint === null || !isToEvaluate(cell)) continue
    const key = recordKey({ condition: condition.hash, contentHash: checkpoint.contentHash })
    if (!wanted.has(key)) wanted.set(key, { cell, checkpoint })
  }
  return [...wanted.values()].toSorted((a, b) => effortOf(a.cell) - effortOf(b.cell))
}

/** Queries of a data set whose size is not known before it is read. */
const MANY_SAMPLES = 1000
/** What a request to a model, and a dialogue, take in choices of a selector. */
const REQUEST = 100
const DIALOGUE = 200

/** In choices of a selector, roughly: only the order matters. Of programs nothing is known. */
function effortOf({ condition: { samples, asks } }: EvaluationCell): number {
  const count = samples ?? MANY_SAMPLES
  if (asks.kind === 'program') return 0
  if (asks.kind === 'dialogues') return count * asks.repeats * DIALOGUE
  return count * asks.shots * (asks.config.task === 'llm' ? REQUEST : 1)
}

/** What stands in the way of one evaluation is its result, and no reason to leave out the others. Null: asked to stop. */
async function recordOf(
  { signal, language }: StudyEngine,
  evaluate: CellEvaluator,
  asked: CellToEvaluate<OwnCondition>,
): Promise<EvaluationRecord | null> {
  try {
    return await evaluate(asked)
  } catch (error) {
    if (signal.aborted) return null
    const problem = problemOf(error)
    if (problem === null) throw error
    const { cell, checkpoint } = asked
    return {
      ...{ condition: cell.condition.hash, contentHash: checkpoint.contentHash, trial: cell.trial.id },
      ...{ step: checkpoint.step, run: cell.trial.runs[0] ?? '', dataset: '', split: '' },
      ...{ value: null, n: 0, missing: 0, reasons: [render(problem.sentence, language)] },
      ...{ scores: '', choices: '', distinctScores: 0, distinctChoices: 0, origin: 'evaluated', seconds: 0 },
      at: Date.now() / 1000,
    }
  }
}

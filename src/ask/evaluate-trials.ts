import type { Workspace } from '../store/workspace.js'
import { isToEvaluate } from '../study/evaluations/matrix.js'
import { type EvaluationRecord, keepRecord, recordKey } from '../study/evaluations/records.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import type { StudyTrial } from '../study/plan/trials.js'
import type { EvaluationCell } from '../study/status/cell.js'
import { studyStand } from '../study/status/cells.js'
import type { Language } from '../text/language.js'
import { render } from '../text/sentences.js'
import { type CellEvaluator, cellEvaluator, type EvaluatedCell } from './evaluate-cell.js'
import { type Asking, problemOf } from './question.js'

/** The evaluations of a study that have no score yet, one after the other, each recorded as soon as it is there. */

export interface EvaluationEvent {
  readonly event: 'evaluation'
  readonly trial: string
  readonly evaluation: string
  readonly step: number
  readonly shots: number | null
  readonly value: number | null
  readonly n: number
  readonly missing: number
  readonly done: number
  readonly total: number
}

/** Whoever calls it holds the study. */
export async function evaluateTrials(
  workspace: Workspace,
  study: PlannedStudy,
  trials: readonly StudyTrial[],
  lang: Language,
  { signal, onProgress, remark }: Asking<EvaluationEvent>,
): Promise<{ readonly evaluated: number; readonly left: number }> {
  const todo = await cellsToEvaluate(workspace, study, trials)
  const evaluate = cellEvaluator(workspace, lang, {
    ...(signal !== undefined && { signal }),
    ...(remark !== undefined && { remark }),
  })
  let evaluated = 0
  for (const asked of todo) {
    if (signal?.aborted) break
    const record = await recordOf(evaluate, asked, lang, signal)
    if (record === null) break
    await keepRecord(workspace, study.name, record)
    evaluated += 1
    const { cell, checkpoint } = asked
    const { evaluation, condition } = cell.condition
    const { value, n, missing } = record
    const place = { trial: cell.trial.name, evaluation, step: checkpoint.step, shots: condition.shots ?? null }
    onProgress?.({ event: 'evaluation', ...place, value, n, missing, done: evaluated, total: todo.length })
  }
  return { evaluated, left: (await cellsToEvaluate(workspace, study, trials)).length }
}

/** Weights that several trials have, such as those of a shared stage, are evaluated once. */
async function cellsToEvaluate(
  workspace: Workspace,
  study: PlannedStudy,
  trials: readonly StudyTrial[],
): Promise<readonly EvaluatedCell[]> {
  const { evaluations } = await studyStand(workspace, study, trials)
  const wanted = new Map<string, EvaluatedCell>()
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

/** In choices of a selector, roughly: only the order matters. */
function effortOf({ condition: { samples, asks } }: EvaluationCell): number {
  const count = samples ?? MANY_SAMPLES
  if (asks.kind === 'dialogues') return count * asks.repeats * DIALOGUE
  return count * asks.shots * (asks.config.task === 'llm' ? REQUEST : 1)
}

/** What stands in the way of one evaluation is its result, and no reason to leave out the others. Null: asked to stop. */
async function recordOf(
  evaluate: CellEvaluator,
  asked: EvaluatedCell,
  lang: Language,
  signal: AbortSignal | undefined,
): Promise<EvaluationRecord | null> {
  try {
    return await evaluate(asked)
  } catch (error) {
    if (signal?.aborted) return null
    const problem = problemOf(error)
    if (problem === null) throw error
    const { cell, checkpoint } = asked
    return {
      ...{ condition: cell.condition.hash, contentHash: checkpoint.contentHash, trial: cell.trial.id },
      ...{ step: checkpoint.step, run: cell.run ?? '', dataset: '', split: '', value: null, n: 0, missing: 0 },
      reasons: [render(problem.sentence, lang)],
      ...{ scores: '', choices: '', distinctScores: 0, distinctChoices: 0, origin: 'evaluated', seconds: 0 },
      at: Date.now() / 1000,
    }
  }
}

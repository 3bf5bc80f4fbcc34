import { sentences } from '../../text/sentences.js'
import type { Cell, EvaluationCell } from '../status/cell.js'
import type { RunResult } from '../status/results.js'
import type { PlannedCondition } from './plan-evaluations.js'
import { type EvaluationRecord, recordKey } from './records.js'
import { plannedSteps, selectedCheckpoints } from './select-checkpoints.js'

/** The matrix of a study: trials × conditions × checkpoints, each with its score or why there is none. */

const say = sentences({
  'study.evaluation.samples': {
    en: '{missing} of {all} samples have no score: {reasons}',
    zh: '{all} 个样本中有 {missing} 个没有分数：{reasons}',
  },
  'study.evaluation.failed': { en: 'it could not be evaluated: {reasons}', zh: '无法评估：{reasons}' },
  'study.evaluation.no-trial': { en: 'its training failed', zh: '其训练失败' },
})

export function evaluationCells(
  trials: readonly Cell[],
  conditions: ReadonlyMap<string, readonly PlannedCondition[]>,
  results: ReadonlyMap<string, RunResult>,
  records: readonly EvaluationRecord[],
): readonly EvaluationCell[] {
  const byWeights = new Map(records.map(record => [recordKey(record), record]))
  const byTrial = new Map(records.map(record => [placeKey(record.condition, record.trial, record.step), record]))
  return trials.flatMap(({ trial, state, runs }) =>
    (conditions.get(trial.arm.name) ?? []).flatMap((condition): readonly EvaluationCell[] => {
      const run = runs.at(0) ?? null
      const nothing = {
        trial,
        condition,
        run,
        checkpoint: null,
        record: null,
        value: null,
        suspicious: [],
        reasons: [],
      }
      if (state === 'failed') {
        const reasons = [say('study.evaluation.no-trial', {})]
        return plannedSteps(condition.checkpoints).map(step => ({ ...nothing, step, state, reasons }))
      }
      const result = results.get(run ?? '')
      if ((state !== 'done' && state !== 'missing') || result === undefined) {
        return plannedSteps(condition.checkpoints).map(step => ({ ...nothing, step, state: 'pending' }))
      }
      return selectedCheckpoints(condition.checkpoints, result).map(selected => {
        if (selected.kind === 'none') {
          return { ...nothing, step: selected.step, state: 'missing', reasons: [selected.reason] }
        }
        const { checkpoint } = selected
        const { step, contentHash } = checkpoint
        const key = recordKey({ condition: condition.hash, contentHash })
        const record = byWeights.get(key) ?? byTrial.get(placeKey(condition.hash, trial.id, step)) ?? null
        return { ...nothing, step, checkpoint, ...scored(record, contentHash) }
      })
    }),
  )
}

function placeKey(condition: string, trial: string, step: number): string {
  return `${condition} ${trial} ${step}`
}

/** A record of other weights is shown, so that it can be suspected, and counts for nothing. */
function scored(
  record: EvaluationRecord | null,
  contentHash: string,
): Pick<EvaluationCell, 'state' | 'record' | 'value' | 'reasons'> {
  if (record === null || record.contentHash !== contentHash)
    return { state: 'pending', record, value: null, reasons: [] }
  const { value, missing, n, reasons } = record
  if (missing === 0 && value !== null) return { state: 'done', record, value, reasons: [] }
  const said = reasons.join(' ')
  const why =
    missing === 0
      ? say('study.evaluation.failed', { reasons: said })
      : say('study.evaluation.samples', { missing, all: n + missing, reasons: said })
  return { state: 'missing', record, value: null, reasons: [why] }
}

/** Whether `study eval` has something to do for it. */
export function isToEvaluate({ state, checkpoint, record }: EvaluationCell): boolean {
  return checkpoint !== null && (state === 'pending' || (state === 'missing' && record !== null))
}

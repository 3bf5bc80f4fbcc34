import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import type { Cell, EvaluationCell } from '../cell.js'
import type { WhichCheckpoints } from '../file/sections.js'
import type { RunResult } from '../status/run-results.js'
import type { TrialCheckpoint } from '../trial.js'
import type { PlannedCondition } from './plan-evaluations.js'
import { type EvaluationRecord, recordKey } from './records.js'

/** The matrix of a study: trials × conditions × checkpoints, each with its score or why there is none. */

const say = sentences({
  'study.evaluation.samples': {
    en: '{missing} of {all} sample{all||s} have no score: {reasons}',
    zh: '{all} 个样本中有 {missing} 个没有分数：{reasons}',
  },
  'study.evaluation.failed': { en: 'it could not be evaluated: {reasons}', zh: '无法评估：{reasons}' },
  'study.evaluation.no-trial': { en: 'its training failed', zh: '其训练失败' },
  'study.checkpoint.no-step': {
    en: 'the run kept no checkpoint at step {step}; it has {steps}',
    zh: '该 run 未保留第 {step} 步的检查点；现有 {steps}',
  },
  'study.checkpoint.none': { en: 'the run has no readable checkpoint', zh: '该 run 没有可读取的检查点' },
  'study.checkpoint.no-best': {
    en: 'none of its checkpoints was validated, so none is the best',
    zh: '其检查点均未验证，无从选出最好的一个',
  },
  'study.checkpoint.no-choice': {
    en: 'klens checkpoints recommends none of the checkpoints that were kept',
    zh: 'klens checkpoints 未建议任何已保留的检查点',
  },
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
      const cell = (step: number | null, checkpoint: TrialCheckpoint | null, scored: Scored): EvaluationCell => {
        const { state, record, runs, n, value, reasons } = scored
        return { trial, condition, step, state, checkpoint, record, runs, n, value, reasons, suspicious: [] }
      }
      if (state === 'failed') {
        const reasons = [say('study.evaluation.no-trial', {})]
        return plannedSteps(condition.checkpoints).map(step => cell(step, null, { ...PENDING, state, reasons }))
      }
      const result = results.get(runs.at(0) ?? '')
      if ((state !== 'done' && state !== 'missing') || result === undefined) {
        return plannedSteps(condition.checkpoints).map(step => cell(step, null, PENDING))
      }
      return selectedCheckpoints(condition.checkpoints, result).map(selected => {
        if (selected.kind === 'none') {
          return cell(selected.step, null, { ...PENDING, state: 'missing', reasons: [selected.reason] })
        }
        const { checkpoint } = selected
        const { step, contentHash } = checkpoint
        const key = recordKey({ condition: condition.hash, contentHash })
        const record = byWeights.get(key) ?? byTrial.get(placeKey(condition.hash, trial.id, step)) ?? null
        return cell(step, checkpoint, scored(record, contentHash))
      })
    }),
  )
}

function placeKey(condition: string, trial: string, step: number): string {
  return `${condition} ${trial} ${step}`
}

type Scored = Pick<EvaluationCell, 'state' | 'record' | 'runs' | 'n' | 'value' | 'reasons'>

const PENDING: Scored = { state: 'pending', record: null, runs: [], n: 0, value: null, reasons: [] }

/** A record of other weights is shown, so that it can be suspected, and counts for nothing. */
function scored(record: EvaluationRecord | null, contentHash: string): Scored {
  if (record === null) return PENDING
  const { value, missing, n, run } = record
  if (record.contentHash !== contentHash) return { ...PENDING, record, runs: [run], n }
  if (missing === 0 && value !== null) return { state: 'done', record, runs: [run], n, value, reasons: [] }
  const said = record.reasons.join(' ')
  const why =
    missing === 0
      ? say('study.evaluation.failed', { reasons: said })
      : say('study.evaluation.samples', { missing, all: n + missing, reasons: said })
  return { state: 'missing', record, runs: [run], n, value: null, reasons: [why] }
}

/** Whether `study eval` has something to do for it. */
export function isToEvaluate({ state, checkpoint, record }: Cell): boolean {
  return checkpoint !== null && (state === 'pending' || (state === 'missing' && record !== null))
}

/** Which of a trial's checkpoints an evaluation asks for; a reason where one that it asks for is not there. */
type SelectedCheckpoint =
  | { readonly kind: 'there'; readonly checkpoint: TrialCheckpoint }
  | { readonly kind: 'none'; readonly step: number | null; readonly reason: Message }

function selectedCheckpoints(which: WhichCheckpoints, result: RunResult): readonly SelectedCheckpoint[] {
  const { checkpoints, best, chosen } = result
  const last = checkpoints.at(-1)
  if (last === undefined) return [{ kind: 'none', step: null, reason: say('study.checkpoint.none', {}) }]
  const there = (checkpoint: TrialCheckpoint): SelectedCheckpoint => ({ kind: 'there', checkpoint })
  const at = (step: number, otherwise: Message): SelectedCheckpoint => {
    const checkpoint = checkpoints.find(each => each.step === step)
    return checkpoint === undefined ? { kind: 'none', step, reason: otherwise } : there(checkpoint)
  }
  const oneOf = (step: number | null, otherwise: Message): readonly SelectedCheckpoint[] =>
    step === null ? [{ kind: 'none', step: null, reason: otherwise }] : [at(step, otherwise)]
  if (which === 'last') return [there(last)]
  if (which === 'best') return oneOf(best, say('study.checkpoint.no-best', {}))
  if (which === 'chosen') return oneOf(chosen, say('study.checkpoint.no-choice', {}))
  if (which === 'all') return checkpoints.map(there)
  if (Array.isArray(which)) {
    const steps = checkpoints.map(({ step }) => step).join(', ')
    return which.map(step => at(step, say('study.checkpoint.no-step', { step, steps })))
  }
  return checkpoints.filter(({ step }) => step % which.every === 0 || step === last.step).map(there)
}

/** What is in the plan before there are any: one place each, of an unknown number one. */
function plannedSteps(which: WhichCheckpoints): readonly (number | null)[] {
  return Array.isArray(which) ? which : [null]
}

/** The trial as its evaluation tells of it: at the last of the checkpoints that were asked for. */
export function judgedBy(cell: Cell, evaluations: readonly Cell[]): Cell {
  const last = evaluations.at(-1)
  if (last === undefined || (cell.state !== 'done' && cell.state !== 'missing')) return cell
  return {
    ...cell,
    state: last.state,
    checkpoint: last.checkpoint ?? cell.checkpoint,
    value: last.value,
    n: last.n,
    suspicious: [...cell.suspicious, ...last.suspicious],
  }
}

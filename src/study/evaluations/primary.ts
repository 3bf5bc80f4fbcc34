import { sentences } from '../../text/sentences.js'
import { problems, type ReadStudy } from '../file/read.js'
import type { Cell, EvaluationCell } from '../status/cell.js'
import type { PlannedCondition } from './plan-evaluations.js'

/**
 * A study may be judged by one of its evaluations instead of the validation in training: `metric: held-out/shots=4`, or
 * `metric: held-out` where that has one condition. A trial is then done when it is evaluated, and its figure is that one.
 */

const say = sentences({
  'study.metric.condition': {
    en: '"{metric}" is no condition of an evaluation; there are {conditions}',
    zh: '“{metric}”不是任何评估的条件；可选 {conditions}',
  },
})

type Conditions = ReadonlyMap<string, readonly PlannedCondition[]>

/** What the metric is where trials are compared in training. */
const VALIDATION = 'val.score'

/** The metric that runs have: the study's own, unless that is an evaluation. */
export function metricInTraining({ file: { metric, evaluations } }: Pick<ReadStudy, 'file'>): string {
  return isEvaluation(metric, evaluations) ? VALIDATION : metric
}

function isEvaluation(metric: string, evaluations: object): boolean {
  return Object.hasOwn(evaluations, metric.split('/')[0])
}

/** By arm, the condition by which it is judged; null where the metric is one of training. */
export function primaryConditions(
  study: Pick<ReadStudy, 'file' | 'problemAt'>,
  conditions: Conditions,
): ReadonlyMap<string, PlannedCondition> | null {
  const { metric, evaluations } = study.file
  if (!isEvaluation(metric, evaluations)) return null
  return new Map(
    [...conditions].map(([arm, all]) => {
      const own = all.filter(condition => nameOf(condition) === metric || condition.evaluation === metric)
      if (own.length === 1) return [arm, own[0]] as const
      const known = all.map(nameOf).join(', ')
      throw problems([study.problemAt(['metric'], say('study.metric.condition', { metric, conditions: known }))])
    }),
  )
}

function nameOf({ evaluation, condition: { shots } }: PlannedCondition): string {
  return shots === undefined ? evaluation : `${evaluation}/shots=${shots}`
}

/** The trial as its evaluation tells of it: at the last of the checkpoints that were asked for. */
export function judgedBy(cell: Cell, evaluations: readonly EvaluationCell[]): Cell {
  const last = evaluations.at(-1)
  if (last === undefined || (cell.state !== 'done' && cell.state !== 'missing')) return cell
  return {
    ...cell,
    state: last.state,
    checkpoint: last.checkpoint ?? cell.checkpoint,
    value: last.value,
    n: last.record?.n ?? 0,
    suspicious: [...cell.suspicious, ...last.suspicious],
  }
}

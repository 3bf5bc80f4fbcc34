import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { figure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { shownName } from '../../store/manifest.js'
import type { SeriesPoints } from '../../store/series.js'
import { klAxis } from '../frontier/kl-axis.js'
import type { KlPoint } from '../frontier/legs.js'
import { pathOf } from '../frontier/paths.js'
import type { RunView } from '../run-view.js'

/** Checkpoints within a distance from the reference: one step's KL is noisy, so it is the mean since the evaluation before. */

const say = sentences({
  'budget.within': {
    en: 'within a KL of {max}: {within} of {all} evaluated step{all||s} ({metric}, mean since the previous evaluation)',
    zh: 'KL 不超过 {max} 的验证 step 有 {within} 个，共 {all} 个（{metric}，取上次验证以来的均值）',
  },
  'budget.none': {
    en: 'no evaluated step of {run} has a KL of at most {max}; the lowest is {lowest}, at step {step}',
    zh: '{run} 没有哪个验证 step 的 KL 不超过 {max}；最低为 {lowest}（step {step}）',
  },
  'budget.moving': {
    en: 'the reference of {run} moves during training, so its KL is not the distance from the start',
    zh: '{run} 的参考策略在训练中会更新，其 KL 说明不了与起点的距离',
  },
})

export interface KlBudget {
  readonly allows: (step: number) => boolean
  readonly reason: Message
}

export async function klBudget(run: RunView, steps: readonly number[], max: number): Promise<KlBudget> {
  const { metric, byRun } = await klAxis([run])
  const kl = byRun.get(run.manifest.id)
  if (kl === undefined || !kl.isDistance) {
    throw new Problem('bad-request', say('budget.moving', { run: shownName(run.manifest) }))
  }
  const levels = klSteps(steps, kl.points)
  const allowed = new Set(levels.filter(point => point.kl <= max).map(({ step }) => step))
  if (allowed.size === 0) {
    const lowest = levels.reduce<KlPoint | null>(
      (least, next) => (next.kl < (least?.kl ?? Infinity) ? next : least),
      null,
    )
    throw new Problem(
      'not-enough',
      say('budget.none', {
        run: shownName(run.manifest),
        max: figure(max),
        lowest: figure(lowest?.kl ?? Number.NaN),
        step: lowest?.step ?? 0,
      }),
    )
  }
  return {
    allows: step => step === 0 || allowed.has(step),
    reason: say('budget.within', { max: figure(max), within: allowed.size, all: levels.length, metric }),
  }
}

function klSteps(steps: readonly number[], points: readonly KlPoint[]): readonly KlPoint[] {
  return pathOf(new Map(steps.filter(step => step > 0).map(step => [step, 0])), points)
}

export function pointsAt(points: SeriesPoints, allows: (step: number) => boolean): SeriesPoints {
  const keep = (values: Float64Array): Float64Array => values.filter((_, i) => allows(points.steps[i]))
  return {
    steps: keep(points.steps),
    values: keep(points.values),
    times: keep(points.times),
    segments: keep(points.segments),
  }
}

import { FEWEST_FOR_CHANGE } from '../../../stats/change-point.js'
import { mean, median } from '../../../stats/descriptive.js'
import { stepDown } from '../../../stats/multiplicity.js'
import { limitsOf, threshold } from '../rule.js'
import type { Subject } from '../subject.js'
import { between, type Curve, type Stretch } from './curve.js'
import { settledFrom, whereLasting } from './lasting.js'
import { chanceOfSoLow, evaluationNoise, validationCurves } from './validation.js'
import { dateOf, wanderBefore } from './validation-fall.js'

/**
 * Where validation broke down: far below the best that it held, by more than its noise, and for long. The best is a mean
 * of neighbours, since a single maximum is mostly sampling noise.
 */
export interface Collapse {
  readonly best: number
  readonly bestStep: number
  /** Below it an evaluation counts as broken down. */
  readonly limit: number
  readonly lastAbove: number
  readonly onset: number
  /** The last evaluation below the limit. */
  readonly last: number
  readonly end: number
  readonly cameBack: boolean
  /** More than half is lost. */
  readonly isGrave: boolean
  /** The first evaluations below. */
  readonly below: Curve
  readonly change: { readonly step: number; readonly p: number } | null
}

export const COLLAPSE_THRESHOLDS = {
  DEEP: threshold(0.2, {
    en: 'Below 0.8 of the best: the rule that the UserRL report proposed after its collapse.',
    zh: '低于最好水平的 0.8：UserRL 报告在崩塌后提出的标准。',
  }),
  JITTERS: threshold(3, {
    en: 'And by more than three times the jitter, for at least two evaluations (docs/statistics.md).',
    zh: '且超过抖动的三倍，至少持续两次验证（docs/statistics.md）。',
  }),
  FEWEST_BELOW: threshold(2, { en: 'See JITTERS.', zh: '见 JITTERS。' }),
  DEEP_IF_NOISE_UNKNOWN: threshold(0.5, {
    en: 'Where nothing is known of the noise. Derived: half is beyond what forty prompts do to a rate of one in two.',
    zh: '噪声未知时使用。推得：对一半对一半错的 40 个样本，偶然波动到不了一半。',
  }),
  LASTED: threshold(0.25, {
    en: 'One that came back or is mild must have lasted: a quarter of the evaluations, and five. Derived: less is drift.',
    zh: '后来恢复或程度较轻的，须持续四分之一的验证且至少五次。推得：再短就是漂移。',
  }),
  FEWEST_LASTING: threshold(5, { en: 'See LASTED.', zh: '见 LASTED。' }),
  NEIGHBOURS: threshold(3, {
    en: 'The best is a mean of neighbours: a single maximum is mostly sampling noise.',
    zh: '最好水平取相邻几次的均值：单个最大值多半是运气。',
  }),
  HALF: threshold(0.5, {
    en: 'More than half is lost: an error, and no test is needed. Less: a warning. Derived.',
    zh: '损失过半：错误，无需检验；不到一半：警告。推得。',
  }),
  CHANCE_P: threshold(0.01, {
    en: 'And so improbable the low evaluations must be if nothing had changed, by Holm over the validation sets: the best of a hundred means is a maximum, and with 30 prompts zeros come by themselves.',
    zh: '且若什么都没有变化，出现这些低分的概率须低于此值（对各验证集用 Holm 校正）：一百个均值中的最大者只是极值，样本只有 30 个时，0 分本来就会出现。',
  }),
  CHANGE_P: threshold(0.05, {
    en: 'A mild and short one must agree with the change point where there are points for one (docs/statistics.md).',
    zh: '较轻且较短的，若点数足够，须与变点检验一致（docs/statistics.md）。',
  }),
  EARLY: threshold(3, {
    en: 'That needs three points before the change; an earlier fall stands out from the first evaluation by itself.',
    zh: '变点检验需要之前有三个点；更早的下跌与首次验证相比已足够明显。',
  }),
}
const {
  DEEP,
  JITTERS,
  FEWEST_BELOW,
  DEEP_IF_NOISE_UNKNOWN,
  LASTED,
  FEWEST_LASTING,
  NEIGHBOURS,
  HALF,
  CHANCE_P,
  CHANGE_P,
  EARLY,
} = limitsOf(COLLAPSE_THRESHOLDS)
const SHOWN = 3

/**
 * `noise`: what one evaluation can be off by, NaN where unknown. `chance`: how likely evaluations are so low where
 * nothing changed; by it the number of sets is allowed for.
 */
function collapseOf(
  curve: Curve,
  noise: number,
  { sets, chance }: { readonly sets: number; readonly chance: (low: Stretch) => number },
): Collapse | undefined {
  const { metric, steps, values } = curve
  const { level, index } = bestLevel(values)
  const limit = Number.isFinite(noise)
    ? level - Math.max(DEEP * Math.abs(level), JITTERS * noise)
    : level - DEEP_IF_NOISE_UNKNOWN * Math.abs(level)
  const rest = { metric, steps: steps.subarray(index), values: values.subarray(index) }
  const found = belowUntil(rest, limit)
  if (found === undefined) return undefined
  const { from, to } = found
  const last = rest.steps[to - 1]
  const end = median(rest.values.subarray(Math.floor((from + to) / 2), to))
  const change = values.length < FEWEST_FOR_CHANGE ? null : dateOf(between(curve, rest.steps[0], last))
  const isGrave = level - end > HALF * Math.abs(level)
  if (chance({ from: index + from, to: index + to }) >= CHANCE_P / sets) return undefined
  if (!isGrave && wanderBefore(curve, rest.steps[from], level - end, noise) !== null) return undefined
  const isLong = to - from >= Math.max(FEWEST_LASTING, LASTED * values.length)
  const isSure = isGrave || isLong || index + from < EARLY || (change !== null && change.p < CHANGE_P)
  if (rest.values.length >= FEWEST_FOR_CHANGE && !isSure) return undefined
  return {
    best: level,
    bestStep: rest.steps[0],
    limit,
    lastAbove: rest.steps[Math.max(0, from - 1)],
    onset: rest.steps[from],
    last,
    end,
    cameBack: to < rest.values.length,
    isGrave,
    below: between(rest, rest.steps[from], rest.steps[Math.min(to, from + SHOWN) - 1]),
    change,
  }
}

/** To the last evaluation, or for long enough before it came back. */
function belowUntil(rest: Curve, limit: number): { readonly from: number; readonly to: number } | undefined {
  const n = rest.values.length
  const from = settledFrom(rest, value => value < limit)
  if (from >= 0 && n - from >= FEWEST_BELOW) return { from, to: n }
  return whereLasting(rest, value => value < limit, Math.max(FEWEST_LASTING, Math.ceil(LASTED * n)))
}

/** The first evaluation, which nobody selected, or the best three in a row; with the index of its middle. */
function bestLevel(values: Float64Array): { readonly level: number; readonly index: number } {
  let best = { level: values[0], index: 0 }
  for (let i = 0; i + NEIGHBOURS <= values.length; i += 1) {
    const level = mean(values.subarray(i, i + NEIGHBOURS))
    if (level > best.level) best = { level, index: i + 1 }
  }
  return best
}

/** The validation sets that collapsed, each asked at a level that allows for their number. */
export function collapsesOf(subject: Subject): readonly { readonly curve: Curve; readonly collapse: Collapse }[] {
  const curves = validationCurves(subject)
  const collapsed = stepDown(curves, (curve, left) => {
    const chance = (low: Stretch): number => chanceOfSoLow(subject, curve, low)
    return collapseOf(curve, evaluationNoise(subject, curve), { sets: left, chance }) ?? null
  })
  return curves.flatMap(curve => {
    const collapse = collapsed.get(curve)
    return collapse === undefined ? [] : [{ curve, collapse }]
  })
}

import { figure, percentage } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, type UntreatedSymptom } from '../run-rule.js'
import { isOfEpisodes, klPathOf } from '../signs/acting.js'
import { type Curve, medianOf, paired, stepsOf, within } from '../signs/curve.js'
import { stretches, whereLasting } from '../signs/lasting.js'
import { type Decimals, decimalsOf, isPrintedInFull, rangeOf } from '../signs/printed.js'
import type { Subject } from '../subject.js'

export const klRatioImpossible = runRule({
  id: 'kl-ratio-impossible',
  severity: 'error',
  about: {
    en: 'A KL and a ratio that cannot both be true: one of them is not what its name says.',
    zh: 'KL 与 ratio 不可能同时成立：其中之一名不副实。',
  },
  needs: [['kl.ref', 'ratio.mean']],
  uses: ['kl.old'],
  thresholds: {
    FLOAT_NOISE: threshold(1e-6, {
      en: 'exp(d) − d − 1 of a tiny d comes out at −1e-8 in float32.',
      zh: 'd 很小时，float32 下 exp(d) − d − 1 会算出 −1e-8。',
    }),
    PINNED_POINTS: threshold(5, {
      en: 'Derived: a mean over tokens that is exactly 1, this often in a row, was not measured.',
      zh: '推得：token 均值连续这么多次恰为 1，不是测出来的。',
    }),
    PINNED_EPOCHS: threshold(3, {
      en: 'The same for Lever-Plus, which logs epochs. Derived.',
      zh: 'Lever-Plus 按 epoch 记录，取此值。推得。',
    }),
    MOVED: threshold(0.001, { en: 'A KL beyond numerical noise.', zh: '超出数值噪声的 KL。' }),
    AVERAGING_SLACK: threshold(0.02, {
      en: 'Derived: verl may average the two over mini-batches or over tokens; Lever-Plus takes both over the same beams.',
      zh: '推得：verl 可能对两者分别按 mini-batch 或按 token 取平均；Lever-Plus 用的是同一批 beam。',
    }),
  },
  says: {
    'kl-ratio-impossible': {
      en: 'at step {step} a mean ratio of {ratio} needs a KL of at least {least}, but {kl} is logged',
      zh: 'step {step} 的平均 ratio 为 {ratio}，KL 至少应为 {least}，日志却是 {kl}',
    },
    'kl-ratio-impossible.pinned': {
      en: 'the mean ratio is exactly 1 on {points} consecutive step{points||s} while the KL is {kl}: the ratio is not measured',
      zh: '连续 {points} 个 step 平均 ratio 恰为 1，而 KL 为 {kl}：ratio 并非实测值',
    },
    'kl-ratio-impossible.negative': {
      en: 'KL is {kl} on {points} {points|step|steps}, but this estimator is never negative',
      zh: '有 {points} 个 step 的 KL 为负（最低 {kl}），而该估计量不可能为负',
    },
    'kl-ratio-impossible.negative.remedy': {
      en: 'check which estimator is really in use, the mask, and the precision of the log-probabilities; do not use these KL values',
      zh: '检查实际使用的估计量、mask 以及对数概率的精度；这些 KL 值不可采用',
    },
  },
  remedy: {
    en: 'check which policy each of the two is computed against, and that both use the same mask and the same batch',
    zh: '检查两者各自相对哪个策略计算，以及是否使用相同的 mask 和同一批数据',
  },
  check(subject) {
    return [negative(subject), belowBound(subject), pinned(subject)].filter(found => found !== undefined)
  },
})

/** k2 and k3 are sums of squares and of r − 1 − log r: never negative. k1 may be. */
function negative(subject: Subject): UntreatedSymptom | undefined {
  const { FLOAT_NOISE } = klRatioImpossible.limits
  const kl = subject.curve('kl.ref')
  if (kl === undefined || !isNeverNegative(kl, subject)) return undefined
  const decimals = decimalsOf(kl)
  const found = Array.from(kl.steps).flatMap((step, i) =>
    rangeOf(kl.values[i], decimals).high < -FLOAT_NOISE ? [{ step, value: kl.values[i] }] : [],
  )
  if (found.length === 0) return undefined
  const lowest = Math.min(...found.map(({ value }) => value))
  return {
    steps: [found[0].step, found[found.length - 1].step],
    evidence: { metric: kl.metric, lowest, points: found.length },
    message: klRatioImpossible.say('kl-ratio-impossible.negative', { kl: figure(lowest), points: found.length }),
    remedy: klRatioImpossible.say('kl-ratio-impossible.negative.remedy', {}),
  }
}

function isNeverNegative(kl: Curve, subject: Subject): boolean {
  if (subject.framework === 'lever-plus') return true
  if (subject.framework === 'trl') return subject.kl.inLoss.on === true
  if (subject.framework !== 'verl' || klPathOf(kl, subject) !== subject.kl.inLoss) return false
  const estimator = String(subject.settings.get('kl.loss.estimator')?.configured ?? 'unknown')
  return /^(?:low_var_kl|k3|mse|k2|abs|full)\+?$/.test(estimator)
}

interface Pair {
  readonly ratio: Curve
  readonly kl: Curve
  /** The least that the KL can be when the ratio has this mean, by Jensen's inequality. */
  readonly least: (ratio: number) => number
  /** What different weights in the two means may cost. */
  readonly slack: number
  readonly pinned: { readonly points: number; readonly kl: number }
}

/**
 * The KL that belongs to the ratio. Lever-Plus takes both against the reference, the KL as the mean of r − 1 − log r;
 * verl's ppo_kl is the mean of −log r against the policy before the update.
 */
function pairOf({ framework, curve, manifest }: Subject): Pair | undefined {
  const { PINNED_POINTS, PINNED_EPOCHS, MOVED, AVERAGING_SLACK } = klRatioImpossible.limits
  const ratio = curve('ratio.mean')
  const kl = curve(framework === 'lever-plus' ? 'kl.ref' : 'kl.old')
  if (ratio === undefined || kl === undefined) return undefined
  if (framework === 'lever-plus') {
    return { ratio, kl, least: r => r - 1 - Math.log(r), slack: 0, pinned: { points: PINNED_EPOCHS, kl: 10 * MOVED } }
  }
  if (framework !== 'verl') return undefined
  // Rounded to three decimals a mean ratio is 1.000 in the best of health.
  const points = isPrintedInFull(manifest) ? PINNED_POINTS : Number.POSITIVE_INFINITY
  return { ratio, kl, least: r => -Math.log(r), slack: AVERAGING_SLACK, pinned: { points, kl: MOVED } }
}

function belowBound(subject: Subject): UntreatedSymptom | undefined {
  const pair = pairOf(subject)
  if (pair === undefined) return undefined
  const [ofRatio, ofKl] = [decimalsOf(pair.ratio), decimalsOf(pair.kl)]
  const found = paired(pair.ratio, pair.kl).filter(({ first, second }) => {
    const least = leastKl(first, ofRatio, pair)
    return least > 0 && rangeOf(second, ofKl).high < least - pair.slack * Math.max(1, least)
  })
  const [first] = found
  if (first === undefined) return undefined
  return {
    steps: [first.step, found[found.length - 1].step],
    evidence: { ratio: first.first, kl: first.second, leastKl: pair.least(first.first), points: found.length },
    message: klRatioImpossible.say('kl-ratio-impossible', {
      ratio: figure(first.first, 4),
      kl: figure(first.second),
      least: figure(pair.least(first.first)),
      step: first.step,
    }),
  }
}

/** Over all ratios that print like this one; both bounds are 0 at 1. */
function leastKl(ratio: number, decimals: Decimals, { least }: Pair): number {
  const { low, high } = rangeOf(ratio, decimals)
  if (low <= 0 || (low <= 1 && high >= 1)) return 0
  return Math.min(least(low), least(high))
}

/** A ratio that is 1 at step after step while the policy demonstrably moved. */
function pinned(subject: Subject): UntreatedSymptom | undefined {
  const pair = pairOf(subject)
  if (pair === undefined) return undefined
  const kls = new Map(paired(pair.ratio, pair.kl).map(({ step, second }) => [step, second]))
  const isPinned = (ratio: number, step: number): boolean =>
    ratio === 1 && Math.abs(kls.get(step) ?? 0) > pair.pinned.kl
  const found = stretches(pair.ratio, isPinned).find(({ from, to }) => to - from >= pair.pinned.points)
  if (found === undefined) return undefined
  const steps = pair.ratio.steps.subarray(found.from, found.to)
  const kl = kls.get(steps[0]) ?? Number.NaN
  return {
    severity: 'warning',
    steps: [steps[0], steps[steps.length - 1]],
    evidence: { metric: pair.ratio.metric, ratio: 1, kl, points: steps.length },
    message: klRatioImpossible.say('kl-ratio-impossible.pinned', { points: steps.length, kl: figure(kl) }),
  }
}

export const clipFraction = runRule({
  id: 'clip-fraction',
  severity: 'warning',
  about: {
    en: 'The update is so large, or the old log-probabilities so wrong, that much of the batch is clipped away.',
    zh: '更新过大，或旧的对数概率不对，使一批中的很大部分被裁剪掉。',
  },
  needs: ['clip.frac'],
  uses: ['episode.return', 'len.response'],
  thresholds: {
    HIGH: threshold(0.15, {
      en: 'Derived: token-level clip fractions of healthy LLM runs are 0.001–0.01, those of 56 healthy small runs at most 0.1 and below 0.015 after ten steps; dropout gives 0.2–0.27 there and 0.54 in reef PR #536.',
      zh: '推得：健康的大模型 run 按 token 计的裁剪比例为 0.001–0.01，56 个健康的小模型 run 最高 0.1、10 步后低于 0.015；dropout 会到 0.2–0.27，reef PR #536 中为 0.54。',
    }),
    EXTREME: threshold(0.3, {
      en: 'Derived: nearly a third of all tokens on two steps running needs no patience.',
      zh: '推得：连续两步有近三分之一的 token 被裁剪，就不必再等。',
    }),
    EXTREME_POINTS: threshold(2, { en: 'See EXTREME.', zh: '见 EXTREME。' }),
  },
  says: {
    'clip-fraction': {
      en: '{share} % of the tokens are clipped: their gradient is lost',
      zh: '{share}% 的 token 被裁剪，其梯度被丢弃',
    },
    'clip-fraction.cannot.episodes': {
      en: 'for environment steps, clipping a fifth or more is normal in healthy trainings',
      zh: '对环境中的 step 而言，健康的训练也会有五分之一以上被裁剪',
    },
    'clip-fraction.cannot.sequence': {
      en: 'this loss clips whole responses or caps weights, so large fractions are normal',
      zh: '该 loss 按整条回答裁剪或截断权重，比例高是正常的',
    },
  },
  remedy: {
    en: 'check first that the ratio is 1 before the first update (dropout off, same precision for old and new log-probabilities); then lower the learning rate or make fewer updates per batch',
    zh: '先确认首次更新前 ratio 为 1（关闭 dropout，新旧对数概率精度一致）；再降低学习率或减少每批数据的更新次数',
  },
  check(subject, { say, needed: [clipped], HIGH, EXTREME, EXTREME_POINTS }) {
    if (isOfEpisodes(subject)) return cannotSay(say('clip-fraction.cannot.episodes', {}))
    if (isWholeAnswers(clipped.metric, subject)) return cannotSay(say('clip-fraction.cannot.sequence', {}))
    const extreme = stretches(clipped, share => share > EXTREME).find(({ from, to }) => to - from >= EXTREME_POINTS)
    const found = whereLasting(clipped, share => share > HIGH) ?? extreme
    if (found === undefined) return
    const high = within(clipped, found)
    return {
      steps: stepsOf(high),
      evidence: { metric: clipped.metric, share: medianOf(high), limit: HIGH, points: high.steps.length },
      message: say('clip-fraction', { share: percentage(medianOf(high)) }),
    }
  },
})

/** GSPO and CISPO clip whole answers or cap weights; their fractions are a hundred times larger by design. */
function isWholeAnswers(metric: string, { settings, config }: Subject): boolean {
  const losses = ['loss.type', 'algorithm'].map(key => String(settings.get(key)?.configured ?? ''))
  const level = Object.entries(config).find(([key]) => key.endsWith('importance_sampling_level'))?.[1]
  return /cispo/.test(metric) || losses.some(loss => /gspo|cispo|vespo|gmpo/i.test(loss)) || level === 'sequence'
}

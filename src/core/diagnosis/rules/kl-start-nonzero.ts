import type { Severity } from '../../../logs/model/finding.js'
import { figure } from '../../../text/numbers.js'
import { type CannotSay, cannotSay, runRule, threshold, type UntreatedSymptom } from '../run-rule.js'
import { actingCoefficient, updatesPerStep } from '../signs/acting.js'
import { type Curve, firstOf, medianOf, stepsOf } from '../signs/curve.js'
import type { Subject } from '../subject.js'

export const klStartNonzero = runRule({
  id: 'kl-start-nonzero',
  severity: 'warning',
  about: {
    en: 'The policy differs from its reference, or from itself, before it was updated once.',
    zh: '策略在第一次更新之前就已经与参考策略（或与自身）不一致。',
  },
  needs: [['kl.ref.start', 'ratio.mean.start', 'kl.ref']],
  uses: ['kl.coef', 'clip.frac'],
  thresholds: {
    NOISE: threshold(0.003, {
      en: 'Same weights, other kernels: a KL of 1e-6 to 1e-3 is numerical noise; bf16 may triple it.',
      zh: '权重相同、算子不同时，1e-6 ~ 1e-3 的 KL 属于数值噪声，bf16 下可到三倍。',
    }),
    CLEAR: threshold(0.01, {
      en: 'Derived: ten times the usual noise cannot be rounding, nor what the updates within one step do. The KL of a whole step of unknown make-up counts from here on.',
      zh: '推得：达到常见噪声的 10 倍，就不可能是舍入误差，也不是一个 step 内几次更新造成的。不清楚一个 step 含几次更新时，从这里算起。',
    }),
    GRAVE: threshold(0.5, {
      en: 'Derived: 56 healthy runs end with a KL of 0.1–0.43; who starts there has another reference, or dropout.',
      zh: '推得：56 个健康 run 结束时 KL 为 0.1–0.43；一开始就在这里，说明参考策略不同或开着 dropout。',
    }),
    RATIO_NOISE: threshold(0.01, {
      en: 'On-policy ratios of 0.997–1.002 are normal (OpenRLHF #931); reef PR #536 and TRL #3500 show dropout far outside.',
      zh: 'on-policy 的 ratio 在 0.997–1.002 之间正常（OpenRLHF #931）；reef PR #536、TRL #3500 中的 dropout 远超此范围。',
    }),
    AVERAGED: threshold(10, {
      en: 'A first row may be the mean over so many steps. Derived: beyond it the policy has moved by itself.',
      zh: '首行可以是这么多步的均值。推得：再多则策略自身已经移动。',
    }),
    CLEAR_ON_AVERAGE: threshold(0.1, {
      en: 'Derived: from so much on in such a row, ten times CLEAR; and half of the median of the whole log, since a KL that training makes grows.',
      zh: '推得：这样的首行从此值（CLEAR 的 10 倍）算起，且须达到整个日志中位数的一半，因为训练造成的 KL 会增长。',
    }),
    TOKENS_PER_SEQUENCE: threshold(100, {
      en: "Derived: TRL's PPO sums the KL over an answer of about a hundred tokens.",
      zh: '推得：TRL 的 PPO 把 KL 在整条回答（约 100 个 token）上求和。',
    }),
  },
  says: {
    'kl-start-nonzero': {
      en: 'KL to the reference is already {kl} at step {step}, before any update; it must start at 0',
      zh: 'step {step} 尚未更新时，与参考策略的 KL 已是 {kl}；它本应从 0 开始',
    },
    'kl-start-nonzero.ratio': {
      en: 'before the first update of step {step} the mean ratio is {ratio} instead of 1: the same tokens get different probabilities when computed twice',
      zh: 'step {step} 首次更新之前平均 ratio 已是 {ratio} 而不是 1：同一批 token 两次计算的概率不同',
    },
    'kl-start-nonzero.unsure': {
      en: 'KL to the reference is already {kl} at step {step}; that is right only if the step has several updates',
      zh: 'step {step} 时与参考策略的 KL 已是 {kl}；只有当一个 step 内含多次更新时才正常',
    },
    'kl-start-nonzero.mean': {
      en: 'KL to the reference is already {kl} on average over steps 1–{step}; it must start at 0',
      zh: 'step 1–{step} 期间与参考策略的 KL 平均已是 {kl}；它本应从 0 开始',
    },
    'kl-start-nonzero.lever-plus': {
      en: 'KL is {kl} in the first epoch: Lever-Plus freezes its reference before RCE and without dropout, so it does not measure what GRPO did',
      zh: '第 1 个 epoch 的 KL 就是 {kl}：Lever-Plus 的参考策略取自 RCE 之前且不带 dropout，因此它反映的不是 GRPO 的作用',
    },
    'kl-start-nonzero.lever-plus.remedy': {
      en: 'compare KL between epochs, not with 0; to measure GRPO alone, take the reference after RCE and with the dropout off',
      zh: '只比较各 epoch 之间的 KL，不要与 0 比；若只想度量 GRPO，请在 RCE 之后、关闭 dropout 时取参考策略',
    },
    'kl-start-nonzero.cannot.late': {
      en: 'the log starts at step {step}, after the first update',
      zh: '日志从 step {step} 开始，已在首次更新之后',
    },
    'kl-start-nonzero.cannot.several': {
      en: 'a step has {updates} update{updates||s}, so its KL is measured after the first of them',
      zh: '每个 step 含 {updates} 次更新，记录的 KL 已在首次更新之后',
    },
  },
  remedy: {
    en: 'switch dropout off in the policy (TRL: disable_dropout=True), load policy and reference from the same checkpoint, and run one step: KL must be 0 and the ratio 1',
    zh: '关闭策略的 dropout（TRL：disable_dropout=True），让策略与参考策略加载同一个 checkpoint，再跑 1 个 step：KL 应为 0，ratio 应为 1',
  },
  check(subject, { say }) {
    if (subject.framework === 'lever-plus') return ofLeverPlus(subject)
    const [ratio, measured] = [subject.curve('ratio.mean.start'), subject.curve('kl.ref.start')]
    const kl = measured ?? subject.curve('kl.ref')
    const start = kl?.steps[0] ?? ratio?.steps[0] ?? Number.NaN
    if (start > 1) {
      const isMean = kl !== undefined && measured === undefined && isMeanFromTheFirst(kl)
      return isMean ? ofMean(kl, subject) : cannotSay(say('kl-start-nonzero.cannot.late', { step: start }))
    }
    if (ratio !== undefined && isIrreproducible(ratio)) return ofRatio(ratio, kl)
    if (kl === undefined) return
    if (measured === undefined) return afterStep(kl, subject)
    return ofKl(kl, subject)
  },
})

function isOff(ratio: number): boolean {
  const { RATIO_NOISE } = klStartNonzero.limits
  return Math.abs(ratio - 1) > RATIO_NOISE
}

/** Every step measures it before its first update. By chance it may be near 1 at one of them, but not at most. */
function isIrreproducible({ values }: Curve): boolean {
  return isOff(values[0]) || values.filter(isOff).length > values.length / 10
}

function ofRatio(ratio: Curve, kl: Curve | undefined): UntreatedSymptom {
  const [first, last] = [ratio.values.findIndex(isOff), ratio.values.findLastIndex(isOff)]
  return {
    severity: 'error',
    steps: [ratio.steps[first], ratio.steps[last]],
    evidence: {
      metric: ratio.metric,
      ratio: ratio.values[first],
      stepsOff: ratio.values.filter(isOff).length,
      ...(kl === undefined ? {} : { kl: firstOf(kl) }),
    },
    message: klStartNonzero.say('kl-start-nonzero.ratio', {
      ratio: figure(ratio.values[first]),
      step: ratio.steps[first],
    }),
  }
}

function ofKl(kl: Curve, subject: Subject, severest: Severity = 'error'): UntreatedSymptom | undefined {
  const { NOISE, CLEAR, GRAVE, TOKENS_PER_SEQUENCE } = klStartNonzero.limits
  const size = Math.abs(firstOf(kl)) / (subject.framework === 'trl-ppo' ? TOKENS_PER_SEQUENCE : 1)
  if (!(size > (severest === 'note' ? CLEAR : NOISE))) return undefined
  const severity = size > GRAVE ? 'error' : size > CLEAR ? 'warning' : 'note'
  const harmless = severest === 'note' || actingCoefficient(subject) === 0
  return {
    severity: harmless ? 'note' : severity,
    steps: [kl.steps[0], kl.steps[0]],
    evidence: { metric: kl.metric, kl: firstOf(kl), noise: NOISE },
    message: klStartNonzero.say(severest === 'note' ? 'kl-start-nonzero.unsure' : 'kl-start-nonzero', {
      kl: figure(firstOf(kl)),
      step: kl.steps[0],
    }),
  }
}

/** Rows that lie as far apart as the first one lies from the start: TRL logs means over `logging_steps`. */
function isMeanFromTheFirst({ steps }: Curve): boolean {
  const { AVERAGED } = klStartNonzero.limits
  return steps[0] <= AVERAGED && steps[1] - steps[0] === steps[0]
}

function ofMean(kl: Curve, subject: Subject): UntreatedSymptom | undefined {
  const first = firstOf(kl)
  if (clippedAtStart(kl, subject) > 0 || !isHighFromTheStart(kl)) return undefined
  return {
    severity: actingCoefficient(subject) === 0 ? 'note' : 'warning',
    steps: [kl.steps[0], kl.steps[0]],
    evidence: { metric: kl.metric, kl: first, median: medianOf(kl) },
    message: klStartNonzero.say('kl-start-nonzero.mean', { kl: figure(first), step: kl.steps[0] }),
  }
}

/** As high as it ever is: what training does to a KL grows. */
function isHighFromTheStart(kl: Curve): boolean {
  const { CLEAR_ON_AVERAGE } = klStartNonzero.limits
  return firstOf(kl) > CLEAR_ON_AVERAGE && firstOf(kl) >= medianOf(kl) / 2
}

/**
 * With one update to a batch the ratio is exactly 1 and nothing is clipped: what is clipped tells of a second one. NaN
 * where that is not logged.
 */
function clippedAtStart(kl: Curve, { curve }: Subject): number {
  const clipped = curve('clip.frac')
  return clipped !== undefined && clipped.steps[0] === kl.steps[0] ? firstOf(clipped) : Number.NaN
}

/** The KL of a whole step: with several mini-batches most of it was measured after the first updates. */
function afterStep(kl: Curve, subject: Subject): UntreatedSymptom | CannotSay | undefined {
  const clipped = clippedAtStart(kl, subject)
  // KL in the reward is taken from the rollouts, before any update of the step.
  const updates = /reward_kl_penalty/.test(kl.metric) ? 1 : clipped > 0 ? null : updatesPerStep(subject)
  if (updates === 1) return ofKl(kl, subject)
  if (updates === null) return clipped === 0 && isHighFromTheStart(kl) ? ofKl(kl, subject) : ofKl(kl, subject, 'note')
  return cannotSay(klStartNonzero.say('kl-start-nonzero.cannot.several', { updates }))
}

/**
 * Lever-Plus freezes its reference before the supervised phase and takes it without dropout, while the policy trains
 * with dropout 0.5: the KL of its first epoch was there before GRPO.
 */
function ofLeverPlus({ curve }: Subject): UntreatedSymptom | undefined {
  const { CLEAR } = klStartNonzero.limits
  const kl = curve('kl.ref')
  if (kl === undefined || kl.steps[0] > 1 || !(firstOf(kl) > CLEAR)) return undefined
  return {
    severity: 'note',
    steps: stepsOf(kl),
    evidence: { metric: kl.metric, kl: firstOf(kl), last: kl.values[kl.values.length - 1] },
    message: klStartNonzero.say('kl-start-nonzero.lever-plus', { kl: figure(firstOf(kl)) }),
    remedy: klStartNonzero.say('kl-start-nonzero.lever-plus.remedy', {}),
  }
}

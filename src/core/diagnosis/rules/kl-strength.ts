import { canMeet, exactly } from '../../../stats/rounding.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import { actingCoefficient, isKlPerSequence, klPathOf, timesKlIsSummed } from '../signs/acting.js'
import { type Curve, ends, firstOf, lastOf, medianOf, stepsOf, within } from '../signs/curve.js'
import { stretches } from '../signs/lasting.js'
import { decimalsOf, rangeOf } from '../signs/printed.js'
import { hasLearned, SCORES } from '../signs/score.js'
import type { Subject } from '../subject.js'

export const klInert = runRule({
  id: 'kl-inert',
  severity: 'note',
  about: {
    en: 'The KL term is so small beside the policy loss that it may not act. It may all the same: in klens’s gym one of 0.3 to 0.9 % halved the KL and shortened the dialogues, and left the score where it was (examples/intention-kl).',
    zh: '与策略 loss 相比 KL 项太小，可能不起作用。但也可能仍然起作用：在 klens 的 gym 中，只占 0.3% ~ 0.9% 的 KL 项使 KL 减半、对话变短，而得分不变（examples/intention-kl）。',
  },
  needs: ['kl.ref', 'loss.policy'],
  uses: ['kl.coef'],
  thresholds: {
    SMALLEST_SHARE: threshold(0.01, {
      en: 'Below this share of the policy loss a penalty cannot be seen in it. Derived: the UserRL run whose KL term was 0.5 % of its policy loss is the case that people asked about.',
      zh: '惩罚项低于策略 loss 的这一比例时，在 loss 中看不出来。推得：UserRL 的 run 中 KL 项只有策略 loss 的 0.5%，正是大家问起的情形。',
    }),
    FEWEST: threshold(10, {
      en: 'Points before it speaks, of which the later half counts. Derived: the KL starts at 0 by construction, and after four steps no coefficient acts.',
      zh: '达到这么多个点之后才下结论，且只看后一半。推得：KL 必然从 0 开始，4 步之后任何系数都还不起作用。',
    }),
    UNMOVED: threshold(1e-6, {
      en: 'Below it the policy has not moved, and no coefficient would act: numerical noise.',
      zh: '低于此值说明策略没有移动，任何系数都不会起作用：属数值噪声。',
    }),
  },
  says: {
    'kl-inert': {
      en: 'the KL term is {share} % of the policy loss: the loss does not show that it holds the policy back',
      zh: 'KL 项只有策略 loss 的 {share}%：从 loss 看不出它在约束策略',
    },
    'kl-inert.cannot.coefficient': {
      en: 'the KL coefficient is neither in the log nor in the config',
      zh: '日志和配置都没有说明 KL 系数',
    },
    'kl-inert.cannot.in-reward': {
      en: 'the KL is subtracted from the reward, not added to the loss',
      zh: 'KL 计入 reward，而不是 loss',
    },
  },
  remedy: {
    en: 'compare with a run without it, by KL, length and turns as well as the score; if nothing differs, raise the coefficient tenfold or switch it off and save the reference pass',
    zh: '与不带 KL 的 run 比较，除得分外也看 KL、长度和轮数；若没有差别，把系数提高到 10 倍，或关掉它以省去参考策略的前向计算',
  },
  check(subject, { say, needed: [divergence, policyLoss], SMALLEST_SHARE, FEWEST, UNMOVED }) {
    const coefficient = actingCoefficient(subject)
    if (coefficient === null) return cannotSay(say('kl-inert.cannot.coefficient', {}))
    if (coefficient === 0) return
    if (klPathOf(divergence, subject) !== subject.kl.inLoss) return cannotSay(say('kl-inert.cannot.in-reward', {}))
    if (divergence.steps.length < FEWEST) return tooShort(divergence, FEWEST)
    const later = ends(divergence, 0.5).end
    // A KL printed as 0.000 may be anything up to 0.0005.
    const kl = rangeOf(medianOf(later), decimalsOf(divergence)).high
    const loss = medianOf({ ...policyLoss, values: policyLoss.values.map(Math.abs) })
    const share = Math.abs(coefficient * kl) / loss
    if (kl < UNMOVED || !(share < SMALLEST_SHARE)) return
    return {
      steps: stepsOf(divergence),
      evidence: {
        metrics: [divergence.metric, policyLoss.metric],
        coefficient,
        kl: medianOf(later),
        policyLoss: loss,
        share,
      },
      message: say('kl-inert', { share: figure(100 * share, 2) }),
    }
  },
})

export const klTooStrong = runRule({
  id: 'kl-too-strong',
  severity: 'warning',
  about: {
    en: 'The KL penalty is so strong that the policy cannot leave its reference, and nothing is learned.',
    zh: 'KL 惩罚过强，策略离不开参考策略，什么也学不到。',
  },
  needs: ['kl.ref', SCORES],
  uses: ['kl.coef'],
  thresholds: {
    STRONG: threshold(3, {
      en: 'Derived: normalised advantages are about 1, so a penalty of weight β balances them where log-probabilities have moved by 1/β. With 1 a lab learned slowly, with 30 not at all; people use 0.001 to 0.1.',
      zh: '推得：归一化后的优势约为 1，因此权重 β 的惩罚在对数概率移动 1/β 处与之平衡。实验中 β 为 1 时学得慢，为 30 时完全学不动；通常用 0.001 ~ 0.1。',
    }),
    NEAR: threshold(0.05, {
      en: 'Nats per token that the policy stays within. Derived: 1/(2 β²) at the limit above.',
      zh: '策略始终不超过的距离（nat/token）。推得：上述界限处的 1/(2β²)。',
    }),
    FEWEST: threshold(20, {
      en: 'Points before it speaks. Derived: at the start every policy is near its reference.',
      zh: '达到这么多个点之后才下结论。推得：刚开始时任何策略都在参考策略附近。',
    }),
  },
  says: {
    'kl-too-strong': {
      en: 'a KL coefficient of {coefficient} holds the policy at its reference: KL stays at {kl}, and no score has risen in {steps} step{steps||s}',
      zh: 'KL 系数 {coefficient} 把策略按在参考策略上：KL 停在 {kl}，{steps} 步内没有任何得分上升',
    },
    'kl-too-strong.cannot.in-reward': {
      en: "the KL is subtracted from the reward, so the effect of a coefficient depends on the reward's scale",
      zh: 'KL 计入 reward，系数的分量取决于 reward 的尺度',
    },
    'kl-too-strong.cannot.coefficient': {
      en: 'the KL coefficient is neither in the log nor in the config',
      zh: '日志和配置都没有说明 KL 系数',
    },
  },
  remedy: {
    en: 'lower the coefficient to 0.1 or less and start again; no checkpoint of this run is far from the start',
    zh: '把系数降到 0.1 或更低后重新训练；该 run 的 checkpoint 与起点都相差无几',
  },
  check(subject, { say, needed: [divergence], STRONG, NEAR, FEWEST }) {
    const coefficient = actingCoefficient(subject)
    if (coefficient === null) return cannotSay(say('kl-too-strong.cannot.coefficient', {}))
    if (klPathOf(divergence, subject) !== subject.kl.inLoss || isKlPerSequence(subject)) {
      return cannotSay(say('kl-too-strong.cannot.in-reward', {}))
    }
    if (divergence.steps.length < FEWEST) return tooShort(divergence, FEWEST)
    const kl = medianOf(ends(divergence, 0.5).end) / timesKlIsSummed(divergence, subject)
    if (coefficient < STRONG || kl > NEAR || hasLearned(subject) !== false) return
    const [from, to] = stepsOf(divergence)
    return {
      steps: [from, to],
      evidence: { metric: divergence.metric, coefficient, kl, near: NEAR },
      message: say('kl-too-strong', { coefficient: figure(coefficient), kl: figure(kl), steps: to - from + 1 }),
    }
  },
})

/** Lever-Plus keeps its coefficient within these. verl and TRL have no bounds of their own. */
const LEVER_PLUS_BOUNDS = [0.001, 10]

export const klControllerSaturated = runRule({
  id: 'kl-controller-saturated',
  severity: 'warning',
  about: {
    en: 'The controller has reached the end of its range: the KL is no longer steered.',
    zh: '控制器已到调节范围的边界，KL 不再受控。',
  },
  needs: ['kl.coef'],
  uses: ['kl.ref'],
  thresholds: {
    STILL_POINTS: threshold(10, {
      en: 'Derived: a working controller moves at every step, since the KL is never exactly on target.',
      zh: '推得：KL 不会恰好等于目标值，正常的控制器每一步都在动。',
    }),
    STILL_SHARE: threshold(0.25, { en: 'And for so much of the log. Derived.', zh: '且占日志的这一比例。推得。' }),
  },
  says: {
    'kl-controller-saturated': {
      en: 'the KL controller is at its limit, coefficient {coefficient}, since step {step}: it no longer controls',
      zh: '从 step {step} 起 KL 控制器停在边界，系数 {coefficient}：已不再起调节作用',
    },
  },
  remedy: {
    en: 'fix the coefficient (Lever-Plus: disable_adaptive_kl), or choose a target that the KL of this task can reach',
    zh: '固定系数（Lever-Plus：disable_adaptive_kl），或换一个该任务的 KL 能达到的目标值',
  },
  check(subject, { needed: [coefficient] }) {
    if (subject.framework === 'lever-plus' && subject.kl.adaptive) return atKnownBound(coefficient, subject)
    return atOwnBound(coefficient, subject)
  },
})

function atKnownBound(coefficient: Curve, subject: Subject): UntreatedSymptom | undefined {
  const decimals = decimalsOf(coefficient)
  const configured = klPathOf(coefficient, subject).coefficient
  for (const bound of LEVER_PLUS_BOUNDS) {
    if (configured === bound) continue
    const isThere = (value: number): boolean => canMeet(rangeOf(value, decimals), exactly(bound))
    const last = stretches(coefficient, isThere).at(-1)
    if (last !== undefined && last.to === coefficient.values.length)
      return saturation(within(coefficient, last), subject)
  }
  return undefined
}

/** Without known bounds: it moved, and then stood still at its lowest or its highest. */
function atOwnBound(coefficient: Curve, subject: Subject): UntreatedSymptom | undefined {
  const { STILL_POINTS, STILL_SHARE } = klControllerSaturated.limits
  const { values } = coefficient
  const final = lastOf(coefficient)
  const still = stretches(coefficient, value => value === final).at(-1)
  if (still === undefined || still.from === 0) return undefined
  const long = still.to - still.from >= Math.max(STILL_POINTS, STILL_SHARE * values.length)
  const extreme = values.every(value => value >= final) || values.every(value => value <= final)
  return long && extreme ? saturation(within(coefficient, still), subject) : undefined
}

function saturation(still: Curve, { curve, ...subject }: Subject): UntreatedSymptom {
  const kl = curve('kl.ref')
  const configured = klPathOf(still, { curve, ...subject }).coefficient
  return {
    steps: [still.steps[0], still.steps[still.steps.length - 1]],
    evidence: {
      metric: still.metric,
      coefficient: firstOf(still),
      ...(configured === null ? {} : { configured }),
      ...(kl === undefined ? {} : { kl: lastOf(kl) }),
    },
    message: klControllerSaturated.say('kl-controller-saturated', {
      coefficient: figure(firstOf(still)),
      step: still.steps[0],
    }),
  }
}

import { figure } from '../../text/figure.js'
import { cannotSay, runRule, threshold, tooShort } from '../run-rule.js'
import { actingCoefficient, isKlPerSequence, klPathOf, timesKlIsSummed } from '../signs/acting.js'
import { ends, medianOf, stepsOf } from '../signs/curve.js'
import { hasLearned, SCORES } from '../signs/score.js'

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
      en: 'a KL coefficient of {coefficient} holds the policy at its reference: KL stays at {kl}, and no score has risen in {steps} steps',
      zh: 'KL 系数 {coefficient} 把策略按在参考策略上：KL 停在 {kl}，{steps} 步内没有任何得分上升',
    },
    'kl-too-strong.cannot.in-reward': {
      en: 'the KL is taken from the reward, whose scale decides how much a coefficient weighs',
      zh: 'KL 计入 reward，系数的分量取决于 reward 的尺度',
    },
    'kl-too-strong.cannot.coefficient': {
      en: 'neither the log nor the config tells the KL coefficient',
      zh: '日志和配置都没有说明 KL 系数',
    },
  },
  remedy: {
    en: 'lower the coefficient to 0.1 or less and start again; no checkpoint of this run differs much from where it began',
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

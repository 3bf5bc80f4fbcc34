import { figure } from '../../text/figure.js'
import { runRule, settingUnknown, threshold } from '../run-rule.js'
import { configuredRate, loggedRate } from '../signs/acting.js'
import { type Curve, firstOf, lastOf, stepsOf } from '../signs/curve.js'
import { decimalsOf, rangeOf } from '../signs/printed.js'
import { type Subject, wholeRun } from '../subject.js'

export const lrNegligible = runRule({
  id: 'lr-negligible',
  severity: 'warning',
  about: { en: 'The learning rate is too small to change the policy at all.', zh: '学习率小到策略根本不会改变。' },
  needs: [],
  uses: ['lr', 'kl.ref', 'val.score'],
  thresholds: {
    SMALLEST_USUAL: threshold(1e-7, {
      en: 'Typical rates of RL with Adam are 1e-7 to 1e-4 (1e-6, 3e-6, 1e-5).',
      zh: 'RL 用 Adam 时常见学习率为 1e-7 ~ 1e-4（1e-6、3e-6、1e-5）。',
    }),
    HOPELESS: threshold(1e-8, {
      en: 'Derived: ten times below it nothing can move in any affordable number of steps, whatever the curves say.',
      zh: '推得：再低 10 倍，无论曲线如何，在负担得起的步数内都不可能有变化。',
    }),
    UNMOVED_KL: threshold(1e-5, {
      en: 'Derived: same weights give 1e-6 and more by other kernels alone.',
      zh: '推得：权重相同时，仅算子不同就有 1e-6 以上。',
    }),
    FEWEST_EVALUATIONS: threshold(5, {
      en: 'Derived: three evaluations in a row may agree by chance, five do not.',
      zh: '推得：连续 3 次验证可能碰巧相同，5 次则不会。',
    }),
  },
  says: {
    'lr-negligible': {
      en: 'the learning rate is {rate}; RL is usually run at 1e-7 to 1e-4, and at this rate nothing moves',
      zh: '学习率是 {rate}；RL 通常为 1e-7 ~ 1e-4，这样的学习率不会有任何变化',
    },
    'lr-negligible.still': {
      en: 'the learning rate is {rate} and the policy has not moved; RL is usually run at 1e-7 to 1e-4',
      zh: '学习率是 {rate}，策略没有任何变化；RL 通常为 1e-7 ~ 1e-4',
    },
  },
  remedy: {
    en: 'start again at about 1e-6 for a language model, 1e-5 with LoRA, 1e-4 for a small model; conclude nothing from this run',
    zh: '重新开始：语言模型约 1e-6，LoRA 约 1e-5，小模型约 1e-4；不要从该 run 得出任何结论',
  },
  check(subject, { say, SMALLEST_USUAL, HOPELESS, UNMOVED_KL, FEWEST_EVALUATIONS }) {
    const rate = peakRate(subject)
    if (rate === null) return settingUnknown('lr')
    if (!(rate > 0 && rate < SMALLEST_USUAL)) return
    const [kl, score] = [subject.curve('kl.ref'), subject.curve('val.score')]
    // A KL printed as 0.000 may be anything up to 0.0005.
    const highest = kl === undefined ? undefined : rangeOf(largest(kl), decimalsOf(kl)).high
    const still = highest !== undefined && highest < UNMOVED_KL
    const frozen = score !== undefined && score.steps.length >= FEWEST_EVALUATIONS && isConstant(score)
    if (rate >= HOPELESS && !still && !frozen) return
    const logged = loggedRate(subject)
    return {
      ...(still || frozen ? { severity: 'error' } : {}),
      steps: logged === undefined ? wholeRun(subject) : stepsOf(logged),
      evidence: {
        rate,
        usual: [SMALLEST_USUAL, 1e-4],
        ...(highest === undefined ? {} : { highestKl: highest }),
        ...(frozen ? { score: score.values[0] } : {}),
      },
      message: say(still || frozen ? 'lr-negligible.still' : 'lr-negligible', { rate: figure(rate) }),
    }
  },
})

/** The highest that was logged; where that prints as 0, or is still warming up, what was configured. */
function peakRate(subject: Subject): number | null {
  const logged = loggedRate(subject)
  const peak = logged === undefined ? 0 : largest(logged)
  const isWarmingUp = logged !== undefined && firstOf(logged) < peak && lastOf(logged) === peak
  return peak > 0 && !isWarmingUp ? peak : configuredRate(subject)
}

function largest({ values }: Curve): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}

function isConstant({ values }: Curve): boolean {
  return values.every(value => value === values[0])
}

import { figure } from '../../text/figure.js'
import { cannotSay, runRule, threshold, tooShort } from '../run-rule.js'
import { actingCoefficient, klPathOf } from '../signs/acting.js'
import { ends, medianOf, stepsOf } from '../signs/curve.js'
import { decimalsOf, rangeOf } from '../signs/printed.js'

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
      en: 'the KL term is {share} % of the policy loss: nothing in the loss shows that it holds the policy',
      zh: 'KL 项只有策略 loss 的 {share}%：从 loss 看不出它在约束策略',
    },
    'kl-inert.cannot.coefficient': {
      en: 'neither the log nor the config tells the KL coefficient',
      zh: '日志和配置都没有说明 KL 系数',
    },
    'kl-inert.cannot.in-reward': {
      en: 'the KL is taken from the reward, not added to the loss',
      zh: 'KL 计入 reward，而不是 loss',
    },
  },
  remedy: {
    en: 'compare with a run without it, by the KL, the length and the turns as well as the score; if nothing differs, raise the coefficient tenfold or switch it off and save the reference pass',
    zh: '与不带 KL 的 run 比较，除得分外也看 KL、长度和轮数；若没有差别，把系数提高到 10 倍，或关掉它以省去参考策略的前向计算',
  },
  check(subject, { say, SMALLEST_SHARE, FEWEST, UNMOVED }) {
    const [divergence, policyLoss] = [subject.curve('kl.ref'), subject.curve('loss.policy')]
    if (divergence === undefined || policyLoss === undefined) return
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

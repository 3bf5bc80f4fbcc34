import { percentage } from '../../text/figure.js'
import { cannotSay, runRule, threshold, tooShort } from '../run-rule.js'
import { ends, medianOf, stepsOf, within } from '../signs/curve.js'
import { deadEnd, NOTHING, updateSize } from '../signs/dead-run.js'
import { lastingToTheEnd } from '../signs/lasting.js'

export const gradVanishing = runRule({
  id: 'grad-vanishing',
  severity: 'warning',
  about: {
    en: 'The gradient has become a hundredth of what it was, and stays there.',
    zh: '梯度降到原来的百分之一，并停在那里。',
  },
  needs: ['grad.norm'],
  uses: ['loss.policy', 'loss.total'],
  thresholds: {
    SHARE_OF_START: threshold(0.01, {
      en: 'Derived: healthy norms stay within a factor of ten of their start (0.97 → 1.24, 1.4 → 1).',
      zh: '推得：健康 run 的梯度范数与开始时相差不超过 10 倍（0.97 → 1.24，1.4 → 1）。',
    }),
    FEWEST: threshold(10, { en: 'Points that it must last. Derived.', zh: '须持续这么多个点。推得。' }),
  },
  says: {
    'grad-vanishing': {
      en: 'the gradient norm is {share} % of what it was at the start, since step {step}',
      zh: '自 step {step} 起梯度范数只有开始时的 {share}%',
    },
    'grad-vanishing.cannot.dead': { en: 'the gradient is exactly 0: see run-dead', zh: '梯度恰为 0：见 run-dead' },
  },
  remedy: {
    en: 'look at the share of groups with equal rewards and at the entropy: when both say that all answers are the same, stop and go back to a checkpoint from before it',
    zh: '查看零方差组比例和熵：若两者都表明回答全都一样，请停止训练并退回到此前的 checkpoint',
  },
  check(subject, { say, needed: [gradient], SHARE_OF_START, FEWEST }) {
    const { metric, steps } = gradient
    if (steps.length < FEWEST) return tooShort(gradient, FEWEST)
    const update = updateSize(subject)
    if (update !== undefined && deadEnd(update) !== undefined) return cannotSay(say('grad-vanishing.cannot.dead', {}))
    const start = medianOf(ends(gradient).start)
    const found = lastingToTheEnd(gradient, norm => norm < Math.max(NOTHING, SHARE_OF_START * start), FEWEST)
    if (found === undefined) return
    const small = within(gradient, found)
    return {
      steps: stepsOf(small),
      evidence: { metric, start, end: medianOf(small) },
      message: say('grad-vanishing', { share: percentage(medianOf(small) / start), step: small.steps[0] }),
    }
  },
})

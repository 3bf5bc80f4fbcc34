import { numberOf } from '../../model/vocabulary/config-value.js'
import { median } from '../../stats/descriptive.js'
import { figure } from '../../text/figure.js'
import { runRule, threshold, tooShort } from '../run-rule.js'
import type { Curve } from '../signs/curve.js'

const SHOWN = 20

export const gradSpike = runRule({
  id: 'grad-spike',
  severity: 'warning',
  about: { en: 'Gradient norms far above their surroundings.', zh: '梯度范数远高于邻近值。' },
  needs: ['grad.norm'],
  thresholds: {
    TIMES_NEIGHBOURS: threshold(20, {
      en: "Derived: in 56 healthy runs 99.9 % of the norms lie within 20 times their neighbours' median.",
      zh: '推得：56 个健康 run 中，99.9% 的范数不超过邻近中位数的 20 倍。',
    }),
    REACH: threshold(10, { en: 'Neighbours on each side.', zh: '每侧的邻近点数。' }),
    USUAL_CLIP: threshold(1, {
      en: "verl's and TRL's default: a norm below it is not even clipped.",
      zh: 'verl 与 TRL 的默认值：低于它的范数根本不会被裁剪。',
    }),
    MANY: threshold(5, {
      en: 'Derived: healthy runs have up to two such steps in 400; clipping makes them harmless. Many of them are a habit.',
      zh: '推得：健康 run 每 400 步最多两次，裁剪后无害；多了就是常态。',
    }),
    MANY_SHARE: threshold(0.01, { en: 'And so much of the log. Derived.', zh: '且占日志的这一比例。推得。' }),
  },
  says: {
    'grad-spike': {
      en: '{spikes} gradient norms are more than {times} times their neighbours; the largest is {norm} at step {step} (usually {usual})',
      zh: '有 {spikes} 个 step 的梯度范数超过邻近值的 {times} 倍；最大 {norm}（step {step}），平时约 {usual}',
    },
    'grad-spike.few': {
      en: '{spikes} isolated gradient {spikes|norm is|norms are} more than {times} times {spikes|its|their} neighbours: {norm} at step {step} (usually {usual})',
      zh: '有 {spikes} 个孤立的梯度尖峰超过邻近值的 {times} 倍：step {step} 为 {norm}，平时约 {usual}',
    },
    'grad-spike.few.remedy': {
      en: 'nothing, if gradients are clipped; look at the answers of step {step} if the score changed there',
      zh: '若已开启梯度裁剪则无需处理；如果得分在 step {step} 处有变化，请查看该 step 的回答',
    },
  },
  remedy: {
    en: 'see that gradients are clipped (grad_clip or max_grad_norm 1.0); lower the learning rate; with KL in the loss, clamp its log-ratio or use k2, since k3 grows like exp',
    zh: '确认开启了梯度裁剪（grad_clip 或 max_grad_norm 为 1.0）；降低学习率；若 loss 中有 KL，请截断 log-ratio 或改用 k2，因为 k3 按指数增长',
  },
  check({ settings }, { say, needed: [gradient], TIMES_NEIGHBOURS, REACH, USUAL_CLIP, MANY, MANY_SHARE }) {
    const { metric, steps, values } = gradient
    if (steps.length < 2 * REACH) return tooShort(gradient, 2 * REACH)
    const clip = numberOf(settings.get('grad.clip')?.effective ?? undefined)
    const spikes = spikesOf(gradient, clip === null || clip <= 0 ? USUAL_CLIP : clip)
    if (spikes.length === 0) return
    const many = spikes.length >= Math.max(MANY, MANY_SHARE * values.length)
    const highest = spikes.reduce((most, i) => (values[i] > values[most] ? i : most))
    const usual = usualAround(gradient, highest)
    return {
      ...(many ? {} : { severity: 'note' }),
      steps: [steps[spikes[0]], steps[spikes[spikes.length - 1]]],
      evidence: {
        metric,
        spikes: spikes.length,
        spikeSteps: spikes.slice(0, SHOWN).map(i => steps[i]),
        spikeNorms: spikes.slice(0, SHOWN).map(i => values[i]),
        usual,
      },
      message: say(many ? 'grad-spike' : 'grad-spike.few', {
        spikes: spikes.length,
        times: TIMES_NEIGHBOURS,
        norm: figure(values[highest]),
        step: steps[highest],
        usual: figure(usual),
      }),
      remedy: many ? undefined : say('grad-spike.few.remedy', { step: steps[highest] }),
    }
  },
})

/** Indices of the points that stand out from the points around them. A stray gradient in a dead run is none. */
function spikesOf(gradient: Curve, clip: number): number[] {
  const { TIMES_NEIGHBOURS } = gradSpike.limits
  return Array.from(gradient.values.keys()).filter(i => {
    if (!(gradient.values[i] > clip) || !mayStandOut(gradient, i)) return false
    const usual = usualAround(gradient, i)
    return usual > 0 && gradient.values[i] > TIMES_NEIGHBOURS * usual
  })
}

/** Above so many times the least of its neighbours: asked of every point, before their median is. */
function mayStandOut({ values }: Curve, i: number): boolean {
  const { TIMES_NEIGHBOURS, REACH } = gradSpike.limits
  const last = Math.min(values.length - 1, i + REACH)
  for (let j = Math.max(0, i - REACH); j <= last; j += 1) if (values[i] > TIMES_NEIGHBOURS * values[j]) return true
  return false
}

function usualAround({ values }: Curve, i: number): number {
  const { REACH } = gradSpike.limits
  return median([...values.subarray(Math.max(0, i - REACH), i), ...values.subarray(i + 1, i + 1 + REACH)])
}

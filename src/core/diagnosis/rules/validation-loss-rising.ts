import { median } from '../../../stats/descriptive.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort } from '../run-rule.js'
import { between, type Curve, ends, longestOf, medianOf, stepsOf } from '../signs/curve.js'

export const validationLossRising = runRule({
  id: 'validation-loss-rising',
  severity: 'warning',
  about: {
    en: 'The validation loss has turned and rises while the training loss goes on falling: the data is learned by heart.',
    zh: '验证 loss 掉头上升而训练 loss 继续下降：模型在背数据。',
  },
  needs: ['val.loss', 'loss.total'],
  uses: ['reward.mean'],
  thresholds: {
    RISE: threshold(1.5, {
      en: 'Times its lowest level. Derived: a loss may rise by a quarter from confidence alone while accuracy holds; half as much again is no longer that.',
      zh: '相对最低水平的倍数。推得：仅因置信度升高，loss 可上升四分之一而准确率不变；升高一半就不止于此。',
    }),
    FEWEST: threshold(5, { en: 'Evaluations that are needed. Derived.', zh: '至少需要的验证次数。推得。' }),
  },
  says: {
    'validation-loss-rising': {
      en: '{metric} has risen from {lowest} (step {step}) to {end} while {training} fell from {trainThen} to {trainEnd}: the training data is memorised',
      zh: '{metric} 从 {lowest}（step {step}）升到 {end}，而 {training} 从 {trainThen} 降到 {trainEnd}：模型在背训练数据',
    },
    'validation-loss-rising.cannot.policy': {
      en: 'a policy is trained: its loss does not measure fit',
      zh: '训练的是策略：其 loss 不反映拟合程度',
    },
    'validation-loss-rising.remedy': {
      en: 'use the checkpoint of step {step}, or judge later ones by the task itself; train for fewer epochs, or on more data',
      zh: '取 step {step} 的 checkpoint，或用任务本身评判之后的；减少 epoch 或增加数据',
    },
  },
  check(subject, { say, needed: [, training], RISE, FEWEST }) {
    if (subject.curve('reward.mean') !== undefined) return cannotSay(say('validation-loss-rising.cannot.policy', {}))
    const curves = subject.curves('val.loss')
    const longest = longestOf(curves)
    if (longest.steps.length < FEWEST) return tooShort(longest, FEWEST)
    const [worst] = curves
      .filter(({ steps }) => steps.length >= FEWEST)
      .map(riseOf)
      .toSorted((a, b) => b.end / b.lowest - a.end / a.lowest)
    const { metric, lowest, step, end, last } = worst
    const [then, now] = [levelAt(training, step), medianOf(ends(training).end)]
    if (!(lowest > 0 && end >= RISE * lowest && now < then)) return
    const levels = { lowest: figure(lowest), end: figure(end), trainThen: figure(then), trainEnd: figure(now) }
    return {
      steps: [step, last],
      evidence: { metric, lowest, end, training: training.metric, trainThen: then, trainEnd: now },
      message: say('validation-loss-rising', { metric, training: training.metric, step, ...levels }),
      remedy: say('validation-loss-rising.remedy', { step }),
    }
  },
})

/** From its lowest level to its last; a level is the median of three neighbours, since a minimum is mostly luck. */
function riseOf({ metric, steps, values }: Curve) {
  const levels = values.map((_, i) => median(values.subarray(Math.max(0, i - 1), i + 2)))
  const at = levels.indexOf(Math.min(...levels))
  const last = steps.length - 1
  return { metric, lowest: levels[at], step: steps[at], end: levels[last], last: steps[last] }
}

/** Within a twentieth of the run on each side. */
function levelAt(curve: Curve, step: number): number {
  const [first, last] = stepsOf(curve)
  const reach = (last - first) / 20
  return medianOf(between(curve, step - reach, step + reach))
}

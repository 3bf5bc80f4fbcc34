import { meaningOf, vocabularyFor } from '../../model/vocabulary/resolve.js'
import { figure, listed } from '../../text/figure.js'
import { runRule, type Symptom } from '../run-rule.js'
import { JUMP_THRESHOLDS, type Jump, jumpIn } from '../signs/extremes.js'
import type { Subject } from '../subject.js'

/** Ratios, divergences and gradients have heavy tails by nature, and rules of their own. */
const HEAVY_TAILED = ['grad', 'kl', 'ratio', 'rollout']

export const seriesJump = runRule({
  id: 'series-jump',
  severity: 'note',
  about: {
    en: 'A value that lies orders of magnitude beyond all others, in any metric, known to klens or not. Of a loss it is a warning, since the update was made of it.',
    zh: '任何指标（无论 klens 是否认识）中出现比其他值高出若干数量级的值。若是 loss 则为警告，因为更新正是由它得来的。',
  },
  needs: [],
  thresholds: JUMP_THRESHOLDS,
  says: {
    'series-jump': {
      en: '{n} {n|metric jumps|metrics jump} orders of magnitude beyond the usual: {list}',
      zh: '{n} 个指标出现比平时高出若干数量级的值：{list}',
    },
    'series-jump.loss': {
      en: 'the loss jumps orders of magnitude beyond the usual: {list}',
      zh: 'loss 出现比平时高出若干数量级的值：{list}',
    },
    'series-jump.remedy': {
      en: 'look at the batch of step {step}: an overflow, a division by almost nothing or a broken record; leave the value out of every mean and chart',
      zh: '查看 step {step} 的 batch：溢出、除以接近 0 的数，或记录损坏；求均值和画图时排除该值',
    },
    'series-jump.loss.remedy': {
      en: 'look at the batch of step {step} (an overflow, one token with an extreme ratio, a division by almost nothing), and see that gradients were clipped there; if the score changed, go back to a checkpoint from before it',
      zh: '查看 step {step} 的 batch（溢出、某个 token 的 ratio 极端、除以接近 0 的数），并确认该步的梯度已裁剪；若得分随之变化，退回到此前的 checkpoint',
    },
  },
  check(subject) {
    const jumps = subject.extremes.flatMap(curve => {
      const jump = jumpIn(curve)
      const head = headOf(subject, curve.metric)
      return jump === undefined || HEAVY_TAILED.includes(head) ? [] : [{ jump, isLoss: head === 'loss' }]
    })
    const symptoms = [
      symptomOf(
        jumps.filter(({ isLoss }) => isLoss).map(({ jump }) => jump),
        true,
      ),
      symptomOf(
        jumps.filter(({ isLoss }) => !isLoss).map(({ jump }) => jump),
        false,
      ),
    ]
    return symptoms.filter(symptom => symptom !== undefined)
  },
})

function symptomOf(jumps: readonly Jump[], isLoss: boolean): Symptom | undefined {
  const [first] = jumps
  if (first === undefined) return undefined
  const list = listed(
    jumps.map(({ metric, value, step, usual }) => `${metric} = ${figure(value)} (step ${step}; ± ${figure(usual)})`),
  )
  return {
    ...(isLoss && { severity: 'warning' }),
    steps: [Math.min(...jumps.map(({ steps }) => steps[0])), Math.max(...jumps.map(({ steps }) => steps[1]))],
    evidence: {
      metrics: jumps.map(({ metric }) => metric),
      values: jumps.map(({ value }) => value),
      steps: jumps.map(({ step }) => step),
      usual: jumps.map(({ usual }) => usual),
    },
    message: isLoss
      ? seriesJump.say('series-jump.loss', { list })
      : seriesJump.say('series-jump', { n: jumps.length, list }),
    remedy: seriesJump.say(isLoss ? 'series-jump.loss.remedy' : 'series-jump.remedy', { step: first.step }),
  }
}

/** The kind of metric, in training or validation; nothing for what nobody knows, unless its name says that it is a loss. */
function headOf({ framework }: Subject, metric: string): string {
  const { canonical } = meaningOf(metric, vocabularyFor({ framework }))
  if (canonical !== null) return canonical.replace(/^val\./, '').split('.')[0]
  return /(?:^|[/_.])loss(?:$|[/_.])/i.test(metric) ? 'loss' : ''
}

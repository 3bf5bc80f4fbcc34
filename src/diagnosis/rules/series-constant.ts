import { figure, listed } from '../../text/figure.js'
import { runRule, threshold } from '../run-rule.js'
import type { Subject } from '../subject.js'

/**
 * Quantities that differ from batch to batch in any run that trains. Not rates, coefficients, maxima at a limit or clip
 * fractions: those may stand still. Not losses: on-policy they print as 0.
 */
const MUST_VARY = ['reward.mean', 'score.mean', 'entropy', 'grad.norm', 'kl.ref', 'len.response', 'time.step'] as const

export const seriesConstant = runRule({
  id: 'series-constant',
  severity: 'note',
  about: {
    en: 'A metric that must vary never does: a placeholder, too few digits, or nothing happens.',
    zh: '本应变化的指标始终不变：只是占位、位数太少，或什么也没发生。',
  },
  needs: [MUST_VARY],
  thresholds: {
    FEWEST_POINTS: threshold(20, {
      en: 'Fewer points may well agree in three printed decimals. Derived.',
      zh: '点更少时，三位小数完全可能碰巧相同。推得。',
    }),
  },
  says: {
    'series-constant': {
      en: '{n} {n|metric that must vary never does|metrics that must vary never do}: {list}',
      zh: '{n} 个本应变化的指标始终不变：{list}',
    },
  },
  remedy: {
    en: 'find out whether nothing happens in training, the metric is a placeholder, or the log prints too few digits; until then draw no conclusion from it',
    zh: '确认是训练没有发生变化、该指标只是占位，还是日志打印位数不够；在此之前不要据此下结论',
  },
  check(subject, { say }) {
    const still = MUST_VARY.flatMap(meaning => (mayStandStill(meaning, subject) ? [] : constantOf(subject, meaning)))
    if (still.length === 0) return
    return {
      steps: [Math.min(...still.map(({ from }) => from)), Math.max(...still.map(({ to }) => to))],
      evidence: { metrics: still.map(({ metric }) => metric), values: still.map(({ value }) => value) },
      message: say('series-constant', {
        n: still.length,
        list: listed(still.map(({ metric, value }) => `${metric} = ${figure(value)}`)),
      }),
    }
  },
})

/** Without a penalty some trainers log a divergence of 0 that nobody computed. */
function mayStandStill(meaning: string, { kl }: Subject): boolean {
  return meaning === 'kl.ref' && kl.inLoss.on !== true && kl.inReward.on !== true
}

function constantOf({ curve }: Subject, meaning: string) {
  const { FEWEST_POINTS } = seriesConstant.limits
  const found = curve(meaning)
  if (found === undefined || found.values.length < FEWEST_POINTS) return []
  const { metric, steps, values } = found
  return values.every(value => value === values[0])
    ? [{ metric, value: values[0], from: steps[0], to: steps[steps.length - 1] }]
    : []
}

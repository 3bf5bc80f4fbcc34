import { figure } from '../../text/figure.js'
import { runRule, threshold, tooShort } from '../run-rule.js'
import { medianOf, stepsOf, within } from '../signs/curve.js'
import { lastingToTheEnd } from '../signs/lasting.js'
import { SCORE_THRESHOLDS, SCORES, scoreCourse } from '../signs/score.js'

export const entropyExplosion = runRule({
  id: 'entropy-explosion',
  severity: 'warning',
  about: { en: 'The policy dissolves into noise.', zh: '策略正在变成噪声。' },
  needs: ['entropy'],
  uses: SCORES,
  thresholds: {
    HIGH: threshold(1, {
      en: 'Nats per token: rising is fine below 1, at 2 answers degrade (rllm #116).',
      zh: '单位为 nat/token：低于 1 时上升无妨，到 2 时回答变差（rllm #116）。',
    }),
    TIMES_START: threshold(3, {
      en: 'Derived: a base model may begin at 2 nats and more, so it must also be three times what the run began with.',
      zh: '推得：基座模型起步可能就有 2 nat 以上，因此还须达到开始时的三倍。',
    }),
    STARTING_POINTS: threshold(5, {
      en: 'The start is the median of so many points: one step is noisy, twenty are already training.',
      zh: '起点取这么多个点的中位数：一步太吵，二十步已是训练之后。',
    }),
    ...SCORE_THRESHOLDS,
  },
  says: {
    'entropy-explosion': {
      en: 'entropy rose from {start} to {entropy}, above {limit} since step {step}: the policy dissolves into noise',
      zh: '熵从 {start} 升到 {entropy}，自 step {step} 起超过 {limit}：策略正在变成噪声',
    },
  },
  remedy: {
    en: 'lower the entropy bonus tenfold or switch it off, and continue from a checkpoint before the rise',
    zh: '把熵正则系数降到十分之一或关掉，从上升之前的 checkpoint 继续',
  },
  check(subject, { say, needed: [entropy], HIGH, TIMES_START, STARTING_POINTS }) {
    if (entropy.steps.length < 2 * STARTING_POINTS) return tooShort(entropy, 2 * STARTING_POINTS)
    const start = medianOf(within(entropy, { from: 0, to: STARTING_POINTS }))
    const limit = Math.max(HIGH, TIMES_START * start)
    const found = lastingToTheEnd(entropy, value => value > limit)
    if (found === undefined) return
    const high = within(entropy, found)
    return {
      ...(scoreCourse(subject)?.fell === true ? { severity: 'error' } : {}),
      steps: stepsOf(high),
      evidence: { metric: entropy.metric, start, entropy: medianOf(high), limit },
      message: say('entropy-explosion', {
        start: figure(start),
        entropy: figure(medianOf(high)),
        limit: figure(limit),
        step: high.steps[0],
      }),
    }
  },
})

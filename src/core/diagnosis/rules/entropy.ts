import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { trend } from '../../../stats/trend.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import { between, type Curve, inBlocks, lastOf, medianOf, stepsOf, within } from '../signs/curve.js'
import { lastingToTheEnd } from '../signs/lasting.js'
import { isScoreRising, SCORE_THRESHOLDS, SCORES, scoreCourse } from '../signs/score.js'
import type { Subject } from '../subject.js'

const FEWEST = 5
/** The trend test looks at every pair of points. */
const TREND_BLOCKS = 40

export const entropyCollapse = runRule({
  id: 'entropy-collapse',
  severity: 'warning',
  about: {
    en: 'The policy has stopped exploring, or will before the run ends, with nothing gained by it.',
    zh: '策略已停止探索，或在 run 结束前会停止，而且没有换来任何好处。',
  },
  needs: ['entropy'],
  uses: SCORES,
  thresholds: {
    FLOOR: threshold(0.01, {
      en: 'Nats per token. Derived: at 0.01 about one token in a thousand is not the likeliest one, so all answers to a prompt are the same and no group has anything to learn from. Healthy logs stand at 0.1–1; TRL calls 0.2 near collapse, but runs that still improve are seen at 0.05.',
      zh: '单位为 nat/token。推得：0.01 时约千分之一的 token 不是最可能的那个，同一 prompt 的回答全都一样，组内无可学习。健康日志在 0.1–1；TRL 称 0.2 已接近崩塌，但也见过 0.05 时仍在进步的 run。',
    }),
    ONCE_OPEN: threshold(0.05, {
      en: 'Derived: a policy that never was above five floors did not fall; it is logged as 0 or began deterministic.',
      zh: '推得：从未高于 FLOOR 五倍的策略谈不上下降；要么记录为 0，要么一开始就是确定性的。',
    }),
    FEWEST_FOR_TREND: threshold(10, {
      en: 'Points in the second half of the log, for a fall that is still going on. Derived.',
      zh: '判断仍在下降时，日志后半段至少要有的点数。推得。',
    }),
    TREND_LEVEL: threshold(0.01, {
      en: 'How improbable such a fall must be by chance.',
      zh: '这样的下降纯属偶然的概率须低于此值。',
    }),
    ...SCORE_THRESHOLDS,
  },
  says: {
    'entropy-collapse': {
      en: 'entropy fell from {highest} to {entropy} and is at the floor since step {step}: all answers to a prompt are the same',
      zh: '熵从 {highest} 降到 {entropy}，自 step {step} 起已触底：同一 prompt 的回答全都一样',
    },
    'entropy-collapse.soon': {
      en: 'entropy is {entropy} and falling; at this pace it reaches the floor at step {reached} of {planned}, and the score is not rising',
      zh: '熵为 {entropy} 且持续下降；照此速度将在 step {reached}（共 {planned}）触底，而得分没有上升',
    },
    'entropy-collapse.never': {
      en: 'entropy is {entropy} since step {step} and never exceeded {highest}: it is not computed, or the policy began deterministic',
      zh: '自 step {step} 起熵为 {entropy}，从未超过 {highest}：要么没有计算，要么策略一开始就是确定性的',
    },
    'entropy-collapse.cannot.negative': {
      en: '{metric} is negative: the log holds minus the entropy, or a differential entropy, which has no floor',
      zh: '{metric} 为负：日志记录的是负熵，或没有下限的微分熵',
    },
    'entropy-collapse.never.remedy': {
      en: 'check that entropy is computed (verl: calculate_entropy=True) and that the sampling temperature is not 0',
      zh: '确认熵已计算（verl：calculate_entropy=True），且采样温度不为 0',
    },
  },
  remedy: {
    en: 'go back to a checkpoint with higher entropy; raise the upper clip (0.28) or add a small entropy bonus, and lower the learning rate',
    zh: '退回到熵较高的 checkpoint；放宽裁剪上界（0.28）或加少量熵正则，并降低学习率',
  },
  check(subject, { say, needed: [entropy] }) {
    if (entropy.steps.length < FEWEST) return tooShort(entropy, FEWEST)
    if (medianOf(entropy) < 0) return cannotSay(say('entropy-collapse.cannot.negative', { metric: entropy.metric }))
    return atFloor(entropy, subject) ?? onTheWay(entropy, subject)
  },
})

function atFloor(entropy: Curve, subject: Subject): UntreatedSymptom | undefined {
  const { FLOOR, ONCE_OPEN } = entropyCollapse.limits
  const found = lastingToTheEnd(entropy, value => value < FLOOR)
  if (found === undefined) return undefined
  const highest = entropy.values.reduce((most, value) => Math.max(most, value), 0)
  const floor = within(entropy, found)
  const fell = scoreCourse(subject)?.fell === true
  const opened = highest >= ONCE_OPEN
  return {
    severity: !opened ? 'note' : fell ? 'error' : 'warning',
    steps: stepsOf(floor),
    evidence: { metric: entropy.metric, floor: FLOOR, highest, entropy: medianOf(floor) },
    message: entropyCollapse.say(opened ? 'entropy-collapse' : 'entropy-collapse.never', {
      step: floor.steps[0],
      highest: figure(highest),
      entropy: figure(medianOf(floor)),
    }),
    remedy: opened ? undefined : entropyCollapse.say('entropy-collapse.never.remedy', {}),
  }
}

/**
 * Entropy falls by a share of what is left, so its logarithm is followed: over the second half of the log it must fall
 * demonstrably, reach the floor before the run is over, and the score must not be rising meanwhile.
 */
function onTheWay(entropy: Curve, subject: Subject): UntreatedSymptom | undefined {
  const { FLOOR, FEWEST_FOR_TREND, TREND_LEVEL } = entropyCollapse.limits
  const planned = numberOf(subject.settings.get('steps')?.effective ?? undefined)
  const [first, last] = stepsOf(entropy)
  if (planned === null || planned <= last) return undefined
  const late = inBlocks(between(entropy, (first + last) / 2, last), TREND_BLOCKS)
  if (late.steps.length < FEWEST_FOR_TREND || late.values.some(value => value <= FLOOR)) return undefined
  const { slope, p } = trend(late.steps, late.values.map(Math.log))
  if (slope >= 0 || p > TREND_LEVEL) return undefined
  const reached = last + Math.log(lastOf(late) / FLOOR) / -slope
  if (reached > planned || isScoreRising(subject)) return undefined
  return {
    steps: [late.steps[0], last],
    evidence: {
      metric: entropy.metric,
      floor: FLOOR,
      entropy: lastOf(late),
      floorAtStep: Math.round(reached),
      planned,
      p,
    },
    message: entropyCollapse.say('entropy-collapse.soon', {
      entropy: figure(lastOf(late)),
      reached: Math.round(reached),
      planned,
    }),
  }
}

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

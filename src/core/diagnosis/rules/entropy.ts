import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { greatest } from '../../../stats/descriptive.js'
import { trend } from '../../../stats/trend.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import { ENTROPIES, entropyOf, isDifferential, isOfEpisodes } from '../signs/acting.js'
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
    en: 'The policy has stopped exploring, or will before the run ends, with nothing gained by it. Where whole episodes are trained on, a policy that has learned its task may become deterministic, so the return must have fallen too; the entropy of continuous actions has no floor and is not judged.',
    zh: '策略已停止探索，或在 run 结束前会停止，而且没有换来任何好处。以 episode 训练时，学会任务的策略可以变成确定性的，因此还要求回报下降；连续动作的熵没有下限，不作判断。',
  },
  needs: [ENTROPIES],
  uses: [...SCORES, 'episode.return', 'len.response'],
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
      en: 'entropy fell from {highest} to {entropy} and is at the floor since step {step}: all responses to a prompt are identical',
      zh: '熵从 {highest} 降到 {entropy}，自 step {step} 起已触底：同一 prompt 的回答全都一样',
    },
    'entropy-collapse.soon': {
      en: 'entropy is {entropy} and falling; at this rate it reaches the floor at step {reached} of {planned}, and the score is not rising',
      zh: '熵为 {entropy} 且持续下降；照此速度将在 step {reached}（共 {planned}）触底，而得分没有上升',
    },
    'entropy-collapse.episodes': {
      en: 'entropy fell from {highest} to {entropy} and is at the floor since step {step}, while {metric} fell from {best} to {end}: the policy always takes the same action, and it is a worse one',
      zh: '熵从 {highest} 降到 {entropy}，自 step {step} 起已触底，同时 {metric} 从 {best} 降到 {end}：策略只会一种动作，而且是更差的动作',
    },
    'entropy-collapse.never': {
      en: 'entropy is {entropy} since step {step} and never exceeded {highest}: it is not computed, or the policy was deterministic from the start',
      zh: '自 step {step} 起熵为 {entropy}，从未超过 {highest}：要么没有计算，要么策略一开始就是确定性的',
    },
    'entropy-collapse.cannot.negative': {
      en: '{metric} is not an entropy of discrete choices: it is negative, so it is minus an entropy, or that of continuous actions, which has no floor',
      zh: '{metric} 不是离散选择的熵：它为负，可能是负熵，或连续动作的微分熵（没有下限）',
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
  check(subject, { say, needed: [logged] }) {
    if (logged.steps.length < FEWEST) return tooShort(logged, FEWEST)
    const entropy = entropyOf(subject) ?? logged
    if (isDifferential(entropy)) return cannotSay(say('entropy-collapse.cannot.negative', { metric: entropy.metric }))
    if (isOfEpisodes(subject)) return ofEpisodes(entropy, subject)
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

function ofEpisodes(entropy: Curve, subject: Subject): UntreatedSymptom | undefined {
  const found = atFloor(entropy, subject)
  const course = scoreCourse(subject)
  if (found === undefined || found.severity !== 'error' || course === undefined) return undefined
  const [step] = found.steps
  const highest = figure(greatest(entropy.values))
  const figures = { step, highest, entropy: figure(medianOf(between(entropy, ...found.steps))) }
  const { metric, best, end } = course
  const message = { ...figures, metric, best: figure(best), end: figure(end) }
  return { ...found, message: entropyCollapse.say('entropy-collapse.episodes', message) }
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
  needs: [ENTROPIES],
  uses: [...SCORES, 'episode.return', 'len.response'],
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
      en: 'entropy rose from {start} to {entropy}, above {limit} since step {step}: the policy is turning into noise',
      zh: '熵从 {start} 升到 {entropy}，自 step {step} 起超过 {limit}：策略正在变成噪声',
    },
  },
  remedy: {
    en: 'lower the entropy bonus tenfold or switch it off, and continue from a checkpoint before the rise',
    zh: '把熵正则系数降到十分之一或关掉，从上升之前的 checkpoint 继续',
  },
  check(subject, { say, needed: [logged], HIGH, TIMES_START, STARTING_POINTS }) {
    const entropy = entropyOf(subject) ?? logged
    if (entropy.steps.length < 2 * STARTING_POINTS) return tooShort(entropy, 2 * STARTING_POINTS)
    const fell = scoreCourse(subject)?.fell === true
    // Where actions are continuous the entropy depends on their scale, and a rise may be what is paid for.
    if (isOfEpisodes(subject) && (!fell || isDifferential(entropy))) return
    const start = medianOf(within(entropy, { from: 0, to: STARTING_POINTS }))
    const limit = Math.max(HIGH, TIMES_START * start)
    const found = lastingToTheEnd(entropy, value => value > limit)
    if (found === undefined) return
    const high = within(entropy, found)
    return {
      ...(fell ? { severity: 'error' } : {}),
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

import { mean, median, standardDeviation } from '../../../stats/descriptive.js'
import { figure, percentage } from '../../../text/numbers.js'
import { cannotSay, runRule, type Symptom, threshold } from '../run-rule.js'
import { savedUpTo } from '../signs/acting.js'
import { between, type Curve, medianOf } from '../signs/curve.js'
import { stretches } from '../signs/lasting.js'
import { validationCurves } from '../signs/validation.js'
import type { Subject } from '../subject.js'

export const environmentOutage = runRule({
  id: 'environment-outage',
  severity: 'error',
  about: {
    en: 'The environment fails, not the policy. A judge or user simulator that is down gives reward 0 for everything, at once and whatever the policy does; a policy that dies takes several steps, and its gradient, answers and entropy die with it. Where all of a batch is 0 and no KL or entropy acts, the gradient is 0 in both cases; then only a policy that otherwise writes as before, or scores as before where score and reward are two, or in validation, speaks for an outage. What other rules would see in those steps is then no finding of its own.',
    zh: '出故障的是环境而不是策略。裁判或用户模拟器一旦宕机，无论策略如何，所有 reward 立刻变为 0；而策略失效需要若干步，梯度、回答和熵会一并失效。若整批都是 0 且没有 KL 或熵项，两种情况下梯度都为 0；此时只有策略的输出与之前无异，或得分（与 reward 分开记录时）或验证仍如从前，才说明是环境故障。其他规则在这些 step 内看到的现象不再另作问题报告。',
  },
  spoilsSteps: true,
  needs: [['score.mean', 'reward.mean', 'tools.failures', 'len.aborted']],
  uses: ['grad.norm', 'len.response', 'entropy', 'val.score'],
  thresholds: {
    FEWEST_BEFORE: threshold(10, {
      en: 'Points before the fall that must show a level. Derived: fewer are no level.',
      zh: '下跌之前须有这么多个点来确定水平。推得：再少就不成水平。',
    }),
    FEWEST_ZEROS: threshold(3, {
      en: 'Points at zero in a row. Derived: after a level that makes a zero next to impossible.',
      zh: '连续为 0 的点数。推得：此前的水平使 0 几乎不可能出现。',
    }),
    CLEARLY_ABOVE: threshold(3, {
      en: 'The level must stand so many standard deviations above 0. For counts of rare successes that makes one zero 1e-4.',
      zh: '该水平须高于 0 这么多个标准差。对罕见成功的计数而言，出现一次 0 的概率约 1e-4。',
    }),
    STILL_THERE: threshold(0.5, {
      en: 'The last point before: a policy that is dying has lost half by then. Derived.',
      zh: '下跌前最后一个点：正在失效的策略此时已丢了一半。推得。',
    }),
    DEAD_GRADIENT: threshold(1e-6, { en: 'A dead gradient.', zh: '梯度归零。' }),
    AS_BEFORE: threshold(2, {
      en: "Answers and entropy as before, within a factor of two: the length rule's own measure of a collapse.",
      zh: '回答长度和熵与之前相差不超过两倍：与 length-collapse 的尺度一致。',
    }),
    MOSTLY: threshold(0.5, {
      en: 'Derived: when more than half of the calls fail, failures are what the policy learns from.',
      zh: '推得：一半以上的调用失败时，策略就是在从失败中学习。',
    }),
    SELDOM: threshold(0.25, {
      en: 'A policy that is new to its tools fails often too, so it must have been at half of that before. Derived.',
      zh: '刚接触工具的策略也常失败，因此此前须不到一半。推得。',
    }),
  },
  says: {
    'environment-outage': {
      en: '{metric} dropped from {level} to exactly 0 at step {first} within one step, while the gradient is still alive ({gradient}): the environment failed, not the policy',
      zh: '{metric} 在 step {first} 一步之内从 {level} 变为恰好 0，而梯度仍在（{gradient}）：是环境出了故障，不是策略',
    },
    'environment-outage.score': {
      en: '{metric} dropped from {level} to exactly 0 at step {first} within one step, while the same responses still score {alive} by {sign}: the reward was lost on its way, the policy is unchanged',
      zh: '{metric} 在 step {first} 一步之内从 {level} 变为恰好 0，而同样的回答按 {sign} 仍得 {alive} 分：reward 在途中丢失，策略本身没有变化',
    },
    'environment-outage.validation': {
      en: '{metric} dropped from {level} to exactly 0 at step {first} within one step, while {sign} stays at {alive}: the environment failed, not the policy',
      zh: '{metric} 在 step {first} 一步之内从 {level} 变为恰好 0，而 {sign} 仍为 {alive}：是环境出了故障，不是策略',
    },
    'environment-outage.frozen': {
      en: '{metric} dropped from {level} to exactly 0 at step {first} within one step, while the policy writes as before: the environment failed, and without rewards nothing is updated',
      zh: '{metric} 在 step {first} 一步之内从 {level} 变为恰好 0，而策略的输出与之前无异：是环境出了故障；没有 reward，也就没有更新',
    },
    'environment-outage.failures': {
      en: '{metric} jumped from {before} % to {level} % at step {first}: the environment or a tool failed, not the policy',
      zh: '{metric} 在 step {first} 从 {before}% 跳到 {level}%：是环境或工具出了故障，不是策略',
    },
    'environment-outage.remedy': {
      en: 'check the logs of the judge, user simulator or tool server for timeouts and refused connections at that time; restart it, resume from step {before}, and make a failed call raise an error instead of giving reward 0',
      zh: '查看该时段裁判、用户模拟器或工具服务的日志（超时、连接被拒）；重启后从 step {before} 恢复，并让调用失败时报错，而不是给 0 分',
    },
    'environment-outage.recovered.remedy': {
      en: 'steps {first}–{last} trained on invalid rewards: resume from step {before} or leave them out of every comparison, and make a failed call raise an error instead of giving reward 0',
      zh: 'step {first}–{last} 用的是无效 reward：从 step {before} 恢复，或在比较时排除这些 step；并让调用失败时报错，而不是给 0 分',
    },
    'environment-outage.cannot.blind': {
      en: 'rewards are exactly 0 from step {step} on, but no gradient, length or entropy is logged to separate an outage from a dead policy',
      zh: '自 step {step} 起 reward 恰为 0，但没有记录梯度、长度或熵，无法区分环境故障与策略失效',
    },
  },
  check(subject, { say }) {
    const failures = ['tools.failures', 'len.aborted'].flatMap(meaning => suddenFailures(subject.curve(meaning)))
    const zeros = rewardsOf(subject).flatMap(suddenZeros)
    const [first] = zeros
    if (first === undefined) return failures
    if (SIGNS_OF_LIFE.every(meaning => subject.curve(meaning) === undefined) && rewardsOf(subject).length === 1)
      return cannotSay(say('environment-outage.cannot.blind', { step: first.reward.steps[first.from] }))
    const outages = zeros.flatMap(zero => outage(subject, zero))
    return [
      ...failures,
      ...outages.filter(({ steps }, i) => !outages.slice(0, i).some(other => isWithin(steps, other))),
    ]
  },
})

const SIGNS_OF_LIFE = ['grad.norm', 'len.response', 'entropy', 'val.score'] as const

/** What the task says and what is optimised; one of them may be lost while the other lives. */
function rewardsOf({ curve }: Subject): readonly Curve[] {
  const [score, reward] = [curve('score.mean'), curve('reward.mean')]
  return [score, reward].filter(
    (each, i): each is Curve => each !== undefined && (i === 0 || each.metric !== score?.metric),
  )
}

/** Score and reward that fail together are one outage. */
function isWithin([from, to]: Symptom['steps'], { steps }: Symptom): boolean {
  return from >= steps[0] && to <= steps[1]
}

interface Zeros {
  readonly reward: Curve
  readonly from: number
  /** Index after the last zero. */
  readonly to: number
  readonly level: number
}

/** Three zeros or more in a row after a level that makes zeros next to impossible, with no slope in between. */
function suddenZeros(reward: Curve): Zeros[] {
  const { FEWEST_BEFORE, FEWEST_ZEROS, CLEARLY_ABOVE, STILL_THERE } = environmentOutage.limits
  return stretches(reward, value => value === 0).flatMap(({ from, to }) => {
    if (to - from < FEWEST_ZEROS || from < FEWEST_BEFORE) return []
    const before = reward.values.subarray(Math.max(0, from - 2 * FEWEST_BEFORE), from)
    const level = mean(before)
    const isClear = level >= CLEARLY_ABOVE * standardDeviation(before)
    return isClear && reward.values[from - 1] >= STILL_THERE * median(before) ? [{ reward, from, to, level }] : []
  })
}

function outage(subject: Subject, zeros: Zeros): Symptom[] {
  const { DEAD_GRADIENT, AS_BEFORE } = environmentOutage.limits
  const { curve } = subject
  const { reward, from, to, level } = zeros
  const [first, last] = [reward.steps[from], reward.steps[to - 1]]
  const before = savedUpTo(subject, reward.steps[from - 1])
  const score = livingScore(subject, zeros)
  const gradient = curve('grad.norm')
  const during = gradient === undefined ? undefined : between(gradient, first, last)
  const norm = during === undefined || during.steps.length === 0 ? null : medianOf(during)
  const isAlive = norm !== null && norm > DEAD_GRADIENT
  const writes = (['len.response', 'entropy'] as const).flatMap(meaning => ratioOf(curve(meaning), reward, from, to))
  const writesAsBefore = writes.length > 0 && writes.every(ratio => ratio > 1 / AS_BEFORE && ratio < AS_BEFORE)
  if (score === undefined && !isAlive && !writesAsBefore) return []
  const recovered = to < reward.steps.length ? reward.steps[to] : null
  const figures = { metric: reward.metric, level: figure(level), first }
  return [
    {
      steps: [first, last],
      evidence: {
        metric: reward.metric,
        before: level,
        zeros: to - from,
        ...(norm !== null && { gradient: norm }),
        ...(score !== undefined && { sign: score.sign, alive: score.alive }),
        ...(recovered !== null && { recovered }),
      },
      message:
        score !== undefined
          ? environmentOutage.say(score.key, { ...figures, sign: score.sign, alive: figure(score.alive) })
          : isAlive
            ? environmentOutage.say('environment-outage', { ...figures, gradient: figure(norm) })
            : environmentOutage.say('environment-outage.frozen', figures),
      remedy:
        recovered === null
          ? environmentOutage.say('environment-outage.remedy', { before })
          : environmentOutage.say('environment-outage.recovered.remedy', { first, last, before }),
    },
  ]
}

/** A score that goes on as before while the rewards are 0: the task's own, or else validation. */
function livingScore(subject: Subject, { reward, from, to }: Zeros) {
  const { STILL_THERE } = environmentOutage.limits
  const signs = [
    ...rewardsOf(subject).map(curve => ({ key: 'environment-outage.score' as const, curve })),
    ...validationCurves(subject).map(curve => ({ key: 'environment-outage.validation' as const, curve })),
  ].filter(({ curve }) => curve !== reward)
  for (const { key, curve } of signs) {
    const during = between(curve, reward.steps[from], reward.steps[to - 1])
    const [ratio] = ratioOf(curve, reward, from, to)
    if (ratio !== undefined && ratio > STILL_THERE && during.steps.length > 0) {
      return { key, sign: curve.metric, alive: medianOf(during) }
    }
  }
  return undefined
}

/** How the policy writes during the zeros, relative to before; its first moments there, since a frozen policy stays. */
function ratioOf(curve: Curve | undefined, reward: Curve, from: number, to: number): number[] {
  const { FEWEST_BEFORE } = environmentOutage.limits
  if (curve === undefined) return []
  const before = between(curve, reward.steps[Math.max(0, from - FEWEST_BEFORE)], reward.steps[from - 1])
  const during = between(curve, reward.steps[from], reward.steps[to - 1])
  return before.steps.length === 0 || during.steps.length === 0 ? [] : [medianOf(during) / medianOf(before)]
}

function suddenFailures(curve: Curve | undefined): Symptom[] {
  const { FEWEST_BEFORE, FEWEST_ZEROS, MOSTLY, SELDOM } = environmentOutage.limits
  if (curve === undefined) return []
  return stretches(curve, share => share > MOSTLY).flatMap(({ from, to }): Symptom[] => {
    if (to - from < FEWEST_ZEROS || from < FEWEST_BEFORE) return []
    const before = median(curve.values.subarray(from - FEWEST_BEFORE, from))
    if (before > SELDOM) return []
    const level = median(curve.values.subarray(from, to))
    const steps = [curve.steps[from], curve.steps[to - 1]] as const
    return [
      {
        steps,
        evidence: { metric: curve.metric, before, level },
        message: environmentOutage.say('environment-outage.failures', {
          metric: curve.metric,
          before: percentage(before),
          level: percentage(level),
          first: steps[0],
        }),
        remedy: environmentOutage.say('environment-outage.remedy', { before: curve.steps[from - 1] }),
      },
    ]
  })
}

import { median } from '../../../stats/descriptive.js'
import { figure } from '../../../text/numbers.js'
import { runRule, type Symptom, threshold, tooShort } from '../run-rule.js'
import { actingCoefficient, isKlPerSequence, timesKlIsSummed } from '../signs/acting.js'
import { type Curve, ends, medianOf, outside, stepsOf, within } from '../signs/curve.js'
import { lasting } from '../signs/lasting.js'
import { SCORE_THRESHOLDS, SCORES, scoreCourse } from '../signs/score.js'
import type { Subject } from '../subject.js'

const BLOCKS = 40
const FEWEST = 5

export const klRunaway = runRule({
  id: 'kl-runaway',
  severity: 'warning',
  about: {
    en: 'The policy leaves its reference and does not come back. Where it did, that is said with its steps, and never more severe than a warning.',
    zh: '策略脱离参考策略且没有回来。若后来回来了，会注明所在的 step，且最多是警告。',
  },
  needs: ['kl.ref'],
  uses: ['kl.coef', ...SCORES],
  thresholds: {
    FAR: threshold(1, {
      en: 'Nats per token. Derived: controllers aim at 0.01–0.1, 56 healthy runs stay at or below 0.43 (median of 21 steps) and LLM logs below 0.5; at 1 nat the policy gives its typical token e times the probability that the reference gives it.',
      zh: '单位为 nat/token。推得：控制器的目标为 0.01–0.1，56 个健康 run 不超过 0.43（21 步中位数），大模型日志低于 0.5；到 1 nat 时，策略给典型 token 的概率已是参考策略的 e 倍。',
    }),
    FAR_PER_SEQUENCE: threshold(50, {
      en: 'Derived: the same, summed over an answer of fifty tokens.',
      zh: '推得：同上，按 50 个 token 的回答求和。',
    }),
    ACCELERATION: threshold(10, {
      en: 'Derived: what grows like a power p of time stands at 2^p times its median so far: linear at 2, quadratic at 4, cubic at 8. Ten times is no longer drift. Counted from a third of FAR on.',
      zh: '推得：按时间的 p 次幂增长的量，是此前中位数的 2^p 倍：线性 2、二次 4、三次 8。10 倍就不再是漂移。从 FAR 的三分之一起计。',
    }),
    EXPLOSION: threshold(25, {
      en: 'Derived: what grows a thousandfold at an even pace, exponentially, ends at 32 times its median so far; no power below 4.6 comes to 25. It counts from a twentieth of FAR on: a KL that grew a thousandfold to 0.1 will not stop there.',
      zh: '推得：按指数匀速增长千倍的量，最终是此前中位数的 32 倍；4.6 次以下的幂到不了 25。从 FAR 的二十分之一起计：KL 增长千倍到 0.1，不会就此停住。',
    }),
    BEND: threshold(2, {
      en: 'Where it began: after the last block that stood at no more than twice the median so far, as steady growth does. What came back must have been twice the rest as well, or it is how this KL varies.',
      zh: '起点：最后一个不超过此前中位数两倍的分块之后；匀速增长正好是两倍。后来回落的也须达到其余部分的两倍，否则只是该 KL 本身的波动。',
    }),
    USUAL_SHARE: threshold(0.5, {
      en: 'Derived: a warm-up holds the KL at zero for a while; half a run is long enough to say what is usual.',
      zh: '推得：warmup 会让 KL 在一段时间内接近 0；看完半程才谈得上“平时”。',
    }),
    AT_ONCE: threshold(5, {
      en: 'Within so many points there is no earlier checkpoint to go back to.',
      zh: '在这么多个点之内，没有更早的 checkpoint 可退。',
    }),
    FEWEST_BACK: threshold(2, {
      en: 'Points near the reference after which it has come back. Derived: one may be an odd batch.',
      zh: '回到参考策略附近并保持这么多个点，才算回来。推得：一个点可能只是偶然的 batch。',
    }),
    ...SCORE_THRESHOLDS,
  },
  says: {
    'kl-runaway': {
      en: 'KL to the reference is above {far} since step {step}, {kl} at the median: the policy has left the reference for good',
      zh: '从 step {step} 起与参考策略的 KL 超过 {far}，中位数 {kl}：策略已脱离参考策略且没有回来',
    },
    'kl-runaway.bend': {
      en: 'KL to the reference leaves its usual {usual} at step {bend} and is above {far} since step {step}, {kl} at the median: the policy has left the reference for good',
      zh: '与参考策略的 KL 在 step {bend} 偏离平时的 {usual}，自 step {step} 起超过 {far}，中位数 {kl}：策略已脱离参考策略且没有回来',
    },
    'kl-runaway.back': {
      en: 'KL to the reference was above {far} in steps {from}–{to}, up to {highest}; it came back at step {back} and is {after} since',
      zh: 'step {from}–{to} 期间与参考策略的 KL 超过 {far}，最高 {highest}；step {back} 起回落，此后为 {after}',
    },
    'kl-runaway.back.remedy': {
      en: 'it recovered by itself: find out what happened at step {from} (learning rate, a resumed optimiser, empty or endless responses), and leave these steps out of every comparison',
      zh: '已自行恢复：查明 step {from} 发生了什么（学习率、恢复训练的优化器状态、空回答或超长回答），比较时排除这些 step',
    },
    'kl-runaway.pace': {
      en: 'KL climbs since step {step}: from a usual {usual} to {kl}, {times} times as much',
      zh: '从 step {step} 起 KL 持续攀升：由平时的 {usual} 升到 {kl}，是以往的 {times} 倍',
    },
    'kl-runaway.sign': {
      en: 'the KL coefficient is {coefficient}, so distance from the reference is rewarded; KL went from {start} to {end}',
      zh: 'KL 系数是 {coefficient}，等于奖励策略远离参考策略；KL 从 {start} 变为 {end}',
    },
    'kl-runaway.remedy': {
      en: 'go back to an earlier checkpoint; lower the learning rate or the entropy bonus, or raise the KL coefficient, and check that the reward does not pay for leaving the task',
      zh: '退回到此前的 checkpoint；降低学习率或熵正则系数，或提高 KL 系数，并检查 reward 是否在鼓励偏离任务',
    },
    'kl-runaway.start.remedy': {
      en: 'the first updates already destroyed the policy: start again with a learning rate ten times lower and gradients clipped, and check that the reward does not pay for leaving the task',
      zh: '最初几次更新就把策略推远了：把学习率降到十分之一、开启梯度裁剪后重新训练，并检查 reward 是否在鼓励偏离任务',
    },
    'kl-runaway.sign.remedy': {
      en: 'make the coefficient positive and start again: no checkpoint of this run was trained as intended',
      zh: '把系数改为正数后重新训练：该 run 的任何 checkpoint 都不是按预期训练的',
    },
  },
  check(subject, { needed: [kl], FAR, FAR_PER_SEQUENCE }) {
    const coefficient = actingCoefficient(subject)
    if (coefficient !== null && coefficient < 0) return ofSign(kl, coefficient)
    if (kl.steps.length < FEWEST) return tooShort(kl, FEWEST)
    const far = (isKlPerSequence(subject) ? FAR_PER_SEQUENCE : FAR) * timesKlIsSummed(kl, subject)
    return ofLevel(kl, far, subject) ?? ofPace(kl, far, subject)
  },
})

/** A negative coefficient rewards distance from the reference, from the first update on (Logic-RL #58, ToolRL #52). */
function ofSign(kl: Curve, coefficient: number): Symptom {
  const { start, end } = ends(kl)
  return {
    severity: 'error',
    steps: stepsOf(kl),
    evidence: { metric: kl.metric, coefficient, start: medianOf(start), end: medianOf(end) },
    message: klRunaway.say('kl-runaway.sign', {
      coefficient,
      start: figure(medianOf(start)),
      end: figure(medianOf(end)),
    }),
    remedy: klRunaway.say('kl-runaway.sign.remedy', {}),
  }
}

function ofLevel(kl: Curve, far: number, subject: Subject): Symptom | undefined {
  const { AT_ONCE, FEWEST_BACK, BEND } = klRunaway.limits
  const found = lasting(kl, value => value > far, FEWEST)
  const long = found.find(({ from, to }) => to - from >= kl.steps.length / 10 || to === kl.steps.length)
  if (long === undefined) return undefined
  const { to } = found[found.length - 1]
  const beyond = within(kl, { from: long.from, to })
  const after = within(kl, { from: to, to: kl.steps.length })
  if (after.steps.length >= FEWEST_BACK && medianOf(after) <= far) {
    // A KL that varies around the limit all along crosses it now and then, and goes nowhere.
    const usual = outside(kl, [stepsOf(beyond)])
    return medianOf(beyond) < BEND * medianOf(usual) ? undefined : ofSpike(beyond, after, far)
  }
  const [step, last] = stepsOf(beyond)
  const bend = bendBefore(mediansOfBlocks(kl), step)
  const figures = { far, step, kl: figure(medianOf(beyond)) }
  return {
    ...graver(subject),
    steps: [bend?.step ?? step, last],
    evidence: { metric: kl.metric, far, aboveSince: step, kl: medianOf(beyond), ...scoreEvidence(subject) },
    message:
      bend === undefined
        ? klRunaway.say('kl-runaway', figures)
        : klRunaway.say('kl-runaway.bend', { ...figures, bend: bend.step, usual: figure(bend.usual) }),
    remedy: klRunaway.say(long.from < AT_ONCE ? 'kl-runaway.start.remedy' : 'kl-runaway.remedy', {}),
  }
}

/**
 * Where a curve that is too high at some step began to climb: after the last block at its usual level. Undefined where
 * nothing was usual before, or it jumped within a block.
 */
function bendBefore(
  { steps, values }: Curve,
  step: number,
): { readonly step: number; readonly usual: number } | undefined {
  const { BEND } = klRunaway.limits
  const crossing = steps.findLastIndex(start => start <= step)
  for (let block = crossing - 1; block >= FEWEST; block -= 1) {
    const usual = median(values.subarray(0, block))
    if (values[block] > BEND * usual) continue
    return block + 1 < crossing ? { step: steps[block + 1], usual } : undefined
  }
  return undefined
}

/** Far away for a while, but it came back: what made it jump may do so again. */
function ofSpike(beyond: Curve, after: Curve, far: number): Symptom {
  const highest = beyond.values.reduce((most, value) => Math.max(most, value))
  const [from, to] = stepsOf(beyond)
  const [back] = after.steps
  return {
    steps: [from, to],
    evidence: { metric: beyond.metric, far, highest, kl: medianOf(beyond), back, after: medianOf(after) },
    message: klRunaway.say('kl-runaway.back', {
      far,
      from,
      to,
      highest: figure(highest),
      back,
      after: figure(medianOf(after)),
    }),
    remedy: klRunaway.say('kl-runaway.back.remedy', { from }),
  }
}

/** Still near, but on its way: many times what it used to be, and still there at the end. */
function ofPace(kl: Curve, far: number, subject: Subject): Symptom | undefined {
  const { ACCELERATION, EXPLOSION, USUAL_SHARE } = klRunaway.limits
  const blocks = mediansOfBlocks(kl)
  const count = blocks.values.length
  for (let i = Math.ceil(USUAL_SHARE * count); i < count; i += 1) {
    const usual = median(blocks.values.subarray(0, i))
    const limit = Math.min(Math.max(far / 3, ACCELERATION * usual), Math.max(far / 20, EXPLOSION * usual))
    if (blocks.values[i - 1] > limit || !blocks.values.subarray(i).every(value => value > limit)) continue
    const now = blocks.values[count - 1]
    const step = bendBefore(blocks, blocks.steps[i])?.step ?? blocks.steps[i]
    return {
      ...graver(subject),
      steps: [step, kl.steps[kl.steps.length - 1]],
      evidence: { metric: kl.metric, usual, kl: now, times: now / usual, ...scoreEvidence(subject) },
      message: klRunaway.say('kl-runaway.pace', {
        usual: figure(usual),
        kl: figure(now),
        step,
        times: figure(now / usual, 2),
      }),
      remedy: klRunaway.say('kl-runaway.remedy', {}),
    }
  }
  return undefined
}

function mediansOfBlocks({ metric, steps, values }: Curve): Curve {
  const count = Math.min(BLOCKS, Math.floor(steps.length / FEWEST))
  const edge = (i: number): number => Math.round((i * steps.length) / count)
  return {
    metric,
    steps: Float64Array.from({ length: count }, (_, i) => steps[edge(i)]),
    values: Float64Array.from({ length: count }, (_, i) => median(values.subarray(edge(i), edge(i + 1)))),
  }
}

function graver(subject: Subject): Pick<Symptom, 'severity'> {
  return scoreCourse(subject)?.fell === true ? { severity: 'error' } : {}
}

function scoreEvidence(subject: Subject): Symptom['evidence'] {
  const course = scoreCourse(subject)
  return course === undefined ? {} : { score: course.metric, bestScore: course.best, endScore: course.end }
}

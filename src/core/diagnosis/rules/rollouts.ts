import { figure, percentage } from '../../../text/numbers.js'
import { runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import { settingOf } from '../signs/acting.js'
import { type Curve, inBlocks, medianOf, stepsOf, within } from '../signs/curve.js'
import { lastingShare, whereLasting } from '../signs/lasting.js'
import { SCORE_THRESHOLDS, SCORES, scoreCourse } from '../signs/score.js'
import type { Subject } from '../subject.js'

/** Rollouts that were sampled and are too old to learn from, or are thrown away. */

const BLOCKS = 10

export const rolloutStale = runRule({
  id: 'rollout-stale',
  severity: 'note',
  about: {
    en: 'Asynchronous rollouts were sampled by a policy that is more updates old than the setting allows, or ever older ones: the trainer falls behind its own samples. A note as long as the score does not suffer, a warning when it fell meanwhile. A constant age, however large, is a choice and no finding.',
    zh: '异步 rollout 由落后更多次更新的策略采样：超过配置允许的次数，或越来越旧（训练跟不上采样）。得分未受影响时只作提示，同时得分下降则为警告。落后次数再大，只要恒定就是一种选择，不算问题。',
  },
  needs: [['rollout.staleness', 'rollout.staleness.max']],
  uses: SCORES,
  thresholds: {
    SLACK: threshold(1, {
      en: 'Updates beyond the setting. Derived: frameworks count from the start of an answer or from its end, which differ by one.',
      zh: '允许超出配置的更新次数。推得：有的框架从回答开始计，有的从结束计，相差一次。',
    }),
    TIMES: threshold(2, {
      en: 'Ever older: in the last tenth of the run at least so many times as old as in the first, and two updates older. Derived.',
      zh: '越来越旧：末尾十分之一至少是最初十分之一的这么多倍，且多出两次更新。推得。',
    }),
    OLDER: threshold(2, { en: 'See TIMES.', zh: '见 TIMES。' }),
    RISING_PAIRS: threshold(0.95, {
      en: 'And rising throughout: of the means of ten parts of the run so many pairs have the later one higher. Of 4,000 simulated runs each, without growth and of 60 to 400 steps, at most 0.4 % are noted with independent or autocorrelated (0.95) ages and with a queue that fills up at the start; of a queue that wanders freely between 0 and 8, 5.6 % at 60 steps, 1.6 % at 200 and 0.2 % at 400. Of ages that grow to 16 all are found at 60 steps, 91 % at 400 (bench/diagnosis/error-rates.ts).',
      zh: '且全程上升：把 run 分成十段，各段均值两两相比，后者更高的比例须达到此值。各 4,000 次模拟（无增长，60 到 400 步）：独立或自相关（0.95）以及起步填满队列时误报不超过 0.4%；队列在 0 到 8 之间自由游走时，60 步为 5.6%，200 步 1.6%，400 步 0.2%。增长到 16 的，60 步全部找到，400 步找到 91%（bench/diagnosis/error-rates.ts）。',
    }),
    FEWEST: threshold(40, {
      en: 'Points: a queue fills up in the first steps of every asynchronous run. Derived.',
      zh: '至少需要的点数：任何异步 run 的队列都在最初几步填满。推得。',
    }),
    ...SCORE_THRESHOLDS,
  },
  says: {
    'rollout-stale.limit': {
      en: '{metric} is {age} in steps {from}–{to}, while the setting allows {allowed} {allowed|update|updates}',
      zh: 'step {from}–{to} 期间 {metric} 为 {age}，而配置只允许 {allowed} 次更新',
    },
    'rollout-stale.rising': {
      en: 'rollouts get older and older: {metric} went from {start} to {age} update{age||s} and is still rising at step {to}',
      zh: 'rollout 越来越旧：{metric} 从 {start} 升到 {age} 次更新，到 step {to} 仍在上升',
    },
    'rollout-stale.limit.harm': {
      en: '{metric} is {age} in steps {from}–{to}, while the setting allows {allowed} {allowed|update|updates}, and {score} fell from {best} to {end}',
      zh: 'step {from}–{to} 期间 {metric} 为 {age}，而配置只允许 {allowed} 次更新；{score} 从 {best} 降到 {end}',
    },
    'rollout-stale.rising.harm': {
      en: 'rollouts get older and older: {metric} went from {start} to {age} update{age||s} and is still rising at step {to}, and {score} fell from {best} to {end}',
      zh: 'rollout 越来越旧：{metric} 从 {start} 升到 {age} 次更新，到 step {to} 仍在上升；{score} 从 {best} 降到 {end}',
    },
  },
  remedy: {
    en: 'limit the age (drop or wait: AReaL max_head_offpolicyness, NeMo-RL max_trajectory_age_steps, SkyRL max_staleness_steps, prime-rl max_off_policy_steps), give the trainer more GPUs or the sampler fewer, and correct by importance weights',
    zh: '限制落后次数（丢弃或等待：AReaL max_head_offpolicyness、NeMo-RL max_trajectory_age_steps、SkyRL max_staleness_steps、prime-rl max_off_policy_steps），给训练更多 GPU 或给采样更少，并用重要性权重修正',
  },
  check(subject, { FEWEST, needed: [age] }) {
    if (age.steps.length < FEWEST) return tooShort(age, FEWEST)
    const stale = beyondLimit(subject, age) ?? everOlder(age)
    return stale === undefined ? undefined : staleSymptom(stale, subject)
  },
})

function staleSymptom({ key, stretch, figures }: Stale, subject: Subject): UntreatedSymptom {
  const [from, to] = stepsOf(stretch)
  const { metric } = stretch
  const told = { metric, from, to, ...figures }
  const evidence = { metric, points: stretch.steps.length, age: medianOf(stretch) }
  const course = scoreCourse(subject)
  if (course?.fell !== true) {
    return { steps: [from, to], evidence, message: rolloutStale.say(`rollout-stale.${key}`, told) }
  }
  const { metric: score, best, end } = course
  return {
    severity: 'warning',
    steps: [from, to],
    evidence: { ...evidence, score, best, end },
    message: rolloutStale.say(`rollout-stale.${key}.harm`, { ...told, score, best: figure(best), end: figure(end) }),
  }
}

interface Stale {
  readonly key: 'limit' | 'rising'
  readonly stretch: Curve
  readonly figures: { readonly age: string; readonly start: string; readonly allowed: number }
}

function beyondLimit(subject: Subject, age: Curve): Stale | undefined {
  const allowed = settingOf(subject, 'staleness.max')
  if (allowed === null) return undefined
  const found = whereLasting(age, value => value > allowed + rolloutStale.limits.SLACK)
  if (found === undefined) return undefined
  const stretch = within(age, found)
  return { key: 'limit', stretch, figures: { age: figure(medianOf(stretch)), start: '', allowed } }
}

function everOlder(age: Curve): Stale | undefined {
  const { TIMES, OLDER, RISING_PAIRS } = rolloutStale.limits
  const { values } = inBlocks(age, BLOCKS)
  const [start, end] = [values[0], values[BLOCKS - 1]]
  if (end < TIMES * start || end < start + OLDER || risingPairs(values) < RISING_PAIRS) return undefined
  return { key: 'rising', stretch: age, figures: { age: figure(end), start: figure(start), allowed: 0 } }
}

/** The share of pairs in which the later value is the higher one. */
function risingPairs(values: Float64Array): number {
  const pairs = Array.from(values).flatMap((earlier, i) => Array.from(values.subarray(i + 1), later => later > earlier))
  return pairs.filter(Boolean).length / pairs.length
}

export const rolloutDiscarded = runRule({
  id: 'rollout-discarded',
  severity: 'note',
  about: {
    en: 'Much of what was sampled is thrown away: masked or rejected because trainer and sampler disagree, or too old. It is paid for and not learned from.',
    zh: '采样的很大一部分被丢弃：因训练端与采样端不一致而被掩码或拒绝，或因太旧。花了钱却没有用于学习。',
  },
  needs: [['rollout.rejected', 'rollout.rejected.sequence', 'rollout.stale_frac']],
  thresholds: {
    MUCH: threshold(0.1, {
      en: 'On average over a twentieth of the run or more: a note. Derived: a tenth of the cost of sampling.',
      zh: '在至少二十分之一的 run 上平均达到此值：提示。推得：采样成本的十分之一。',
    }),
    MOST: threshold(0.5, {
      en: 'Likewise: a warning, since what is left is no longer a sample of the policy. Derived. The share is counted, not estimated, so chance has no part in it.',
      zh: '同上：警告，因为剩下的已不是该策略的样本。推得。该比例是计数而非估计，不涉及偶然。',
    }),
  },
  says: {
    'rollout-discarded': {
      en: '{share} % of the samples are discarded in steps {from}–{to} ({metric})',
      zh: 'step {from}–{to} 期间 {share}% 的采样没有用于学习（{metric}）',
    },
  },
  remedy: {
    en: 'fix the cause before the mask: the same precision and weights in trainer and sampler, fresher rollouts; then check the threshold of the mask',
    zh: '先解决原因再看掩码：训练端与采样端的精度和权重一致，rollout 更新鲜；然后再检查掩码的阈值',
  },
  check({ curve }, { MUCH, MOST, say }) {
    const shares = ['rollout.rejected', 'rollout.rejected.sequence', 'rollout.stale_frac'].flatMap(
      meaning => curve(meaning) ?? [],
    )
    return shares.flatMap((share): UntreatedSymptom[] => {
      const [found] = lastingShare(share, MUCH)
      if (found === undefined) return []
      const [most] = lastingShare(share, MOST)
      const high = within(share, most ?? found)
      const [from, to] = stepsOf(high)
      return [
        {
          ...(most !== undefined && { severity: 'warning' }),
          steps: [from, to],
          evidence: { metric: share.metric, share: medianOf(high), points: high.steps.length },
          message: say('rollout-discarded', { share: percentage(medianOf(high)), from, to, metric: share.metric }),
        },
      ]
    })
  },
})

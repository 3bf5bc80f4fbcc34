import { greatest, mean, variance } from '../../../stats/descriptive.js'
import { trend } from '../../../stats/trend.js'
import { figure, percentage } from '../../../text/numbers.js'
import { cannotSay, runRule, type Symptom, threshold, tooShort } from '../run-rule.js'
import { type Curve, ends, inBlocks, stepsOf } from '../signs/curve.js'
import { settledFrom } from '../signs/lasting.js'

export const rewardCollapse = runRule({
  id: 'reward-collapse',
  severity: 'warning',
  about: {
    en: 'The return that is trained for has been lost again, or has only ever fallen. Only where no validation is logged, which is the better judge.',
    zh: '训练回报得而复失，或一路下降。只在没有验证时判断：有验证时以验证为准。',
  },
  needs: [['score.mean', 'reward.mean']],
  uses: ['val.score'],
  thresholds: {
    LOST: threshold(0.5, {
      en: 'Of the best level, as for validation that collapses; and three quarters of what lies between the best and the worst level of the run, since returns have no natural zero.',
      zh: '损失达到最好水平的这一比例，与验证崩塌一致；且达到全程最好与最差水平之差的四分之三，因为回报没有天然的零点。',
    }),
    LOST_OF_RANGE: threshold(0.75, { en: 'See LOST.', zh: '见 LOST。' }),
    FALLEN: threshold(0.2, {
      en: 'Fallen throughout: by this share of the first level, as for scores that fell, with a trend that chance makes once in a hundred. A note: of 1,000 simulated flat returns that wander by a quarter of their level 6.5 % are noted (autocorrelation 0.9; none where episodes are independent), and a third of those that lose a third are found (bench/diagnosis/error-rates.ts).',
      zh: '全程下降：相对最初水平下降这一比例（与得分下降一致），且趋势偶然出现的概率低于百分之一。只作提示：1,000 次模拟中，水平不变而游走幅度达四分之一的回报有 6.5% 被提示（自相关 0.9；独立时没有），下降三分之一的找到三分之一（bench/diagnosis/error-rates.ts）。',
    }),
    FEWEST: threshold(30, {
      en: 'Points that are needed. Derived: returns of single episodes vary widely.',
      zh: '至少需要的点数。推得：单个 episode 的回报波动很大。',
    }),
    ERRORS: threshold(6, {
      en: 'And by so many standard errors, from the variance within blocks. Derived: the best of twenty blocks lies two above their mean by chance alone. Of 4,000 simulated runs of 200 episodes at most 0.03 % are marked where the return rises and stays (autocorrelation up to 0.9), 2 % where it truly loses a quarter; one that is lost is always found (bench/diagnosis/error-rates.ts).',
      zh: '且超过这么多个标准误（由块内方差得出）。推得：二十块中最好的一块，仅凭偶然就高出均值两个标准误。各 4,000 次模拟（200 个 episode）：回报上升后保持时误报不超过 0.03%（自相关至 0.9），确实损失四分之一时 2%；完全丢失的总能找到（bench/diagnosis/error-rates.ts）。',
    }),
  },
  says: {
    'reward-collapse': {
      en: '{metric} has fallen from {best} to {end} (−{change} %) since step {from}: what was learned is lost',
      zh: '自 step {from} 起 {metric} 从 {best} 降到 {end}（−{change}%）：学到的又丢了',
    },
    'reward-collapse.fallen': {
      en: '{metric} has fallen throughout, from {start} to {end} (−{change} %): the policy is worse than the starting one',
      zh: '{metric} 全程下降，从 {start} 到 {end}（−{change}%）：策略比训练前更差',
    },
    'reward-collapse.fallen.remedy': {
      en: 'stop; check the sign and the scale of the reward (normalise large returns), that observations reach the policy unchanged, and the learning rate; then check that a few hundred updates raise the return of a simpler task',
      zh: '停止训练；检查 reward 的符号与量级（数值很大时应归一化）、观测是否原样传给策略，以及学习率；再用更简单的任务确认几百次更新能提高回报',
    },
    'reward-collapse.cannot.validation': {
      en: 'validation is logged and used instead',
      zh: '已有验证记录，由验证判断',
    },
    'reward-collapse.remedy': {
      en: 'go back to a checkpoint before step {from}; lower the learning rate, and check what else changed there (KL, entropy, episode length, curriculum)',
      zh: '退回 step {from} 之前的 checkpoint；降低学习率，并查看当时还有什么变化（KL、熵、episode 长度、课程）',
    },
  },
  check(subject, { say, needed: [score], LOST, LOST_OF_RANGE, ERRORS, FEWEST }) {
    if (subject.curve('val.score') !== undefined) return cannotSay(say('reward-collapse.cannot.validation', {}))
    if (score.steps.length < FEWEST) return tooShort(score, FEWEST)
    const blocks = inBlocks(score, BLOCKS)
    const { end: last } = ends(score)
    const [best, worst, end] = [greatest(blocks.values), Math.min(...blocks.values), mean(last.values)]
    const error = deviationWithin(score) * Math.sqrt(BLOCKS / score.steps.length + 1 / last.steps.length)
    const lost = best - end
    const fallen = ofFall(score, blocks, error)
    if (fallen !== undefined) return fallen
    if (lost < Math.max(LOST * Math.abs(best), LOST_OF_RANGE * (best - worst), ERRORS * error)) return
    const from = score.steps[settledFrom(score, value => value < (best + end) / 2)] ?? stepsOf(score)[0]
    return {
      steps: [from, stepsOf(score)[1]],
      evidence: { metric: score.metric, best, worst, end },
      message: say('reward-collapse', {
        metric: score.metric,
        best: figure(best),
        end: figure(end),
        change: percentage(lost / Math.abs(best)),
        from,
      }),
      remedy: say('reward-collapse.remedy', { from }),
    }
  },
})

const BLOCKS = 20

/** Worse than at the start, and never better: no best that could have been lost. */
function ofFall(score: Curve, { steps, values }: Curve, error: number): Symptom | undefined {
  const { FALLEN, ERRORS } = rewardCollapse.limits
  const ofTenth = ({ values: tenth }: Curve): number => mean(tenth)
  const [start, end] = [ofTenth(ends(score).start), ofTenth(ends(score).end)]
  const isBestFirst = greatest(values) - start < (start - end) / 2
  if (!isBestFirst || start - end < Math.max(FALLEN * Math.abs(start), (ERRORS / 2) * error)) return undefined
  const { slope, p } = trend(steps, values)
  if (slope >= 0 || p >= FALL_P) return undefined
  return {
    severity: 'note',
    steps: stepsOf(score),
    evidence: { metric: score.metric, start, end, p },
    message: rewardCollapse.say('reward-collapse.fallen', {
      metric: score.metric,
      start: figure(start),
      end: figure(end),
      change: percentage((start - end) / Math.abs(start)),
    }),
    remedy: rewardCollapse.say('reward-collapse.fallen.remedy', {}),
  }
}

const FALL_P = 0.01

/** Of single points around their block: robust estimates are 0 where a reward takes few values. */
function deviationWithin({ values }: Curve): number {
  const edge = (i: number): number => Math.round((i * values.length) / BLOCKS)
  const variances = Array.from({ length: BLOCKS }, (_, i) => variance(values.subarray(edge(i), edge(i + 1))))
  return Math.sqrt(mean(variances.filter(Number.isFinite)))
}

import { groupBy } from '../../../logs/model/util/group-by.js'
import { mean } from '../../../stats/descriptive.js'
import { passAtK } from '../../../stats/item-mean.js'
import { holm } from '../../../stats/multiplicity.js'
import { type Trend, trend } from '../../../stats/trend.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import { type Curve, inBlocks, longestOf, stepsOf } from '../signs/curve.js'
import type { Subject } from '../subject.js'

/** The trend test looks at every pair of points. */
const TREND_BLOCKS = 60

export const passAtKFalls = runRule({
  id: 'pass-at-k-falls',
  severity: 'note',
  about: {
    en: 'One attempt succeeds more often than before, the best of k less often: the policy gains by repeating what it could do already, and loses prompts that it used to solve now and then (Yue et al. 2025, arXiv 2504.13837). From logged pass@k beside pass@1 or a mean, else from samples with several attempts that are right or wrong.',
    zh: '单次尝试的成功率上升，而 k 次中至少一次成功的比例下降：策略只是更稳定地重复原来就会的，失去了以前偶尔能解出的题（Yue 等 2025，arXiv 2504.13837）。依据日志中的 pass@k 与 pass@1（或均值），或多次尝试的样本得分。',
  },
  needs: ['val.score'],
  thresholds: {
    LEVEL: threshold(0.01, {
      en: 'Each of the two trends, by Mann and Kendall with autocorrelation put right; Holm over data sets. Where pass@1 rises and pass@8 stays, 0.3 % of 4,000 simulated runs of 30 evaluations are noted without autocorrelation, 0.8 % with 0.5, 3.5 % with 0.9; where both stay, 0.03 %. A fall by 0.1 on 200 prompts is found in 94 % (71 % with 0.5; bench/diagnosis/error-rates.ts).',
      zh: '两个趋势各自的显著性水平（Mann-Kendall，已校正自相关）；多个数据集用 Holm 校正。pass@1 上升而 pass@8 不变时，4,000 次模拟（30 次验证）中误报 0.3%（无自相关）、0.8%（0.5）、3.5%（0.9）；两者都不变时 0.03%。200 个样本上下降 0.1，找到 94%（自相关 0.5 时 71%；bench/diagnosis/error-rates.ts）。',
    }),
    FEWEST: threshold(8, {
      en: 'Evaluations: with fewer no trend can reach the level twice over. Derived.',
      zh: '至少需要的验证次数：更少则趋势达不到显著性水平。推得。',
    }),
  },
  says: {
    'pass-at-k-falls': {
      en: '{one} rose by {gain} while {many} fell by {loss} (95 % interval {low} to {high}) over steps {from}–{to}: fewer prompts are solved at all',
      zh: 'step {from}–{to} 期间 {one} 上升 {gain}，而 {many} 下降 {loss}（95% 置信区间 {low} ~ {high}）：能解出的题变少了',
    },
    'pass-at-k-falls.cannot.one': {
      en: 'pass@k is not logged: the log does not show how often at least one of several attempts succeeds',
      zh: '没有记录多次尝试中至少一次成功的比例',
    },
  },
  remedy: {
    en: 'if several attempts are combined later (search, voting, more training), choose an earlier checkpoint; to keep diversity, add a KL penalty or entropy bonus, train on harder prompts, or reward rare right responses',
    zh: '若之后要综合多次尝试（搜索、投票、继续训练），改用更早的 checkpoint；要保持广度，可加 KL 约束或熵正则，换更难的 prompt，或提高少见正确回答的奖励',
  },
  check(subject, { say, FEWEST, LEVEL }) {
    const pairs = [...loggedPairs(subject), ...sampledPairs(subject)]
    if (pairs.length === 0) return cannotSay(say('pass-at-k-falls.cannot.one', {}))
    const judged = pairs.filter(({ many }) => many.steps.length >= FEWEST).map(courseOf)
    if (judged.length === 0) return tooShort(longestOf(pairs.map(({ many }) => many)), FEWEST)
    const adjusted = holm(judged.map(({ p }) => p))
    return judged.flatMap((course, i) => (adjusted[i] < LEVEL ? [symptomOf(course)] : []))
  },
})

/** How often one attempt is right, and how often any of several, of one data set. */
interface AttemptPair {
  readonly one: Curve
  readonly many: Curve
}

interface AttemptCourse extends AttemptPair {
  readonly rise: Trend
  readonly fall: Trend
  /** Of both together: the larger, 1 where either goes the other way. */
  readonly p: number
}

function courseOf({ one, many }: AttemptPair): AttemptCourse {
  const [rise, fall] = [one, many].map(curve => {
    const { steps, values } = inBlocks(curve, TREND_BLOCKS)
    return trend(steps, values)
  })
  return { one, many, rise, fall, p: rise.slope > 0 && fall.slope < 0 ? Math.max(rise.p, fall.p) : 1 }
}

function symptomOf({ one, many, rise, fall, p }: AttemptCourse): UntreatedSymptom {
  const [from, to] = stepsOf(many)
  const { low, high } = fall.slopeInterval
  const over = (slope: number): number => slope * (to - from)
  return {
    steps: [from, to],
    evidence: { one: one.metric, many: many.metric, gain: over(rise.slope), change: over(fall.slope), p },
    message: passAtKFalls.say('pass-at-k-falls', {
      one: one.metric,
      many: many.metric,
      gain: figure(over(rise.slope)),
      loss: figure(-over(fall.slope)),
      low: figure(-over(high)),
      high: figure(-over(low)),
      from,
      to,
    }),
  }
}

/** Of each data set the largest k; verl calls the best of k `best@k`. */
function loggedPairs({ evaluations, curves }: Subject): readonly AttemptPair[] {
  const about = new Map(evaluations.map(({ metric, condition }) => [metric, condition]))
  const told = curves('val.score').map(curve => {
    const { aggregate = '', ...condition } = about.get(curve.metric) ?? {}
    const [, how = '', k = '1'] = /^(\w+)@(\d+)$/.exec(aggregate) ?? []
    return { curve, attempts: /^(?:pass|best)$/.test(how) ? Number(k) : 1, of: JSON.stringify(condition) }
  })
  return [...groupBy(told, ({ of }) => of).values()].flatMap(ofSet => {
    const one = ofSet.find(({ attempts }) => attempts === 1)
    const many = ofSet.toSorted((a, b) => b.attempts - a.attempts)[0]
    return one === undefined || many.attempts === 1 ? [] : [{ one: one.curve, many: many.curve }]
  })
}

/** From every attempt at every prompt, as often as the prompt with fewest attempts has; right or wrong only. */
function sampledPairs({ samples }: Subject): readonly AttemptPair[] {
  const told = samples.filter(({ repeats, scores }) => {
    return repeats !== undefined && scores.every(score => score === 0 || score === 1)
  })
  const bySet = groupBy(told, ({ metric, condition }) => JSON.stringify([metric, condition]))
  return [...bySet.values()].flatMap(ofSet => {
    const rows = ofSet
      .map(({ step, ids, scores }) => {
        const prompts = [...groupBy(Array.from(ids.keys()), i => ids[i]).values()]
        return { step, scores, tries: prompts.map(attempts => attempts.map(i => scores[i])) }
      })
      .sort((a, b) => a.step - b.step)
    const k = Math.min(...rows.flatMap(({ tries }) => tries.map(({ length }) => length)))
    if (!(k > 1)) return []
    const curve = (name: string, value: (row: (typeof rows)[number]) => number): Curve => ({
      metric: `${ofSet[0].metric} ${name}`,
      steps: Float64Array.from(rows, ({ step }) => step),
      values: Float64Array.from(rows, value),
    })
    const many = curve(`pass@${k}`, ({ tries }) =>
      mean(tries.map(each => passAtK(each.length, each.filter(score => score === 1).length, k))),
    )
    return [{ one: curve('pass@1', ({ scores }) => mean(scores)), many }]
  })
}

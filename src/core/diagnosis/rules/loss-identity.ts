import { numberOf, truthOf } from '../../../logs/model/vocabulary/config-value.js'
import { add, canMeet, exactly } from '../../../stats/rounding.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, type UntreatedSymptom } from '../run-rule.js'
import { impliedCoefficients } from '../signs/acting.js'
import { type Curve, medianOf, paired } from '../signs/curve.js'
import { decimalsOf, rangeOf } from '../signs/printed.js'
import type { Subject } from '../subject.js'

export const lossIdentity = runRule({
  id: 'loss-identity',
  severity: 'error',
  about: {
    en: "Numbers that must add up and do not, beyond what rounding explains. Only identities that hold in every version are asked: verl's policy and KL losses are scaled and summed differently from release to release, so nothing is concluded from their sizes.",
    zh: '本应相加吻合的数对不上，且超出舍入能解释的范围。只检查在所有版本中都成立的恒等式：verl 各版本对策略 loss 和 KL loss 的缩放与求和方式不同，因此不从它们的大小下结论。',
  },
  needs: [['loss.total', 'reward.mean', 'adv.max']],
  uses: ['loss.policy', 'score.mean', 'kl.ref', 'kl.coef', 'kl.weighted'],
  thresholds: {
    MOST_ROWS: threshold(0.5, {
      en: 'Derived: one odd row is an accident of logging; most of them are another reward.',
      zh: '推得：个别行异常是记录问题；大多数行如此，则 reward 另有其物。',
    }),
    FEWEST_ROWS: threshold(3, { en: 'And so many rows at least. Derived.', zh: '且至少这么多行。推得。' }),
    FEWEST_EQUAL: threshold(10, {
      en: 'Rows at which reward and score are equal before they part: then it is told since when. Derived.',
      zh: '在分开之前 reward 与得分相等的行数：达到此数则说明从何时开始。推得。',
    }),
    BOUND_SLACK: threshold(1.001, {
      en: 'Derived: slack for the epsilon under the fraction.',
      zh: '推得：为分母中的 epsilon 留的余量。',
    }),
  },
  says: {
    'loss-identity.sum': {
      en: '{one} + {other} is {expected} at step {step}, but {total} is logged as {logged} ({rows} {rows|row|rows} like this)',
      zh: 'step {step} 的 {one} + {other} 应为 {expected}，{total} 却是 {logged}（此类行共 {rows} 行）',
    },
    'loss-identity.penalty': {
      en: 'the losses of step {step} imply a KL coefficient of {implied}, but {configured} is configured and {good} other {good|row gives|rows give} it exactly',
      zh: 'step {step} 的 loss 推出 KL 系数 {implied}，而配置为 {configured}，其他 {good} 行与配置完全一致',
    },
    'loss-identity.reward': {
      en: '{optimised} differs from {score} by {gap} although no KL is in the reward: something else is added to the task score',
      zh: '{optimised} 与 {score} 相差 {gap}，但 reward 中并没有 KL：训练的 reward 在任务得分之外还加了别的东西',
    },
    'loss-identity.reward-since': {
      en: '{optimised} and {score} were equal up to step {until} and differ by {gap} since then, although no KL is in the reward: rewards are lost, or something is added to them',
      zh: '{optimised} 与 {score} 在 step {until} 之前完全相等，此后相差 {gap}，但 reward 中并没有 KL：部分 reward 丢失，或被加进了别的东西',
    },
    'loss-identity.advantage': {
      en: 'advantages reach {most}; normalised within groups of {n} they cannot exceed {bound}',
      zh: '优势达到 {most}；在 {n} 个一组内归一化后不可能超过 {bound}',
    },
    'loss-identity.reward.remedy': {
      en: 'find the shaping term in the reward function and log it separately, to read the score alone',
      zh: '找出 reward 函数里的附加项并单独记录，才能看清任务得分',
    },
    'loss-identity.reward-since.remedy': {
      en: 'check the logs of judge and reward workers around step {step}: failed calls that count as 0 lower every reward a little; otherwise find what was switched on there',
      zh: '查看 step {step} 前后裁判与 reward 服务的日志：失败的调用按 0 分计，会使所有 reward 略微降低；否则查明此时启用了什么',
    },
    'loss-identity.advantage.remedy': {
      en: 'check that all responses to one prompt share one group id, and that advantages are divided by their std',
      zh: '检查同一 prompt 的回答是否共用一个组 id，以及优势是否除以组内标准差',
    },
    'loss-identity.cannot.none': {
      en: 'the log has no set of numbers that must add up',
      zh: '日志中没有可以相互核对的一组数',
    },
  },
  remedy: {
    en: 'do not use this row; read the number again from the original log',
    zh: '不要采用这一行；请从原始日志重新核对',
  },
  check(subject, { say }) {
    const asked = [lossSum, penalty, rewardSum, reward, advantage].map(identity => identity(subject))
    if (asked.every(answer => answer === undefined)) return cannotSay(say('loss-identity.cannot.none', {}))
    return asked.flatMap(answer => answer ?? [])
  },
})

/** What contradicts an identity, nothing where it holds, undefined where it cannot be asked. */
type Answer = readonly UntreatedSymptom[] | undefined

/** Lever-Plus: total = policy + weighted KL, row by row. */
function lossSum({ framework, curve }: Subject): Answer {
  if (framework !== 'lever-plus') return undefined
  return sum(curve('loss.total'), curve('loss.policy'), curve('kl.weighted'))
}

/** TRL's PPO: rlhf_reward = scores + non_score_reward. */
function rewardSum({ framework, curve }: Subject): Answer {
  if (framework !== 'trl-ppo') return undefined
  return sum(curve('reward.mean'), curve('score.mean'), curve('kl.weighted'))
}

function sum(total: Curve | undefined, one: Curve | undefined, other: Curve | undefined): Answer {
  if (total === undefined || one === undefined || other === undefined) return undefined
  const [ofTotal, ofOne, ofOther] = [total, one, other].map(decimalsOf)
  const rest = new Map(paired(one, other).map(({ step, second }) => [step, second]))
  const wrong = paired(total, one).flatMap(({ step, first, second }) => {
    const third = rest.get(step)
    if (third === undefined) return []
    const expected = add(rangeOf(second, ofOne), rangeOf(third, ofOther))
    return canMeet(rangeOf(first, ofTotal), expected) ? [] : [{ step, logged: first, expected: second + third }]
  })
  const [first] = wrong
  if (first === undefined) return []
  return [
    {
      steps: [first.step, wrong[wrong.length - 1].step],
      evidence: { logged: first.logged, expected: first.expected, rows: wrong.length },
      message: lossIdentity.say('loss-identity.sum', {
        step: first.step,
        total: total.metric,
        one: one.metric,
        other: other.metric,
        logged: figure(first.logged, 4),
        expected: figure(first.expected, 4),
        rows: wrong.length,
      }),
    },
  ]
}

/**
 * Lever-Plus: (total − policy) / KL is the coefficient. Where other rows give the configured one to the last digit, the
 * controller stood still, and a row that gives another is wrong; where no row does, the coefficient is another one
 * (kl-coefficient-mismatch).
 */
function penalty(subject: Subject): Answer {
  const configured = subject.kl.inLoss.coefficient
  const implied = impliedCoefficients(subject)
  if (configured === null || implied.length === 0 || subject.curve('kl.coef') !== undefined) return undefined
  const wrong = implied.filter(({ range }) => !canMeet(range, exactly(configured)))
  const [first] = wrong
  if (first === undefined) return []
  const low = Math.max(...implied.map(({ range }) => range.low))
  const high = Math.min(...implied.map(({ range }) => range.high))
  if (wrong.length === implied.length && (low <= high || subject.kl.adaptive)) return undefined
  return [
    {
      steps: [first.step, wrong[wrong.length - 1].step],
      evidence: { steps: wrong.map(({ step }) => step), implied: wrong.map(({ value }) => value), configured },
      message: lossIdentity.say('loss-identity.penalty', {
        step: first.step,
        implied: figure(first.value),
        configured: figure(configured),
        good: implied.length - wrong.length,
      }),
    },
  ]
}

/** verl: without KL in the reward, the optimised reward is the score. */
function reward({ framework, kl, curve, manifest }: Subject): Answer {
  const { MOST_ROWS, FEWEST_ROWS, FEWEST_EQUAL } = lossIdentity.limits
  const [optimised, score] = [curve('reward.mean'), curve('score.mean')]
  const isKlInReward = kl.inReward.on !== false || manifest.metrics.has('actor/reward_kl_penalty')
  if (framework !== 'verl' || isKlInReward || optimised === undefined || score === undefined) return
  const [ofOptimised, ofScore] = [decimalsOf(optimised), decimalsOf(score)]
  const rows = paired(optimised, score)
  const apart = rows.filter(
    ({ first, second }) => first !== second && !canMeet(rangeOf(first, ofOptimised), rangeOf(second, ofScore)),
  )
  if (apart.length < Math.max(FEWEST_ROWS, MOST_ROWS * rows.length)) return []
  const gap = medianOf({ ...optimised, values: Float64Array.from(apart, ({ first, second }) => first - second) })
  const figures = { optimised: optimised.metric, score: score.metric, gap: figure(gap) }
  const equal = rows.indexOf(apart[0])
  return [
    {
      severity: 'warning',
      steps: [apart[0].step, apart[apart.length - 1].step],
      evidence: { optimised: optimised.metric, score: score.metric, gap, rows: apart.length },
      message:
        equal < FEWEST_EQUAL
          ? lossIdentity.say('loss-identity.reward', figures)
          : lossIdentity.say('loss-identity.reward-since', { ...figures, until: rows[equal - 1].step }),
      remedy:
        equal < FEWEST_EQUAL
          ? lossIdentity.say('loss-identity.reward.remedy', {})
          : lossIdentity.say('loss-identity.reward-since.remedy', { step: apart[0].step }),
    },
  ]
}

/**
 * A z-score within a group of n cannot exceed √(n − 1), and with the unbiased deviation of verl and TRL not even
 * (n − 1)/√n. Beyond it the groups are not the groups, as in Search-R1 #88.
 */
function advantage({ settings, curve }: Subject): Answer {
  const { FEWEST_ROWS, BOUND_SLACK } = lossIdentity.limits
  const highest = curve('adv.max')
  const n = numberOf(settings.get('group.size')?.effective ?? undefined)
  const isGrpo = /^(?:grpo|group_norm)$/.test(String(settings.get('algorithm')?.effective ?? ''))
  const isScaled = truthOf(settings.get('adv.scale')?.effective ?? true) !== false
  if (highest === undefined || n === null || n < 2 || !isGrpo || !isScaled) return undefined
  const bound = Math.sqrt(n - 1)
  const decimals = decimalsOf(highest)
  const beyond = Array.from(highest.steps.keys()).filter(
    i => rangeOf(highest.values[i], decimals).low > BOUND_SLACK * bound,
  )
  if (beyond.length < FEWEST_ROWS) return []
  const most = beyond.reduce((largest, i) => Math.max(largest, highest.values[i]), bound)
  return [
    {
      severity: 'warning',
      steps: [highest.steps[beyond[0]], highest.steps[beyond[beyond.length - 1]]],
      evidence: { most, bound, groupSize: n, rows: beyond.length },
      message: lossIdentity.say('loss-identity.advantage', { most: figure(most), bound: figure(bound), n }),
      remedy: lossIdentity.say('loss-identity.advantage.remedy', {}),
    },
  ]
}

import { numberOf, truthOf } from '../../model/vocabulary/config-value.js'
import { add, canMeet, exactly } from '../../stats/rounding.js'
import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import { type Curve, medianOf, paired } from '../signs/curve.js'
import { impliedCoefficients } from '../signs/loss-terms.js'
import { decimalsOf, rangeOf } from '../signs/printed.js'
import type { Subject } from '../subject.js'

/**
 * Numbers that must add up and do not, beyond what rounding explains. Only identities that hold in every version are
 * asked: verl's policy and KL losses are scaled and summed differently from release to release,
 * so nothing is concluded from their sizes.
 */
export const lossIdentity: Rule = {
  id: 'loss-identity',
  severity: 'error',
  needs: [['loss.total', 'reward.mean', 'adv.max']],
  uses: ['loss.policy', 'score.mean', 'kl.ref', 'kl.coef', 'kl.weighted'],
  detect(subject) {
    const asked = [lossSum, penalty, rewardSum, reward, advantage].map(identity => identity(subject))
    if (asked.every(answer => answer === undefined)) return cannotSay(message('loss-identity.none', {}))
    return asked.flatMap(answer => answer ?? [])
  },
}

/** What contradicts an identity, nothing where it holds, undefined where it cannot be asked. */
type Answer = readonly Symptom[] | undefined

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
      message: message('loss-identity.sum', {
        step: first.step,
        total: total.metric,
        one: one.metric,
        other: other.metric,
        logged: figure(first.logged, 4),
        expected: figure(first.expected, 4),
        rows: wrong.length,
      }),
      remedy: message('loss-identity.remedy', {}),
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
      message: message('loss-identity.penalty', {
        step: first.step,
        implied: figure(first.value),
        configured: figure(configured),
        good: implied.length - wrong.length,
      }),
      remedy: message('loss-identity.remedy', {}),
    },
  ]
}

/** Derived: one odd row is an accident of logging; most of them are another reward. */
const MOST_ROWS = 0.5
const FEWEST_ROWS = 3

/** verl: without KL in the reward, the optimised reward is the score. */
function reward({ framework, kl, curve, manifest }: Subject): Answer {
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
  return [
    {
      severity: 'warning',
      steps: [apart[0].step, apart[apart.length - 1].step],
      evidence: { optimised: optimised.metric, score: score.metric, gap, rows: apart.length },
      message: message('loss-identity.reward', {
        optimised: optimised.metric,
        score: score.metric,
        gap: figure(gap),
      }),
      remedy: message('loss-identity.reward.remedy', {}),
    },
  ]
}

/** Derived: slack for the epsilon under the fraction. */
const BOUND_SLACK = 1.001

/**
 * A z-score within a group of n cannot exceed √(n − 1), and with the unbiased deviation of verl and TRL not even
 * (n − 1)/√n. Beyond it the groups are not the groups, as in Search-R1 #88.
 */
function advantage({ settings, curve }: Subject): Answer {
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
      message: message('loss-identity.advantage', { most: figure(most), bound: figure(bound), n }),
      remedy: message('loss-identity.advantage.remedy', {}),
    },
  ]
}

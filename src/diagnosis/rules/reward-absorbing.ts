import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import { type Curve, combined, stepsOf, within } from '../signs/curve.js'
import { whereLasting } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

/** Derived: with eight answers to each of 32 prompts, ten steps without two different rewards are no coincidence. */
const FEWEST = 10

/** Every answer of the batch gets the same reward: there is nothing to climb, and no way out by itself. */
export const rewardAbsorbing: Rule = {
  id: 'reward-absorbing',
  severity: 'error',
  needs: [['score.max', 'reward.max', 'reward.std']],
  uses: ['score.min', 'reward.min'],
  detect(subject) {
    const spreads = spreadsOf(subject)
    const [longest] = spreads.toSorted((a, b) => b.steps.length - a.steps.length)
    if (longest === undefined) return cannotSay(message('reward-absorbing.not-told', {}))
    if (longest.steps.length < FEWEST) {
      return cannotSay(
        message('diagnose.too-short', { n: longest.steps.length, metric: longest.metric, needed: FEWEST }),
      )
    }
    for (const spread of spreads) {
      const found = whereLasting(spread, value => value === 0, FEWEST)
      if (found !== undefined) return symptom(within(spread, found), subject)
    }
    return
  },
}

/** How far apart the rewards of a batch lie: the task's own score first, then what is optimised. */
function spreadsOf({ curve }: Subject): readonly Curve[] {
  const spread = (highest: Curve | undefined, lowest: Curve | undefined): Curve[] => {
    return highest === undefined || lowest === undefined ? [] : [combined(highest, lowest, (a, b) => a - b)]
  }
  const deviation = curve('reward.std')
  return [
    ...spread(curve('score.max'), curve('score.min')),
    ...spread(curve('reward.max'), curve('reward.min')),
    ...(deviation === undefined ? [] : [deviation]),
  ]
}

/** Stuck at the best reward after there were worse ones is a task that has been solved. */
function symptom(flat: Curve, { curve }: Subject): Symptom {
  const [from, to] = stepsOf(flat)
  const stuckAt = (['score', 'reward'] as const).flatMap(name => {
    const [highest, lowest] = [curve(`${name}.max`), curve(`${name}.min`)]
    if (highest?.metric !== flat.metric || lowest === undefined) return []
    const reward = highest.values[highest.steps.indexOf(to)]
    return [
      { reward, solved: highest.values.every(value => value <= reward) && lowest.values.some(value => value < reward) },
    ]
  })[0]
  const solved = stuckAt?.solved === true
  return {
    ...(solved ? { severity: 'note' } : {}),
    steps: [from, to],
    evidence: { metric: flat.metric, points: flat.steps.length, ...(stuckAt && { reward: stuckAt.reward }) },
    message:
      stuckAt === undefined
        ? message('reward-absorbing.deviation', { from })
        : message(solved ? 'reward-absorbing.solved' : 'reward-absorbing', { from, reward: figure(stuckAt.reward) }),
    remedy: message(solved ? 'reward-absorbing.solved.remedy' : 'reward-absorbing.remedy', {}),
  }
}

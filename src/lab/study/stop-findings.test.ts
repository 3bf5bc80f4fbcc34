import { describe, expect, it } from 'vitest'
import { type MadeUpSeries, madeUpSubject } from '../../../test/support/subject.js'
import { examine } from '../../core/diagnosis/diagnose.js'
import { lengthCollapse } from '../../core/diagnosis/rules/answer-length.js'
import { overoptimised } from '../../core/diagnosis/rules/overoptimised.js'
import { rewardHacking } from '../../core/diagnosis/rules/reward-hacking.js'
import { validationCollapse } from '../../core/diagnosis/rules/validation.js'
import { type Random, seededRandom } from '../../stats/random.js'
import { decideStop, stopRules } from './stop-rules.js'

/**
 * Made-up trainings of 400 steps that are looked at after every fourth evaluation, as `watch` does: how often findings stop
 * a healthy one, and whether they stop what is planted. The rate of 2,000 runs stands in docs/statistics.md.
 */

const STEPS = 400
const RULES = [validationCollapse, overoptimised, rewardHacking, lengthCollapse]

/** Levels by the share of the training that is over. */
interface Course {
  readonly score: (share: number) => number
  readonly reward: (share: number) => number
  readonly length: (share: number) => number
}

type Metrics = { readonly [name: string]: readonly (readonly [number, number])[] }

const squash = (value: number): number => Math.min(1, Math.max(0, value))

/** Each series with noise of its own, one third of it white and two thirds a wander that a policy has. */
function training(random: Random, { score, reward, length }: Course): Metrics {
  const series = (every: number, size: number, level: (share: number) => number) => {
    const rho = 0.5 * random.next()
    let wander = random.normal()
    return Array.from({ length: STEPS / every + 1 }, (_, i): readonly [number, number] => {
      wander = rho * wander + Math.sqrt(1 - rho ** 2) * random.normal()
      const noise = Math.sqrt(2 / 3) * wander + Math.sqrt(1 / 3) * random.normal()
      return [i * every, level((i * every) / STEPS) + size * noise]
    })
  }
  const loud = 0.01 + 0.03 * random.next()
  return {
    'critic/rewards/mean': series(4, loud, reward).slice(1),
    'critic/score/mean': series(4, loud, score).slice(1),
    'response_length/mean': series(4, 15, length).slice(1),
    'val-core/x/acc/mean@1': series(10, loud, score).map(([step, value]) => [step, squash(value)]),
    'val-aux/x/reward/mean@1': series(10, loud, reward).map(([step, value]) => [step, squash(value)]),
  }
}

/** Learns fast, slowly or not at all; the reward pays for form beside the score, less than half as much; answers grow or become a little briefer. */
function healthy(random: Random): Course {
  const [start, gain, speed] = [0.1 + 0.4 * random.next(), 0.4 * random.next(), 2 + 8 * random.next()]
  const [form, drift] = [0.4 * gain * random.next(), 0.6 * random.next() - 0.3]
  const learnt = (share: number): number => 1 - Math.exp(-speed * share)
  const score = (share: number): number => start + gain * learnt(share)
  return {
    score,
    reward: share => score(share) + form * learnt(share),
    length: share => 300 * (1 + drift * share),
  }
}

/** The rule that stops it first; null: it is never stopped. */
function stopOf(metrics: Metrics): string | null {
  for (let step = 80; step <= STEPS; step += 40) {
    const seen: { [name: string]: MadeUpSeries } = {}
    for (const [name, points] of Object.entries(metrics)) seen[name] = points.filter(([at]) => at <= step)
    const { findings } = examine(madeUpSubject({ metrics: seen }), RULES)
    const decision = decideStop(stopRules(null), { step, hours: null, score: null, findings })
    if (decision !== null) return decision.rule
  }
  return null
}

const after = (from: number, share: number, before: number, then: number): number => (share < from ? before : then)

const PLANTED: { readonly [rule: string]: (random: Random) => Course } = {
  'validation-collapse': random => {
    const [well, at] = [healthy(random), 0.2 + 0.4 * random.next()]
    const score = (share: number): number => after(at, share, well.score(share) + 0.2, 0.02)
    return { ...well, score, reward: score }
  },
  overoptimised: random => {
    const lost = 0.1 + 0.1 * random.next()
    return { score: share => 0.4 - lost * share, reward: share => 0.4 + 0.4 * share, length: () => 300 }
  },
  'reward-hacking': random => {
    const lost = 0.15 + 0.15 * random.next()
    return { score: share => 0.5 - lost * share, reward: share => 0.5 + 0.4 * share, length: () => 300 }
  },
  'length-collapse': random => {
    const [well, at] = [healthy(random), 0.2 + 0.4 * random.next()]
    const lost = (share: number): number => after(at, share, 0, 0.25)
    return {
      score: share => well.score(share) + 0.2 - lost(share),
      reward: share => well.reward(share) + 0.2 - lost(share),
      length: share => after(at, share, 300, 40),
    }
  },
}

describe('findings that stop a training', () => {
  it('stop at most one healthy training in a hundred, looked at after every fourth evaluation', () => {
    const random = seededRandom(41)
    const stopped = Array.from({ length: 150 }, () => stopOf(training(random, healthy(random)))).filter(Boolean)
    expect(stopped.length).toBeLessThanOrEqual(1)
  })

  it.each(Object.keys(PLANTED))('stop what is planted: %s', rule => {
    const random = seededRandom(43)
    const found = Array.from({ length: 20 }, () => stopOf(training(random, PLANTED[rule](random))))
    expect(found.filter(stop => stop !== null).length).toBeGreaterThanOrEqual(18)
    expect(found).toContain(rule)
  })
})

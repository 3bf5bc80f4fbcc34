import { describe } from 'vitest'
import { cases } from '../../../../test/support/rule-cases.js'
import type { MadeUpSeries } from '../../../../test/support/subject.js'
import { seededRandom } from '../../../stats/random.js'
import { overoptimised } from './overoptimised.js'

const random = seededRandom(3)

/** An evaluation every 25 steps from `first` on, that rises to its level within the first half. */
function validation(from: number, to: number, { first = 25, noise = 0.012 } = {}): MadeUpSeries {
  return Array.from({ length: 16 }, (_, i) => {
    const level = from + (to - from) * Math.min(1, i / 8)
    return [first + 25 * i, level + noise * random.normal()] as const
  })
}

/** What a TRL training with a reward model logs in training: the reward and its one part. */
const TRAINING: { readonly [name: string]: MadeUpSeries } = {
  reward: [0.4, 0.5, 0.6],
  'rewards/reward_model/mean': [0.4, 0.5, 0.6],
}

describe('overoptimised', () => {
  cases(overoptimised, [
    {
      name: 'sees a reward that rises while the score that nothing feeds stays',
      metrics: { ...TRAINING, eval_reward: validation(0.4, 0.6), 'eval_rewards/gold/mean': validation(0.2, 0.2) },
      expected: ['error', 'overoptimised.no-start', 25, 400],
    },
    {
      name: 'and says nothing of a missing start where there is one',
      metrics: {
        ...TRAINING,
        eval_reward: validation(0.4, 0.6, { first: 0 }),
        'eval_rewards/quality/mean': validation(0.35, 0.2, { first: 0 }),
      },
      expected: ['error', 'overoptimised', 0, 375],
    },
    {
      name: 'sees it in the names of verl',
      metrics: {
        'critic/rewards/mean': [0.4, 0.5, 0.6],
        'val-aux/letters/reward/mean@1': validation(0.4, 0.6),
        'val-core/letters/acc/mean@1': validation(0.2, 0.2),
      },
      expected: ['error', 'overoptimised.no-start', 25, 400],
    },
    {
      name: 'passes a score that gains as the reward does',
      metrics: { ...TRAINING, eval_reward: validation(0.4, 0.6), 'eval_rewards/gold/mean': validation(0.35, 0.5) },
      expected: null,
    },
    {
      name: 'passes one that wavers upwards behind the reward',
      metrics: { ...TRAINING, eval_reward: validation(0.26, 0.7), 'eval_rewards/gold/mean': validation(0.3, 0.4) },
      expected: null,
    },
    {
      name: 'but not one that ends far behind it',
      metrics: { ...TRAINING, eval_reward: validation(0.4, 0.62), 'eval_rewards/gold/mean': validation(0.2, 0.25) },
      expected: ['error', 'overoptimised.no-start', 25, 400],
    },
    {
      name: 'passes a score at its ceiling above the reward',
      metrics: { ...TRAINING, eval_reward: validation(0.4, 0.6), 'eval_rewards/gold/mean': validation(0.95, 0.96) },
      expected: null,
    },
    {
      name: 'of a reward on another scale sees only a score that falls',
      metrics: { ...TRAINING, eval_reward: validation(-0.1, 1.4), 'eval_rewards/gold/mean': validation(0.38, 0.2) },
      expected: ['error', 'overoptimised.no-start', 25, 400],
    },
    {
      name: 'and passes one that stays: ten times as many points may be the same gain',
      metrics: { ...TRAINING, eval_reward: validation(-0.1, 4), 'eval_rewards/gold/mean': validation(0.38, 0.42) },
      expected: null,
    },
    {
      name: 'cannot tell where only the optimised reward is validated',
      metrics: { ...TRAINING, eval_reward: validation(0.4, 0.6) },
      expected: 'unchecked',
    },
  ])
})

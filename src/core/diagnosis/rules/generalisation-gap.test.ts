import { describe } from 'vitest'
import { cases } from '../../../../test/support/rule-cases.js'
import type { MadeUpSeries } from '../../../../test/support/subject.js'
import { seededRandom } from '../../../stats/random.js'
import { generalisationGap } from './generalisation-gap.js'

const random = seededRandom(17)

/** 500 steps that rise from one level to another and stay there, with a batch's noise. */
function training(from: number, to: number): number[] {
  return Array.from({ length: 500 }, (_, i) => from + (to - from) * Math.min(1, i / 300) + 0.03 * random.normal())
}

/** An evaluation before training and one every ten steps. */
function validation(from: number, to: number, noise = 0.01): MadeUpSeries {
  return Array.from({ length: 51 }, (_, i) => {
    const level = from + (to - from) * Math.min(1, i / 30)
    return [10 * i, level + (i === 0 ? 0 : noise * random.normal())] as const
  })
}

const REWARD = 'val-aux/sort/reward/mean@4'

describe('generalisation-gap', () => {
  cases(generalisationGap, [
    {
      name: 'notes a policy that learns its prompts by heart (lab 2: 96 prompts)',
      metrics: { 'critic/score/mean': training(0.66, 0.94), [REWARD]: validation(0.58, 0.75) },
      expected: ['note', 'generalisation-gap', 401, 500],
    },
    {
      name: 'passes a gap that was there from the start: validation is harder',
      metrics: { 'critic/score/mean': training(0.66, 0.94), [REWARD]: validation(0.4, 0.68) },
      expected: null,
    },
    {
      name: 'draws its line at a twentieth more than at the start: above',
      metrics: { 'critic/score/mean': training(0.7, 0.9), [REWARD]: validation(0.6, 0.73) },
      expected: ['note', 'generalisation-gap', 401, 500],
    },
    {
      name: 'and below',
      metrics: { 'critic/score/mean': training(0.7, 0.9), [REWARD]: validation(0.6, 0.77) },
      expected: null,
    },
    {
      name: 'passes a gap of less than a tenth, however it came about',
      metrics: { 'critic/score/mean': training(0.66, 0.9), [REWARD]: validation(0.66, 0.83) },
      expected: null,
    },
    {
      name: 'does not trust a single noisy first evaluation',
      metrics: { 'critic/score/mean': training(0.7, 0.9), [REWARD]: validation(0.6, 0.73, 0.05) },
      expected: null,
    },
    {
      name: 'compares like with like: of two metrics the one that is scored as training is',
      metrics: {
        'critic/score/mean': training(0.66, 0.88),
        'val-core/sort/acc/mean@4': validation(0.4, 0.5),
        [REWARD]: validation(0.58, 0.86),
      },
      expected: null,
    },
    {
      name: 'does not compare a reward of ten with a share of one',
      metrics: { 'critic/score/mean': training(2, 9), 'val-core/sort/acc/mean@4': validation(0.4, 0.6) },
      expected: 'unchecked',
    },
    {
      name: 'needs an evaluation near the start',
      metrics: {
        'critic/score/mean': training(0.66, 0.94),
        [REWARD]: Array.from({ length: 20 }, (_, i) => [100 + 20 * i, 0.7] as const),
      },
      expected: 'unchecked',
    },
    {
      name: 'averages over all validation sets: one that lags among several that do not is no gap',
      metrics: {
        'critic/score/mean': training(0.66, 0.88),
        'val-aux/short/reward/mean@4': validation(0.7, 0.95),
        'val-aux/medium/reward/mean@4': validation(0.6, 0.88),
        'val-aux/long/reward/mean@4': validation(0.4, 0.5),
      },
      expected: null,
    },
  ])
})

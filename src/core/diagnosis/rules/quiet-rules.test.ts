import { describe } from 'vitest'
import { cases } from '../../../../test/support/rule-cases.js'
import { seededRandom } from '../../../stats/random.js'
import { klRunaway } from './kl-runaway.js'
import { lrNegligible } from './learning-rate.js'
import { rewardAbsorbing } from './reward-absorbing.js'

/** Cases that public logs taught: what rules say more quietly, or not at all. */

const random = seededRandom(17)
const around = (level: number, noise: number, n: number): number[] =>
  Array.from({ length: n }, () => level * Math.exp(noise * random.normal()))

describe('reward-absorbing', () => {
  const everyOther = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 0 : 0.18))
  cases(rewardAbsorbing, [
    {
      name: 'notes small batches that tie now and then, and calls nothing stuck',
      metrics: { reward_std: everyOther, reward: around(0.5, 0.3, 200) },
      expected: ['note', 'reward-absorbing.tied', 1, 200],
    },
    {
      name: 'passes where fewer than a quarter tie',
      metrics: { reward_std: everyOther.map((value, i) => (i % 5 === 0 ? 0 : 0.1 + value)) },
      expected: null,
    },
    {
      name: 'takes a tied end for stuck only where chance does not make it so long',
      metrics: { reward_std: [...everyOther.slice(0, 190), ...Array<number>(10).fill(0)] },
      expected: ['error', 'reward-absorbing.deviation', 191, 200],
    },
    {
      name: 'and not where nine in ten steps tie anyway',
      metrics: { reward_std: Array.from({ length: 200 }, (_, i) => (i % 10 === 5 && i < 186 ? 0.2 : 0)) },
      expected: ['note', 'reward-absorbing.tied', 1, 200],
    },
  ])
})

describe('lr-negligible', () => {
  const unmoved = (n: number) => ({
    kl: around(3e-5, 0.3, n),
    'clip_ratio/region_mean': Array<number>(n).fill(0),
    reward_std: around(0.3, 0.2, n),
    reward: around(0.5, 0.1, n),
    learning_rate: Array<number>(n).fill(1e-6),
  })
  cases(lrNegligible, [
    {
      name: 'warns of a policy that hardly moves over a long run, at a usual rate too',
      metrics: unmoved(240),
      expected: ['warning', 'lr-negligible.unmoved', 1, 240],
    },
    {
      name: 'notes it in a shorter one, where a warm-up may explain it',
      metrics: unmoved(80),
      expected: ['note', 'lr-negligible.unmoved', 1, 80],
    },
    { name: 'says nothing of fifty rows or fewer', metrics: unmoved(45), expected: null },
    {
      name: 'says nothing where rewards do not differ: then there is nothing to move for',
      metrics: { ...unmoved(240), reward_std: Array<number>(240).fill(0) },
      expected: null,
    },
    {
      name: 'says nothing where the score rises',
      metrics: { ...unmoved(240), reward: Array.from({ length: 240 }, (_, i) => 0.3 + i / 1000) },
      expected: null,
    },
  ])
})

describe('kl-runaway', () => {
  cases(klRunaway, [
    {
      name: 'passes a KL that varies around the limit from the first step to the last',
      metrics: { 'actor/kl_loss': Array.from({ length: 200 }, (_, i) => 0.95 + 0.3 * Math.sin(i / 12)) },
      expected: null,
    },
    {
      name: 'but tells of one that was twice its usual level for a while',
      metrics: { 'actor/kl_loss': Array.from({ length: 200 }, (_, i) => (i >= 80 && i < 120 ? 2 : 0.3)) },
      expected: ['warning', 'kl-runaway.back', 81, 120],
    },
  ])
})

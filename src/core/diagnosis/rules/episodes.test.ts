import { describe } from 'vitest'
import { cases } from '../../../../test/support/rule-cases.js'
import { seededRandom } from '../../../stats/random.js'
import { entropyCollapse, entropyExplosion } from './entropy.js'
import { runDead } from './gradient.js'
import { learningStalled } from './learning-stalled.js'
import { rewardAbsorbing } from './reward-absorbing.js'
import { rewardCollapse } from './reward-collapse.js'
import { validationCollapse } from './validation.js'

/** Classic reinforcement learning: the reward is the return of an episode, the entropy is logged as a loss or has no floor. */

const random = seededRandom(5)
const N = 120

function course(level: (part: number) => number, noise = 0.1): number[] {
  return Array.from({ length: N }, (_, i) => {
    const value = level((i + 1) / N)
    return value + noise * Math.abs(value) * random.normal()
  })
}
/** As a policy that is stone dead logs: exact values from a twentieth of the run on. */
const exactly = (before: number[], value: number): number[] => before.map((each, i) => (i < 6 ? each : value))

describe('a policy that is dead from a twentieth of the run on', () => {
  const metrics = {
    'episode.return': exactly(
      course(() => -60),
      -100,
    ),
    'episode.length': exactly(
      course(() => 20),
      1,
    ),
    'loss.total': exactly(
      course(() => 4),
      0,
    ),
    'kl.old': exactly(
      course(() => 0.01),
      0,
    ),
    'clip.frac': exactly(
      course(() => 0.1),
      0,
    ),
    'entropy.negative': exactly(
      course(() => -0.6),
      -1e-12,
    ),
  }
  cases(runDead, [
    { name: 'is found by return, loss, KL and clip fraction', metrics, expected: ['error', 'run-dead.still', 7, N] },
    {
      name: 'is none while its return varies',
      metrics: { ...metrics, 'episode.return': course(() => -60) },
      expected: null,
    },
  ])
  cases(entropyCollapse, [
    {
      name: 'has an entropy at its floor, whichever sign is logged',
      metrics,
      expected: ['error', 'entropy-collapse.episodes', 7, N],
    },
  ])
  cases(rewardCollapse, [{ name: 'has lost its return', metrics, expected: ['warning', 'reward-collapse', 7, N] }])
})

describe('the return of an episode is the training reward', () => {
  cases(rewardCollapse, [
    {
      name: 'that collapses after its best',
      metrics: { 'episode.return': course(part => (part < 0.7 ? 300 * part : 25)) },
      expected: ['warning', 'reward-collapse', 84, N],
    },
    {
      name: 'and does not where it wavers at its level',
      metrics: { 'episode.return': course(part => 200 * Math.min(1, 2 * part), 0.3) },
      expected: null,
    },
    {
      name: 'and is not judged where returns of evaluation episodes are',
      metrics: { 'episode.return': course(() => 1), 'eval/episode.return': course(() => 1) },
      expected: 'unchecked',
    },
  ])
  cases(validationCollapse, [
    {
      name: 'and on evaluation episodes the validation score',
      metrics: {
        'episode.return': course(() => 90),
        'eval/episode.return': course(part => (part < 0.5 ? 90 : 10), 0.03),
      },
      expected: ['error', 'validation-collapse', 60, N],
    },
  ])
  cases(rewardAbsorbing, [
    {
      name: 'and a goal that is never reached is said',
      metrics: { 'episode.return': Array<number>(40).fill(-200) },
      expected: ['warning', 'reward-absorbing.never', 1, 40],
    },
  ])
  cases(learningStalled, [
    {
      name: 'and levels off like any score',
      metrics: { 'episode.return': course(part => 200 * Math.min(1, 10 * part), 0.01) },
      expected: ['note', 'learning-stalled', 1, N],
    },
  ])
})

describe('entropy', () => {
  const returns = { 'episode.return': course(part => 20 + 180 * part) }
  cases(entropyCollapse, [
    {
      name: 'that is logged as a loss is read with its sign turned',
      metrics: { ...returns, 'entropy.negative': course(() => -1.06) },
      expected: null,
    },
    {
      name: 'at its floor is no fault of a policy that has learned its task',
      metrics: { ...returns, 'entropy.negative': course(part => -0.7 * Math.exp(-8 * part)) },
      expected: null,
    },
    {
      name: 'of continuous actions has no floor',
      metrics: { ...returns, 'entropy.negative': course(part => -2 + 5 * part) },
      expected: 'unchecked',
    },
    {
      name: 'that is negative under a plain name is not judged',
      metrics: { entropy: course(() => -1.06) },
      expected: 'unchecked',
    },
  ])
  cases(entropyExplosion, [
    {
      name: 'of continuous actions may rise while the return does',
      metrics: { ...returns, 'entropy.negative': course(part => -1.4 - 6 * part, 0.01) },
      expected: null,
    },
    {
      name: 'that rises while the return falls is said',
      metrics: {
        'episode.return': course(part => 200 - 180 * part),
        'entropy.negative': course(part => -1.4 - 6 * part, 0.01),
      },
      expected: ['error', 'entropy-explosion', 65, N],
    },
  ])
})

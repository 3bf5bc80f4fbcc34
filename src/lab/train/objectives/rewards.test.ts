import { expect, it } from 'vitest'
import { advantagesOf } from './advantages.js'
import { normalisedRewards, penalisedRewards, type RewardMode, type RewardOptions, reward } from './rewards.js'

const weights: Omit<RewardOptions, 'mode'> = {
  hard_weight: 1,
  soft_weight: 1,
  relevance_weight: 0.1,
  alpha: 1,
  beta: 1,
  quality: 'beam-score',
  correctness: 'zero-one',
}

it.each([
  ['hard', 1, 0],
  ['soft', 0.25, 0.9],
  ['hard+soft', 1.25, 0.9],
  ['separated', 2.25, 0.9],
] satisfies readonly [RewardMode, number, number][])(
  'mode %s rewards a right and a wrong choice',
  (mode, right, wrong) => {
    expect(reward({ hard: 1, soft: 0.25 }, { mode, ...weights })).toBeCloseTo(right, 12)
    expect(reward({ hard: 0, soft: 0.9 }, { mode, ...weights })).toBeCloseTo(wrong, 12)
  },
)

it('leaves a gap between any right and any wrong choice only when separated', () => {
  const worstRightAndBestWrong = (mode: RewardMode) => [
    reward({ hard: 1, soft: 0 }, { mode, ...weights }),
    reward({ hard: 0, soft: 1 }, { mode, ...weights }),
  ]
  expect(worstRightAndBestWrong('hard+soft')).toEqual([1, 1])
  expect(worstRightAndBestWrong('separated')).toEqual([2, 1])
})

it('is missing, not 0, where the mode needs a judgement that the data does not hold', () => {
  const unjudged = { hard: null, soft: 0.5 }
  expect(reward(unjudged, { mode: 'hard+soft', ...weights })).toBeNull()
  expect(reward(unjudged, { mode: 'soft', ...weights })).toBe(0.5)
})

it('weighs the two parts', () => {
  expect(reward({ hard: 1, soft: 0.5 }, { ...weights, mode: 'hard+soft', hard_weight: 3, soft_weight: 2 })).toBe(4)
})

it('clamps the normalised rewards of a query, and leaves equal ones at zero', () => {
  const outlier = Float64Array.from({ length: 40 }, (_, i) => (i === 0 ? 1 : 0))
  expect(Math.max(...normalisedRewards(outlier, 3))).toBe(3)
  expect([...normalisedRewards(Float64Array.of(0.5, 0.5, 0.5), 3)]).toEqual([0, 0, 0])
  expect([...normalisedRewards(Float64Array.of(0.5), 3)]).toEqual([0])
})

it('takes the KL off the reward, so that a beam far from the reference loses its advantage', () => {
  const penalised = penalisedRewards(Float64Array.of(1, 1), Float64Array.of(2, 0), 0.1)
  expect([...penalised]).toEqual([0.8, 1])
  const { values } = advantagesOf(penalised, { kind: 'centred', minimum_std: 0.1, clip: 5 })
  expect(values[0]).toBeCloseTo(-0.1, 12)
})

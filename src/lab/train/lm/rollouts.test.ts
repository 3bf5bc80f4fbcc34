import { expect, it } from 'vitest'
import { rolloutAdvantages } from './rollouts.js'

const rollout = (...rewards: readonly number[]) => ({
  tokens: rewards.flatMap(() => [1, 2]),
  turns: rewards.map((reward, i) => ({ first: 2 * i, logProbs: [-1, -1], reward })),
})

it('judges each turn by itself where asked to: a find is never blamed, and who has stopped has nothing more to come', () => {
  const group = [rollout(1, 0, 1), rollout(0, 1), rollout(0)]
  const options = { score: 'sum', discount: 0, isScaled: false } as const
  const { advantages, scores } = rolloutAdvantages(group, { ...options, credit: 'turnwise' })
  expect(scores).toEqual([2, 1, 0])
  const [first, second, third] = advantages.map(each => [...each].filter((_, i) => i % 2 === 0))
  expect(first.map(value => Number(value.toFixed(4)))).toEqual([0.6667, -0.3333, 0.6667])
  expect(second.map(value => Number(value.toFixed(4)))).toEqual([-0.3333, 0.6667])
  expect(third.map(value => Number(value.toFixed(4)))).toEqual([-0.3333])
  // What UserRL's credit does with the same: the one find of the poorer dialogue is blamed for all of it.
  const shared = rolloutAdvantages([group[0], rollout(0, 1)], { ...options, credit: 'return' }).advantages[1]
  expect([...shared].map(value => value + 0)).toEqual([0, 0, -0.5, -0.5])
  const scaled = rolloutAdvantages([rollout(1)], { ...options, isScaled: true, credit: 'turnwise' }).advantages[0]
  expect([...scaled]).toEqual([0, 0])
})

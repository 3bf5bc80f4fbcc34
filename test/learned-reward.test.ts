import { describe } from 'vitest'
import { testLearnedReward } from './support/learned-reward.js'

/** Each lab and two ways to log it; the others: test/long/learned-reward.test.ts. */
describe.each([
  ['letters', 'verl'],
  ['vowels', 'renamed'],
] as const)('a learned reward: %s, logged as by %s', testLearnedReward)

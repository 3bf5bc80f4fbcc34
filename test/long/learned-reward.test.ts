import { describe } from 'vitest'
import { testLearnedReward } from '../support/learned-reward.js'

/** What test/learned-reward.test.ts leaves out. */
describe.each([
  ['letters', 'trl'],
  ['letters', 'renamed'],
] as const)('a learned reward: %s, logged as by %s', testLearnedReward)

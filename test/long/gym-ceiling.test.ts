import { test } from 'vitest'
import { expectCeiling } from '../support/gym-ceiling.js'

test.each(['en', 'zh'] as const)('on the test tasks (%s) the ceiling can be reached, and not cheaply', language =>
  expectCeiling(language, 1),
)

import { describe, it } from 'vitest'
import { originalCases } from '../support/lever-original.js'
import { expectParity } from '../support/lever-parity.js'

/** The cases that test/lever-parity.test.ts leaves out. */
describe.each(originalCases.filter((_, i) => i % 2 === 1))("the original's $name, $form", one => {
  it('gives the same epochs, updates, weights and choices', () => expectParity(one))
})

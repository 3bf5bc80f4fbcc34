import { expect, it } from 'vitest'
import { agreementOf, type Chosen } from './pairing.js'

const chosen = (given: Partial<Chosen>): Chosen => ({ choice: null, answer: null, output: null, ...given })
const choices = (...pairs: readonly (readonly [string, string])[]) =>
  agreementOf(pairs.map(([a, b]) => [chosen({ choice: a }), chosen({ choice: b })]))

it('counts equal choices, and equal lists in any order', () => {
  expect(choices(['[3, 7]', '[7, 3]'], ['[1, 2]', '[1, 2]'], ['[1, 2]', '[1, 4]'])).toEqual({
    basis: 'choice',
    n: 3,
    identical: 1,
    asSets: 2,
  })
  expect(choices(['3 7', '7 3'])?.asSets).toBe(1)
})

it('takes single words and sentences for single choices', () => {
  expect(choices(['B', 'B'], ['A', 'C'])).toMatchObject({ identical: 1, asSets: null })
  expect(choices(['the cat sat', 'sat the cat'])).toMatchObject({ identical: 0, asSets: null })
})

it('falls back to final answers, then to whole outputs', () => {
  const first = chosen({ answer: '1', output: 'x' })
  expect(agreementOf([[first, first]])).toMatchObject({ basis: 'answer', identical: 1 })
  const bare = chosen({ output: 'x' })
  expect(agreementOf([[bare, bare]])).toMatchObject({ basis: 'output' })
  expect(agreementOf([[chosen({}), chosen({})]])).toBeNull()
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { holm, stepDown } from './multiplicity.js'

it('claims by steps what Holm’s adjusted p claims', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { maxLength: 12 }), ps => {
      const items = ps.map((p, at) => ({ p, at }))
      const claimed = stepDown(items, ({ p }, left) => (p * left < 0.05 ? p : null))
      const adjusted = holm(ps)
      expect([...claimed.keys()].map(({ at }) => at).sort((a, b) => a - b)).toEqual(
        items.flatMap(({ at }) => (adjusted[at] < 0.05 ? [at] : [])),
      )
    }),
  )
})

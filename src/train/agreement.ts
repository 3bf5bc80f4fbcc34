import type { Validation } from './validate.js'

/**
 * How far two policies choose alike on the queries that both were asked: `share`, the very same examples in the same
 * order; `overlap`, the mean share of examples that both have, in any order; `positions`, at each place of the sequence. Equal scores with a share of 1 are no
 * coincidence and no result: the policies act the same.
 */
export interface Agreement {
  readonly n: number
  readonly share: number
  readonly overlap: number
  readonly positions: readonly number[]
}

type Asked = readonly Pick<Validation['asked'][number], 'id' | 'choice'>[]

/** Null where no query was put to both. */
export function agreementOf(first: Asked, second: Asked): Agreement | null {
  const known = new Map(first.map(({ id, choice }) => [id, choice]))
  const pairs = second.flatMap(({ id, choice }) => {
    const other = known.get(id)
    return other === undefined ? [] : [[other, choice] as const]
  })
  const n = pairs.length
  if (n === 0) return null
  const same = pairs.filter(([a, b]) => a.join() === b.join()).length
  const shared = pairs.reduce((sum, [a, b]) => sum + a.filter(picked => b.includes(picked)).length / b.length, 0)
  const shots = Math.min(...pairs.map(([a]) => a.length))
  const positions = Array.from({ length: shots }, (_, at) => pairs.filter(([a, b]) => a[at] === b[at]).length / n)
  return { n, share: same / n, overlap: shared / n, positions }
}

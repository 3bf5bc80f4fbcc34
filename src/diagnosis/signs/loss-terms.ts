import { divide, type NumberRange, subtract } from '../../stats/rounding.js'
import type { Subject } from '../subject.js'
import { type Curve, paired } from './curve.js'
import { decimalsOf, rangeOf } from './printed.js'

/** The rows at which total loss, policy loss and KL are all known, and the coefficient that each row implies. */
export interface ImpliedCoefficient {
  readonly step: number
  readonly value: number
  /** What it can have been, given how the three were printed. */
  readonly range: NumberRange
}

/**
 * Only Lever-Plus logs all three as plain means of one batch. verl never logs the total, and
 * TRL's is weighted by lengths and rounded to four decimals.
 */
export function impliedCoefficients({ framework, curve }: Subject): readonly ImpliedCoefficient[] {
  if (framework !== 'lever-plus') return []
  const [total, policy, kl] = [curve('loss.total'), curve('loss.policy'), curve('kl.ref')]
  if (total === undefined || policy === undefined || kl === undefined) return []
  const penalty = penalties(total, policy)
  const decimals = decimalsOf(kl)
  return Array.from(kl.steps).flatMap((step, i) => {
    const row = penalty.get(step)
    const range = row === undefined ? null : divide(row.range, rangeOf(kl.values[i], decimals))
    return row === undefined || range === null ? [] : [{ step, value: row.value / kl.values[i], range }]
  })
}

function penalties(
  total: Curve,
  policy: Curve,
): ReadonlyMap<number, { readonly value: number; readonly range: NumberRange }> {
  const [ofTotal, ofPolicy] = [decimalsOf(total), decimalsOf(policy)]
  return new Map(
    paired(total, policy).map(({ step, first, second }) => [
      step,
      { value: first - second, range: subtract(rangeOf(first, ofTotal), rangeOf(second, ofPolicy)) },
    ]),
  )
}

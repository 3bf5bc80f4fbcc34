import { canMeet } from '../stats/rounding.js'
import { type Curve, curvesOf } from './curves.js'
import type { AuditDocument } from './document.js'
import type { PrintedPoint } from './table-view.js'

/**
 * Curves of one run in two reports. Reports name runs as they like, so a curve is recognised by its values: most shared
 * measured points agree. In a table of two curves the partner of a recognised one is recognised by what it shares.
 */
export interface SameCurve {
  readonly here: Curve
  readonly there: Curve
  readonly other: AuditDocument
}

const FEWEST_SHARED = 4
const LEAST_AGREEMENT = 0.7

export function sameCurves(document: AuditDocument, others: readonly AuditDocument[]): readonly SameCurve[] {
  return others.flatMap(other => {
    const sure = longCurves(document).flatMap(here =>
      longCurves(other).flatMap((there): SameCurve[] => (agreeMostly(here, there) ? [{ here, there, other }] : [])),
    )
    const partners = sure.flatMap(({ here, there }) => {
      const [mine, theirs] = [partnerOf(document, here), partnerOf(other, there)]
      const isNew = mine !== null && theirs !== null && !sure.some(found => found.here === mine)
      return isNew && agreeFully(mine, theirs) ? [{ here: mine, there: theirs, other }] : []
    })
    return [...sure, ...partners]
  })
}

/** Each is compared with each. */
const MOST_CURVES = 100

function longCurves(document: AuditDocument): readonly Curve[] {
  return curvesOf(document)
    .filter(({ points }) => points.length >= FEWEST_SHARED)
    .slice(0, MOST_CURVES)
}

function agreeMostly(a: Curve, b: Curve): boolean {
  const shared = sharedPoints(a, b)
  const agreeing = shared.filter(([here, there]) => canMeet(here.quantity.range, there.quantity.range))
  const varies = new Set(agreeing.map(([here]) => here.quantity.value)).size > agreeing.length / 2
  return agreeing.length >= FEWEST_SHARED && agreeing.length >= LEAST_AGREEMENT * shared.length && varies
}

function agreeFully(a: Curve, b: Curve): boolean {
  const shared = sharedPoints(a, b)
  return shared.length > 0 && shared.every(([here, there]) => canMeet(here.quantity.range, there.quantity.range))
}

export function sharedPoints(a: Curve, b: Curve): readonly (readonly [PrintedPoint, PrintedPoint])[] {
  const ofB = new Map(b.measured.map(point => [point.step, point]))
  return a.measured.flatMap(point => {
    const other = ofB.get(point.step)
    return other === undefined ? [] : [[point, other] as const]
  })
}

export function partnerOf(document: AuditDocument, curve: Curve): Curve | null {
  const others = curvesOf(document).filter(({ table }) => table === curve.table)
  return others.length === 2 ? (others.find(other => other !== curve) ?? null) : null
}

import type { Quantity } from '../../document/quantity.js'
import { canMeet, type Range, subtract } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import { type Curve, isMeasured } from '../curves.js'
import type { AuditDocument, Statement } from '../document.js'
import { decimalsOf, shown, signed } from '../figures.js'
import type { AuditRule, Fault } from '../rule.js'
import { partnerOf, type SameCurve, sameCurves } from '../same-curves.js'
import { mainQuantity, type PrintedPoint, viewOf } from '../table-view.js'

/**
 * Estimates that another report's measurements refute: the values, once for the column, and each difference or judgement
 * whose sign they turn round.
 */
export const crossEstimate: AuditRule = {
  id: 'cross-estimate',
  kind: 'cross-report',
  severity: 'error',
  example: {
    faulty:
      '| step | base | with KL | diff |\n|---|---|---|---|\n| 5 | 1.81 | 1.70 | -0.11 |\n| 10 | ~1.90 (estimated) | 1.99 | +0.09 |\n| 15 | 1.84 | 1.77 | -0.07 |\n| 20 | 1.83 | 1.92 | +0.09 |\n| 25 | 1.75 | 1.97 | +0.22 |',
    sound:
      '| step | base | with KL | diff |\n|---|---|---|---|\n| 5 | 1.81 | 1.70 | -0.11 |\n| 10 | 2.14 | 1.99 | -0.15 |\n| 15 | 1.84 | 1.77 | -0.07 |\n| 20 | 1.83 | 1.92 | +0.09 |\n| 25 | 1.75 | 1.97 | +0.22 |',
    beside:
      '| step | A | B |\n|---|---|---|\n| 5 | 1.81 | 1.70 |\n| 10 | 2.14 | 1.99 |\n| 15 | 1.84 | 1.77 |\n| 20 | 1.83 | 1.92 |\n| 25 | 1.75 | 1.97 |',
  },
  *check(document: AuditDocument, others: readonly AuditDocument[]) {
    const seen = new Set<Curve>()
    for (const same of sameCurves(document, others)) {
      if (seen.has(same.here)) continue
      const refuted = refutedIn(same)
      if (refuted.length === 0) continue
      seen.add(same.here)
      yield valuesFault(same, refuted)
      yield* turnedDifferences(document, same, refuted)
      yield* turnedSentences(document, same, refuted)
    }
  },
}

interface Refuted {
  readonly guess: PrintedPoint
  readonly measured: PrintedPoint
}

function refutedIn({ here, there }: SameCurve): readonly Refuted[] {
  const measured = new Map(there.measured.map(point => [point.step, point]))
  return here.points.flatMap(guess => {
    const found = isMeasured(guess) ? undefined : measured.get(guess.step)
    return found === undefined || canMeet(guess.quantity.range, found.quantity.range)
      ? []
      : [{ guess, measured: found }]
  })
}

function valuesFault({ here, other }: SameCurve, refuted: readonly Refuted[]): Fault {
  const [worst] = refuted.toSorted((a, b) => Math.abs(errorOf(b)) - Math.abs(errorOf(a)))
  const estimates = here.points.filter(point => !isMeasured(point)).length
  return {
    offset: refuted[0].guess.offset,
    severity: 'warning',
    message: message('audit.cross-estimate', {
      subject: here.subject,
      count: refuted.length,
      all: estimates,
      step: worst.guess.step,
      guess: shown(worst.guess.quantity),
      measured: shown(worst.measured.quantity),
      file: other.file,
      line: other.placeOf(worst.measured.offset).line,
    }),
    found: shown(worst.guess.quantity),
    expected: shown(worst.measured.quantity),
  }
}

function errorOf({ guess, measured }: Refuted): number {
  return guess.quantity.value - measured.quantity.value
}

/** In a table of two curves and their difference. */
function* turnedDifferences(document: AuditDocument, same: SameCurve, refuted: readonly Refuted[]): Generator<Fault> {
  const partner = partnerOf(document, same.here)
  const { table } = same.here
  const { roles, positions } = viewOf(table)
  const column = roles.indexOf('difference')
  if (partner === null || column < 0) return
  for (const { guess, measured } of refuted) {
    const own = partner.measured.find(({ step }) => step === guess.step)
    const row = table.rows[positions.indexOf(guess.step)]
    const printed = row === undefined ? null : mainQuantity(row[column])
    if (own === undefined || row === undefined || printed === null) continue
    const asPrinted = subtract(own.quantity.range, guess.quantity.range)
    const upwards = signOf(asPrinted) === signOf(printed.range)
    const true_ = upwards
      ? subtract(own.quantity.range, measured.quantity.range)
      : subtract(measured.quantity.range, own.quantity.range)
    if (signOf(true_) === 0 || signOf(true_) === signOf(printed.range) || signOf(printed.range) === 0) continue
    yield turnedFault(same, measured, row[column].offset, own.quantity, { printed, upwards })
  }
}

function turnedFault(
  { other }: SameCurve,
  measured: PrintedPoint,
  offset: number,
  own: Quantity,
  { printed, upwards }: { readonly printed: Quantity; readonly upwards: boolean },
): Fault {
  const difference = upwards ? own.value - measured.quantity.value : measured.quantity.value - own.value
  const expected = signed(difference, decimalsOf(own, measured.quantity))
  const found = signed(printed.value, decimalsOf(printed))
  return {
    offset,
    message: message('audit.cross-estimate.sign', {
      step: measured.step,
      found,
      expected,
      measured: shown(measured.quantity),
      file: other.file,
      line: other.placeOf(measured.offset).line,
    }),
    found,
    expected,
  }
}

/** "Step 10: better (1.99 vs an estimated 1.85)". */
function* turnedSentences(document: AuditDocument, same: SameCurve, refuted: readonly Refuted[]): Generator<Fault> {
  const byStep = new Map(refuted.map(found => [found.guess.step, found]))
  for (const statement of document.statements) {
    const { kind, steps, quantities, claims, offsetOf } = statement
    if (kind === 'cell' || kind === 'code' || steps.length !== 1) continue
    const found = byStep.get(steps[0].first)
    const own = quantities.find(({ hedge }) => hedge !== 'estimated')
    const claim = claims.find(({ kind, hedged }) => (kind === 'better' || kind === 'worse') && !hedged)
    if (found === undefined || own === undefined || claim === undefined) continue
    if (!quotes(statement, found.guess.quantity)) continue
    const { guess, measured } = found
    const before = signOf(subtract(own.range, guess.quantity.range))
    const now = signOf(subtract(own.range, measured.quantity.range))
    if (before === 0 || now === 0 || before === now) continue
    yield turnedFault(same, measured, offsetOf(claim.from), own, {
      printed: { ...own, value: own.value - guess.quantity.value },
      upwards: true,
    })
  }
}

function quotes({ quantities }: Statement, { value }: Quantity): boolean {
  return quantities.some(quantity => quantity.hedge === 'estimated' && quantity.value === value)
}

function signOf({ low, high }: Range): -1 | 0 | 1 {
  if (low > 0) return 1
  return high < 0 ? -1 : 0
}

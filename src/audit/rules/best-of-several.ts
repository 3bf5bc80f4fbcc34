import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { bestOf, curvePair } from '../curves.js'
import type { AuditDocument } from '../document.js'
import { shown } from '../figures.js'
import { meanDifference } from '../outcome.js'
import { isAdvice } from '../parts.js'
import type { AuditRule } from '../rule.js'

/**
 * The best of several noisy evaluations of one run against the best of another's, called a difference between the runs.
 * Said once, with the mean over all shared evaluations where that can be had; silent where that mean shows a difference
 * as well.
 */
export const bestOfSeveral: AuditRule = {
  id: 'best-of-several',
  kind: 'selection',
  severity: 'warning',
  example: {
    faulty:
      '| step | A reward | B reward |\n|---|---|---|\n| 5 | 1.81 | 1.70 |\n| 10 | 1.94 | 1.99 |\n| 15 | 1.92 | 2.12 |\n| 20 | 2.20 | 2.01 |\n\nBest: 2.20 against 2.12, a difference of 0.08.',
    sound:
      '| step | A reward | B reward |\n|---|---|---|\n| 5 | 1.81 | 1.70 |\n| 10 | 1.94 | 1.99 |\n| 15 | 1.92 | 2.12 |\n| 20 | 2.20 | 2.01 |\n\nAt step 20: 2.20 against 2.01, a difference of 0.19.',
  },
  *check(document: AuditDocument) {
    const pair = curvePair(document)
    if (pair === null || pair.goal === null) return
    const points = [bestOf(pair.first, pair.goal), bestOf(pair.second, pair.goal)]
    const bests = points.map(({ quantity }) => quantity)
    const whole = meanDifference(document)
    if (whole?.isShown === true) return
    const places = [...inSentences(document, bests), ...inRows(document, bests)]
    // Bests of one step are also that step's values, and need not be meant as bests.
    const [other] = points[0].step === points[1].step ? [] : places
    const place = places.find(({ saysBest }) => saysBest) ?? other
    if (place === undefined) return
    const params = {
      first: shown(bests[0]),
      second: shown(bests[1]),
      k: Math.max(pair.first.points.length, pair.second.points.length),
    }
    yield {
      offset: place.offset,
      message:
        whole === null
          ? message('audit.best-of-several', params)
          : message('audit.best-of-several.mean', { ...params, ...whole.params }),
      found: bests.map(shown).join(' / '),
      expected: whole?.params.mean ?? '-',
    }
  },
}

interface Place {
  readonly offset: number
  /** The place itself calls them the best. */
  readonly saysBest: boolean
}

const JUDGED = new Set(['difference', 'same', 'better', 'worse', 'significant'])

function* inSentences({ statements }: AuditDocument, bests: readonly Quantity[]): Generator<Place> {
  for (const statement of statements) {
    const { kind, claims, quantities, offsetOf } = statement
    if (kind === 'heading' || kind === 'cell' || kind === 'code' || isAdvice(statement)) continue
    if (!claims.some(claim => JUDGED.has(claim.kind)) || !holdsBoth(quantities, bests)) continue
    const at = quantities.find(({ value }) => bests.some(best => best.value === value))
    if (at !== undefined) yield { offset: offsetOf(at.from), saysBest: claims.some(({ kind }) => kind === 'best') }
  }
}

const BEST = /最佳|最优|最高|最好|best|peak|highest/i

/** A row such as "best | 2.202 | 2.123 | −0.079". */
function* inRows({ tables }: AuditDocument, bests: readonly Quantity[]): Generator<Place> {
  for (const { rows } of tables) {
    for (const row of rows) {
      const differs = row.some(({ quantities }) => quantities.some(({ signed, unit }) => signed || unit === '%'))
      const holders = row.filter(({ quantities }) => quantities.some(({ value }) => bests.some(b => b.value === value)))
      if (
        holders.length !== 2 ||
        !differs ||
        !holdsBoth(
          holders.flatMap(({ quantities }) => quantities),
          bests,
        )
      )
        continue
      yield { offset: holders[0].offset, saysBest: BEST.test(row[0].text) && !row[0].steps.length }
    }
  }
}

function holdsBoth(quantities: readonly Quantity[], bests: readonly Quantity[]): boolean {
  return bests.every(best =>
    quantities.some(({ value, decimals }) => value === best.value && decimals === best.decimals),
  )
}

import type { Cell, Statement } from '../../document/document.js'
import type { Message } from '../../model/run.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
import type { RuleId } from '../rules.js'

/** A place that a judgement is about. A judgement is said once per report, at the first place, with the lines of all. */
export interface Hit {
  readonly offset: number
  readonly quote: string
}

const LONGEST_QUOTE = 48
const MOST_LISTED = 8

export const hitOn = ({ offsetOf, text }: Statement): Hit => ({
  offset: offsetOf(0),
  quote: text.slice(0, LONGEST_QUOTE),
})

export const hitOnRow = (row: readonly Cell[]): Hit => ({
  offset: row[0]?.offset ?? 0,
  quote: row.map(({ text }) => text).join(' | '),
})

export function* once(
  { document }: Evidence,
  rule: RuleId,
  hits: readonly Hit[],
  message: (params: { readonly quote: string; readonly lines: string }) => Message,
  more: { readonly found?: string; readonly expected?: string } = {},
): Generator<Fault> {
  const [first] = hits
  if (first === undefined) return
  const all = [...new Set(hits.map(({ offset }) => document.placeOf(offset).line))]
  const lines = all.slice(0, MOST_LISTED).join(', ') + (all.length > MOST_LISTED ? ', …' : '')
  const also = hits.map(({ offset }) => offset)
  yield fault(rule, first.offset, message({ quote: first.quote, lines }), { ...more, also })
}

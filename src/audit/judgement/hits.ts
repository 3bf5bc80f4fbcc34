import type { Statement } from '../../logs/document/document.js'
import type { Message } from '../../logs/model/run.js'
import { type Fault, fault } from '../assertion.js'
import type { ReportEvidence } from '../evidence.js'
import { has, places, type Sense } from '../lexicon.js'
import type { RuleId } from '../rules.js'
import { isStated } from '../stance.js'

/** A place that a judgement is about. A judgement is said once per report, at the first place, with the lines of all. */
export interface Hit {
  readonly offset: number
  readonly quote: string
}

const LONGEST_QUOTE = 48
const MOST_LISTED = 8

export function hitOn({ offsetOf, text }: Statement): Hit {
  return { offset: offsetOf(0), quote: text.slice(0, LONGEST_QUOTE) }
}

const BEFORE = 24

/** The first word of a sense that the author states of something measured; a denial may stand well before it. */
export function saidIn(statement: Statement, sense: Sense) {
  return places(statement.text, sense).find(({ from, to }) => {
    const before = statement.text.slice(Math.max(0, from - BEFORE), from)
    return !has(before, 'denial') && isStated(statement, from, to)
  })
}

export function* once(
  { document }: ReportEvidence,
  rule: RuleId,
  hits: readonly Hit[],
  message: (params: { readonly quote: string; readonly lines: string }) => Message,
): Generator<Fault> {
  const [first] = hits
  if (first === undefined) return
  const { offset, quote } = first
  const all = [...new Set(hits.map(hit => document.placeOf(hit.offset).line))]
  const lines = all.slice(0, MOST_LISTED).join(', ') + (all.length > MOST_LISTED ? ', …' : '')
  yield fault(rule, offset, message({ quote, lines }), { also: hits.map(hit => hit.offset) })
}

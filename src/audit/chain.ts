import type { Quantity } from '../document/quantity.js'
import type { Statement } from './document.js'

/** An arrow, a remark in brackets and some spaces. */
const MOST_BETWEEN = 40
const ARROW = /^\)?\s*(?:\([^()]{0,16}\))?\s*(?:→|->|⇒|=>)\s*$/

/** "0.216 → 0.256 → 0.281": numbers joined by arrows, in the clause behind a place. */
export function chainAfter({ text, quantities }: Statement, at: number): readonly Quantity[] {
  const first = quantities.findIndex(({ from }) => from >= at)
  if (first < 0 || /[,;。]/.test(text.slice(at, quantities[first].from))) return []
  let last = first
  while (
    last + 1 < quantities.length &&
    quantities[last + 1].ends === null &&
    quantities[last + 1].from - quantities[last].to <= MOST_BETWEEN &&
    ARROW.test(text.slice(quantities[last].to, quantities[last + 1].from))
  ) {
    last += 1
  }
  return quantities.slice(first, last + 1)
}

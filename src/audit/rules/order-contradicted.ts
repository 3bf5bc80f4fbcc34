import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import type { Statement } from '../document.js'
import { printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * "a (0.084) > b (0.081) ≈ c (0.080)" against the values in its own brackets. A wrong ">" is an error. "≈" between two
 * values that lie further apart than two that the same chain puts in order is a warning: one yardstick or the other.
 */
export const orderContradicted: AuditRule = {
  id: 'order-contradicted',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty: 'KL: A (0.0847) > B (0.0861) > C (0.0803)',
    sound: 'KL: B (0.0861) > A (0.0847) > C (0.0803)',
  },
  *check(document) {
    for (const statement of document.statements) {
      if (statement.kind === 'cell') continue
      const links = linksIn(statement)
      for (const link of links) {
        const fault = wrongOrder(statement, link) ?? unequalYardstick(statement, link, links)
        if (fault !== null) yield fault
      }
    }
  },
}

interface Link {
  readonly left: Term
  readonly right: Term
  readonly sign: string
}

interface Term {
  readonly name: string
  readonly value: Quantity
}

const SIGN = /^\s*\)\s*(>|<|≥|≤|≈|=|~)\s*([^()<>≈=≥≤]{1,40}?)\s*\(\s*$/

/** Neighbouring bracketed values with a sign between them. */
function linksIn({ text, quantities }: Statement): readonly Link[] {
  if (!/[<>≥≤]/.test(text)) return []
  const bracketed = quantities.filter(
    ({ from, to }) => /\(\s*$/.test(text.slice(Math.max(0, from - 3), from)) && /^\s*\)/.test(text.slice(to, to + 3)),
  )
  let name = bracketed.length === 0 ? '' : nameBefore(text, bracketed[0].from)
  return bracketed.slice(1).flatMap((value, i): Link[] => {
    const left = { name, value: bracketed[i] }
    const found = SIGN.exec(text.slice(bracketed[i].to, value.from))
    name = found?.[2] ?? nameBefore(text, value.from)
    // Whole numbers in brackets are as often years, sizes or references.
    if (value.unit !== '%' && (value.unit !== null || value.decimals === 0)) return []
    if (found === null || value.unit !== bracketed[i].unit || value.ends !== null || bracketed[i].ends !== null)
      return []
    return [{ left, right: { name, value }, sign: found[1] }]
  })
}

function nameBefore(text: string, at: number): string {
  return /([^:,;<>≈=≥≤()\s][^:,;<>≈=≥≤()]{0,30}?)\s*\(\s*$/.exec(text.slice(Math.max(0, at - 40), at))?.[1] ?? ''
}

function wrongOrder(statement: Statement, { left, right, sign }: Link): Fault | null {
  const [a, b] = [left.value, right.value]
  // Where the digits touch, correct rounding can still not put the smaller print first.
  const slack = 1e-9 * Math.abs(a.value)
  const isBelow = a.range.high <= b.range.low + slack
  const isAbove = a.range.low >= b.range.high - slack
  const isWrong = sign === '>' || sign === '≥' ? isBelow : (sign === '<' || sign === '≤') && isAbove
  if (!isWrong) return null
  return {
    offset: statement.offsetOf(a.from),
    message: message('audit.order-contradicted', {
      left: shown(left),
      right: shown(right),
      sign,
      real: a.value > b.value ? '>' : '<',
    }),
    found: `${printed(a)} ${sign} ${printed(b)}`,
    expected: `${printed(a)} ${a.value > b.value ? '>' : '<'} ${printed(b)}`,
  }
}

function unequalYardstick(statement: Statement, { left, right, sign }: Link, links: readonly Link[]): Fault | null {
  if (sign !== '≈' && sign !== '~') return null
  const equalGap = Math.abs(left.value.value - right.value.value)
  const terms = [left, right]
  for (const { left: upper, right: lower, sign: between } of links) {
    if (between === '≈' || between === '~' || between === '=') continue
    for (const end of [upper, lower].filter(({ value }) => !terms.some(term => term.value === value))) {
      for (const term of terms) {
        const gap = Math.abs(end.value.value - term.value.value)
        const slack = width(end.value) + width(term.value) + width(left.value) + width(right.value)
        if (gap + slack >= equalGap) continue
        return {
          offset: statement.offsetOf(left.value.from),
          message: message('audit.order-yardstick', {
            left: shown(left),
            right: shown(right),
            equalGap: difference(equalGap, left.value),
            other: shown(end),
            term: shown(term),
            gap: difference(gap, term.value),
          }),
          found: `${printed(left.value)} ${sign} ${printed(right.value)}`,
          expected: `${printed(left.value)} ${left.value.value > right.value.value ? '>' : '<'} ${printed(right.value)}`,
          severity: 'warning',
        }
      }
    }
  }
  return null
}

function width({ range }: Quantity): number {
  return (range.high - range.low) / 2
}

function difference(gap: number, { decimals }: Quantity): string {
  return gap.toFixed(Math.min(decimals ?? 6, 12))
}

function shown({ name, value }: Term): string {
  return `${name} (${printed(value)})`
}

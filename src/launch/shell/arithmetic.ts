/** What stands in `$((…))`: whole numbers, variables, + - * / % and brackets. Null for anything else, or what is not known. */

export type Arithmetic = (name: string) => string | null

const LONGEST = 1_000
const DEEPEST = 32

export function arithmetic(expression: string, variable: Arithmetic): string | null {
  if (expression.length > LONGEST) return null
  const tokens = expression.match(/\d+|[A-Za-z_]\w*|[-+*/%()$]|\S/g) ?? []
  const cursor = { tokens: tokens.filter(token => token !== '$'), at: 0 }
  const value = sum(cursor, variable, 0)
  return value === null || cursor.at < cursor.tokens.length || !Number.isSafeInteger(value) ? null : String(value)
}

interface Cursor {
  readonly tokens: readonly string[]
  at: number
}

function sum(cursor: Cursor, variable: Arithmetic, depth: number): number | null {
  let total = product(cursor, variable, depth)
  while (cursor.tokens[cursor.at] === '+' || cursor.tokens[cursor.at] === '-') {
    const sign = cursor.tokens[cursor.at] === '+' ? 1 : -1
    cursor.at += 1
    const next = product(cursor, variable, depth)
    total = total === null || next === null ? null : total + sign * next
  }
  return total
}

function product(cursor: Cursor, variable: Arithmetic, depth: number): number | null {
  let total = factor(cursor, variable, depth)
  for (;;) {
    const operator = cursor.tokens[cursor.at]
    if (operator !== '*' && operator !== '/' && operator !== '%') return total
    cursor.at += 1
    const next = factor(cursor, variable, depth)
    if (total === null || next === null || (operator !== '*' && next === 0)) total = null
    else total = operator === '*' ? total * next : operator === '/' ? Math.trunc(total / next) : total % next
  }
}

function factor(cursor: Cursor, variable: Arithmetic, depth: number): number | null {
  const token = cursor.tokens[cursor.at]
  cursor.at += 1
  if (token === undefined || depth > DEEPEST) return null
  if (token === '-') {
    const value = factor(cursor, variable, depth + 1)
    return value === null ? null : -value
  }
  if (token === '(') {
    const value = sum(cursor, variable, depth + 1)
    if (cursor.tokens[cursor.at] !== ')') return null
    cursor.at += 1
    return value
  }
  if (/^\d/.test(token)) return Number(token)
  const value = /^[A-Za-z_]/.test(token) ? variable(token) : null
  return value !== null && /^-?\d+$/.test(value) ? Number(value) : null
}

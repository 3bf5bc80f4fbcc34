import type { WordPart } from './lex.js'
import type { Word } from './parse.js'
import { type Allowance, bounded, MOST_ITEMS, type ShellWord, type State, textOf, UNKNOWN } from './values.js'

/** A word as the words that it becomes: none, one, or, where something unquoted has blanks in it, several. */
export function expand({ parts, line }: Word, state: State, allowance: Allowance): readonly ShellWord[] {
  const passed = passedOn(parts, line, state, allowance)
  if (passed !== null) return passed
  const words: { text: string; line: number }[] = []
  let open = false
  for (const part of parts) {
    const text = partText(part, line, state, allowance)
    const splits = part.kind !== 'text' && !part.quoted
    const pieces = splits ? text.split(/[ \t\n]+/) : [text]
    for (const [i, piece] of pieces.entries()) {
      if (open && i === 0) words[words.length - 1].text = bounded(words[words.length - 1].text + piece)
      else if (piece !== '' || !splits) words.push({ text: piece, line })
      if (piece !== '' || !splits) open = true
      if (splits && i < pieces.length - 1) open = false
    }
    if (words.length > MOST_ITEMS) break
  }
  return words
}

/** `$@`, `$1`, `"${ARGS[@]}"`: a whole word that stands for words from elsewhere. */
function passedOn(
  parts: readonly WordPart[],
  line: number,
  state: State,
  allowance: Allowance,
): readonly ShellWord[] | null {
  const inside = parts.filter(part => part.kind !== 'text' || part.text !== '')
  const [part] = inside
  if (inside.length !== 1 || part.kind !== 'variable') return null
  if (part.name === '@' || part.name === '*') {
    if (state.positional === null) return [{ text: UNKNOWN, line, passes: '@' }]
    return state.positional.slice(part.operator === ':' ? 1 : 0)
  }
  if (/^[1-9]\d{0,8}$/.test(part.name) && part.operator === null) {
    if (state.positional === null) return [{ text: UNKNOWN, line, passes: part.name }]
    const given = state.positional[Number(part.name) - 1]
    return given === undefined ? [] : [given]
  }
  if (part.index !== '@' && part.index !== '*') return null
  const value = state.variables.get(part.name)
  if (value === undefined) return part.operator === null ? [] : null
  const items = [value].flat()
  allowance.characters -= items.length
  if (allowance.characters < 0) return [{ text: UNKNOWN, line }]
  return part.index === '@' || !part.quoted ? items : [{ text: textOf(value), line }]
}

export function joined(parts: readonly WordPart[], line: number, state: State, allowance: Allowance): string {
  return bounded(parts.map(part => partText(part, line, state, allowance)).join(''))
}

function partText(part: WordPart, line: number, state: State, allowance: Allowance): string {
  const text = unboundedText(part, line, state, allowance)
  if (part.kind === 'text') return text
  allowance.characters -= text.length
  return allowance.characters < 0 ? UNKNOWN : bounded(text)
}

function unboundedText(part: WordPart, line: number, state: State, allowance: Allowance): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'command':
      // Where it is launched from; a path that begins so is looked for from there.
      return /^\s*pwd\s*$/.test(part.text) ? '.' : UNKNOWN
    case 'arithmetic':
      return arithmetic(part.expression, state) ?? UNKNOWN
    case 'variable':
      return variableText(part, line, state, allowance)
  }
}

type Variable = Extract<WordPart, { readonly kind: 'variable' }>

function variableText(part: Variable, line: number, state: State, allowance: Allowance): string {
  const { name, operator, argument } = part
  const value = currentText(part, state)
  switch (operator) {
    case null:
      return value === undefined ? UNKNOWN : value
    case ':-':
    case '-':
      return value === undefined || (operator === ':-' && value === '')
        ? joined(argument, line, state, allowance)
        : value
    case ':=':
    case '=': {
      if (value !== undefined && (operator === '=' || value !== '')) return value
      const text = joined(argument, line, state, allowance)
      state.variables.set(name, { text, line })
      return text
    }
    case ':+':
    case '+':
      return value === undefined || (operator === ':+' && value === '') ? '' : joined(argument, line, state, allowance)
    case ':?':
      return value ?? UNKNOWN
    default:
      return UNKNOWN
  }
}

/** Undefined where nothing in the script sets it. An argument of the script may not be given: then a default counts. */
function currentText({ name, index }: Variable, { variables, positional }: State): string | undefined {
  if (/^\d+$/.test(name)) return name === '0' ? UNKNOWN : positional?.[Number(name) - 1]?.text
  if (/^\W$/.test(name)) return UNKNOWN
  const value = variables.get(name)
  if (value === undefined) return undefined
  const items = [value].flat()
  return index === null ? items[0]?.text : (items[Number(index)]?.text ?? textOf(value))
}

/** What stands in `$((…))`: whole numbers, variables, + - * / % and brackets. Null for anything else, or what is not known. */
function arithmetic(expression: string, { variables }: State): string | null {
  if (expression.length > LONGEST_EXPRESSION) return null
  const tokens = expression.match(/\d+|[A-Za-z_]\w*|[-+*/%()$]|\S/g) ?? []
  const cursor: Cursor = { tokens: tokens.filter(token => token !== '$'), at: 0, variables }
  const value = sum(cursor, 0)
  return value === null || cursor.at < cursor.tokens.length || !Number.isSafeInteger(value) ? null : String(value)
}

const LONGEST_EXPRESSION = 1_000
const DEEPEST = 32

interface Cursor extends Pick<State, 'variables'> {
  readonly tokens: readonly string[]
  at: number
}

function sum(cursor: Cursor, depth: number): number | null {
  return chained(cursor, '+-', () => chained(cursor, '*/%', () => factor(cursor, depth)))
}

/** Operands between operators of one rank, from left to right; what follows an unknown one is read all the same. */
function chained(cursor: Cursor, operators: string, operand: () => number | null): number | null {
  let total = operand()
  for (;;) {
    const operator = cursor.tokens[cursor.at]
    if (operator === undefined || !operators.includes(operator)) return total
    cursor.at += 1
    const next = operand()
    total = total === null || next === null ? null : computed(total, operator, next)
  }
}

function computed(left: number, operator: string, right: number): number | null {
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  if (operator === '*') return left * right
  if (right === 0) return null
  return operator === '/' ? Math.trunc(left / right) : left % right
}

function factor(cursor: Cursor, depth: number): number | null {
  const token = cursor.tokens[cursor.at]
  cursor.at += 1
  if (token === undefined || depth > DEEPEST) return null
  if (token === '-') {
    const value = factor(cursor, depth + 1)
    return value === null ? null : -value
  }
  if (token === '(') {
    const value = sum(cursor, depth + 1)
    if (cursor.tokens[cursor.at] !== ')') return null
    cursor.at += 1
    return value
  }
  if (/^\d/.test(token)) return Number(token)
  const value = cursor.variables.get(token)
  const text = value === undefined ? '' : textOf(value)
  return /^-?\d+$/.test(text) ? Number(text) : null
}

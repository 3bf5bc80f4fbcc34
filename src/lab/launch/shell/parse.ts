import { lex, type Token } from './lex.js'

/**
 * The statements of a script, as far as reading one takes: who follows whom, under which condition, in which loop. What
 * is no proper shell is read as well as it goes; nothing is refused, because the user's shell decides that, not klens.
 */

export type Word = Extract<Token, { readonly kind: 'word' }>

export type Element =
  | Word
  /** `NAME=(…)` and `NAME+=(…)`. */
  | {
      readonly kind: 'array'
      readonly name: string
      readonly append: boolean
      readonly items: readonly Word[]
      readonly line: number
    }

export type Statement =
  | { readonly kind: 'simple'; readonly elements: readonly Element[]; readonly line: number }
  | {
      readonly kind: 'if'
      readonly condition: readonly Statement[]
      readonly body: readonly Statement[]
      readonly otherwise: readonly Statement[]
    }
  | {
      readonly kind: 'loop'
      readonly variable: string | null
      readonly items: readonly Word[]
      readonly body: readonly Statement[]
    }
  | { readonly kind: 'case'; readonly branches: readonly (readonly Statement[])[] }
  | { readonly kind: 'group'; readonly body: readonly Statement[] }
  | { readonly kind: 'function'; readonly name: string; readonly body: readonly Statement[] }

export function parseShell(text: string): readonly Statement[] {
  const cursor: Cursor = { tokens: lex(text), at: 0, depth: 0 }
  const statements: Statement[] = []
  while (cursor.at < cursor.tokens.length) {
    for (const statement of list(cursor, NOTHING)) statements.push(statement)
    // A closing word that nothing opened.
    cursor.at += 1
  }
  return statements
}

interface Cursor {
  readonly tokens: readonly Token[]
  at: number
  depth: number
}

const NOTHING: ReadonlySet<string> = new Set()
/** Deeper nesting than any script has; what lies below is passed over. */
const DEEPEST = 64
const REDIRECTIONS = new Set(['<', '>', '>>', '<<', '<<-', '<<<', '>&', '<&', '&>', '&>>', '>|'])

/** Statements up to one of these words, which is left standing. */
function list(cursor: Cursor, until: ReadonlySet<string>): readonly Statement[] {
  const statements: Statement[] = []
  cursor.depth += 1
  while (cursor.at < cursor.tokens.length) {
    const token = cursor.tokens[cursor.at]
    const name = keywordOf(token)
    if (until.has(name) || (token.kind === 'operator' && until.has(token.text))) break
    if (token.kind === 'operator' && token.text !== '(') {
      if (token.text === ')' || token.text === ';;') break
      cursor.at += 1
    } else if (CLOSING.has(name)) break
    else if (cursor.depth > DEEPEST) cursor.at += 1
    else statements.push(chain(cursor))
  }
  cursor.depth -= 1
  return statements
}

const CLOSING = new Set(['fi', 'done', 'esac', '}', 'then', 'else', 'elif', 'do'])

function keywordOf(token: Token | undefined): string {
  if (token?.kind !== 'word' || token.parts.length !== 1) return ''
  const [part] = token.parts
  return part.kind === 'text' && !part.quoted ? part.text : ''
}

/** `A && B || C`, from left to right. */
function chain(cursor: Cursor): Statement {
  let statement = one(cursor)
  for (;;) {
    const token = cursor.tokens[cursor.at]
    if (token?.kind !== 'operator' || (token.text !== '&&' && token.text !== '||')) return statement
    cursor.at += 1
    while (isLineEnd(cursor.tokens[cursor.at])) cursor.at += 1
    const next = cursor.at < cursor.tokens.length ? [one(cursor)] : []
    statement =
      token.text === '&&'
        ? { kind: 'if', condition: [statement], body: next, otherwise: [] }
        : { kind: 'if', condition: [statement], body: [], otherwise: next }
  }
}

function isLineEnd(token: Token | undefined): boolean {
  return token?.kind === 'operator' && token.text === '\n'
}

function one(cursor: Cursor): Statement {
  const token = cursor.tokens[cursor.at]
  if (token.kind === 'operator') return group(cursor, ')')
  switch (keywordOf(token)) {
    case 'if':
      return conditional(cursor)
    case 'for':
    case 'select':
      return forLoop(cursor)
    case 'while':
    case 'until':
      return whileLoop(cursor)
    case 'case':
      return choice(cursor)
    case '{':
      return group(cursor, '}')
    case 'function':
      cursor.at += 1
      return functionAt(cursor)
    default:
      return isFunction(cursor) ? functionAt(cursor) : simple(cursor)
  }
}

/** Behind the word that opens it, up to one of those that close it, which is left standing. */
function block(cursor: Cursor, ...ends: readonly string[]): readonly Statement[] {
  cursor.at += 1
  return list(cursor, new Set(ends))
}

function group(cursor: Cursor, end: string): Statement {
  const body = block(cursor, end)
  cursor.at += 1
  return { kind: 'group', body }
}

function conditional(cursor: Cursor): Statement {
  const condition = block(cursor, 'then')
  const body = block(cursor, 'elif', 'else', 'fi')
  const word = keywordOf(cursor.tokens[cursor.at])
  if (word === 'elif') return { kind: 'if', condition, body, otherwise: [conditional(cursor)] }
  const otherwise = word === 'else' ? block(cursor, 'fi') : []
  cursor.at += 1
  return { kind: 'if', condition, body, otherwise }
}

function forLoop(cursor: Cursor): Statement {
  const variable = keywordOf(cursor.tokens[cursor.at + 1])
  cursor.at += 2
  const items: Word[] = []
  if (keywordOf(cursor.tokens[cursor.at]) === 'in') cursor.at += 1
  for (; cursor.at < cursor.tokens.length; cursor.at += 1) {
    const token = cursor.tokens[cursor.at]
    if (keywordOf(token) === 'do') break
    if (token.kind === 'word') items.push(token)
  }
  return { kind: 'loop', variable: /^\w{1,999}$/.test(variable) ? variable : null, items, body: bodyOf(cursor) }
}

function whileLoop(cursor: Cursor): Statement {
  const condition = block(cursor, 'do')
  return { kind: 'loop', variable: null, items: [], body: [...condition, ...bodyOf(cursor)] }
}

function bodyOf(cursor: Cursor): readonly Statement[] {
  const body = block(cursor, 'done')
  cursor.at += 1
  return body
}

/** Which branch it will be is not worked out. */
function choice(cursor: Cursor): Statement {
  while (cursor.at < cursor.tokens.length && keywordOf(cursor.tokens[cursor.at]) !== 'in') cursor.at += 1
  cursor.at += 1
  const branches: (readonly Statement[])[] = []
  while (cursor.at < cursor.tokens.length && keywordOf(cursor.tokens[cursor.at]) !== 'esac') {
    const start = cursor.at
    while (cursor.at < cursor.tokens.length && !isOperator(cursor.tokens[cursor.at], ')')) {
      if (keywordOf(cursor.tokens[cursor.at]) === 'esac') break
      cursor.at += 1
    }
    if (isOperator(cursor.tokens[cursor.at], ')')) cursor.at += 1
    branches.push(list(cursor, new Set([';;', 'esac'])))
    if (isOperator(cursor.tokens[cursor.at], ';;')) cursor.at += 1
    if (cursor.at === start) cursor.at += 1
  }
  cursor.at += 1
  return { kind: 'case', branches }
}

function isOperator(token: Token | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text
}

function isFunction(cursor: Cursor): boolean {
  const { tokens, at } = cursor
  return (
    /^[\w:.-]{1,999}$/.test(keywordOf(tokens[at])) && isOperator(tokens[at + 1], '(') && isOperator(tokens[at + 2], ')')
  )
}

function functionAt(cursor: Cursor): Statement {
  const name = keywordOf(cursor.tokens[cursor.at])
  cursor.at += 1
  while (isOperator(cursor.tokens[cursor.at], '(') || isOperator(cursor.tokens[cursor.at], ')')) cursor.at += 1
  while (isLineEnd(cursor.tokens[cursor.at])) cursor.at += 1
  const body = cursor.at < cursor.tokens.length ? [one(cursor)] : []
  return { kind: 'function', name, body }
}

function simple(cursor: Cursor): Statement {
  const { line } = cursor.tokens[cursor.at]
  const elements: Element[] = []
  for (; cursor.at < cursor.tokens.length; cursor.at += 1) {
    const token = cursor.tokens[cursor.at]
    if (token.kind === 'word') {
      const array = arrayNamed(token)
      if (array !== null && isOperator(cursor.tokens[cursor.at + 1], '(')) {
        cursor.at += 2
        elements.push({ kind: 'array', ...array, items: itemsOf(cursor), line: token.line })
      } else elements.push(token)
    } else if (REDIRECTIONS.has(token.text)) {
      // The number before and the file behind are no arguments.
      const before = elements[elements.length - 1]
      if (before?.kind === 'word' && /^[0-9]$/.test(keywordOf(before))) elements.pop()
      if (cursor.tokens[cursor.at + 1]?.kind === 'word') cursor.at += 1
    } else break
  }
  return { kind: 'simple', elements, line }
}

function arrayNamed({ parts }: Word): { readonly name: string; readonly append: boolean } | null {
  const [first] = parts
  if (parts.length !== 1 || first.kind !== 'text' || first.quoted) return null
  const match = /^(\w{1,999})(\+?)=$/.exec(first.text)
  return match === null ? null : { name: match[1], append: match[2] === '+' }
}

/** Up to the closing bracket, which is left standing as the last token that was read. */
function itemsOf(cursor: Cursor): readonly Word[] {
  const items: Word[] = []
  for (; cursor.at < cursor.tokens.length && !isOperator(cursor.tokens[cursor.at], ')'); cursor.at += 1) {
    const token = cursor.tokens[cursor.at]
    if (token.kind === 'word') items.push(token)
  }
  return items
}

import { type Json, jsonNumber } from '../../../logs/model/json.js'

/**
 * `ast.literal_eval` as UserRL's gyms call it on a judge's answer: a Python literal, not JSON. So `true` and `null` are
 * errors, `'single quotes'`, tuples, comments and trailing commas are not. Nothing is evaluated. Unlike the reader of printed
 * values (logs/sources/console) this one refuses what Python refuses, since that is what the original pays nothing for.
 */

/** What JSON has no word for: bytes, `...` and numbers beyond a float are only ever passed over. */
export const OTHER = Symbol('other')
/** Arithmetic with a complex number works, and comparing what comes of it does not. */
export const COMPLEX = Symbol('complex')

export type Literal = Json | typeof OTHER | typeof COMPLEX | readonly Literal[] | LiteralObject
export type LiteralObject = ReadonlyMap<string, Literal>

/** Undefined where Python raises. */
export function literalEval(text: string): Literal | undefined {
  // Python drops blanks before the text, normalises line ends, and takes no NUL.
  const source = text.replace(/^[ \t]+/, '').replace(/\r\n?/g, '\n')
  if (source.includes('\0')) return undefined
  const reader = new LiteralReader(source)
  try {
    return reader.whole()
  } catch (error) {
    if (error instanceof NoLiteral) return undefined
    throw error
  }
}

/** A literal as JSON, where it has a form there. */
export function jsonOf(value: Literal): Json {
  if (typeof value === 'symbol') return null
  if (typeof value === 'number') return jsonNumber(value)
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, member]) => [name, jsonOf(member)]))
  return Array.isArray(value) ? value.map(jsonOf) : (value as Json)
}

/** What may be a key in Python: no dict, no list, no set. A tuple is a frozen list here. */
export function isHashable(value: Literal): boolean {
  return !(value instanceof Map) && (!Array.isArray(value) || Object.isFrozen(value))
}

class NoLiteral extends Error {}

/** Brackets that Python's tokenizer opens within each other. */
const DEEPEST = 200

/** Blanks between tokens; line ends only within brackets. A backslash at its end continues a line. */
const WITHIN = /(?:[ \t\f\n]|\\\n|#[^\n]*)*/y
const ON_LINE = /(?:[ \t\f]|\\\n(?=[\s\S]))*/y
/** After the value only empty lines and comments may follow; blanks alone are no last line. */
const REST = /(?:[ \t\f]|\\\n(?=[\s\S]))*(?:#[^\n]*)?(?:\n[ \t\f]*(?:#[^\n]*)?)*$/y
const BLANK_LAST_LINE = /(?<!\\)\n[ \t]+$/
/** Before it empty lines, and then no indent. */
const EMPTY_LINES = /(?:[ \t\f]*(?:#[^\n]*)?\n)*\f*(?:\\\n)?/y
const PREFIX = /(?:[bB][rR]?|[rR][bB]?|[uU])?(?='|")/y
const INTEGER = /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|0(?:_?0)*|[1-9](?:_?\d)*/y
const FLOAT =
  /(?:\d(?:_?\d)*\.(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][-+]?\d(?:_?\d)*)?[jJ]?|\d(?:_?\d)*(?:[eE][-+]?\d(?:_?\d)*[jJ]?|[jJ])/y
const NAME = /[A-Za-z_]\w*/y

const NAMES = new Map<string, Literal>([
  ['None', null],
  ['True', true],
  ['False', false],
])

type Scalar = number | typeof OTHER | typeof COMPLEX

class LiteralReader {
  private at = 0
  private depth = 0

  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  whole(): Literal {
    this.take(EMPTY_LINES)
    if (this.at > 0 && /[ \t]/.test(this.text[this.at] ?? '')) throw new NoLiteral()
    const value = this.value()
    this.skip()
    // A bare tuple is no object either way.
    if (this.text[this.at] === ',') throw new NoLiteral()
    REST.lastIndex = this.at
    if (!REST.test(this.text) || BLANK_LAST_LINE.test(this.text)) throw new NoLiteral()
    return value
  }

  private value(): Literal {
    this.skip()
    const sign = this.text[this.at]
    if (sign === '{') return this.braces()
    if (sign === '[') return this.items(']').values
    if (sign === '(') {
      const { values, hasComma } = this.items(')')
      if (values.length === 1 && !hasComma) return values[0]
      return values.every(isHashable) ? Object.freeze(values) : values
    }
    if (this.text.startsWith('...', this.at)) {
      this.at += 3
      return OTHER
    }
    if (this.matches(PREFIX) !== null) return this.strings()
    const number = this.signed()
    return number ?? this.name()
  }

  private name(): Literal {
    const name = this.take(NAME)
    const known = NAMES.get(name)
    if (known !== undefined) return known
    if (name !== 'set') throw new NoLiteral()
    this.skip()
    if (this.text[this.at] !== '(' || this.items(')').values.length > 0) throw new NoLiteral()
    return []
  }

  /** A dict, or a set; their keys and members must be hashable. */
  private braces(): Literal {
    const entries = new Map<string, Literal>()
    const members: Literal[] = []
    let kind: 'dict' | 'set' | null = null
    this.bracket('}', () => {
      const first = this.value()
      this.skip()
      const isPair = this.text[this.at] === ':'
      if (kind !== null && isPair !== (kind === 'dict')) throw new NoLiteral()
      kind = isPair ? 'dict' : 'set'
      if (!isHashable(first)) throw new NoLiteral()
      if (!isPair) return void members.push(first)
      this.at += 1
      entries.set(typeof first === 'string' ? first : JSON.stringify(jsonOf(first)), this.value())
    })
    return kind === 'set' ? members : entries
  }

  private items(close: string): { readonly values: Literal[]; readonly hasComma: boolean } {
    const values: Literal[] = []
    const hasComma = this.bracket(close, () => void values.push(this.value()))
    return { values, hasComma }
  }

  /** Members with commas between them, one of which may be the last; whether there was any. */
  private bracket(close: string, member: () => void): boolean {
    let hasComma = false
    this.at += 1
    this.depth += 1
    if (this.depth > DEEPEST) throw new NoLiteral()
    for (;;) {
      this.skip()
      if (this.text[this.at] === close) break
      member()
      this.skip()
      if (this.text[this.at] === close) break
      if (this.text[this.at] !== ',') throw new NoLiteral()
      hasComma = true
      this.at += 1
    }
    this.at += 1
    this.depth -= 1
    return hasComma
  }

  /** One sign, a number, and perhaps a complex part behind it. */
  private signed(): Scalar | null {
    const sign = /[-+]/.test(this.text[this.at] ?? '') ? this.text[this.at++] : ''
    if (sign !== '') this.skip()
    const number = this.number()
    if (number === null) {
      if (sign !== '') throw new NoLiteral()
      return null
    }
    this.skip()
    if (/[-+]/.test(this.text[this.at] ?? '')) {
      this.at += 1
      this.skip()
      if (number === COMPLEX || this.number() !== COMPLEX) throw new NoLiteral()
      return COMPLEX
    }
    return sign === '-' && typeof number === 'number' ? -number : number
  }

  private number(): Scalar | null {
    const float = this.matches(FLOAT)
    const token = float ?? this.matches(INTEGER)
    if (token === null) return null
    this.at += token.length
    if (/[\w.]/.test(this.text[this.at] ?? '')) throw new NoLiteral()
    if (/j$/i.test(token) && !/^0x/i.test(token)) return COMPLEX
    const digits = token.replaceAll('_', '')
    const number = Number(float === null && /^0+$/.test(digits) ? 0 : digits)
    return float === null && !Number.isFinite(number) ? OTHER : number
  }

  private strings(): Literal {
    let text = ''
    let isBytes: boolean | null = null
    for (let prefix = this.matches(PREFIX); prefix !== null; prefix = this.matches(PREFIX)) {
      const bytes = /b/i.test(prefix)
      if (isBytes !== null && bytes !== isBytes) throw new NoLiteral()
      isBytes = bytes
      this.at += prefix.length
      text += this.string(/r/i.test(prefix), bytes)
      this.skip()
    }
    return isBytes === true ? OTHER : text
  }

  private string(isRaw: boolean, isBytes: boolean): string {
    const quote = this.text[this.at]
    const mark = this.text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote
    const from = this.at + mark.length
    let end = from
    while (!this.text.startsWith(mark, end)) {
      if (end >= this.text.length || (mark.length === 1 && this.text[end] === '\n')) throw new NoLiteral()
      end += this.text[end] === '\\' ? 2 : 1
    }
    this.at = end + mark.length
    const body = this.text.slice(from, end)
    if (isBytes && /[^\x00-\x7f]/.test(body)) throw new NoLiteral()
    return isRaw ? body : unescaped(body, isBytes)
  }

  private skip(): void {
    this.take(this.depth > 0 ? WITHIN : ON_LINE)
  }

  private take(pattern: RegExp): string {
    const found = this.matches(pattern) ?? ''
    this.at += found.length
    return found
  }

  private matches(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)?.[0] ?? null
  }
}

const SINGLE: { readonly [letter: string]: string } = {
  ...{ '\n': '', '\\': '\\', "'": "'", '"': '"', a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
}

function unescaped(body: string, isBytes: boolean): string {
  return body.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|N\{[^}]+\}|([\s\S]))/g,
    (whole, two?: string, four?: string, eight?: string, octal?: string, letter?: string) => {
      const hex = two ?? (isBytes ? undefined : (four ?? eight))
      if (hex !== undefined) {
        const code = Number.parseInt(hex, 16)
        if (code > 0x10ffff) throw new NoLiteral()
        return String.fromCodePoint(code)
      }
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
      if (letter === 'x' || (!isBytes && (letter === 'u' || letter === 'U' || letter === 'N'))) throw new NoLiteral()
      return letter === undefined ? whole : (SINGLE[letter] ?? whole)
    },
  )
}

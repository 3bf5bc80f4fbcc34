import { type Json, jsonNumber, numberFromJson } from '../../model/json.js'

/**
 * Reads what Python's repr and pprint print: dicts, lists, tuples, sets, strings (adjacent ones are joined, which is
 * how pprint breaks long ones), numbers, None, True, False. A call such as `np.float64(0.1)` or `PosixPath('a')` is
 * its first argument, `<Role.Actor: 1>` and bare names are text. NaN and infinities become strings, as in klens's JSON.
 * JSON is read as well, since forks print their config so.
 *
 * It reads printed values, it does not evaluate Python: nothing is executed or looked up.
 */
export function readPythonLiteral(text: string): Json | undefined {
  const reader: Reader = { text, at: 0 }
  const value = readValue(reader, 0)
  if (value === undefined) return undefined
  skipBlanks(reader)
  return reader.at === text.length ? value : undefined
}

/** Where the string ends that this quote opens; the text's end when it does not. */
export function endOfString(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[opening]) return at
  }
  return text.length
}

/** A number as Python prints it, `nan` and `-inf` included. */
export function pythonFloat(text: string): number {
  if (/^[-+]?nan$/i.test(text)) return Number.NaN
  if (/^[-+]?inf(?:inity)?$/i.test(text))
    return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(text)
}

const NUMBER_TEXT = /^[-+]?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|nan|inf(?:inity)?)$/i

/** Of a printed dict, where a number may stand in quotes. */
export function printedNumberIn(value: Json): number | null {
  if (typeof value === 'string' && NUMBER_TEXT.test(value)) return pythonFloat(value)
  return numberFromJson(value) ?? null
}

/** Deeper than any real config, and far from what recursion survives. */
const DEEPEST = 64

interface Reader {
  readonly text: string
  at: number
}

const BLANKS = /\s*/y
const STRING = /[bBrRuUfF]{0,2}(?:'([^'\\]*(?:\\[\s\S][^'\\]*)*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)")/y
const NUMBER = /[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y
const NAME = /-?[A-Za-z_][\w.]*/y
const ANGLED = /<[^<>\n]*>/y

function readValue(reader: Reader, depth: number): Json | undefined {
  if (depth > DEEPEST) return undefined
  skipBlanks(reader)
  switch (reader.text[reader.at]) {
    case '{':
      return readBraces(reader, depth)
    case '[':
      return readItems(reader, ']', depth)
    case '(':
      return readParentheses(reader, depth)
    case '<':
      return take(reader, ANGLED)?.[0]
  }
  return readStrings(reader) ?? readNumber(reader) ?? readName(reader, depth)
}

/** A dict, or a set, which becomes a list. */
function readBraces(reader: Reader, depth: number): Json | undefined {
  reader.at += 1
  const entries: [string, Json][] = []
  const items: Json[] = []
  for (;;) {
    if (takeMark(reader, '}')) return items.length > 0 ? items : Object.fromEntries(entries)
    const first = readValue(reader, depth + 1)
    if (first === undefined) return undefined
    if (takeMark(reader, ':')) {
      const value = readValue(reader, depth + 1)
      if (value === undefined) return undefined
      entries.push([typeof first === 'string' ? first : JSON.stringify(first), value])
    } else {
      items.push(first)
    }
    if (!takeMark(reader, ',') && !nextIs(reader, '}')) return undefined
  }
}

function readItems(reader: Reader, close: string, depth: number): Json[] | undefined {
  reader.at += 1
  const items: Json[] = []
  for (;;) {
    if (takeMark(reader, close)) return items
    const item = readValue(reader, depth + 1)
    if (item === undefined) return undefined
    items.push(item)
    if (!takeMark(reader, ',') && !nextIs(reader, close)) return undefined
  }
}

/** `(1, 2)` is a list, `('a' 'b')` the one string in it: what decides is a comma, so look whether one was there. */
function readParentheses(reader: Reader, depth: number): Json | undefined {
  const items = readItems(reader, ')', depth)
  if (items === undefined || items.length !== 1) return items
  return /,\s*\)$/.test(reader.text.slice(Math.max(0, reader.at - 20), reader.at)) ? items : items[0]
}

function readStrings(reader: Reader): string | undefined {
  let joined: string | undefined
  for (let match = take(reader, STRING); match !== null; match = take(reader, STRING)) {
    joined = (joined ?? '') + unescaped(match[1] ?? match[2] ?? '')
    skipBlanks(reader)
  }
  return joined
}

function readNumber(reader: Reader): Json | undefined {
  const text = take(reader, NUMBER)?.[0]
  return text === undefined ? undefined : jsonNumber(Number(text.replaceAll('_', '')))
}

const NAMED: { readonly [name: string]: Json } = {
  None: null,
  True: true,
  False: false,
  null: null,
  true: true,
  false: false,
  nan: 'NaN',
  '-nan': 'NaN',
  inf: 'Infinity',
  '-inf': '-Infinity',
}

function readName(reader: Reader, depth: number): Json | undefined {
  const name = take(reader, NAME)?.[0]
  if (name === undefined) return undefined
  if (Object.hasOwn(NAMED, name)) return NAMED[name]
  if (reader.text[reader.at] !== '(') return name
  const start = reader.at
  const items = readItems(reader, ')', depth + 1)
  if (items !== undefined) return items.length === 0 ? name : items[0]
  reader.at = start
  return undefined
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g
const SINGLE_ESCAPES: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r', '\n': '' }

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(ESCAPE, (whole, hex2?: string, hex4?: string, hex8?: string, letter?: string) => {
    const hex = hex2 ?? hex4 ?? hex8
    if (hex !== undefined) {
      const code = Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    }
    if (letter === undefined) return whole
    return SINGLE_ESCAPES[letter] ?? letter
  })
}

function skipBlanks(reader: Reader): void {
  take(reader, BLANKS)
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at
  const match = pattern.exec(reader.text)
  if (match !== null) reader.at = pattern.lastIndex
  return match
}

function takeMark(reader: Reader, mark: string): boolean {
  if (!nextIs(reader, mark)) return false
  reader.at += 1
  return true
}

function nextIs(reader: Reader, mark: string): boolean {
  skipBlanks(reader)
  return reader.text[reader.at] === mark
}

import { isJsonObject, type JsonObject } from '../../../logs/model/json.js'
import { parsePythonJson } from '../../../logs/sources/python-json.js'
import type { Judgement, Reply } from './simulator.js'

/** What Python understands by trimming, JSON, truth and digits, where a faithful gym must not differ by a hair. */

const BLANK = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const BLANKS_AROUND = new RegExp(`^${BLANK}+|${BLANK}+$`, 'g')

/** `str.strip`: unlike `trim` it takes the separators \x1c-\x1f and \x85, and leaves a byte-order mark. */
export function strip(text: string): string {
  return text.replace(BLANKS_AROUND, '')
}

/** From the first `{` to the last `}`. Null: no braces; undefined: no JSON between them. */
function objectWithin(text: string): JsonObject | null | undefined {
  const within = braces(text)
  return within === null ? null : objectFrom(within)
}

/**
 * The same for who must tell 1 from 1.0, as `isdigit` does and JavaScript cannot: floats stand there as what they are worth
 * as a truth value.
 */
function objectWithoutFloats(text: string): JsonObject | null | undefined {
  const within = braces(text)
  if (within === null) return null
  if (objectFrom(within) === undefined) return undefined
  return objectFrom(within.replace(STRING_OR_NUMBER, token => (isFloat(token) ? String(Number(token) !== 0) : token)))
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\[\s\S])*"|-?(?:Infinity|[\d][\d.eE+-]*)|NaN/g

function isFloat(token: string): boolean {
  return !token.startsWith('"') && !/^-?\d+$/.test(token)
}

function braces(text: string): string | null {
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  return from < 0 || to < from ? null : text.slice(from, to + 1)
}

function objectFrom(text: string): JsonObject | undefined {
  const value = parsePythonJson(text)
  return isJsonObject(value) ? value : undefined
}

function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (isJsonObject(value)) return Object.keys(value).length > 0
  return Boolean(value)
}

/** A text with the decimal digits of every script as 0 to 9. */
export function asciiDigits(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, sign => (/\p{Nd}/u.test(sign) ? decimalOf(sign) : sign))
}

/** What `int` makes of a text that `isdigit` calls digits; null: no digits; NaN: digits that `int` refuses, such as "²". */
function digitsOf(text: string): number | null {
  if (/^\p{Nd}+$/u.test(text)) return Number(text.replace(/\p{Nd}/gu, decimalOf))
  return /^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792]+$/u.test(
    text,
  )
    ? Number.NaN
    : null
}

/** Decimal digits of every script stand in rows of ten that begin with their zero. */
function decimalOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

/** What a model that plays the user wrote, read as UserRL's gym reads it. */

/** `{"thought": …, "response": …}` somewhere in the text, or else the whole of it. */
export function readReply(text: string): Reply {
  const said = strip(text)
  const answer = objectWithin(said)
  if (answer === null || answer === undefined) return { kind: 'said', feedback: said }
  return { kind: 'said', feedback: Object.hasOwn(answer, 'response') ? answer.response : '' }
}

/** `{"is_task_related": …, "covered_detail_indices": […]}`; a question that is off the task covers nothing. */
export function readJudgement(text: string): Judgement {
  const answer = objectWithoutFloats(text)
  if (answer === null || answer === undefined) return { kind: 'unreadable' }
  const { is_task_related: related = true, covered_detail_indices: given } = answer
  // Without a list it says of a question on the task nothing at all.
  if (!Array.isArray(given)) return isTruthy(related) ? { kind: 'unreadable' } : { kind: 'covered', indices: [] }
  const indices = given.flatMap(entry => indexOf(entry) ?? [])
  if (indices.some(Number.isNaN)) return { kind: 'unreadable' }
  return { kind: 'covered', indices: isTruthy(related) ? indices : [] }
}

function indexOf(entry: unknown): number | null {
  if (typeof entry === 'number') return entry >= 0 ? Math.abs(entry) : null
  return typeof entry === 'string' ? digitsOf(entry) : null
}

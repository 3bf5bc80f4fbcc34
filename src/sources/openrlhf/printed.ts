import { isJsonObject, type Json } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { endOfString, readPythonLiteral } from '../console/python-literal.js'
import { flatten, type Numbers, numbersIn } from '../python-json.js'

/**
 * The arguments that OpenRLHF prints at the start: `Namespace(init_kl_coef=0.01, …)`, since 0.10 nested:
 * `namespace(algo=namespace(kl=namespace(init_coef=0.01)))`. Keys come out as the flags have them: `algo.kl.init_coef`.
 */
export function readArguments(text: string): Config | null {
  const leaves = new Map<string, Json>()
  return text.length <= LONGEST && readNamespace(text.trim(), '', leaves, 0) ? Object.fromEntries(leaves) : null
}

/** Ten times what OpenRLHF prints. */
const LONGEST = 1 << 17
const DEEPEST = 16
const OPENING = /^[Nn]amespace\(/
const KEY = /^\s*([A-Za-z_]\w{0,100})=/

function readNamespace(text: string, prefix: string, leaves: Map<string, Json>, depth: number): boolean {
  const opening = OPENING.exec(text)
  if (opening === null || !text.endsWith(')') || depth > DEEPEST) return false
  for (const piece of pieces(text.slice(opening[0].length, -1))) {
    const key = KEY.exec(piece)
    if (key === null) return false
    const name = prefix + key[1]
    const value = piece.slice(key[0].length)
    if (OPENING.test(value)) {
      if (!readNamespace(value, `${name}.`, leaves, depth + 1)) return false
    } else {
      const literal = readPythonLiteral(value)
      flatten(literal === undefined ? value : literal, name, leaves)
    }
  }
  return true
}

/** The members between commas that stand in no bracket and no string. */
function* pieces(text: string): Generator<string> {
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '(' || char === '[' || char === '{') depth += 1
    else if (char === ')' || char === ']' || char === '}') depth -= 1
    else if (char === "'" || char === '"') at = endOfString(text, at)
    else if (char === ',' && depth === 0) {
      yield text.slice(start, at)
      start = at + 1
    }
  }
  if (start < text.length) yield text.slice(start)
}

const NUMBER_ITEM = /[{ ]'([^'\\]{1,200})': (-?\d[\d.]*(?:e[-+]?\d+)?)(?=, |\}$),?/y

/** A dict of metrics as Python prints it: `{'policy_loss': -0.0123, 'kl': nan}`. Null when it is none. */
export function readStatus(text: string): Numbers | null {
  return readPlain(text) ?? readAny(text)
}

/** The usual case, five times as fast: nothing but finite numbers. */
function readPlain(text: string): Numbers | null {
  const metrics: string[] = []
  const values: number[] = []
  let at = 0
  while (at < text.length - 1) {
    NUMBER_ITEM.lastIndex = at
    const match = NUMBER_ITEM.exec(text)
    if (match === null) return null
    metrics.push(match[1])
    values.push(Number(match[2]))
    at = NUMBER_ITEM.lastIndex
  }
  return metrics.length > 0 && text.endsWith('}') && values.every(Number.isFinite) ? { metrics, values } : null
}

/** With nan, None, lists, or `tensor(0.1)`; what is no number is left out. */
function readAny(text: string): Numbers | null {
  const dict = readPythonLiteral(text)
  return isJsonObject(dict) ? numbersIn(dict) : null
}

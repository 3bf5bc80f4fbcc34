import { LineCounter, parseAllDocuments } from 'yaml'
import { isJsonObject, type Json } from '../json.js'

/**
 * YAML from files that nobody vouches for: configs beside logs, texts in event files, the user's own words. A reading
 * takes time and memory in proportion to the text, whatever stands there, and never throws.
 */

export type YamlReading =
  | { readonly value: Json }
  /** What is wrong, in the parser's words, and on which line. */
  | { readonly value: undefined; readonly detail: string; readonly line: number }

/** The first document of a text; null where there is none. */
export function parseYaml(text: string, { uniqueKeys = false } = {}): YamlReading {
  if (isTangled(text)) return { value: undefined, detail: 'too much nesting or too many aliases', line: 1 }
  const lineCounter = new LineCounter()
  // Pretty errors cost quadratic time on a file full of errors, and so does looking for repeated keys.
  const options = { lineCounter, merge: true, uniqueKeys, prettyErrors: false, logLevel: 'silent' } as const
  // A file can have an error per byte; to trace the stack of each takes four fifths of the time.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const documents = parseAllDocuments(text, options)
    const [document] = 'empty' in documents ? [] : documents
    if (document === undefined) return { value: null }
    const [error] = document.errors
    if (error !== undefined) {
      return { value: undefined, detail: error.message, line: lineCounter.linePos(error.pos[0]).line }
    }
    return { value: asJson(document.toJS({ maxAliasCount: MOST_ALIASES_OF_ONE })) }
  } catch (error) {
    // Aliases that unfold to billions of values, or nesting that recursion does not survive.
    return { value: undefined, detail: error instanceof Error ? error.message : String(error), line: 1 }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * The YAML reader is recursive, and node aborts, instead of throwing, when a regular expression has to be compiled on
 * an exhausted stack (some 1,000 levels); and it searches the whole document for every alias. So brackets, `- - -`,
 * indentation and aliases are counted first, in strings too, which no config has so many of.
 */
export function isTangled(text: string): boolean {
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1))
    if (depth > DEEPEST) return true
  }
  if (/^ {300}|^[ \t]*(?:[-?:][ \t]+){100}/m.test(text)) return true
  return (text.match(/[\s,:[{]\*\w/g)?.length ?? 0) > MOST_ALIASES
}

const DEEPEST = 100
const MOST_ALIASES = 1000
/** What one alias may unfold to before it is a bomb. */
const MOST_ALIASES_OF_ONE = 100

/** YAML has numbers that JSON has not, and an alias may stand inside what it stands for: such a one becomes null. */
function asJson(value: unknown, around: readonly unknown[] = []): Json {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (value === null || value === undefined || around.includes(value)) return null
  const within = [...around, value]
  if (Array.isArray(value)) return value.map(item => asJson(item, within))
  if (!isJsonObject(value)) return String(value)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, asJson(child, within)]))
}

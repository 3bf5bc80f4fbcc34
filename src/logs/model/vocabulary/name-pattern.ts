import type { NamePattern } from '../frameworks/framework.js'
import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import { memoByText } from '../util/memo.js'
import { ROWS } from './metric-index.js'
import { plainNote } from './notes.js'
import { isValidation, OTHER_VALIDATION, type Reading, unknownReading } from './reading.js'

/** Names that hold a data set, an environment or a number, by the patterns in the file of their framework. */

/** Pieces of a name that mean all environments together. */
const ALL = new Set(['all', 'agg', 'aggregate', 'overall', 'total'])
/** One environment stands behind the mean over all of them, a subset behind all of its data. */
const ONE_ENVIRONMENT = 1_000_000
const ONE_SUBSET = 500_000

const BLANKS: { readonly [blank: string]: string } = {
  dataset: '(?<dataset>.+?)',
  set: '(?<dataset>[^/]+?)',
  environment: '(?<environment>.+?)',
  subset: '(?<subset>[^/]+)',
  part: '(?<part>[^/]+)',
  k: '(?<k>\\d{1,6})',
  any: '[^/]+',
  rest: '.+',
}

interface CompiledPattern {
  readonly pattern: NamePattern
  readonly expression: RegExp
  readonly place: number
}

const patternsOf = memoByText((framework: string): readonly CompiledPattern[] => {
  const { patterns = [], unknown = {} } = FRAMEWORK_DATA.find(({ id }) => id === framework) ?? {}
  const meaningless = Object.keys(unknown).map(name => ({ name, canonical: null }))
  return [...patterns, ...meaningless].map(compiled)
})

function compiled(pattern: NamePattern, place: number): CompiledPattern {
  const source = pattern.name
    .split(/\{(\w+)\}/)
    .map((piece, i) => (i % 2 === 0 ? piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : blankOf(piece, pattern)))
    .join('')
  return { pattern, expression: new RegExp(`^${source}$`), place }
}

function blankOf(blank: string, { name }: NamePattern): string {
  const found = BLANKS[blank]
  if (found === undefined) throw new Error(`${name}: there is no blank {${blank}}`)
  return found
}

/** Whether a framework's file mentions a name without a meaning, and under which name or pattern it does. */
export function meaninglessPattern(name: string, framework: string): string | null {
  const found = patternsOf(framework).find(({ expression }) => expression.test(name))
  return found !== undefined && found.pattern.canonical === null ? found.pattern.name : null
}

export function readPattern(name: string, framework: string | null): Reading | null {
  for (const { pattern, expression, place } of framework === null ? [] : patternsOf(framework)) {
    const found = expression.exec(name)
    if (found !== null) return readingOf(name, pattern, found.groups ?? {}, place)
  }
  return null
}

function readingOf(
  name: string,
  { canonical, aggregate, unit, note }: NamePattern,
  { dataset, environment, subset, k }: { readonly [blank: string]: string | undefined },
  place: number,
): Reading {
  const [ofSet, ofOne, ofSubset] = [dataset, environment, subset].map(word => word !== undefined && !isAll(word))
  const condition = {
    ...(ofSet && { dataset }),
    ...(ofOne && { environment }),
    ...(ofSubset && { subset }),
    ...(aggregate !== undefined && { aggregate: aggregate.replace('{k}', k ?? '1') }),
  }
  if (canonical === null) return { ...unknownReading('', false, condition), goal: null }
  const row = ROWS.get(canonical)
  const validation = isValidation(canonical)
  return {
    ...unknownReading(name, validation, condition),
    canonical,
    unit: unit === undefined ? (row?.unit ?? null) : unit,
    goal: row?.goal ?? null,
    notes: note === undefined ? [] : [plainNote(note)],
    rank:
      (validation ? OTHER_VALIDATION : 0) +
      place +
      Number(k ?? 0) +
      (ofOne ? ONE_ENVIRONMENT : 0) +
      (ofSubset ? ONE_SUBSET : 0),
  }
}

function isAll(word: string): boolean {
  return ALL.has(word.toLowerCase())
}

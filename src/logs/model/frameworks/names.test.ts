import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { detectFramework } from '../vocabulary/detect.js'
import { meaningOf, rawNamesFor, vocabularyFor } from '../vocabulary/resolve.js'
import { FRAMEWORK_DATA } from './registry.js'

/**
 * What every framework logs, name by name, as its source says: what it means (`-`: nothing that klens has a row for, with the
 * reason in the framework's file), and the data set, environment or subset that the name tells.
 */
const TABLES = join(import.meta.dirname, '../../../../test/data/framework-names')

interface NameFact {
  readonly name: string
  readonly canonical: string | null
  readonly condition: { readonly [member: string]: string }
}

const LISTS = new Map(
  readdirSync(TABLES).map(file => {
    const lines = readFileSync(join(TABLES, file), 'utf8').trim().split('\n')
    return [file.replace('.tsv', ''), lines.map(factIn)] as const
  }),
)

function factIn(line: string): NameFact {
  const [name = '', canonical = '-', ...told] = line.split('\t')
  const condition = Object.fromEntries(told.map(part => part.split('=')))
  return { name, canonical: canonical === '-' ? null : canonical, condition }
}

const FACTS = [...LISTS].flatMap(([id, facts]) => facts.map(fact => [id, fact.name, fact] as const))

function frameworkOf(id: string) {
  const found = FRAMEWORK_DATA.find(data => data.id === id)
  if (found === undefined) throw new Error(`no framework ${id}`)
  return found
}

test.each(FACTS)('%s: %s means what its source says', (id, name, { canonical, condition }) => {
  const reading = meaningOf(name, vocabularyFor({ framework: frameworkOf(id).id }))
  expect(reading.canonical).toBe(canonical)
  if (canonical !== null) expect(reading.condition).toMatchObject(condition)
})

describe('a name without a meaning', () => {
  test.each(FACTS.filter(([, , { canonical }]) => canonical === null))('%s: %s has its reason', (id, name) => {
    expect(reasonFor(id, name)).not.toBeUndefined()
  })
})

/** The reason of the first entry that the name fits, by a matcher of its own. */
function reasonFor(id: string, name: string): string | undefined {
  const entries = Object.entries(frameworkOf(id).unknown ?? {})
  return entries.find(([pattern]) => fits(name.replace(/_at_(?=\d)/g, '@'), pattern))?.[1]
}

function fits(name: string, pattern: string): boolean {
  const source = pattern
    .split(/(\{\w+\})/)
    .map(piece =>
      /^\{(?:any|set|part|subset)\}$/.test(piece)
        ? '[^/]+'
        : piece.startsWith('{')
          ? '.+'
          : piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
  return new RegExp(`^${source.join('')}$`).test(name)
}

it('has a meaning for three names of four', () => {
  const known = FACTS.filter(([, , { canonical }]) => canonical !== null).length
  expect(known / FACTS.length).toBeGreaterThanOrEqual(0.75)
})

/**
 * Names that two frameworks share and mean alike: rLLM trains on Tinker too, torchtune's preference pairs are TRL's, and so
 * are the settings of the trainer of verifiers.
 */
const ALIKE = new Map([
  ['verifiers', 'trl'],
  ['rllm', 'tinker'],
  ['torchtune', 'trl'],
  // Its settings have the words of transformers.
  ['nanogpt', 'hf'],
])

describe('whose log it is', () => {
  test.each([...LISTS])('%s by all that it logs', (id, facts) => {
    expect(
      detectFramework(
        facts.map(({ name }) => name),
        [],
      ),
    ).toBe(id)
  })

  /** A part of a log may hold names that prove nothing; it is never taken for the log of a framework that it does not build on. */
  test.each([...LISTS])('%s by a part of it, or not at all', (id, facts) => {
    const { base } = frameworkOf(id)
    const allowed = [id, base, base === undefined ? undefined : frameworkOf(base).base, ALIKE.get(id), null]
    for (const part of partsOf(facts)) {
      expect(allowed, part.slice(0, 5).join(' ')).toContain(detectFramework(part, []))
    }
  })
})

/** A config may hold keys that prove nothing; those of one framework never make it another that it does not build on. */
test.each(FRAMEWORK_DATA.map(data => [data.id, data] as const))('%s by its settings, or not at all', (id, data) => {
  const keys = Object.values(data.settings ?? {}).map(([first = '']) => first)
  const bases = [data.base, data.runsAs, data.base === undefined ? undefined : frameworkOf(data.base).base]
  expect([id, ...bases, ALIKE.get(id), null]).toContain(detectFramework([], keys))
})

/** The names under one first word (what is logged by one worker), those of training alone, those of evaluation alone. */
function partsOf(facts: readonly NameFact[]): readonly (readonly string[])[] {
  const names = facts.map(({ name }) => name)
  const firstWord = (name: string) => /^[^/]+/.exec(name)?.[0] ?? name
  const byWord = [...new Set(names.map(firstWord))].map(word => names.filter(name => firstWord(name) === word))
  const isEvaluation = (name: string) => /^(?:eval|val|valid|test)/.test(name)
  const parts = [...byWord, names.filter(isEvaluation), names.filter(name => !isEvaluation(name))]
  return parts.filter(part => part.length > 0)
}

test.each([...LISTS])('%s: what speaks of all environments stands before one of them', (id, facts) => {
  const vocabulary = vocabularyFor({ framework: frameworkOf(id).id })
  const names = facts.map(({ name }) => name)
  for (const { canonical, condition } of facts) {
    if (canonical === null || condition.environment === undefined) continue
    const hasWhole = facts.some(other => other.canonical === canonical && other.condition.environment === undefined)
    const [first = ''] = rawNamesFor(canonical, names, vocabulary)
    if (hasWhole) expect(meaningOf(first, vocabulary).condition.environment, `${canonical}: ${first}`).toBeUndefined()
  }
})

import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../json.js'
import type { Message } from '../run.js'
import { parseYaml } from '../util/yaml.js'
import { CONFIG_KEYS } from './config-keys.js'
import type { Goal } from './metric.js'
import { ROWS } from './metric-index.js'
import { note } from './notes.js'
import { closestWord } from './suggest.js'

/**
 * The user's own words, from `.klens/vocabulary.yaml`. Written by hand, so read with patience: what is wrong is told,
 * with what was probably meant, and the rest is used.
 */
export interface UserVocabulary {
  /** By canonical name, known or new. */
  readonly metrics: ReadonlyMap<string, UserMetric>
  /** Raw config keys by canonical key. */
  readonly config: ReadonlyMap<string, readonly string[]>
  /** Names that need no meaning: klens no longer mentions them. Absent: none. */
  readonly ignored?: ReadonlySet<string>
}

export interface UserMetric {
  /** Raw names, preferred first; `*` stands for anything. */
  readonly names: readonly string[]
  /** Undefined: as in klens's own table. Null: none. */
  readonly unit?: string | null
  readonly goal?: Goal | null
}

/** Far beyond anything written by hand, and small enough that no YAML trick takes long. */
const LONGEST_FILE = 200_000

const names = z.union([
  z
    .string()
    .min(1)
    .transform(name => [name]),
  z.array(z.string().min(1)),
])

const metric = z.union([
  names.transform(list => ({ names: list })),
  z.strictObject({
    names: names.optional().transform(list => list ?? []),
    unit: z.string().nullable().optional(),
    goal: z
      .enum(['max', 'min', 'none'])
      .transform(goal => (goal === 'none' ? null : goal))
      .optional(),
  }),
])

const SECTIONS = ['metrics', 'config', 'ignore']
const METRIC_FIELDS = ['names', 'unit', 'goal']

export function parseUserVocabulary(yamlText: string): {
  vocabulary: UserVocabulary
  problems: readonly Message[]
} {
  const problems: Message[] = []
  const metrics = new Map<string, UserMetric>()
  const config = new Map<string, readonly string[]>()
  const file = readFile(yamlText, problems)
  if (file === null) return { vocabulary: { metrics, config }, problems }
  for (const section of Object.keys(file)) {
    if (!SECTIONS.includes(section)) problems.push(unknownWord('section', section, SECTIONS))
  }
  for (const [canonical, value] of entriesOf(file, 'metrics', problems)) {
    const parsed = metric.safeParse(value)
    if (!parsed.success) {
      problems.push(badMetric(canonical, value))
      continue
    }
    const known = ROWS.has(canonical.replace(/^val\./, '')) || ROWS.has(canonical)
    if (!known) problems.push(...probablyMeant('metric', canonical, ROWS.keys()))
    metrics.set(canonical, parsed.data)
  }
  const keys = CONFIG_KEYS.map(row => row.key)
  for (const [key, value] of entriesOf(file, 'config', problems)) {
    const parsed = names.safeParse(value)
    if (!parsed.success) {
      problems.push(note('user-vocabulary.bad-names', { where: `config.${key}` }))
      continue
    }
    if (!keys.includes(key)) problems.push(...probablyMeant('setting', key, keys))
    config.set(key, parsed.data)
  }
  problems.push(...saidTwice([...metrics].map(([canonical, { names: list }]) => [canonical, list])))
  problems.push(...saidTwice([...config]))
  const ignored = readIgnored(file, problems)
  return { vocabulary: { metrics, config, ...(ignored !== null && { ignored }) }, problems }
}

function readIgnored({ ignore }: JsonObject, problems: Message[]): ReadonlySet<string> | null {
  if (ignore === undefined || ignore === null) return null
  const parsed = names.safeParse(ignore)
  if (parsed.success) return new Set(parsed.data)
  problems.push(note('user-vocabulary.bad-names', { where: 'ignore' }))
  return null
}

function readFile(text: string, problems: Message[]): JsonObject | null {
  if (text.length > LONGEST_FILE) {
    problems.push(note('user-vocabulary.too-long', { characters: text.length, most: LONGEST_FILE }))
    return null
  }
  const read = parseYaml(text, { uniqueKeys: true })
  if (read.value === undefined) {
    const [detail = ''] = read.detail.split('\n')
    problems.push(note('user-vocabulary.not-yaml', { detail: `${detail}, line ${read.line}` }))
  } else if (isJsonObject(read.value)) {
    return read.value
  } else if (read.value !== null) {
    problems.push(note('user-vocabulary.no-map', {}))
  }
  return null
}

function entriesOf(
  file: { readonly [key: string]: unknown },
  section: string,
  problems: Message[],
): readonly (readonly [string, unknown])[] {
  const value = file[section]
  if (value === undefined || value === null) return []
  if (isJsonObject(value)) return Object.entries(value)
  problems.push(note('user-vocabulary.no-section-map', { section }))
  return []
}

function badMetric(canonical: string, value: unknown): Message {
  const field = isJsonObject(value) ? Object.keys(value).find(name => !METRIC_FIELDS.includes(name)) : undefined
  if (field !== undefined) return unknownWord('field', `metrics.${canonical}.${field}`, METRIC_FIELDS, field)
  return note('user-vocabulary.bad-metric', { name: canonical })
}

function unknownWord(what: 'section' | 'field', where: string, known: readonly string[], word = where): Message {
  const meant = closestWord(word, known)
  if (meant !== null) return note(`user-vocabulary.unknown-${what}-meant`, { where, meant })
  return note(`user-vocabulary.unknown-${what}`, { where, known: known.join(', ') })
}

/** A new canonical name is allowed; one that is nearly a known name is told as well. */
function probablyMeant(what: 'metric' | 'setting', name: string, known: Iterable<string>): Message[] {
  const meant = closestWord(name, known)
  return meant === null ? [] : [note(`user-vocabulary.new-${what}-meant`, { name, meant })]
}

function saidTwice(entries: readonly (readonly [string, readonly string[]])[]): Message[] {
  const first = new Map<string, string>()
  const problems: Message[] = []
  for (const [canonical, list] of entries) {
    for (const name of list) {
      const before = first.get(name)
      if (before === undefined) first.set(name, canonical)
      else if (before !== canonical) {
        problems.push(note('user-vocabulary.said-twice', { name, first: before, second: canonical }))
      }
    }
  }
  return problems
}

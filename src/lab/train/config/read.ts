import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import type { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../../logs/model/json.js'
import type { Config, Message } from '../../../logs/model/run.js'
import { memoByObject } from '../../../logs/model/util/memo.js'
import { isTangled } from '../../../logs/model/util/yaml.js'
import { message } from '../../../text/say.js'
import { isNone } from './leaves.js'
import { contradictions, shown, unknownKey, valueProblem } from './problems.js'
import { defaultConfig, PATH_SETTINGS, type TrainConfig, trainSchema } from './selector-settings.js'

/**
 * From a YAML file and `--set key=value` words to a config that holds. A file may nest its keys or write them dotted;
 * a later `--set` wins over an earlier one and over the file. Paths in a file are relative to that file, those in
 * `--set` to the current folder. All problems are reported at once, none is guessed around.
 */
export type ConfigReading<Settings = TrainConfig> =
  | { readonly kind: 'config'; readonly config: Settings }
  | { readonly kind: 'problems'; readonly problems: readonly Message[] }

/** The settings of one kind of training: what they may be, and what cannot hold together. */
export interface SettingsFamily<Settings extends object> {
  schema(): z.ZodType<Settings>
  defaults(): Settings
  /** Those that name a file or folder. */
  readonly paths: ReadonlySet<string>
  /** Those that name several. */
  readonly pathLists?: ReadonlySet<string>
  contradictions(settings: Settings): readonly Message[]
}

const SELECTOR: SettingsFamily<TrainConfig> = {
  schema: trainSchema,
  defaults: defaultConfig,
  paths: PATH_SETTINGS,
  contradictions,
}

/** A file, or a part of one that has been read already. Paths are relative to where it lies. */
type ConfigFile =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly settings: JsonObject }

export interface ConfigSources {
  /** What a checkpoint says that it was trained with; all else wins over it. */
  readonly base?: Config
  readonly file?: ConfigFile
  /** `key=value`, as typed. */
  readonly sets?: readonly string[]
}

export function readTrainConfig(sources: ConfigSources): ConfigReading {
  return readSettings(SELECTOR, sources)
}

export function readSettings<Settings extends object>(
  family: SettingsFamily<Settings>,
  { base = {}, file, sets = [] }: ConfigSources,
): ConfigReading<Settings> {
  const known = knownSettings(family.defaults())
  const problems: Message[] = []
  const given = new Map<string, unknown>()
  const take = (settings: Iterable<Given>, folder: string): void => {
    for (const [key, value] of settings) given.set(key, located(family, key, value, folder))
  }
  take(settingsIn(base, '', known, problems), '.')
  if (file !== undefined) take(inFile(file, known, problems), dirname(file.name))
  for (const set of sets) take(inSet(set, known, problems), '.')

  const parsed = family.schema().safeParse(nested(given))
  for (const issue of parsed.error?.issues ?? []) {
    problems.push(valueProblem(issue, given.get(settingOf(issue.path.map(String), known))))
  }
  if (parsed.success && problems.length === 0) problems.push(...family.contradictions(parsed.data))
  if (!parsed.success || problems.length > 0) return { kind: 'problems', problems }
  return { kind: 'config', config: parsed.data }
}

/** What is said of one setting, the last word counting; undefined where nothing is. For what decides how to read the rest. */
export function settingSaid(key: string, { base = {}, file, sets = [] }: ConfigSources): unknown {
  const inWords = sets.findLast(set => set.startsWith(`${key}=`))
  if (inWords !== undefined) return typedValue(inWords.slice(key.length + 1))
  const written = file === undefined ? {} : 'settings' in file ? file.settings : typedValue(file.text)
  return (isJsonObject(written) ? written[key] : undefined) ?? base[key]
}

/** What yaml would only warn about goes through our own checks, and stderr is the user's. */
const QUIETLY = { logLevel: 'error' } as const

type Given = readonly [key: string, value: unknown]

function located(
  { paths, pathLists }: Pick<SettingsFamily<object>, 'paths' | 'pathLists'>,
  key: string,
  value: unknown,
  folder: string,
): unknown {
  const place = (path: unknown): unknown =>
    typeof path === 'string' && !isNone(path) ? resolve(folder, path.trim()) : path
  if (pathLists?.has(key) === true)
    return [typeof value === 'string' ? value.split(',') : (value ?? [])].flat().map(place)
  return paths.has(key) ? place(value) : value
}

function inFile(file: ConfigFile, known: KnownSettings, problems: Message[]): readonly Given[] {
  const { name } = file
  const value = 'settings' in file ? file.settings : mapIn(file, problems)
  if (value === null) return []
  const found = [...settingsIn(value, '', known, problems)]
  const seen = new Set<string>()
  for (const [key] of found) {
    if (seen.has(key)) problems.push(message('train-config.twice', { file: name, key }))
    seen.add(key)
  }
  return found
}

function mapIn(
  { name, text }: { readonly name: string; readonly text: string },
  problems: Message[],
): JsonObject | null {
  if (isTangled(text)) {
    problems.push(message('train-config.tangled', { file: name }))
    return null
  }
  try {
    const value: unknown = parse(text, QUIETLY) ?? {}
    if (isJsonObject(value)) return value
    problems.push(message('train-config.not-a-map', { file: name }))
  } catch (error) {
    const detail = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    problems.push(message('train-config.not-yaml', { file: name, detail }))
  }
  return null
}

function inSet(set: string, known: KnownSettings, problems: Message[]): readonly Given[] {
  const at = set.indexOf('=')
  if (at < 1) {
    problems.push(message('train-config.not-a-set', { given: shown(set) }))
    return []
  }
  const key = set.slice(0, at).trim()
  const words = set.slice(at + 1)
  const value = typedValue(words)
  // No setting holds a map: `Question: {text}` is a text, whatever it is in YAML.
  const meant = known.settings.has(key) && isJsonObject(value) ? words : value
  return [...settingsIn({ [key]: meant }, '', known, problems)]
}

/** What the words after `=` would be in a YAML file; words that are no YAML are just words. */
export function typedValue(words: string): unknown {
  if (isTangled(words)) return words
  try {
    return parse(words, QUIETLY)
  } catch {
    return words
  }
}

interface KnownSettings {
  readonly settings: ReadonlySet<string>
  /** What holds several of them. */
  readonly sections: ReadonlySet<string>
}

/** Worked out once: a study reads the settings of every arm. */
const knownSettings = memoByObject((defaults: object): KnownSettings => {
  const settings = [...leafKeys(defaults, '')]
  const sections = settings.flatMap(key => [...key.matchAll(/\./g)].map(dot => key.slice(0, dot.index)))
  return { settings: new Set(settings), sections: new Set(sections) }
})

function* leafKeys(value: object, prefix: string): Generator<string> {
  for (const [key, child] of Object.entries(value)) {
    if (isJsonObject(child)) yield* leafKeys(child, `${prefix}${key}.`)
    else yield `${prefix}${key}`
  }
}

function* settingsIn(value: object, prefix: string, known: KnownSettings, problems: Message[]): Generator<Given> {
  for (const [name, child] of Object.entries(value)) {
    const key = `${prefix}${name}`
    if (known.settings.has(key)) yield [key, child]
    else if (!known.sections.has(key)) problems.push(unknownKey(key, [...known.settings]))
    else if (isJsonObject(child)) yield* settingsIn(child, `${key}.`, known, problems)
    // An empty section in a file says nothing.
    else if (child !== null) {
      const settings = [...known.settings].filter(setting => setting.startsWith(`${key}.`)).join(', ')
      problems.push(message('train-config.section', { key, value: shown(child), settings }))
    }
  }
}

interface Nested {
  [key: string]: unknown
}

function nested(given: ReadonlyMap<string, unknown>): Nested {
  const root: Nested = {}
  for (const [key, value] of given) {
    const path = key.split('.')
    let place = root
    for (const part of path.slice(0, -1)) {
      const inner: Nested = isNested(place[part]) ? place[part] : {}
      place[part] = inner
      place = inner
    }
    place[path[path.length - 1]] = value
  }
  return root
}

function isNested(value: unknown): value is Nested {
  return isJsonObject(value)
}

/** The setting that a path leads to, or into: an entry of a list belongs to the list. */
function settingOf(path: readonly string[], known: KnownSettings): string {
  const whole = path.join('.')
  return known.settings.has(whole) || path.length <= 1 ? whole : settingOf(path.slice(0, -1), known)
}

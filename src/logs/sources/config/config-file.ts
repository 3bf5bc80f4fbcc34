import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import { isJsonObject, type Json, type JsonObject, jsonNumber } from '../../model/json.js'
import type { Config, Message } from '../../model/run.js'
import { isTangled, parseYaml } from '../../model/util/yaml.js'
import { decodeText } from '../encoding.js'
import { PickleError } from '../pickle/cursor.js'
import { type PickleValue, readPickle } from '../pickle/read.js'
import { flatten, parsePythonJson } from '../python-json.js'

/**
 * Configs that lie beside a log: JSON or YAML, hydra's and W&B's forms of them, what Hugging Face's Trainer pickles; all
 * flattened to dotted keys.
 */

const CONFIG_NAME =
  /^(?:(?:config|args|params|hparams|hyperparameters|training_args)\.(?:json|ya?ml)|training_args\.bin)$/i
/** `<log>.config.json` */
const NAMED_CONFIG = /.\.config\.(?:json|ya?ml)$/i
const LOG_EXTENSIONS = ['.jsonl', '.csv', '.tsv', '.log', '.txt', '.json', '.ndjson', '.wandb']

/** By name. Of YAML files that are called otherwise, one that is named after a log beside it is that log's config. */
export function isConfigFile(path: string): boolean {
  const name = basename(path)
  if (CONFIG_NAME.test(name) || NAMED_CONFIG.test(name)) return true
  if (!/\.ya?ml$/i.test(name)) return false
  const folder = dirname(path)
  if (isHydraOverrides(path)) return !existsSync(join(folder, 'config.yaml'))
  const stem = basename(name, extname(name))
  return LOG_EXTENSIONS.some(extension => existsSync(join(folder, stem + extension)))
}

/** What was changed on hydra's command line; hydra's config.yaml, where there is one, already contains it. */
function isHydraOverrides(path: string): boolean {
  return basename(path) === 'overrides.yaml' && basename(dirname(path)) === '.hydra'
}

const MEBIBYTE = 1 << 20
/** The YAML reader takes half a second per megabyte, of nonsense three: a larger file is no config. */
const LARGEST = { json: 16 * MEBIBYTE, yaml: 2 * MEBIBYTE, bin: MEBIBYTE } as const

interface ReadConfig {
  readonly config: Config
  readonly warnings: Message[]
}

/** Never throws for bad content: it is a warning, and the config is empty. File system errors pass through. */
export async function readConfigFile(path: string): Promise<ReadConfig> {
  const file = basename(path)
  const format = /\.ya?ml$/i.test(file) ? 'yaml' : /\.bin$/i.test(file) ? 'bin' : 'json'
  const { size } = await stat(path)
  if (size > LARGEST[format]) {
    const sizes = { size: Math.ceil(size / MEBIBYTE), limit: LARGEST[format] / MEBIBYTE }
    return unread(say('config.too-large', { file, ...sizes }))
  }
  if (format === 'bin') {
    const settings = await readTrainingArgs(path)
    return settings === null
      ? unread(say('config.not-settings', { file }))
      : { config: configFrom(settings), warnings: [] }
  }
  const text = decodeText(await readFile(path))
  if (format === 'yaml' && isTangled(text)) return unread(say('config.tangled', { file }))
  const parsed = format === 'yaml' ? parseYaml(text) : { value: parsePythonJson(text) }
  if (parsed.value === undefined) {
    return unread(
      'line' in parsed ? say('config.not-yaml', { file, line: parsed.line }) : say('config.not-json', { file }),
    )
  }
  const value = isHydraOverrides(path) ? fromOverrides(parsed.value) : parsed.value
  if (!isJsonObject(value)) return unread(say('config.not-a-map', { file }))
  const { leaves, tooDeep } = flatten(withoutWandbWrapping(value), isOfModel(value) ? 'model_config' : '')
  return { config: configFrom(leaves), warnings: tooDeep ? [say('config.too-deep', { file })] : [] }
}

function configFrom(leaves: ReadonlyMap<string, Json>): Config {
  return Object.fromEntries([...leaves].filter(([key]) => !key.split('.').includes('__proto__')))
}

/** The config.json of a Hugging Face model, which lies beside a training's log and shares names with its settings. */
function isOfModel(config: JsonObject): boolean {
  return typeof config.model_type === 'string' && 'transformers_version' in config
}

function unread(warning: Message): ReadConfig {
  return { config: {}, warnings: [warning] }
}

/** hydra's overrides: a list of `key=value`, `+key=value` for new keys, `~key` for removed ones. */
function fromOverrides(value: Json): Json {
  if (!Array.isArray(value)) return value
  const overrides = value.flatMap((line): [string, Json][] => {
    const [, key, text = ''] = /^\+{0,2}([^~+=][^=]*)=(.*)$/s.exec(String(line)) ?? []
    return key === undefined ? [] : [[key, parseYaml(text).value ?? text]]
  })
  return Object.fromEntries(overrides)
}

/**
 * W&B's config.yaml has `{value: X, desc: …}` under each key (SwanLab's a `sort` too), and its own bookkeeping under
 * `_wandb`. The latter differs between any two runs and configures nothing.
 */
function withoutWandbWrapping(config: JsonObject): JsonObject {
  const members = Object.entries(config).filter(([key]) => key !== 'wandb_version' && key !== '_wandb')
  if (members.length === 0 || !members.every(([, member]) => isWrapped(member))) return config
  return Object.fromEntries(
    members.map(([key, member]) => [key, isJsonObject(member) ? (member.value ?? null) : member]),
  )
}

const WRAPPING = new Set(['value', 'desc', 'sort'])

function isWrapped(member: Json): boolean {
  return isJsonObject(member) && 'value' in member && Object.keys(member).every(key => WRAPPING.has(key))
}

/** What is said about config files beside a log. */
const say = sentences({
  'config.not-yaml': {
    en: 'config {file} is not valid YAML (line {line}) and was not read',
    zh: '配置 {file} 不是合法的 YAML（第 {line} 行），未读取',
  },
  'config.not-json': {
    en: 'config {file} is not valid JSON and was not read',
    zh: '配置 {file} 不是合法的 JSON，未读取',
  },
  'config.not-settings': {
    en: '{file} contains no settings that klens can read; they were left out',
    zh: '{file} 中没有 klens 能读出的配置，未读取',
  },
  'config.not-a-map': {
    en: 'config {file} contains no keys with values and was not read',
    zh: '配置 {file} 里没有键值对，未读取',
  },
  'config.too-large': {
    en: 'config {file} has {size} MiB and was not read (limit {limit} MiB)',
    zh: '配置 {file} 有 {size} MiB，超过 {limit} MiB 的上限，未读取',
  },
  'config.tangled': {
    en: 'config {file} has too much nesting or too many aliases and was not read',
    zh: '配置 {file} 的嵌套或别名多得不像配置文件，未读取',
  },
  'config.too-deep': {
    en: 'config {file} is nested deeper than 64 levels; deeper values were left out',
    zh: '配置 {file} 的嵌套超过 64 层，更深的内容已略过',
  },
})

/**
 * training_args.bin, which Hugging Face's Trainer puts beside every checkpoint: all settings of the training, as PyTorch
 * pickles them. They are read without executing anything: an enum is its value, an object what was put into it.
 */

/** Flat; null when the file holds no settings. */
async function readTrainingArgs(path: string): Promise<ReadonlyMap<string, Json> | null> {
  const bytes = await readFile(path)
  const start = startOfPickle(bytes)
  if (start === null) return null
  try {
    const { value } = readPickle(bytes, start)
    const settings = plainValue(value, { values: MOST_VALUES, characters: MOST_CHARACTERS }, 0)
    return isJsonObject(settings) ? flatten(settings).leaves : null
  } catch (error) {
    if (error instanceof PickleError) return null
    throw error
  }
}

const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30

/** PyTorch's zip begins with the pickle, uncompressed; the pickle tells its own end. */
function startOfPickle(bytes: Buffer): number | null {
  if (bytes.length < LOCAL_HEADER_BYTES || bytes.readUInt32LE(0) !== LOCAL_HEADER) return null
  const nameEnd = LOCAL_HEADER_BYTES + bytes.readUInt16LE(26)
  const isStored = bytes.readUInt16LE(8) === 0
  if (!isStored || !/(?:^|\/)data\.pkl$/.test(bytes.toString('utf8', LOCAL_HEADER_BYTES, nameEnd))) return null
  return nameEnd + bytes.readUInt16LE(28)
}

/** Ten times what a trainer has. One list can be named a million times in a pickle; walking it must end. */
const MOST_VALUES = 10_000
const MOST_CHARACTERS = 1 << 20
const DEEPEST = 8

interface Budget {
  values: number
  characters: number
}

/** Undefined for what is no setting: a device, a state, a function. */
function plainValue(value: PickleValue, budget: Budget, depth: number): Json | undefined {
  budget.values -= 1
  if (typeof value === 'string') budget.characters -= value.length
  if (budget.values < 0 || budget.characters < 0 || depth > DEEPEST) return undefined
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return jsonNumber(value)
  if (typeof value === 'bigint') return String(value)
  if (Buffer.isBuffer(value)) return undefined
  const inside = (item: PickleValue): Json | undefined => plainValue(item, budget, depth + 1)
  switch (value.kind) {
    case 'list':
    case 'tuple':
    case 'set':
      return value.items.flatMap(item => inside(item) ?? [])
    case 'dict':
      return membersOf(value.entries, inside)
    case 'object': {
      const { args, state } = value
      if (isDict(state)) return membersOf(state.entries, inside)
      const [only] = args
      return args.length === 1 && (typeof only === 'string' || typeof only === 'number') ? only : undefined
    }
    default:
      return undefined
  }
}

function membersOf(
  entries: readonly (readonly [PickleValue, PickleValue])[],
  inside: (item: PickleValue) => Json | undefined,
): Json {
  const members = new Map<string, Json>()
  for (const [key, item] of entries) {
    // What begins with an underscore is the trainer's own business, and so is where it runs.
    if (typeof key !== 'string' || key.startsWith('_') || key === 'distributed_state') continue
    const member = inside(item)
    if (member !== undefined) members.set(key, member)
  }
  return Object.fromEntries(members)
}

function isDict(value: PickleValue): value is Extract<PickleValue, { readonly kind: 'dict' }> {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) && value.kind === 'dict'
}

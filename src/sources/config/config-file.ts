import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.js'
import type { Config, Message } from '../../model/run.js'
import { isTangled, parseYaml } from '../../model/yaml.js'
import { sentences } from '../../text/sentences.js'
import { decodeText } from '../encoding.js'
import { flatten, parsePythonJson } from '../python-json.js'
import { readTrainingArgs } from './training-args.js'

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

export interface ReadConfig {
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
    const match = /^\+{0,2}([^~+=][^=]*)=(.*)$/s.exec(String(line))
    return match === null ? [] : [[match[1], parseYaml(match[2]).value ?? match[2]]]
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
  return Object.fromEntries(members.map(([key, member]) => [key, isJsonObject(member) ? member.value : member]))
}

const WRAPPING = new Set(['value', 'desc', 'sort'])

function isWrapped(member: Json): boolean {
  return isJsonObject(member) && 'value' in member && Object.keys(member).every(key => WRAPPING.has(key))
}

/** What is said about config files beside a log. */
export const say = sentences({
  'config.not-yaml': {
    en: 'config {file} is not valid YAML (line {line}) and was not read',
    zh: '配置 {file} 不是合法的 YAML（第 {line} 行），未读取',
  },
  'config.not-json': {
    en: 'config {file} is not valid JSON and was not read',
    zh: '配置 {file} 不是合法的 JSON，未读取',
  },
  'config.not-settings': {
    en: '{file} holds no settings that klens can read; they were left out',
    zh: '{file} 中没有 klens 能读出的配置，未读取',
  },
  'config.not-a-map': {
    en: 'config {file} holds no keys with values and was not read',
    zh: '配置 {file} 里没有键值对，未读取',
  },
  'config.too-large': {
    en: 'config {file} has {size} MiB and was not read (limit {limit} MiB)',
    zh: '配置 {file} 有 {size} MiB，超过 {limit} MiB 的上限，未读取',
  },
  'config.tangled': {
    en: 'config {file} has more nesting or more aliases than a config can have and was not read',
    zh: '配置 {file} 的嵌套或别名多得不像配置文件，未读取',
  },
  'config.too-deep': {
    en: 'config {file} is nested deeper than 64 levels; what lies deeper was left out',
    zh: '配置 {file} 的嵌套超过 64 层，更深的内容已略过',
  },
})

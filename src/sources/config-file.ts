import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { LineCounter, parseAllDocuments } from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../model/json.js'
import type { Config, Message } from '../model/run.js'
import { message } from '../text/say.js'
import { flatten, parseLooseJson } from './loose-json.js'
import { decodeText } from './table/text.js'

/** Configs that lie beside a log: JSON or YAML, hydra's and W&B's forms of them, all flattened to dotted keys. */

const CONFIG_NAME = /^(?:config|args|params|hparams|hyperparameters|training_args)\.(?:json|ya?ml)$/i
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
const LARGEST = { json: 16 * MEBIBYTE, yaml: 2 * MEBIBYTE } as const

export interface ReadConfig {
  readonly config: Config
  readonly warnings: Message[]
}

/** Never throws for bad content: it is a warning, and the config is empty. File system errors pass through. */
export async function readConfigFile(path: string): Promise<ReadConfig> {
  const file = basename(path)
  const format = /\.ya?ml$/i.test(file) ? 'yaml' : 'json'
  const { size } = await stat(path)
  if (size > LARGEST[format]) {
    const sizes = { size: Math.ceil(size / MEBIBYTE), limit: LARGEST[format] / MEBIBYTE }
    return unread(message('config.too-large', { file, ...sizes }))
  }
  const text = decodeText(await readFile(path))
  if (format === 'yaml' && isTangled(text)) return unread(message('config.tangled', { file }))
  const parsed = format === 'yaml' ? parseYaml(text) : { value: parseLooseJson(text), line: 1 }
  if (parsed.value === undefined) {
    return unread(
      format === 'yaml'
        ? message('config.not-yaml', { file, line: parsed.line })
        : message('config.not-json', { file }),
    )
  }
  const value = isHydraOverrides(path) ? fromOverrides(parsed.value) : parsed.value
  if (!isJsonObject(value)) return unread(message('config.not-a-map', { file }))
  const { leaves, tooDeep } = flatten(withoutWandbWrapping(value))
  return {
    config: Object.fromEntries([...leaves].filter(([key]) => !key.split('.').includes('__proto__'))),
    warnings: tooDeep ? [message('config.too-deep', { file })] : [],
  }
}

function unread(warning: Message): ReadConfig {
  return { config: {}, warnings: [warning] }
}

/** `line` is where the first error is, when there is no value. */
function parseYaml(text: string): { readonly value: Json | undefined; readonly line: number } {
  const lineCounter = new LineCounter()
  // Pretty errors cost quadratic time on a file full of errors.
  const options = { lineCounter, merge: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const
  // A file can have an error per byte; to trace the stack of each takes four fifths of the time.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const documents = parseAllDocuments(text, options)
    const [document] = 'empty' in documents ? [] : documents
    if (document === undefined) return { value: null, line: 1 }
    const error = document.errors.at(0)
    if (error !== undefined) return { value: undefined, line: lineCounter.linePos(error.pos[0]).line }
    return { value: asJson(document.toJS({ maxAliasCount: 100 })), line: 1 }
  } catch {
    // Aliases that unfold to billions of values, or nesting that recursion does not survive.
    return { value: undefined, line: 1 }
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
    if (depth > DEEPEST_YAML) return true
  }
  if (/^ {300}|^[ \t]*(?:[-?:][ \t]+){100}/m.test(text)) return true
  return (text.match(/[\s,:[{]\*\w/g)?.length ?? 0) > MOST_ALIASES
}

const DEEPEST_YAML = 100
const MOST_ALIASES = 1000

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

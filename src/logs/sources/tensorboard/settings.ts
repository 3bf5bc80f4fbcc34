import { isJsonObject, type Json } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { parseYaml } from '../../model/util/yaml.js'
import { type Message, parseMessage } from '../binary/protobuf-message.js'
import { flatten, parsePythonJson } from '../python-json.js'

/**
 * TensorBoard has no place for a config, so people leave it where they can: in the hparams plugin, or as a text in
 * JSON (Hugging Face), YAML, or a Markdown table (CleanRL).
 */

export const SESSION_START_TAG = '_hparams_/session_start_info'

/** A longer text is no config that a person would want to see. */
const LONGEST_TEXT = 1 << 20
/** Texts made to be hard to parse as YAML cost half a second at this length, and three times that at double. */
const LONGEST_YAML = 1 << 15

const SETTINGS_TAG =
  /(?:^|\/)(?:configs?|configuration|args|arguments|hparams|hyperparams|hyperparameters|settings|model_config)(?:\/text_summary)?$/i

const MODEL_CONFIG_TAG = /model_config(?:\/text_summary)?$/i

export function promisesSettings(tag: string): boolean {
  return SETTINGS_TAG.test(tag)
}

/** The settings in a text under a tag that promises some; undefined when the text holds none. */
export function settingsFromText(tag: string, text: string): Config | undefined {
  if (text.length > LONGEST_TEXT) return undefined
  const body = withoutFence(text)
  const settings = parsePythonJson(body) ?? markdownTable(body) ?? yamlIn(body)
  if (!isJsonObject(settings)) return undefined
  // The model's own config shares key names with the trainer's.
  return configFrom(settings, MODEL_CONFIG_TAG.test(tag) ? 'model_config' : '')
}

function yamlIn(text: string): Json | undefined {
  return text.length > LONGEST_YAML ? undefined : parseYaml(text).value
}

/** SummaryMetadata of the hparams plugin, as `add_hparams` writes it. */
export function settingsFromSession(metadata: Buffer): Config {
  const content = parseMessage(metadata).message(1)?.message(2)
  const settings: [string, Json][] = []
  for (const entry of content?.message(3)?.messages(1) ?? []) {
    const value = entry.message(2)
    if (value !== undefined) settings.push([entry.text(1), plainValue(value)])
  }
  return configFrom(Object.fromEntries(settings), '')
}

/** google.protobuf.Value */
function plainValue(value: Message): Json {
  if (value.has(2)) return value.double(2)
  if (value.has(3)) return value.text(3)
  if (value.has(4)) return value.integer(4) !== 0
  return null
}

function configFrom(settings: Json, prefix: string): Config {
  const { leaves } = flatten(settings, prefix)
  for (const [key, value] of leaves) {
    if (typeof value === 'number' && !Number.isFinite(value)) leaves.set(key, String(value))
  }
  return Object.fromEntries(leaves)
}

function withoutFence(text: string): string {
  return (/^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text).trim()
}

/** `|param|value|`, a rule, and a row per setting. */
function markdownTable(text: string): Json | undefined {
  const lines = text.split('\n').map(line => line.trim())
  const rule = lines.findIndex(line => /^\|[\s:|-]+\|$/.test(line) && line.includes('-'))
  if (!lines[rule - 1]?.startsWith('|')) return undefined
  const settings: [string, Json][] = []
  for (const line of lines.slice(rule + 1)) {
    const [, key, value] = /^\|([^|]+)\|(.*)\|$/.exec(line) ?? []
    if (key !== undefined && value !== undefined) settings.push([key.trim(), scalar(value.trim())])
  }
  return settings.length > 0 ? Object.fromEntries(settings) : undefined
}

/** As Python prints it. */
function scalar(text: string): Json {
  if (text === 'True') return true
  if (text === 'False') return false
  if (text === 'None') return null
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

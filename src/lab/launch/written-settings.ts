import { isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import { isJsonObject, type Json } from '../../logs/model/json.js'
import { isTangled, parseYaml } from '../../logs/model/util/yaml.js'
import { overrideValue } from './hydra/override.js'
import type { LaunchSetting } from './launch.js'

/** Settings as a file has them: the keys of a YAML config, the arguments of a config that a Python script makes. */

/** The settings of a YAML (or JSON) config under dotted keys, each with its line; null where the text is no map. */
export function yamlSettings(text: string): readonly LaunchSetting[] | null {
  const { value } = parseYaml(text)
  if (!isJsonObject(value) || isTangled(text)) return null
  const lines = linesOf(text)
  const settings: LaunchSetting[] = []
  const walk = (node: Json, key: string): void => {
    if (isJsonObject(node) && Object.keys(node).length > 0) {
      for (const [name, child] of Object.entries(node)) walk(child, key === '' ? name : `${key}.${name}`)
    } else
      settings.push({
        key,
        value: isInterpolated(node) ? undefined : node,
        line: lines.get(key) ?? 1,
        operation: 'set',
        from: 'config',
      })
  }
  for (const [name, child] of Object.entries(value)) if (!HYDRA_OWN.has(name)) walk(child, name)
  return settings
}

/** How hydra composes, which is no setting of the training. */
const HYDRA_OWN = new Set(['defaults', 'hydra'])

/** What another setting, or the machine, will put there. */
function isInterpolated(value: Json): boolean {
  return typeof value === 'string' && /\$\{/.test(value)
}

function linesOf(text: string): ReadonlyMap<string, number> {
  const lineCounter = new LineCounter()
  const { contents } = parseDocument(text, { lineCounter, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
  const lines = new Map<string, number>()
  const walk = (node: Node | null, prefix: string): void => {
    if (!isMap<Node, Node | null>(node)) return
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      const name = prefix === '' ? String(key.value) : `${prefix}.${String(key.value)}`
      lines.set(name, lineCounter.linePos(key.range?.[0] ?? 0).line)
      walk(value, name)
    }
  }
  walk(contents, '')
  return lines
}

/**
 * The keyword arguments of a config that a Python script makes: `GRPOConfig(beta=0.04, …)`. Only what is written down as
 * a value is known; a variable, a call or a formula is not worked out, because nothing of the script is run.
 */
export interface PythonSettings {
  /** `grpo`, `rloo`, `ppo`, `sft`; `hf` for plain TrainingArguments. */
  readonly flavour: string
  readonly line: number
  readonly settings: readonly LaunchSetting[]
}

const CALL = /^(?!\s*(?:#|class\b|def\b|from\b|import\b)).*?\b(?:(GRPO|RLOO|PPO|SFT)Config|TrainingArguments)\(/m

export function pythonSettings(text: string): PythonSettings | null {
  const call = CALL.exec(text)
  if (call === null) return null
  const start = call.index + call[0].length
  const line = lineAt(text, start)
  const settings = argumentsFrom(text, start).flatMap(({ from, to }): LaunchSetting[] => {
    const match = /^(?:\s|#[^\n]*\n)*([A-Za-z_]\w*)\s*=(?!=)\s*(.*)$/s.exec(text.slice(from, to))
    if (match === null) return []
    const at = lineAt(text, to - match[2].length)
    return [{ key: match[1], value: literal(match[2].trim()), line: at, operation: 'set', from: 'command' }]
  })
  return { flavour: (call[1] ?? 'hf').toLowerCase(), line, settings }
}

function lineAt(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

const LONGEST = 1 << 16

/** Where each argument begins and ends, up to the bracket that closes the call. */
function argumentsFrom(text: string, start: number): readonly { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = []
  let depth = 0
  let from = start
  for (let at = start; at < Math.min(text.length, start + LONGEST); at += 1) {
    const character = text[at]
    if (character === '#') at = endOr(text.indexOf('\n', at), text) - 1
    else if (character === '"' || character === "'") at = endOr(text.indexOf(character, at + 1), text)
    else if ('([{'.includes(character)) depth += 1
    else if (')]}'.includes(character)) {
      depth -= 1
      if (depth < 0) return [...found, { from, to: at }]
    } else if (character === ',' && depth === 0) {
      found.push({ from, to: at })
      from = at + 1
    }
  }
  return found
}

function endOr(at: number, text: string): number {
  return at < 0 ? text.length : at
}

function literal(text: string): Json | undefined {
  if (/^None$/.test(text)) return null
  if (/^(?:True|False|[-+]?[\d.][\d_.]*(?:e[-+]?\d+)?|"[^"]*"|'[^']*')$/i.test(text)) return overrideValue(text)
  return undefined
}

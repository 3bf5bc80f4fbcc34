import { isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import { isJsonObject, type Json } from '../model/json.js'
import { isTangled, parseYaml } from '../model/util/yaml.js'
import type { LaunchSetting } from './launch.js'

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

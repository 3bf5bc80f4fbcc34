import { z } from 'zod'
import type { Json } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { readArguments } from '../openrlhf/printed.js'
import { flatten } from '../python-json.js'
import { readPythonLiteral } from './python-literal.js'

/**
 * Settings that a script prints before it trains, where they are plain: argparse's `Namespace(lr=0.1, …)`, a dict, or a
 * list of `key: value`, `key = value` or `key ..... value`, indented as in YAML. Three lines in a row make a list; a
 * single one may be anything.
 */
export const settingsSchema = z.array(z.tuple([z.number(), z.string(), z.string()]))

type PendingSettings = z.infer<typeof settingsSchema>

const ENTRY = /^(\s{0,24})(?:--)?([A-Za-z_][\w.-]{0,80})(?:\s{0,60}[:=]\s*|\s{1,4}\.{3,80}\s)(\S[^\r\n]{0,300})?$/
const FEWEST = 3
const MOST = 2000

/** Takes a line; what it gives is a list that this line has ended, or settings that stand on one line. */
export function takeSettingLine(pending: PendingSettings, text: string): Config | null {
  const line = text.trim()
  if (/^[Nn]amespace\(/.test(line)) return readArguments(line)
  if (/^\{['"]\w{1,60}['"]: /.test(line) && line.endsWith('}')) return settingsIn(readPythonLiteral(line))
  const entry = ENTRY.exec(text)
  if (entry !== null && pending.length < MOST) {
    pending.push([entry[1]?.length ?? 0, entry[2] ?? '', entry[3]?.trim() ?? ''])
    return null
  }
  return line === '' ? null : closeSettings(pending)
}

export function closeSettings(pending: PendingSettings): Config | null {
  const entries = pending.splice(0)
  if (entries.length < FEWEST) return null
  const path: { readonly indent: number; readonly key: string }[] = []
  const settings = new Map<string, Json>()
  for (const [indent, key, text] of entries) {
    while ((path.at(-1)?.indent ?? -1) >= indent) path.pop()
    path.push({ indent, key })
    if (text !== '') settings.set(path.map(part => part.key).join('.'), settingValue(text))
  }
  return settings.size === 0 ? null : Object.fromEntries(settings)
}

function settingValue(text: string): Json {
  const value = readPythonLiteral(text)
  return value === undefined || typeof value === 'object' ? text : value
}

function settingsIn(value: Json | undefined): Config | null {
  return value === undefined ? null : Object.fromEntries(flatten(value).leaves)
}

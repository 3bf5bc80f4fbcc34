import type { Json } from '../../../logs/model/json.js'
import { UNKNOWN } from '../shell/values.js'

/** One word of hydra's command line: `key=value`, `+key=value` for a new key, `++key=value` for either, `~key` to remove. */
export interface Override {
  readonly operation: 'set' | 'add' | 'force' | 'remove'
  readonly key: string
  /** Undefined where only running would tell. */
  readonly value: Json | undefined
}

const WRITTEN = /^(\+\+|\+|~)?([A-Za-z_][\w./@-]*)(?:=(.*))?$/s
const OPERATIONS = { '+': 'add', '++': 'force', '~': 'remove' } as const

export function parseOverride(word: string): Override | null {
  const match = WRITTEN.exec(word)
  if (match === null) return null
  const [, sign, key, value] = match
  if (value === undefined && sign !== '~') return null
  const operation = sign === '+' || sign === '++' || sign === '~' ? OPERATIONS[sign] : 'set'
  return { operation, key, value: value === undefined ? null : overrideValue(value) }
}

const NUMBER = /^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i
const DEEPEST = 16
const LONGEST = 1 << 16

/** What hydra's grammar makes of a value. A text in which a part is not known is not known. */
export function overrideValue(text: string, depth = 0): Json | undefined {
  const bare = text.trim()
  if (bare.includes(UNKNOWN)) return bare === UNKNOWN || !/^[[{]/.test(bare) ? undefined : listOrText(bare, depth)
  if (/^(?:null|none)$/i.test(bare)) return /^null$/.test(bare) ? null : bare
  if (/^(?:true|false)$/i.test(bare)) return bare.toLowerCase() === 'true'
  if (bare.length < 40 && NUMBER.test(bare)) return Number(bare.replaceAll('_', ''))
  return listOrText(bare, depth)
}

function listOrText(text: string, depth: number): Json | undefined {
  const quote = text[0]
  if ((quote === "'" || quote === '"') && text.length > 1 && text.endsWith(quote)) return text.slice(1, -1)
  const isList = text.startsWith('[') && text.endsWith(']')
  const isMap = text.startsWith('{') && text.endsWith('}')
  if ((!isList && !isMap) || depth > DEEPEST || text.length > LONGEST) return text
  const parts = splitAtCommas(text.slice(1, -1))
  if (isList) return parts.map(part => overrideValue(part, depth + 1) ?? UNKNOWN)
  return Object.fromEntries(
    parts.flatMap(part => {
      const at = part.indexOf(':')
      return at < 0 ? [] : [[part.slice(0, at).trim(), overrideValue(part.slice(at + 1), depth + 1) ?? UNKNOWN]]
    }),
  )
}

function splitAtCommas(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let quote: string | null = null
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (quote !== null) {
      if (character === quote) quote = null
    } else if (character === '"' || character === "'") quote = character
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  const last = text.slice(from)
  return last.trim() === '' ? parts : [...parts, last]
}

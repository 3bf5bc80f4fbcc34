import type { Json } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import { closestWord } from '../../../logs/model/vocabulary/suggest.js'
import { sentences } from '../../../text/sentences.js'

/** Words of a command with blanks: `--out={folder}`; `{{` and `}}` are braces. What fills them is never read again. */
export type Template = readonly (string | { readonly key: string })[]

const say = sentences({
  'study.template.unclosed': {
    en: 'a brace in "{word}" is not closed; write {open} for a literal brace',
    zh: '“{word}”中的花括号没有闭合；若要表示花括号本身，请写 {open}',
  },
  'study.template.unknown': {
    en: '"{word}" refers to "{key}", which does not exist; known: {known}',
    zh: '“{word}”要求“{key}”，但没有这一项；可用的有 {known}',
  },
  'study.template.unknown-suggest': {
    en: '"{word}" refers to "{key}", which does not exist; did you mean "{suggestion}"?',
    zh: '“{word}”要求“{key}”，但没有这一项；是否想写“{suggestion}”？',
  },
})

export function parseTemplate(word: string): Template | Message {
  const parts: (string | { readonly key: string })[] = []
  let text = ''
  for (let at = 0; at < word.length; at += 1) {
    const character = word[at]
    if (character !== '{' && character !== '}') {
      text += character
      continue
    }
    if (word[at + 1] === character) {
      text += character
      at += 1
      continue
    }
    const end = word.indexOf('}', at)
    const key = word.slice(at + 1, end)
    if (character === '}' || end < 0 || key.includes('{')) {
      return say('study.template.unclosed', { word, open: character === '}' ? '}}' : '{{' })
    }
    if (text !== '') parts.push(text)
    parts.push({ key: key.trim() })
    text = ''
    at = end
  }
  return text === '' ? parts : [...parts, text]
}

export function keysOf(template: Template): readonly string[] {
  return template.flatMap(part => (typeof part === 'string' ? [] : [part.key]))
}

export function unknownKey(word: string, key: string, known: readonly string[]): Message {
  const suggestion = closestWord(key, known)
  return suggestion === null
    ? say('study.template.unknown', { word, key, known: known.join(', ') })
    : say('study.template.unknown-suggest', { word, key, suggestion })
}

export function fillTemplate(template: Template, textFor: (key: string) => string): string {
  return template.map(part => (typeof part === 'string' ? part : textFor(part.key))).join('')
}

/** How settings are written as words, in the manner of the program that will read them: hydra, argparse, Hugging Face, env. */
export interface OverrideStyle {
  readonly form: 'hydra' | 'flags' | 'flags-equals' | 'env'
  /** `bare`: a flag that is there or not, as argparse's `store_true` wants it. */
  readonly truth: 'true' | 'True' | 'bare'
}

interface Overrides {
  readonly words: readonly string[]
  readonly environment: { readonly [name: string]: string }
}

/** A setting that is null is left out where the form has no word for nothing. */
export function writeOverrides(settings: Iterable<readonly [string, Json]>, style: OverrideStyle): Overrides {
  const words: string[] = []
  const environment: { [name: string]: string } = {}
  for (const [key, value] of settings) {
    if (style.form === 'env') {
      if (value !== null) environment[variableOf(key)] = plainText(value, style)
    } else if (style.form === 'hydra') words.push(`${key}=${hydraText(value)}`)
    else words.push(...flagWords(key, value, style))
  }
  return { words, environment }
}

function variableOf(key: string): string {
  return key.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()
}

function flagWords(key: string, value: Json, style: OverrideStyle): readonly string[] {
  if (value === null) return []
  const flag = `--${key}`
  if (typeof value === 'boolean' && style.truth === 'bare') return value ? [flag] : []
  if (style.form === 'flags-equals') return [`${flag}=${plainText(value, style)}`]
  // What begins like a flag, a negative number apart, is read as one unless it is joined.
  const texts = (Array.isArray(value) ? value : [value]).map(each => plainText(each, style))
  return texts.length === 1 && /^-(?![\d.])/.test(texts[0]) ? [`${flag}=${texts[0]}`] : [flag, ...texts]
}

export function plainText(value: Json, { truth }: Pick<OverrideStyle, 'truth'>): string {
  if (typeof value === 'boolean') return truth === 'true' ? String(value) : value ? 'True' : 'False'
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** By hydra's grammar: bare where nothing in it has a meaning there, else in quotes. */
function hydraText(value: Json): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map(hydraText).join(',')}]`
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, each]) => `${key}:${hydraText(each)}`)
      .join(',')}}`
  }
  const isPlain = /^[\w/.@+%-][\w/.@+%*:|?-]*$/.test(value) && !/^(?:null|true|false|inf|nan|[-+.\d].*)$/i.test(value)
  return isPlain && !value.includes(':') ? value : quoted(value)
}

/** A backslash only has a meaning before a quote, and at the end. */
function quoted(text: string): string {
  return `'${text.replace(/(\\*)'/g, "$1$1\\'").replace(/(\\+)$/, '$1$1')}'`
}

import type { Message } from '../../model/run.js'
import { closestWord } from '../../model/vocabulary/suggest.js'
import { sentences } from '../../text/sentences.js'

/** Words of a command with blanks: `--out={folder}`; `{{` and `}}` are braces. What fills them is never read again. */
export type Template = readonly (string | { readonly key: string })[]

const say = sentences({
  'study.template.unclosed': {
    en: 'a brace in "{word}" is not closed; write {open} for a brace that means nothing',
    zh: '“{word}”中的花括号没有闭合；若要表示花括号本身，请写 {open}',
  },
  'study.template.unknown': {
    en: '"{word}" asks for "{key}", which there is none of; there are {known}',
    zh: '“{word}”要求“{key}”，但没有这一项；可用的有 {known}',
  },
  'study.template.unknown-suggest': {
    en: '"{word}" asks for "{key}", which there is none of; did you mean "{suggestion}"?',
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

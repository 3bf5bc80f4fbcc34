import { clauses, closed, type Language } from '../../text/language.js'
import { signed } from '../../text/numbers.js'
import { type Message, render } from '../../text/sentences.js'
import type { Inline } from './blocks.js'

/** A speaker puts answers into one reader's words: the language, and how sentences and shares look in it. */
export interface Speaker {
  readonly language: Language
  /** A message in the reader's language. */
  readonly say: (message: Message) => string
  /** A clause as a whole sentence: a capital and a full stop, but a name, a command or a symbol keeps its first letter. */
  readonly sentence: (text: string) => string
  /** A share as a signed percentage: 0.089 is "+8.9 %". */
  readonly percent: (share: number, decimals?: number) => string
  /** "a, b, c". */
  readonly listed: (items: readonly string[]) => string
  /** Several clauses as one sentence: "a; b". */
  readonly clauses: (parts: readonly string[]) => string
}

export function speakerIn(language: Language): Speaker {
  const zh = language === 'zh'
  return {
    language,
    say: message => closed(render(message, language)),
    sentence: text => {
      const first = PLAIN_WORD.test(text) ? text.charAt(0).toUpperCase() : text.charAt(0)
      return `${first}${text.slice(1)}${/[.。?？!！]$/.test(text) ? '' : zh ? '。' : '.'}`
    },
    percent: (share, decimals = 1) => `${signed(100 * share, decimals)}${zh ? '%' : ' %'}`,
    listed: items => items.join(zh ? '、' : ', '),
    clauses: parts => clauses(parts, language),
  }
}

/** No letter that stands for a quantity, such as p; no name, such as kl.ref, actor/lr or no-kl; no command. */
const PLAIN_WORD = /^(?!klens )(?:a|[a-z]{2,})(?=[ ,:;]|\.?$)/

/** The sentences of one table, said at once: `const say = saying(speaker, sentences({ … }))`. */
export function saying<Key extends string, Params extends object>(
  speaker: Speaker,
  sentences: (key: Key, params: Params) => Message,
): (key: Key, params: Params) => string {
  return (key, params) => speaker.say(sentences(key, params))
}

/** A sentence with a figure or a name among its words: the text before, the part, the text behind. */
export function sentenceWith(
  { language, say }: Speaker,
  message: Message,
  parts: { readonly [name: string]: Inline },
): readonly Inline[] {
  const made: Inline[] = []
  for (const piece of message.text[language].split(/(\{[\w-]+\})/)) {
    const name = /^\{([\w-]+)\}$/.exec(piece)?.[1]
    const last = made.at(-1)
    const text = (): string => say({ ...message, text: { en: piece, zh: piece } })
    if (name !== undefined && Object.hasOwn(parts, name)) made.push(parts[name])
    else if (typeof last === 'string') made[made.length - 1] = closed(last + text())
    else made.push(text())
  }
  return made
}

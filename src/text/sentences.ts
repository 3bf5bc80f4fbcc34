import { clauses, fill, type Language, type ParamsOf, type Template, type Templates } from './language.js'

/**
 * Sentences stand beside the code that says them: a rule, a source or a verb declares its own with `sentences`, in both
 * languages, and gets back the function that makes messages of them. A message carries its words, so that it can be
 * stored, sent to another process and rendered there; what is loaded never changes what is said.
 */

/** A sentence to be said in the reader's language. */
export interface Message {
  readonly key: string
  readonly text: Template
  readonly params: { readonly [name: string]: MessageParam }
}

/** A sentence may hold others: a reason, or a list of them. */
export type MessageParam = string | number | Message | readonly Message[]

/** The blanks of one sentence, read off its English text by the compiler. */
export type Blanks<Text extends Template> = { readonly [Name in ParamsOf<Text['en']>]: MessageParam }

/** Makes a message of one sentence of a table; a key or a blank that does not exist is a type error. */
export type Say<Texts extends Templates> = <Key extends keyof Texts & string>(
  key: Key,
  params: Blanks<Texts[Key]>,
) => Message

export function sentences<const Texts extends Templates>(texts: Texts): Say<Texts> {
  return (key, params) => ({ key, text: texts[key], params })
}

export function render({ text, params }: Message, language: Language): string {
  const words = Object.entries(params).map(([name, value]) => [name, paramText(value, language)] as const)
  return fill(text[language], Object.fromEntries(words))
}

function paramText(param: MessageParam, language: Language): string | number {
  if (typeof param !== 'object') return param
  return 'key' in param
    ? render(param, language)
    : clauses(
        param.map(each => render(each, language)),
        language,
      )
}

/** A message where only a string fits, such as an issue of a schema; `messageFrom` gets it back. */
export function messageAsString(message: Message): string {
  return JSON.stringify(message)
}

export function messageFrom(text: string): Message | null {
  if (!text.startsWith('{"key":')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isMessage(value) ? value : null
  } catch {
    return null
  }
}

/** Told by its words in both languages, which no setting of a config has under these names. */
export function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || !('key' in value && 'text' in value && 'params' in value))
    return false
  const { text } = value
  return typeof text === 'object' && text !== null && 'en' in text && 'zh' in text
}

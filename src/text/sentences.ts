import type { Message, MessageParam } from '../model/run.js'
import { clauses, fill, type Language, type ParamsOf, type Template, type Templates } from './language.js'

/**
 * Sentences stand beside who says them: a rule, a source or a verb declares its own with `sentences`, in both languages,
 * and gets back the function that makes messages of them. A message is only a key and its blanks, so that it can be
 * stored and rendered later; it finds its words as long as the file that declared them has been loaded.
 */

const declared = new Map<string, Template>()

/** The blanks of one sentence, read off its English text by the compiler. */
export type Blanks<Text extends Template> = { readonly [Name in ParamsOf<Text['en']>]: MessageParam }

export type Speaker<Texts extends Templates> = <Key extends keyof Texts & string>(
  key: Key,
  params: Blanks<Texts[Key]>,
) => Message

export function sentences<const Texts extends Templates>(texts: Texts): Speaker<Texts> {
  for (const [key, template] of Object.entries(texts)) {
    if ((declared.get(key) ?? template) !== template) throw new Error(`the sentence "${key}" is declared twice`)
    declared.set(key, template)
  }
  return (key, params) => ({ key, params })
}

/** A message in words. One that another version of klens stored may have none here: its key is shown. */
export function render(message: Message, language: Language): string {
  const template = declared.get(message.key)
  if (template === undefined) return `${message.key} ${JSON.stringify(message.params)}`
  const words = Object.entries(message.params).map(([name, value]) => [name, inWords(value, language)] as const)
  return fill(template[language], Object.fromEntries(words))
}

function inWords(param: MessageParam, language: Language): string | number {
  if (typeof param !== 'object') return param
  return 'key' in param
    ? render(param, language)
    : clauses(
        param.map(each => render(each, language)),
        language,
      )
}

/** Everything declared so far, for the checks of the house. */
export function declaredSentences(): ReadonlyMap<string, Template> {
  return declared
}

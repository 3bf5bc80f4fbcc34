import type { Message } from '../model/run.js'
import { type Language, type ParamsOf, type ParamValue, type Templates, fill } from './language.js'
import { sourceTexts } from './sources.js'

/** Every sentence klens can say. One file per speaker; a new one is added here. */
const texts = {
  ...sourceTexts,
} as const satisfies Templates

export type TextKey = keyof typeof texts

type Params<Key extends TextKey> = { readonly [Name in ParamsOf<(typeof texts)[Key]['en']>]: ParamValue }

/** A sentence to be rendered later, in whatever language the reader has. Stored with runs. */
export function message<Key extends TextKey>(key: Key, params: Params<Key>): Message {
  return { key, params }
}

/** A sentence, now. */
export function say<Key extends TextKey>(language: Language, key: Key, params: Params<Key>): string {
  return fill(texts[key][language], params)
}

/** A stored message in words. A message written by another version of klens may have no words here: show its key. */
export function render(message: Message, language: Language): string {
  const template = (texts as Templates)[message.key]
  if (template === undefined) return `${message.key} ${JSON.stringify(message.params)}`
  return fill(template[language], message.params)
}

import type { Language } from './language.js'
import { isMessage, type Message, render } from './sentences.js'

/** What holds no message stays as it is: a setting of a config may be nested without end. */
type Plain = null | boolean | number | string | readonly Plain[] | { readonly [member: string]: Plain }

/** The type of an encoded answer: text where a message was. A number that is not finite arrives as its word, which `Number` reads. */
export type Encoded<T> = T extends Plain
  ? T
  : T extends Message
    ? string
    : T extends readonly unknown[]
      ? { readonly [Index in keyof T]: Encoded<T[Index]> }
      : T extends object
        ? { readonly [Member in keyof T]: Encoded<T[Member]> }
        : T

/**
 * An answer as it leaves klens: messages become sentences in the reader's language, NaN and the infinities become words.
 * The one place where this happens; inside klens an answer keeps its messages and numbers.
 */
export function encode<T>(value: T, language: Language): Encoded<T>
export function encode(value: unknown, language: Language): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (isMessage(value)) return render(value, language)
  // What holds nothing to encode is not copied: a list may hold ten thousand runs.
  if (Array.isArray(value)) {
    let items: unknown[] | null = null
    for (let i = 0; i < value.length; i += 1) {
      const item = encode(value[i], language)
      if (item !== value[i]) items ??= [...value]
      if (items !== null) items[i] = item
    }
    return items ?? value
  }
  let members: { [name: string]: unknown } | null = null
  for (const [name, member] of Object.entries(value)) {
    const encoded = encode(member, language)
    // The copy has every name as its own, so that a name such as `__proto__` stays one.
    if (encoded !== member) members ??= { ...value }
    if (members !== null) members[name] = encoded
  }
  return members ?? value
}

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
    const items = value.map(item => encode(item, language))
    return items.every((item, i) => item === value[i]) ? value : items
  }
  let copy: object | null = null
  for (const name of Object.keys(value)) {
    const member: unknown = Reflect.get(value, name)
    if (typeof member === 'string' || typeof member === 'boolean') continue
    const encoded = encode(member, language)
    if (encoded === member) continue
    copy ??= { ...value }
    // Defined, not set: a key such as `__proto__` stays a key.
    Object.defineProperty(copy, name, { value: encoded, enumerable: true, writable: true, configurable: true })
  }
  return copy ?? value
}

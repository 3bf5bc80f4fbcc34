import { inSentence, plain } from './numbers.js'

/** The two languages klens speaks, and how a sentence template becomes a sentence. */

export type Language = 'en' | 'zh'

/**
 * `{name}` is replaced by a parameter; `{n|point|points}` chooses by whether parameter `n` is 1.
 * Both languages stand side by side, so that a sentence cannot exist in one only.
 */
export interface Template {
  readonly en: string
  readonly zh: string
}

export type Templates = { readonly [key: string]: Template }

/** The parameter names of a template, read off its text by the compiler. */
export type ParamsOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Counted}|${string}` ? Counted : Name) | ParamsOf<Rest>
  : never

type ParamValue = string | number

export function fill(text: string, params: { readonly [name: string]: ParamValue }): string {
  return text.replace(/\{([^{}|]+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g, (_, name: string, one?: string, many?: string) => {
    const value = params[name]
    if (one === undefined || many === undefined) {
      if (typeof value !== 'number') return String(value)
      return PASTED.has(name) ? plain(value) : inSentence(value)
    }
    return Number(value) === 1 ? one : many
  })
}

/** Numbers that people paste into a command, where a separator would be wrong. */
const PASTED: ReadonlySet<string> = new Set(['pid', 'port'])

/** The first few of many names; the evidence has them all. */
export function listed(items: readonly string[], most = 4): string {
  return items.length <= most ? items.join(', ') : `${items.slice(0, most).join(', ')}, …`
}

/** Chinese words stand close; the space beside a parameter is there for Latin names. */
export function closed(text: string): string {
  return text.replace(/(?<=[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]) (?=[\u4e00-\u9fff])/g, '')
}

/** zh when the locale says Chinese, else en. */
export function languageFromLocale(environment: { readonly [name: string]: string | undefined }): Language {
  const locale = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || ''
  return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

/** Several clauses as one sentence. */
export function clauses(parts: readonly string[], language: Language): string {
  return parts.join(language === 'zh' ? '；' : '; ')
}

/** As people sort names: kl-2 before kl-10. */
export function compareNames(a: string, b: string): number {
  // It takes several milliseconds to make, and many questions sort nothing.
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator.compare(a, b)
}

let collator: Intl.Collator | undefined

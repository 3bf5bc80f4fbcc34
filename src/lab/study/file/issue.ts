import type { ParamsOf, Templates } from '../../../text/language.js'
import { type Message, messageAsString, messageFrom, sentences } from '../../../text/sentences.js'

/**
 * Sentences of the schemas of a study file. A schema knows only what is wrong; which member it is (`{key}`) and what the
 * file has there (`{given}`) are filled in by `issueMessage`, where the place in the file is known.
 */

type IssueTemplates<Texts extends Templates> = {
  [Key in keyof Texts]: ParamsOf<Texts[Key]['en']> extends 'key' | 'given' ? Texts[Key] : never
}

interface Issues<Key extends string> {
  /** What is said of any value that does not fit. */
  (key: Key): { readonly error: string }
  /** Likewise, except that a member that is not there is called missing. */
  readonly orMissing: (key: Key) => { readonly error: (issue: { readonly input?: unknown }) => string }
}

export function fileIssues<const Texts extends Templates>(
  texts: Texts & IssueTemplates<Texts>,
): Issues<keyof Texts & string> {
  const packed = (key: keyof Texts & string): string => messageAsString({ key, text: texts[key], params: {} })
  return Object.assign((key: keyof Texts & string) => ({ error: packed(key) }), {
    orMissing: (key: keyof Texts & string) => ({
      error: ({ input }: { readonly input?: unknown }) =>
        input === undefined ? messageAsString(say('study.file.missing', { key: '' })) : packed(key),
    }),
  })
}

const say = sentences({ 'study.file.missing': { en: '"{key}" is missing', zh: '缺少“{key}”' } })

/** The sentence of a schema's issue with its blanks filled, or null where the schema has none for it. */
export function issueMessage(issue: string, blanks: { readonly key: string; readonly given: string }): Message | null {
  const message = messageFrom(issue)
  return message === null ? null : { ...message, params: blanks }
}

import type { Message } from '../model/run.js'
import { closed, type Language } from '../text/language.js'
import { signed } from '../text/numbers.js'
import { say, type TextKey, type TextParams } from '../text/say.js'
import { render } from '../text/sentences.js'

/** The report's language, and how it prints what the store holds. */
export interface Voice {
  readonly language: Language
  readonly say: <Key extends TextKey>(key: Key, params: TextParams<Key>) => string
  readonly render: (message: Message) => string
  /** A whole sentence of what is said elsewhere as a clause. */
  readonly sentence: (text: string) => string
  readonly percent: (share: number, decimals?: number) => string
  /** Words in a row: "a, b and c". */
  readonly listed: (items: readonly string[]) => string
}

export function voiceIn(language: Language): Voice {
  const zh = language === 'zh'
  return {
    language,
    say: (key, params) => closed(say(language, key, params)),
    render: message => closed(render(message, language)),
    sentence: text => {
      const stop = zh ? '。' : '.'
      // A command or a name keeps its first letter.
      const first = /^(?!klens )[a-z]+[ ,:;]/.test(text) ? text.charAt(0).toUpperCase() : text.charAt(0)
      return `${first}${text.slice(1)}${/[.。?？]$/.test(text) ? '' : stop}`
    },
    percent: (share, decimals = 1) => `${signed(100 * share, decimals)}${zh ? '%' : ' %'}`,
    listed: items => items.join(zh ? '、' : ', '),
  }
}

import { edited, foldEdits, latexEdits } from './latex.js'
import type { Span } from './markdown.js'
import { plainText } from './markup.js'
import { LONGEST_STATEMENT } from './sentences.js'

const WIDE = /[\uFF01-\uFF5E\u2212\uFE63\u3000\u00A0\u2002-\u200A\u202F]/
const EVERY_WIDE = new RegExp(WIDE, 'g')

function narrow(wide: string): string {
  const code = wide.charCodeAt(0)
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  return code === 0x2212 || code === 0xfe63 ? '-' : ' '
}

/** Without markup, full-width signs as ASCII; and where its characters stand. */
export function plain(
  text: string,
  { from, to }: Span,
): { readonly text: string; readonly originOf: (index: number) => number } {
  const { text: words, originOf } = plainText(text, { from, to: Math.min(to, from + LONGEST_STATEMENT) })
  const edits = [...latexEdits(words), ...foldEdits(words)].sort((a, b) => a.from - b.from)
  const seen = edits.length === 0 ? null : edited(words, edits)
  const shown = seen?.text ?? words
  return {
    text: WIDE.test(shown) ? shown.replace(EVERY_WIDE, narrow) : shown,
    originOf: seen === null ? originOf : index => originOf(seen.originOf(index)),
  }
}

import type { Span } from './markdown.js'
import { type Edit, type EditedText, edited, latexEdits, markupEdits } from './markup.js'
import { LONGEST_STATEMENT } from './sentences.js'

/** What is read of a stretch: without markup and LaTeX, on one line, full-width signs as ASCII. */
export function plain(source: string, { from, to }: Span): EditedText {
  const written = source.slice(from, Math.min(to, from + LONGEST_STATEMENT))
  if (!CHANGED.test(written)) return { text: written, originOf: index => from + index }
  const bare = edited(written, markupEdits(written))
  const shown = edited(bare.text, [...latexEdits(bare.text), ...foldEdits(bare.text)])
  return { text: shown.text.replace(WIDE, narrow), originOf: index => from + bare.originOf(shown.originOf(index)) }
}

/** A line break inside a sentence, with the indentation and quote marks of the next line. */
function foldEdits(text: string): readonly Edit[] {
  if (!text.includes('\n')) return []
  const breaks = text.matchAll(/(?<!\s)\s*\n[\s>]*/g)
  return Array.from(breaks, ({ index, 0: { length } }) => ({ from: index, to: index + length, instead: ' ' }))
}

const WIDE = /[\uFF01-\uFF5E\u2212\uFE63\u3000\u00A0\u2002-\u200A\u202F]/g
/** What markup, LaTeX, line breaks and wide signs are made of: most cells and many sentences hold none of it. */
const CHANGED = /[\\`*_~[\]<&$\n\uFF01-\uFF5E\u2212\uFE63\u3000\u00A0\u2002-\u200A\u202F]/

function narrow(wide: string): string {
  const code = wide.charCodeAt(0)
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  return code === 0x2212 || code === 0xfe63 ? '-' : ' '
}

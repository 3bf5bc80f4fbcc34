import { type Edit, shownAs } from './edits.js'
import { everyMatch } from './matches.js'

/**
 * LaTeX in Markdown, read as what it shows: `$43.4$` is 43.4, `\textbf{80.3}` is 80.3, `\times` is ×. Papers and their
 * READMEs are full of it. No formula is understood; what is not known stays as it is.
 */
const SYMBOLS = shownAs(
  'times × pm ± to → rightarrow → approx ≈ sim ~ le ≤ leq ≤ ge ≥ geq ≥ alpha α beta β gamma γ lambda λ tau τ epsilon ε Delta Δ cdot ·',
).set('quad', ' ')
/** Paired as Pandoc pairs them: no space inside the marks, no digit behind the closing one ("$3 to $5" is money). */
const MATHS = /\$(?=[^\s$])([^$\n]{1,200}?)(?<=\S)\$(?!\d)/g
/** A style whose braces hold words that the reader sees. */
const STYLED = /\\(?:text\w{0,9}|emph|underline|math\w{2,4}|bm|operatorname|mbox)\{([^{}]{0,200})\}/g
/** A reference, a comma between digits, a symbol. */
const COMMAND = /\\(?:cite\w{0,3}|ref|eqref|cref|label|footnote|url)\{[^}]{0,120}\}|\{(,)\}|\\([A-Za-z]{1,14})/g

export function latexEdits(text: string): readonly Edit[] {
  if (!text.includes('\\') && !text.includes('$')) return []
  const edits: Edit[] = []
  for (const { index, 0: found, 1: words } of [...everyMatch(text, MATHS), ...everyMatch(text, STYLED)]) {
    const end = index + found.length
    edits.push({ from: index, to: end - 1 - words.length, instead: '' }, { from: end - 1, to: end, instead: '' })
  }
  for (const { index, 0: found, 1: comma = '', 2: name } of everyMatch(text, COMMAND)) {
    const instead = name === undefined ? comma : SYMBOLS.get(name)
    if (instead !== undefined) edits.push({ from: index, to: index + found.length, instead })
  }
  return edits
}

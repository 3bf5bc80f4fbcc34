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
/** A reference, a style whose braces hold words that the reader sees, another command, and what else is not seen. */
const COMMAND =
  /(\\(?:cite\w{0,3}|ref|eqref|autoref|cref|label|footnote|url)\{[^}]{0,120}\})|(\\(?:text\w{0,9}|emph|underline|mathrm|mathbf|mathit|mathcal|bm|boldsymbol|operatorname|mbox)\{)|\\([A-Za-z]{1,14})|\\(?=\s)|\{,\}|[{}]/g

export function latexEdits(text: string): readonly Edit[] {
  if (!text.includes('\\') && !text.includes('$')) return []
  const edits: Edit[] = []
  const hide = (from: number, to: number, instead = ''): void => {
    edits.push({ from, to, instead })
  }
  for (const { index, 0: found } of everyMatch(text, MATHS)) {
    hide(index, index + 1)
    hide(index + found.length - 1, index + found.length)
  }
  const areStyles: boolean[] = []
  for (const { index, 0: found, 2: style, 3: name } of everyMatch(text, COMMAND)) {
    const end = index + found.length
    if (found === '{') areStyles.push(false)
    else if (found === '}') {
      if (areStyles.pop() === true) hide(index, end)
    } else if (found === '{,}') hide(index, end, ',')
    else if (name === undefined) hide(index, end)
    else if (SYMBOLS.has(name)) hide(index, end, SYMBOLS.get(name))
    if (style !== undefined) areStyles.push(true)
  }
  return edits
}

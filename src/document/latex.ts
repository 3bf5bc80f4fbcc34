import { type Edit, shownAs } from './edits.js'

/**
 * LaTeX in Markdown, read as what it shows: `$43.4$` is 43.4, `\textbf{80.3}` is 80.3, `\times` is ×. Papers and their
 * READMEs are full of it. No formula is understood; what is not known stays as it is.
 */
const SYMBOLS = shownAs(
  'times × pm ± to → rightarrow → approx ≈ sim ~ le ≤ leq ≤ ge ≥ geq ≥ alpha α beta β gamma γ lambda λ tau τ epsilon ε Delta Δ cdot ·',
).set('quad', ' ')
/** Their braces hold words that the reader sees. */
const STYLES = /^(?:text\w{0,9}|emph|underline|mathrm|mathbf|mathit|mathcal|bm|boldsymbol|operatorname|mbox)$/
const REFERENCES = /^(?:cite\w{0,3}|ref|eqref|autoref|cref|label|footnote|url)$/
/** Paired as Pandoc pairs them: no space inside the marks, no digit behind the closing one ("$3 to $5" is money). */
const MATHS = /\$(?=[^\s$])([^$\n]{1,200}?)(?<=\S)\$(?!\d)/g
const COMMAND = /\\([A-Za-z]{1,14})|\\(?=\s)|\{,\}|[{}]/g
const LONGEST_REFERENCE = 120

export function latexEdits(text: string): readonly Edit[] {
  if (!text.includes('\\') && !text.includes('$')) return []
  const edits: Edit[] = []
  const hide = (from: number, to: number, instead = ''): void => {
    edits.push({ from, to, instead })
  }
  for (const { index, 0: found } of text.matchAll(MATHS)) {
    hide(index, index + 1)
    hide(index + found.length - 1, index + found.length)
  }
  const open: boolean[] = []
  let until = 0
  for (const { index, 0: found, 1: name } of text.matchAll(COMMAND)) {
    if (index < until) continue
    const end = index + found.length
    if (found === '{' || found === '}') {
      if (found === '{') open.push(false)
      else if (open.pop() === true) hide(index, end)
    } else if (found === '{,}') hide(index, end, ',')
    else if (name === undefined) hide(index, end)
    else if (SYMBOLS.has(name)) hide(index, end, SYMBOLS.get(name))
    else if (STYLES.test(name) && text[end] === '{') {
      open.push(true)
      until = end + 1
      hide(index, until)
    } else if (REFERENCES.test(name) && text[end] === '{') {
      const close = text.slice(end, end + LONGEST_REFERENCE).indexOf('}')
      if (close < 0) continue
      until = end + close + 1
      hide(index, until)
    }
  }
  return edits
}

import { once } from '../model/util/memo.js'
import type { Span } from './markdown.js'
import { everyMatch } from './matches.js'
import { lastAtMost } from './places.js'

/**
 * Inline markup, which its readers do not see. Deliberately laxer than
 * CommonMark: `**约束：**后文` is bold to its author although the standard says otherwise. One pass over the text:
 * no pattern here may look further than a bounded piece ahead, so a hostile line costs no more than a long one.
 */
export function withoutMarkup(source: string): string {
  return edited(source, markupEdits(source)).text
}

/** An escape, code, a run of emphasis, a bracket with the address of its link, a tag that occurs in prose, an entity. */
const MARK =
  /\\[!-/:-@[-`{-~]|(?<!`)(`{1,3})(?!`)[\s\S]{1,200}?(?<!`)\1(?!`)|(\*+|_+|~+)|(\[)|(\])(\([^()\s]{0,500}(?:\s{1,9}"[^"]{0,200}")?\))?|<!--[\s\S]{0,2000}?-->|<\/?(?:a|abbr|b|br|code|del|div|em|font|i|img|ins|kbd|mark|p|s|small|span|strong|sub|sup|u)(?:\s[^<>]{0,500})?\/?>|&#?\w{2,8};/gi

export function markupEdits(words: string): readonly Edit[] {
  const edits: Edit[] = []
  const openerOf = emphasis(words)
  const brackets: number[] = []
  const hide = (from: number, to: number, instead = ''): void => {
    edits.push({ from, to, instead })
  }
  for (const { index: at, 0: mark, 1: ticks, 2: run, 3: opening, 4: closing, 5: address } of everyMatch(words, MARK)) {
    const end = at + mark.length
    if (mark.startsWith('\\')) hide(at, at + 1)
    else if (ticks !== undefined) {
      hide(at, at + ticks.length)
      hide(end - ticks.length, end)
    } else if (run !== undefined) {
      const opener = openerOf(at, run)
      if (opener === undefined) continue
      hide(opener, opener + run.length)
      hide(at, end)
    } else if (opening !== undefined) brackets.push(at)
    else if (closing !== undefined) {
      const bracket = brackets.pop()
      // Brackets without an address are just brackets; an image shows its label as a link does.
      if (bracket === undefined || address === undefined) continue
      hide(words[bracket - 1] === '!' ? bracket - 1 : bracket, bracket + 1)
      hide(at, end)
    } else if (mark.startsWith('&')) hide(at, end, decoded(mark))
    else hide(at, end, /^<br/i.test(mark) ? ' ' : '')
  }
  return edits
}

/** Where emphasis of equal kind and length opened; `*` between spaces and `_` inside a word are no marks. */
function emphasis(words: string): (at: number, mark: string) => number | undefined {
  const open = new Map<string, number>()
  return (at, mark) => {
    if (mark.length > 3 || (mark[0] === '~' && mark.length !== 2)) return undefined
    const [before, behind] = [words[at - 1] ?? ' ', words[at + mark.length] ?? ' ']
    if (mark[0] === '_' && WORD().test(before) && WORD().test(behind)) return undefined
    const opener = /\s/.test(before) ? undefined : open.get(mark)
    if (opener !== undefined) open.delete(mark)
    else if (!/\s/.test(behind)) open.set(mark, at)
    return opener
  }
}

const WORD = once(() => /^[\p{L}\p{N}]$/u)

const ENTITIES = shownAs('amp & lt < gt > quot " plusmn ± minus − times × asymp ≈ le ≤ ge ≥').set('nbsp', ' ')

/** What `&lt;`, `&nbsp;` or `&#8722;` shows; itself where nobody knows. */
export function decoded(entity: string): string {
  const [, hexadecimal, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? []
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (ENTITIES.get(entity.slice(1, -1)) ?? entity)
}

/** A stretch of the source that its reader does not see, or sees as something else. */
export interface Edit extends Span {
  readonly instead: string
}

export interface EditedText {
  readonly text: string
  /** Where the character at this index of `text` stands in the source. */
  readonly originOf: (index: number) => number
}

/** The text with its edits; of two that overlap the later one is passed over. Without any the text is not copied. */
export function edited(source: string, edits: readonly Edit[]): EditedText {
  if (edits.length === 0) return { text: source, originOf: index => index }
  const [starts, origins]: [number[], number[]] = [[], []]
  let text = ''
  const put = (words: string, origin: number): void => {
    if (words === '') return
    starts.push(text.length)
    origins.push(origin)
    text += words
  }
  let at = 0
  for (const { from, to, instead } of edits.toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue
    put(source.slice(at, from), at)
    put(instead, from)
    at = to
  }
  put(source.slice(at), at)
  const originOf = (index: number): number => {
    const piece = lastAtMost(starts, index)
    return (origins[piece] ?? 0) + (piece < 0 ? 0 : index - (starts[piece] ?? 0))
  }
  return { text, originOf }
}

/** A table of names and what is seen instead of them, in turn. */
function shownAs(table: string): Map<string, string> {
  return new Map(Array.from(table.matchAll(/(\S+) (\S+)/g), ([, name = '', sign = '']) => [name, sign]))
}

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
  for (const { index, 0: found, 1: words = '' } of [...everyMatch(text, MATHS), ...everyMatch(text, STYLED)]) {
    const end = index + found.length
    edits.push({ from: index, to: end - 1 - words.length, instead: '' }, { from: end - 1, to: end, instead: '' })
  }
  for (const { index, 0: found, 1: comma = '', 2: name } of everyMatch(text, COMMAND)) {
    const instead = name === undefined ? comma : SYMBOLS.get(name)
    if (instead !== undefined) edits.push({ from: index, to: index + found.length, instead })
  }
  return edits
}

import { type Edit, edited, shownAs } from './edits.js'
import { everyMatch } from './matches.js'

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
  /\\[!-/:-@[-`{-~]|(?<!`)(`{1,3})(?!`)[\s\S]{1,200}?(?<!`)\1(?!`)|(\*+|_+|~+)|(\[)|(\])(\([^()\s]{0,500}(?:\s{1,9}"[^"]{0,200}")?\))?|<\/?(?:a|abbr|b|br|code|del|div|em|font|i|img|ins|kbd|mark|p|s|small|span|strong|sub|sup|u)(?:\s[^<>]{0,500})?\/?>|&#?\w{2,8};/gi

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
    if (mark[0] === '_' && WORD.test(before) && WORD.test(behind)) return undefined
    const opener = /\s/.test(before) ? undefined : open.get(mark)
    if (opener !== undefined) open.delete(mark)
    else if (!/\s/.test(behind)) open.set(mark, at)
    return opener
  }
}

const WORD = /^[\p{L}\p{N}]$/u

const ENTITIES = shownAs('amp & lt < gt > quot " plusmn ± minus − times × asymp ≈ le ≤ ge ≥').set('nbsp', ' ')

/** What `&lt;`, `&nbsp;` or `&#8722;` shows; itself where nobody knows. */
export function decoded(entity: string): string {
  const [, hexadecimal, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? []
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (ENTITIES.get(entity.slice(1, -1)) ?? entity)
}

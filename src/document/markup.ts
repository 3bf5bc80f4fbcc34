import { type Edit, type EditedText, edited, inOrder } from './edits.js'
import type { Span } from './markdown.js'

/**
 * Words without their inline markup, and where each character of them stands in the file. Deliberately laxer than
 * CommonMark: `**约束：**后文` is bold to its author although the standard says otherwise. One pass over the text:
 * no pattern here may look further than a bounded piece ahead, so a hostile line costs no more than a long one.
 */
export function plainText(source: string, { from, to }: Span): EditedText {
  const words = source.slice(from, to)
  if (!MARKUP.test(words)) return { text: words, originOf: index => from + index }
  const { text, originOf } = edited(words, editsOf(words))
  return { text, originOf: index => from + originOf(index) }
}

export function withoutMarkup(source: string): string {
  return plainText(source, { from: 0, to: source.length }).text
}

const MARKUP = /[\\`*_~[\]<&]/

function editsOf(words: string): readonly Edit[] {
  const edits: Edit[] = []
  const emphasis = emphasisPairs()
  const brackets: number[] = []
  const codeEnds = codeSpanEnds(words)
  const hide = (from: number, to: number, instead = ''): number => {
    edits.push({ from, to, instead })
    return to
  }
  for (let at = 0; at < words.length; ) {
    const character = words[at]
    if (character === '\\' && PUNCTUATION.test(words[at + 1] ?? '')) {
      hide(at, at + 1)
      at += 2
    } else if (character === '`') {
      const opening = runEnd(words, at)
      const closing = codeEnds(at, opening)
      if (closing === null) at = opening
      else {
        hide(at, opening)
        at = hide(closing - (opening - at), closing)
      }
    } else if (character === '*' || character === '_' || character === '~') {
      const end = runEnd(words, at)
      for (const mark of emphasis(words, at, end)) hide(mark.from, mark.to)
      at = end
    } else if (character === '[') {
      brackets.push(at)
      at += 1
    } else if (character === ']') {
      at = hideLink(words, brackets.pop(), at, hide)
    } else {
      const seen = character === '<' ? seenTag(words, at) : character === '&' ? seenEntity(words, at) : null
      at = seen === null ? at + 1 : hide(at, seen.to, seen.instead)
    }
  }
  return inOrder(edits)
}

const PUNCTUATION = /^[!-/:-@[-`{-~]$/

function runEnd(words: string, from: number): number {
  let end = from + 1
  while (words[end] === words[from]) end += 1
  return end
}

/** Code is closed by as many back-ticks as opened it. A length that once found no end has none further on. */
function codeSpanEnds(words: string): (from: number, to: number) => number | null {
  const hopeless = new Set<number>()
  return (from, to) => {
    const length = to - from
    if (length > LONGEST_CODE_MARK || hopeless.has(length)) return null
    for (let at = words.indexOf('`', to); at >= 0; at = words.indexOf('`', at)) {
      const end = runEnd(words, at)
      if (end - at === length) return end
      at = end
    }
    hopeless.add(length)
    return null
  }
}

const LONGEST_CODE_MARK = 8

/** Marks of equal kind and length that open and close; `*` between spaces and `_` inside a word are no marks. */
function emphasisPairs(): (words: string, from: number, to: number) => readonly Span[] {
  const open = new Map<string, Span[]>()
  return (words, from, to) => {
    const mark = words.slice(from, to)
    if (mark.length > 3 || (mark[0] === '~' && mark.length !== 2)) return []
    const before = words[from - 1] ?? ' '
    const behind = words[to] ?? ' '
    const insideWord = mark[0] === '_' && WORD.test(before) && WORD.test(behind)
    if (insideWord) return []
    const waiting = open.get(mark) ?? []
    const opener = /\s/.test(before) ? undefined : waiting.pop()
    if (opener !== undefined) return [opener, { from, to }]
    if (!/\s/.test(behind)) open.set(mark, [...waiting.slice(-MOST_NESTED_MARKS), { from, to }])
    return []
  }
}

const WORD = /^[\p{L}\p{N}]$/u
const MOST_NESTED_MARKS = 8

/** `[label](address)` and `![label](address)` show their label; brackets without an address are just brackets. */
function hideLink(
  words: string,
  opening: number | undefined,
  at: number,
  hide: (from: number, to: number) => number,
): number {
  if (opening === undefined || words[at + 1] !== '(') return at + 1
  LINK_ADDRESS.lastIndex = at + 1
  const address = LINK_ADDRESS.exec(words)
  if (address === null) return at + 1
  hide(words[opening - 1] === '!' ? opening - 1 : opening, opening + 1)
  return hide(at, at + 1 + address[0].length)
}

const LINK_ADDRESS = /\([^()\s]{0,500}(?:\s{1,9}"[^"]{0,200}")?\)/y

interface Seen {
  readonly to: number
  readonly instead: string
}

function seenTag(words: string, at: number): Seen | null {
  TAG.lastIndex = at
  const tag = TAG.exec(words)
  return tag === null ? null : { to: at + tag[0].length, instead: /^<br/i.test(tag[0]) ? ' ' : '' }
}

/** Only tags that occur in prose: `KL<limit and x>0` holds none. */
const TAG =
  /<\/?(?:a|abbr|b|br|code|del|div|em|font|i|img|ins|kbd|mark|p|s|small|span|strong|sub|sup|u)(?:\s[^<>]{0,500})?\/?>/iy

function seenEntity(words: string, at: number): Seen | null {
  ENTITY.lastIndex = at
  const entity = ENTITY.exec(words)
  const instead = entity === null ? undefined : ENTITIES.get(entity[1])
  return entity === null || instead === undefined ? null : { to: at + entity[0].length, instead }
}

const ENTITY = /&([a-z]{2,6});/y
const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', ' '],
  ['plusmn', '±'],
  ['minus', '−'],
  ['times', '×'],
  ['asymp', '≈'],
  ['le', '≤'],
  ['ge', '≥'],
])

import { type Edit, type EditedText, edited } from './edits.js'
import type { Span } from './markdown.js'

/**
 * An HTML page as the Markdown that says the same, so that one reader does for both: headings, tables, lists, paragraphs
 * and code; scripts, styles and drawings are left out. Every character knows where it stood in the page. One pass that
 * never looks far ahead, so a hostile page costs no more than a long one.
 */
export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype html|html)[\s>]/i.test(text.slice(0, 500))
}

export function htmlAsMarkdown(page: string): EditedText {
  const writer = markdownWriter(page)
  const unclosed = new Set<string>()
  for (let at = 0; at < page.length; ) {
    const next = page.indexOf('<', at)
    const end = next < 0 ? page.length : next
    if (end > at) writer.text(at, end)
    if (next < 0) break
    const tag = tagAt(page, next)
    if (tag === null) {
      writer.text(next, next + 1)
      at = next + 1
      continue
    }
    at = tag.to
    if (UNREAD.has(tag.name) && !tag.isClosing && !unclosed.has(tag.name)) {
      const close = page.indexOf(`</${tag.name}`, at)
      if (close < 0) unclosed.add(tag.name)
      else at = close
    }
    writer.tag({ ...tag, to: at })
  }
  return edited(page, writer.edits)
}

const UNREAD: ReadonlySet<string> = new Set(['head', 'script', 'style', 'svg', 'template'])

/** A tag ends within so many characters, or is none. */
const LONGEST_TAG = 20_000

interface Tag extends Span {
  readonly name: string
  readonly isClosing: boolean
}

function tagAt(page: string, at: number): Tag | null {
  if (page.startsWith('<!--', at)) {
    const end = page.slice(at, at + LONGEST_TAG).indexOf('-->')
    return { name: '!--', isClosing: false, from: at, to: end < 0 ? at + 4 : at + end + 3 }
  }
  const [opening, slash, name] = /^<(\/?)([a-z!][a-z0-9-]*)/i.exec(page.slice(at, at + 40)) ?? []
  if (opening === undefined) return null
  let quote = ''
  for (let to = at + opening.length; to < page.length && to < at + LONGEST_TAG; to += 1) {
    const character = page[to]
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '>') return { name: name.toLowerCase(), isClosing: slash === '/', from: at, to: to + 1 }
    else if (character === '<') break
  }
  return null
}

/** What Markdown writes for the beginning of an element and for its end. */
const WRITTEN = new Map<string, readonly [opening: string, closing: string]>([
  ...'p div section article main header footer figure figcaption blockquote ul ol dl dt dd table hr'
    .split(' ')
    .map(name => [name, ['\n\n', '\n\n']] as const),
  ...[1, 2, 3, 4, 5, 6].map(level => [`h${level}`, [`\n\n${'#'.repeat(level)} `, '\n\n']] as const),
  ['li', ['\n- ', '']],
  ['br', ['\n', '\n']],
  ['pre', ['\n```\n', '\n```\n']],
  ['tr', ['\n|', '']],
  ['td', [' ', ' |']],
  ['th', [' ', ' |']],
  ['strong', ['**', '**']],
  ['b', ['**', '**']],
  ['code', ['`', '`']],
])
const INLINE: ReadonlySet<string> = new Set(['strong', 'b', 'code'])

interface MarkdownWriter {
  readonly edits: readonly Edit[]
  readonly text: (from: number, to: number) => void
  readonly tag: (tag: Tag) => void
}

/** What to write instead of each tag, and of characters that Markdown would take for its own. */
function markdownWriter(page: string): MarkdownWriter {
  const edits: Edit[] = []
  let isLineStart = true
  let isCode = false
  let isTable = false
  let isCell = false
  let rows = 0
  let cells = 0
  const see = (words: string): void => {
    if (words !== '') isLineStart = words.endsWith('\n') || (isLineStart && words.trim() === '')
  }
  const put = (from: number, to: number, instead: string): void => {
    edits.push({ from, to, instead })
    see(instead)
  }
  const insteadOf = ({ name, isClosing }: Tag): string => {
    const [opening, closing] = WRITTEN.get(name) ?? ['', '']
    if (name === 'td' || name === 'th') {
      isCell = !isClosing
      if (isClosing) cells += 1
    } else if (isCell) {
      return INLINE.has(name) ? opening : opening === '' ? '' : ' '
    } else if (name === 'table') {
      rows = 0
      isTable = !isClosing
    } else if (name === 'tr') {
      if (isClosing) rows += 1
      else cells = 0
      if (isClosing && rows === 1) return `\n|${' --- |'.repeat(cells)}`
    } else if (name === 'pre') isCode = !isClosing
    else if (isCode && INLINE.has(name)) return ''
    return isClosing ? closing : opening
  }
  return {
    edits,
    tag: tag => put(tag.from, tag.to, insteadOf(tag)),
    text: (from, to) => {
      for (const { index, 0: words } of page.slice(from, to).matchAll(PIECE)) {
        const [start, end] = [from + index, from + index + words.length]
        const isListMark = isLineStart && LIST_MARK.test(page.slice(start, start + 6))
        if (words.startsWith('&')) put(start, end, decoded(words))
        else if (isCode) see(words)
        else if (/^\s/.test(words)) put(start, end, isLineStart || (isTable && !isCell) ? '' : ' ')
        else {
          if (isListMark || MARKS.test(words)) put(start, start, '\\')
          see(words)
        }
      }
    },
  }
}

/** White space, a mark that Markdown would take for its own, an entity, or words without any of these. */
const PIECE = /\s+|[\\`*_[\]|]|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});|&|[^\s\\`*_[\]|&]+/gi
const MARKS = /^[\\`*_[\]|]$/
const LIST_MARK = /^(?:[#+-]|\d{1,3}[.)])\s/

const ENTITIES: { readonly [name: string]: string } = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&minus;': '−',
  '&times;': '×',
}

function decoded(words: string): string {
  if (!words.startsWith('&')) return words
  const known = ENTITIES[words]
  if (known !== undefined) return known
  const [, hexadecimal, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(words) ?? []
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : words
}

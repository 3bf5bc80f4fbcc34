import { lastAtMost } from './places.js'

/**
 * An HTML page as the Markdown that says the same, so that one reader does for both: headings, tables, lists, paragraphs
 * and code; scripts, styles and drawings are left out. Every character knows where it stood in the page. One pass that
 * never looks far ahead, so a hostile page costs no more than a long one.
 */
export interface ReadableText {
  readonly text: string
  /** Where the character at this index of `text` stands in the page. */
  readonly originOf: (index: number) => number
}

export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype html|html)[\s>]/i.test(text.slice(0, 500))
}

export function htmlAsMarkdown(page: string): ReadableText {
  const writer = markdownWriter()
  const unclosed = new Set<string>()
  for (let at = 0; at < page.length; ) {
    const next = page.indexOf('<', at)
    const end = next < 0 ? page.length : next
    if (end > at) writer.text(page, at, end)
    if (next < 0) break
    const tag = tagAt(page, next)
    if (tag === null) {
      writer.text(page, next, next + 1)
      at = next + 1
      continue
    }
    writer.tag(tag.name, tag.isClosing, next)
    at = tag.to
    if (UNREAD.has(tag.name) && !tag.isClosing && !unclosed.has(tag.name)) {
      const close = page.indexOf(`</${tag.name}`, at)
      if (close < 0) unclosed.add(tag.name)
      else at = close
    }
  }
  return writer.done()
}

const UNREAD: ReadonlySet<string> = new Set(['head', 'script', 'style', 'svg', 'template'])

/** A tag ends within so many characters, or is none. */
const LONGEST_TAG = 20_000

interface Tag {
  readonly name: string
  readonly isClosing: boolean
  readonly to: number
}

function tagAt(page: string, at: number): Tag | null {
  if (page.startsWith('<!--', at)) {
    const end = page.slice(at, at + LONGEST_TAG).indexOf('-->')
    return { name: '!--', isClosing: false, to: end < 0 ? at + 4 : at + end + 3 }
  }
  const [opening, slash, name] = /^<(\/?)([a-z!][a-z0-9-]*)/i.exec(page.slice(at, at + 40)) ?? []
  if (opening === undefined) return null
  let quote = ''
  for (let to = at + opening.length; to < page.length && to < at + LONGEST_TAG; to += 1) {
    const character = page[to]
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '>') return { name: name.toLowerCase(), isClosing: slash === '/', to: to + 1 }
    else if (character === '<') break
  }
  return null
}

interface MarkdownWriter {
  readonly text: (page: string, from: number, to: number) => void
  readonly tag: (name: string, isClosing: boolean, at: number) => void
  readonly done: () => ReadableText
}

const BLOCKS: ReadonlySet<string> = new Set(
  'p div section article main header footer figure figcaption blockquote ul ol dl dt dd table thead tbody hr'.split(
    ' ',
  ),
)

function markdownWriter(): MarkdownWriter {
  const pieces: string[] = []
  const starts: number[] = []
  const origins: number[] = []
  let length = 0
  let isLineStart = true
  let isCode = false
  let isTable = false
  let isCell = false
  let rows = 0
  let cells = 0
  const put = (words: string, origin: number): void => {
    if (words === '') return
    pieces.push(words)
    starts.push(length)
    origins.push(origin)
    length += words.length
    isLineStart = words.endsWith('\n') || (isLineStart && words.trim() === '')
  }
  const tag = (name: string, isClosing: boolean, at: number): void => {
    const heading = /^h([1-6])$/.exec(name)
    if (name === 'td' || name === 'th') {
      isCell = !isClosing
      if (isClosing) cells += 1
      put(isClosing ? ' |' : ' ', at)
    } else if (isCell) {
      if (BLOCKS.has(name) || name === 'br' || name === 'li') put(' ', at)
      else if (name === 'strong' || name === 'b') put('**', at)
    } else if (name === 'table') {
      rows = 0
      isTable = !isClosing
      put('\n\n', at)
    } else if (name === 'tr' && !isClosing) {
      cells = 0
      put('\n|', at)
    } else if (name === 'tr') {
      rows += 1
      if (rows === 1) put(`\n|${' --- |'.repeat(cells)}`, at)
    } else if (name === 'pre') {
      isCode = !isClosing
      put('\n```\n', at)
    } else if (heading !== null) put(isClosing ? '\n\n' : `\n\n${'#'.repeat(Number(heading[1]))} `, at)
    else if (name === 'li') put(isClosing ? '' : '\n- ', at)
    else if (name === 'br') put('\n', at)
    else if ((name === 'strong' || name === 'b') && !isCode) put('**', at)
    else if (name === 'code' && !isCode) put('`', at)
    else if (BLOCKS.has(name) && name !== 'thead' && name !== 'tbody') put('\n\n', at)
  }
  const text = (page: string, from: number, to: number): void => {
    PIECE.lastIndex = from
    for (let match = PIECE.exec(page); match !== null && match.index < to; match = PIECE.exec(page)) {
      const [found] = match
      const words = found.slice(0, to - match.index)
      if (isCode) put(decoded(words), match.index)
      else if (/^\s/.test(words)) put(isLineStart || (isTable && !isCell) ? '' : ' ', match.index)
      else if (isLineStart && LIST_MARK.test(page.slice(match.index, match.index + 6))) put(`\\${words}`, match.index)
      else put(MARKS.test(words) ? `\\${words}` : decoded(words), match.index)
      if (match.index + found.length >= to) break
    }
  }
  return {
    text,
    tag,
    done: () => ({
      text: pieces.join(''),
      originOf: index => {
        const piece = lastAtMost(starts, index)
        return piece < 0 ? 0 : origins[piece] + index - starts[piece]
      },
    }),
  }
}

/** White space, a mark that Markdown would take for its own, an entity, or words without any of these. */
const PIECE = /\s+|[\\`*_[\]|]|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});|&|[^\s\\`*_[\]|&]+/giy
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

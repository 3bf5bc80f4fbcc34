import { parser, Table as tableSyntax } from '@lezer/markdown'
import { tame } from './tame.js'

/**
 * A Markdown text as blocks that know where they stand: headings, tables, prose and code. Lezer finds the blocks;
 * inline markup stays in the text, because its readers want the characters with their places (see markup.ts).
 * The text is parsed in pieces: Lezer needs up to 900 bytes of memory for a byte of hostile input, so a report of
 * megabytes must never be one tree. A table or fence that outgrows its piece is reopened in the next one.
 */
export type Block = Heading | Table | Prose | Code

/** Offsets into the text, the end excluded. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The span is the heading's words, without its marks. */
interface Heading extends Span {
  readonly kind: 'heading'
  readonly level: number
}

/** One span per row; `cellsOf` splits it. The row of dashes is no row. */
export interface Table extends Span {
  readonly kind: 'table'
  readonly header: Span
  readonly rows: readonly Span[]
}

/** One span per line, without indentation, quote marks and list marks. */
interface Prose extends Span {
  readonly kind: 'paragraph' | 'item'
  readonly lines: readonly Span[]
}

interface Code extends Span {
  readonly kind: 'code'
}

const PIECE_LENGTH = 1 << 14

const blockParser = parser.configure([
  tableSyntax,
  { remove: ['Escape', 'Entity', 'InlineCode', 'HTMLTag', 'Emphasis', 'HardBreak', 'Link', 'Image', 'LinkEnd'] },
])

type Tree = ReturnType<typeof blockParser.parse>
type Node = Tree['topNode']

/** The blocks of a text in order, those inside lists and quotations as well. */
export function* markdownBlocks(text: string): Generator<Block> {
  let blocks: GrowingBlock[] = []
  let from = frontMatterEnd(text)
  let opening = ''
  let length = PIECE_LENGTH
  while (from < text.length) {
    const to = lineEndAfter(text, from + Math.max(length, 4 * opening.length))
    const tree = blockParser.parse(opening + tame(text.slice(from, to)))
    const piece = { text, shift: from - opening.length, resumedUpTo: opening.length }
    const tail = to < text.length ? tree.topNode.lastChild : null
    const tailStart = tail === null ? to : lineStart(text, tail.from + piece.shift)
    const fillsPiece = tail !== null && (tail.from < opening.length || tailStart <= from)
    const until = fillsPiece ? cutInside(text, tail, from, to) : tailStart
    if (until === from) {
      length *= 2
      continue
    }
    collect(tree, { ...piece, until }, blocks)
    opening = fillsPiece ? openingOf(text, tail, piece, opening) : ''
    const unfinished = opening === '' ? [] : blocks.splice(-1)
    yield* blocks
    blocks = unfinished
    from = until
    length = PIECE_LENGTH
  }
  yield* blocks
}

/** Tables and code may grow with every piece. */
type GrowingBlock =
  | Heading
  | Prose
  | { kind: 'code'; from: number; to: number }
  | { kind: 'table'; from: number; to: number; header: Span; rows: Span[] }

/** What of the text a tree stands for. */
interface Piece {
  readonly text: string
  /** What to add to a place in the tree to get the place in the text. */
  readonly shift: number
  /** Up to here the tree shows the repeated opening of a block that an earlier piece began. */
  readonly resumedUpTo: number
  /** In the text; what stands behind it belongs to the next piece. */
  readonly until: number
}

function collect(tree: Tree, piece: Piece, blocks: GrowingBlock[]): void {
  tree.iterate({
    enter({ name, from, to, node }) {
      if (from + piece.shift >= piece.until) return false
      switch (name) {
        case 'Table':
          collectTable(node, piece, blocks)
          return false
        case 'Paragraph':
          if (from >= piece.resumedUpTo) blocks.push(prose(node, piece))
          return false
        case 'FencedCode':
        case 'CodeBlock':
          collectCode(from, to, piece, blocks)
          return false
        case 'Document':
        case 'BulletList':
        case 'OrderedList':
        case 'ListItem':
        case 'Blockquote':
          return true
        default: {
          const level = HEADING.exec(name)?.[1]
          if (level !== undefined) blocks.push(heading(node, Number(level), piece))
          return false
        }
      }
    },
  })
}

const HEADING = /^(?:ATX|Setext)Heading(\d)$/

function collectTable(table: Node, { text, shift, resumedUpTo, until }: Piece, blocks: GrowingBlock[]): void {
  const spans: Span[] = []
  for (let row = table.firstChild; row !== null; row = row.nextSibling) {
    const isRow = row.name === 'TableHeader' || row.name === 'TableRow'
    if (isRow && row.from >= resumedUpTo && row.from + shift < until) {
      spans.push(trimmed(text, row.from + shift, row.to + shift))
    }
  }
  if (table.from >= resumedUpTo) {
    const [header, ...rows] = spans
    blocks.push({ kind: 'table', from: table.from + shift, to: rows.at(-1)?.to ?? header.to, header, rows })
    return
  }
  const begun = blocks.at(-1)
  if (begun?.kind !== 'table') return
  for (const row of spans) begun.rows.push(row)
  begun.to = spans.at(-1)?.to ?? begun.to
}

function collectCode(from: number, to: number, { shift, resumedUpTo }: Piece, blocks: GrowingBlock[]): void {
  const begun = blocks.at(-1)
  if (from >= resumedUpTo) blocks.push({ kind: 'code', from: from + shift, to: to + shift })
  else if (begun?.kind === 'code') begun.to = to + shift
}

function heading(node: Node, level: number, { text, shift }: Piece): Heading {
  const marks = node.getChildren('HeaderMark')
  const isAtx = node.name.startsWith('ATX')
  const from = isAtx ? marks[0].to : node.from
  const end = isAtx ? marks[1] : marks[0]
  return { kind: 'heading', level, ...trimmed(text, from + shift, (end?.from ?? node.to) + shift) }
}

function prose(node: Node, { text, shift, until }: Piece): Prose {
  const kind = node.parent?.name === 'ListItem' && node.prevSibling?.name === 'ListMark' ? 'item' : 'paragraph'
  const from = node.from + shift
  const to = Math.min(node.to + shift, until)
  const quoted = node.getChild('QuoteMark') !== null
  const lines: Span[] = []
  for (let start = from; start < to; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 || newline > to ? to : newline
    const words = quoted && start > from ? behindQuoteMarks(text, start, end) : start
    lines.push(trimmed(text, words, end))
    start = end + 1
  }
  return { kind, from, to, lines }
}

function behindQuoteMarks(text: string, from: number, to: number): number {
  let at = from
  while (at < to && (isSpace(text.charCodeAt(at)) || text[at] === '>')) at += 1
  return at
}

/**
 * The cells of a table row, as GitHub splits it: at every `|` that no backslash precedes, in code as well.
 * An empty cell has an empty span. `most` spares the work for cells behind the last column.
 */
export function cellsOf(text: string, row: Span, most = Number.POSITIVE_INFINITY): Span[] {
  const cells: Span[] = []
  let start = text[row.from] === '|' ? row.from + 1 : row.from
  for (let at = start; at < row.to && cells.length < most; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '|') {
      cells.push(trimmed(text, start, at))
      start = at + 1
    }
  }
  if (start < row.to && cells.length < most) cells.push(trimmed(text, start, row.to))
  return cells
}

/**
 * Where to end a piece that is one unfinished block. A list is cut before an item and a quotation at an empty line,
 * lest a table in them be torn; a paragraph before its last line, which may be a table's header.
 */
function cutInside(text: string, tail: Node, from: number, to: number): number {
  if (tail.name === 'Paragraph') return Math.max(from, lineStart(text, to - 1))
  const seam = SEAMS.get(tail.name)
  if (seam === undefined) return to
  for (let start = lineStart(text, to - 1); start > (from + to) / 2; start = lineStart(text, start - 1)) {
    seam.lastIndex = start
    if (seam.test(text)) return start
  }
  return to
}

const SEAMS = new Map([
  ['BulletList', /[-*+][ \t]/y],
  ['OrderedList', /\d{1,9}[.)][ \t]/y],
  ['Blockquote', />[ \t]*\r?\n/y],
])

/** The lines to repeat so that a block which is longer than its piece goes on in the next one. */
function openingOf(text: string, tail: Node, { shift, resumedUpTo }: Omit<Piece, 'until'>, opening: string): string {
  if (tail.from < resumedUpTo) return opening
  const lines = OPENING_LINES.get(tail.name)
  if (lines === undefined) return ''
  const start = lineStart(text, tail.from + shift)
  let end = start
  for (let line = 0; line < lines; line += 1) end = lineEndAfter(text, end)
  return tame(text.slice(start, end))
}

const OPENING_LINES = new Map([
  ['Table', 2],
  ['FencedCode', 1],
  ['HTMLBlock', 1],
  ['CommentBlock', 1],
  ['ProcessingInstructionBlock', 1],
])

/** Settings that publishing tools keep above a document; without this they would be read as a heading. */
function frontMatterEnd(text: string): number {
  if (!/^---[ \t]*\r?\n[A-Za-z_][\w-]*:/.test(text)) return 0
  const end = text.indexOf('\n---', 3)
  return end < 0 ? 0 : lineEndAfter(text, end + 1)
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** Behind the end of the line that holds `at`. */
function lineEndAfter(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline < 0 ? text.length : newline + 1
}

function trimmed(text: string, from: number, to: number): Span {
  let start = from
  let end = to
  while (start < end && isSpace(text.charCodeAt(start))) start += 1
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  return { from: start, to: end }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000
}

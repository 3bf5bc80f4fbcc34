/**
 * A Markdown text as blocks that know where they stand: headings, tables, prose and fenced code. Of CommonMark's nesting
 * only the margin of each line is read, so there is no tree, and a hostile report of megabytes costs no more time or
 * memory than a long one; indented code is left out. Inline markup stays in the text, because its readers want the
 * characters with their places (see plain.ts).
 */
export type Block = Heading | Table | Prose | Code

/** Offsets into the text, the end excluded. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The span is the heading's words, without its marks. */
type Heading = Span & { readonly kind: 'heading'; readonly level: number }

/** One span per row; `cellsOf` splits it. The row of dashes is no row. */
export type Table = Span & { readonly kind: 'table'; readonly header: Span; readonly rows: Span[] }

/** One span per line, without indentation, quote marks and list marks. */
type Prose = Span & { readonly kind: 'paragraph' | 'item'; readonly lines: Span[] }

type Code = Span & { readonly kind: 'code'; readonly fence: string }

/** Nothing that is read here. Without words that end it, it goes on to an empty line. */
type Html = { readonly kind: 'html'; readonly end: RegExp | null }

type Open = Table | Prose | Code | Html

/** A line without the margin that quotations and indentation give it. */
interface Line extends Span {
  readonly text: string
  /** How many quotations hold it. */
  readonly depth: number
  /** How far it is moved to the right behind their marks. */
  readonly indent: number
}

/** What is done with a line, what stays open behind it, and whether it has still to begin something. */
interface Step {
  readonly done?: Block
  readonly open?: Open
  readonly isLeft?: boolean
}

/** The blocks of a text in order, those inside lists and quotations as well. */
export function* markdownBlocks(text: string): Generator<Block> {
  let open: Open | undefined
  let depth = 0
  let isInList = false
  for (const span of linesOf(text, { from: frontMatterEnd(text), to: text.length })) {
    const line = lineAt(text, span)
    let step: Step = open === undefined ? { isLeft: true } : goOn(open, line, depth)
    if (step.done !== undefined) yield step.done
    if (step.isLeft) {
      depth = line.depth
      step = line.indent >= CODE_INDENT && !isInList ? {} : begin(line)
      if (line.from < line.to) isInList = openerAt(line)?.[0] === 'list' || (isInList && line.indent > 0)
      if (step.done !== undefined) yield step.done
    }
    open = step.open
  }
  if (open !== undefined && open.kind !== 'html') yield open
}

const CODE_INDENT = 4
const MARGIN = /(?:[ \t]*>)*[ \t]*/y

function lineAt(text: string, { from, to }: Span): Line {
  MARGIN.lastIndex = from
  const margin = MARGIN.exec(text)?.[0] ?? ''
  const end = text[to - 1] === '\r' ? to - 1 : to
  const pieces = margin.split('>')
  const indent = pieces.at(-1)?.replaceAll('\t', '    ').length ?? 0
  return { text, from: Math.min(from + margin.length, end), to: end, depth: pieces.length - 1, indent }
}

function goOn(open: Open, line: Line, depth: number): Step {
  const { text, from, to } = line
  const isBlank = from === to
  if (open.kind === 'html') return (open.end?.test(text.slice(from, to)) ?? isBlank) ? {} : { open }
  if (open.kind === 'code') {
    const longer = { ...open, to }
    return matchAt(CLOSING, line)?.startsWith(open.fence) ? { done: longer } : { open: longer }
  }
  if (open.kind === 'paragraph' && line.depth >= depth) {
    const level = ['=', '-'].indexOf(matchAt(UNDERLINE, line)?.[0] ?? '') + 1
    if (level > 0) return { done: { kind: 'heading', level, ...trimmed(text, open.from, open.to) } }
  }
  const isOther = open.kind === 'table' ? line.depth !== depth : line.depth > depth
  if (isBlank || isOther || beginsOther(open, line)) return { done: open, isLeft: true }
  const words = trimmed(text, from, to)
  const header = open.kind === 'table' ? undefined : open.lines.at(-1)
  if (open.kind !== 'table' && header !== undefined && isDashesUnder(header, words, line)) {
    const lines = open.lines.slice(0, -1)
    const last = lines.at(-1)
    const done = last === undefined ? undefined : { ...open, to: last.to, lines }
    return { done, open: { kind: 'table', from: header.from, to: header.to, header, rows: [] } }
  }
  ;(open.kind === 'table' ? open.rows : open.lines).push(words)
  return { open: { ...open, to } }
}

const DASHES = /\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?::?-+:?[ \t]*)?$/my
const CLOSING = /(?:`+|~+)[ \t]*$/my
const UNDERLINE = /(?:=+|-+)[ \t]*$/my

/** A line is broken off by marks, but a paragraph not by a number in its midst that is no first of a list. */
function beginsOther({ kind }: Open, line: Line): boolean {
  const [opener, mark] = openerAt(line) ?? []
  return opener !== undefined && !(opener === 'list' && kind === 'paragraph' && /^(?:[02-9]|1\d)/.test(mark ?? ''))
}

/** A row of dashes under a line of as many cells makes a table of the two. */
function isDashesUnder(header: Span, dashes: Span, line: Line): boolean {
  if (matchAt(DASHES, line) === null || !line.text.slice(header.from, header.to).includes('|')) return false
  return cellsOf(line.text, header).length === cellsOf(line.text, dashes).length
}

function begin(line: Line): Step {
  const { text, from, to } = line
  if (from === to) return {}
  const [opener, mark = ''] = openerAt(line) ?? []
  const start = from + mark.length
  const words = text.slice(from, to)
  switch (opener) {
    case 'list': {
      const { open, done } = begin(lineAt(text, { from: start, to }))
      return { done, open: open?.kind === 'paragraph' ? { ...open, kind: 'item' } : open }
    }
    case 'fence':
      return { open: { kind: 'code', fence: mark, from, to } }
    case 'heading': {
      const { length } = text.slice(start, to).replace(/[ \t]#+[ \t]*$/, '')
      return { done: { kind: 'heading', level: mark.length, ...trimmed(text, start, start + length) } }
    }
    case 'html': {
      const end = HTML_ENDS.find(([beginning]) => beginning.test(words))?.[1] ?? null
      return end?.test(words) ? {} : { open: { kind: 'html', end } }
    }
    case 'nothing':
      return {}
    default:
      return { open: { kind: 'paragraph', from, to, lines: [trimmed(text, from, to)] } }
  }
}

const BLOCK_TAG =
  /<(?:[?!]|\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|pre|script|section|source|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$))/imy
/** What begins a block by its first characters; a rule and `[name]: address "title"` show nothing where they stand. */
const OPENERS = [
  ['fence', /`{3,}(?=[^`\n]*$)|~{3,}/my],
  ['nothing', /(?:\*[ \t]*){3,}$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$/my],
  ['nothing', /\[[^[\]\n]{1,300}\]:[ \t]*\S+(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$/my],
  ['list', /(?:(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|$))+/my],
  ['heading', /#{1,6}(?=[ \t]|$)/my],
  ['html', BLOCK_TAG],
] as const
const OPENS = /[`~*_+#<[\d-]/

function openerAt(line: Line): readonly [kind: (typeof OPENERS)[number][0], mark: string] | null {
  if (line.from === line.to || !OPENS.test(line.text[line.from] ?? '')) return null
  for (const [kind, pattern] of OPENERS) {
    const mark = matchAt(pattern, line)
    if (mark !== null) return [kind, mark]
  }
  return null
}

/** HTML that goes on over empty lines. */
const HTML_ENDS: readonly (readonly [RegExp, RegExp])[] = [
  [/^<!--/, /-->/],
  [/^<(?:pre|script|style|textarea)(?![a-z])/i, /<\/(?:pre|script|style|textarea)>/i],
]

function matchAt(pattern: RegExp, { text, from }: Line): string | null {
  pattern.lastIndex = from
  return pattern.exec(text)?.[0] ?? null
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

export function* linesOf(text: string, { from, to }: Span = { from: 0, to: text.length }): Generator<Span> {
  for (let start = from; start < to; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 || newline > to ? to : newline
    yield { from: start, to: end }
    start = end + 1
  }
}

/** Settings that publishing tools keep above a document; without this they would be read as a heading. */
function frontMatterEnd(text: string): number {
  if (!/^---[ \t]*\r?\n[A-Za-z_][\w-]*:/.test(text)) return 0
  const end = text.indexOf('\n---', 3)
  const newline = text.indexOf('\n', end + 1)
  return end < 0 ? 0 : newline < 0 ? text.length : newline + 1
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

/**
 * A Markdown text as blocks that know where they stand: headings, tables, prose and code, as CommonMark and GitHub's
 * tables define them. Inline markup stays in the text, because its readers want the characters with their places (see
 * plain.ts). One pass over the lines, with bounded nesting and no tree: a hostile report of megabytes costs no more time
 * or memory than a long one.
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

/** Indented where it has no fence. */
type Code = Span & { readonly kind: 'code'; readonly fence: string | null }

/** Nothing that is read here. Without words that end it, it goes on to an empty line. */
type Html = { readonly kind: 'html'; readonly end: RegExp | null }

/** A quotation, or an item of a list whose words stand so many columns behind those of what holds it. */
interface Container {
  readonly kind: 'quote' | 'bullet' | 'ordered'
  readonly width: number
  isEmpty: boolean
}

/** A line, read up to `at`; columns count a tab as up to four, and `base` is the column where its containers end. */
interface Line {
  readonly text: string
  readonly end: number
  at: number
  column: number
  base: number
}

/** What of a line is done with, what stays open, and whether the line still has to begin something. */
interface Step {
  readonly done?: Block
  readonly open?: Table | Prose | Code | Html
  readonly isLeft?: boolean
}

/** The blocks of a text in order, those inside lists and quotations as well. */
export function* markdownBlocks(text: string): Generator<Block> {
  const containers: Container[] = []
  let open: Step['open']
  for (let start = frontMatterEnd(text); start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line: Line = { text, end: text[end - 1] === '\r' ? end - 1 : end, at: start, column: 0, base: 0 }
    start = end + 1
    const depth = enterContainers(line, containers)
    let step: Step = open === undefined ? { isLeft: true } : goOn(open, line, containers, depth === containers.length)
    if (step.done !== undefined) yield step.done
    if (step.isLeft) {
      containers.length = depth
      step = begin(line, containers)
      if (step.done !== undefined) yield step.done
    }
    open = step.open
  }
  if (open !== undefined && open.kind !== 'html') yield open
}

/** Moves a line behind the marks of what it stands in; how many containers hold it. */
function enterContainers(line: Line, containers: readonly Container[]): number {
  skipSpace(line)
  for (const [depth, { kind, width, isEmpty }] of containers.entries()) {
    if (kind === 'quote') {
      if (line.text[line.at] !== '>' || line.at === line.end) return depth
      enterQuote(line)
    } else if (line.at === line.end ? isEmpty : line.column < line.base + width) return depth
    else line.base += width
  }
  return containers.length
}

function enterQuote(line: Line): void {
  advance(line, 1)
  if (/[ \t]/.test(line.text[line.at] ?? '')) advance(line, 1)
  line.base = line.column
  skipSpace(line)
}

function skipSpace(line: Line): void {
  while (line.at < line.end && (line.text[line.at] === ' ' || line.text[line.at] === '\t')) advance(line, 1)
}

function advance(line: Line, count: number): void {
  line.column += line.text[line.at] === '\t' ? 4 - (line.column % 4) : count
  line.at += count
}

function goOn(open: NonNullable<Step['open']>, line: Line, containers: readonly Container[], isHeld: boolean): Step {
  const { text, at, end } = line
  const isBlank = at === end
  if (open.kind === 'html') {
    const isEnd = open.end === null ? isBlank : open.end.test(text.slice(at, end))
    return isHeld && !isEnd ? { open } : { isLeft: !isHeld }
  }
  if (open.kind === 'code') {
    const { fence } = open
    if (!isHeld || (fence === null && !isBlank && !isIndented(line))) return { done: open, isLeft: true }
    const longer = fence === null && isBlank ? open : { ...open, to: end }
    const isClosed = fence !== null && !isIndented(line) && matchAt(CLOSING, line)?.startsWith(fence)
    return isClosed ? { done: longer } : { open: longer }
  }
  const opener = openerAt(line, containers)
  if (open.kind !== 'table' && isHeld && !isIndented(line) && (opener === null || opener.kind === 'rule')) {
    const level = ['=', '-'].indexOf(matchAt(UNDERLINE, line)?.[0] ?? '') + 1
    if (level > 0) return { done: { kind: 'heading', level, ...trimmed(text, open.from, open.to) } }
  }
  if (isBlank || opener !== null) return { done: open, isLeft: true }
  const words = trimmed(text, at, end)
  if (open.kind === 'table') open.rows.push(words)
  else {
    const header = open.lines[open.lines.length - 1]
    if (isDashesUnder(header, words, line)) {
      const lines = open.lines.slice(0, -1)
      const done = lines.length === 0 ? undefined : { ...open, to: lines[lines.length - 1].to, lines }
      return { done, open: { kind: 'table', from: header.from, to: header.to, header, rows: [] } }
    }
    open.lines.push(words)
  }
  return { open: { ...open, to: end } }
}

/** A row of dashes under a line of as many cells makes a table of the two. */
function isDashesUnder(header: Span, dashes: Span, line: Line): boolean {
  if (matchAt(DASHES, line) === null || !line.text.slice(header.from, header.to).includes('|')) return false
  return cellsOf(line.text, header).length === cellsOf(line.text, dashes).length
}

const DASHES = /\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?::?-+:?[ \t]*)?$/my
const CLOSING = /(?:`+|~+)[ \t]*$/my
const UNDERLINE = /(?:=+|-+)[ \t]*$/my

function begin(line: Line, containers: Container[]): Step {
  const opener = openContainers(line, containers)
  const { text, at: from, end: to } = line
  if (from === to) return {}
  const inner = containers.at(-1)
  const kind = inner?.isEmpty && inner.kind !== 'quote' ? 'item' : 'paragraph'
  if (inner !== undefined) inner.isEmpty = false
  if (isIndented(line)) return { open: { kind: 'code', fence: null, from, to } }
  const words = text.slice(from, to)
  if (opener === null) {
    return REFERENCE.test(words) ? {} : { open: { kind, from, to, lines: [trimmed(text, from, to)] } }
  }
  const { mark } = opener
  if (opener.kind === 'fence') return { open: { kind: 'code', fence: mark, from, to } }
  if (opener.kind === 'html' || opener.kind === 'tag') {
    const end = HTML_ENDS.find(([beginning]) => beginning.test(words))?.[1] ?? null
    return end?.test(words) ? {} : { open: { kind: 'html', end } }
  }
  if (opener.kind === 'rule') return {}
  const shown = words.slice(mark.length).replace(/[ \t]#+[ \t]*$/, '')
  const start = from + mark.length
  return { done: { kind: 'heading', level: mark.length, ...trimmed(text, start, start + shown.length) } }
}

/** No person nests deeper; what does is read as words. */
const DEEPEST_NESTING = 32

/** Enters the quotations and list items that begin here; what begins behind them. */
function openContainers(line: Line, containers: Container[]): Opener | null {
  for (;;) {
    const opener = openerAt(line, null)
    if (opener?.kind !== 'quote' && opener?.kind !== 'bullet' && opener?.kind !== 'ordered') return opener
    if (containers.length > DEEPEST_NESTING) return null
    const { base } = line
    if (opener.kind === 'quote') enterQuote(line)
    else {
      advance(line, opener.mark.length)
      const behindMark = line.column + 1
      skipSpace(line)
      line.base = line.column >= behindMark + 4 || line.at === line.end ? behindMark : line.column
    }
    for (const outer of containers.slice(-1)) outer.isEmpty = false
    containers.push({ kind: opener.kind, width: line.base - base, isEmpty: true })
  }
}

/** What begins a block by its first characters; words and indented code have no mark of their own. */
interface Opener {
  readonly kind: Container['kind'] | 'fence' | 'rule' | 'heading' | 'html' | 'tag'
  readonly mark: string
}

const BLOCK_TAG =
  /<(?:[?!]|\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|pre|script|section|source|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$))/imy
const LONE_TAG =
  /<(?:\/[a-z][\w-]*|[a-z][\w-]*(?:[ \t]+[a-z:_][\w.-]*(?:=(?:[^\s"'=<>`]+|'[^'\n]*'|"[^"\n]*"))?)*)[ \t]*>[ \t]*$/imy
const OPENERS: readonly (readonly [Opener['kind'], RegExp])[] = [
  ['quote', />/y],
  ['fence', /`{3,}(?=[^`\n]*$)|~{3,}/my],
  ['rule', /(?:\*[ \t]*){3,}$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$/my],
  ['bullet', /[-+*](?=[ \t]|$)/my],
  ['ordered', /\d{1,9}[.)](?=[ \t]|$)/my],
  ['heading', /#{1,6}(?=[ \t]|$)/my],
  ['html', BLOCK_TAG],
  ['tag', LONE_TAG],
]
const OPENS = /[>`~*_+#<\d-]/

/** `around` holds a paragraph that would be broken off: outside a list, no empty item does that, and no second one. */
function openerAt(line: Line, around: readonly Container[] | null): Opener | null {
  if (line.at === line.end || isIndented(line) || !OPENS.test(line.text[line.at])) return null
  for (const [kind, pattern] of OPENERS) {
    const mark = matchAt(pattern, line)
    if (mark === null || (kind === 'tag' && around !== null)) continue
    if (around === null || (kind !== 'bullet' && kind !== 'ordered')) return { kind, mark }
    const isFilled = /\S/.test(line.text.slice(line.at + mark.length, line.end))
    const isFirst = kind === 'bullet' || /^1\D/.test(mark)
    return (isFilled && isFirst) || around.some(one => one.kind === kind) ? { kind, mark } : null
  }
  return null
}

/** HTML that goes on over empty lines. */
const HTML_ENDS: readonly (readonly [RegExp, RegExp])[] = [
  [/^<!--/, /-->/],
  [/^<(?:pre|script|style|textarea)(?![a-z])/i, /<\/(?:pre|script|style|textarea)>/i],
]

/** `[name]: address "title"` shows nothing where it stands. */
const REFERENCE = /^\[[^[\]]{1,300}\]:\s*\S+(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/

function isIndented({ column, base }: Line): boolean {
  return column >= base + 4
}

function matchAt(pattern: RegExp, { text, at }: Line): string | null {
  pattern.lastIndex = at
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

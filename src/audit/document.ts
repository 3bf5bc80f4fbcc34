import { type Block, cellsOf, markdownBlocks, type Span } from '../sources/markdown/markdown.js'
import { plainText } from '../sources/markdown/text.js'
import { type Claim, claimsIn } from './claims.js'
import { readTokens, type Tokens } from './quantity.js'

/**
 * A report as the rules read it: tables of cells, and statements (sentences, list items, lines of code that are data)
 * with the heading they stand under, what is claimed in them and the quantities they hold. Every character knows its
 * place in the file.
 */
export interface AuditDocument {
  readonly file: string
  readonly text: string
  readonly tables: readonly Table[]
  /** In the order of the text; text cells of tables are among them. */
  readonly statements: readonly Statement[]
  readonly sections: readonly Section[]
  readonly placeOf: (offset: number) => Place
}

/** Counted from 1, as editors do. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface Section {
  readonly title: string
  readonly level: number
  readonly parent: Section | null
  readonly offset: number
}

export interface Statement extends Tokens {
  readonly kind: 'heading' | 'sentence' | 'item' | 'cell' | 'code'
  /** Without markup, full-width signs as ASCII. */
  readonly text: string
  readonly section: Section | null
  /**
   * What the statement stands under: the item that it is nested in, or the line before it that ends with a colon; the
   * innermost first.
   */
  readonly leads: readonly string[]
  readonly claims: readonly Claim[]
  /** Of a text cell: where it stands. */
  readonly cell: Cell | null
  /** Where a character of `text` stands in the file. */
  readonly offsetOf: (index: number) => number
}

export interface Table {
  readonly section: Section | null
  /** The last statement before it: often its caption. */
  readonly caption: Statement | null
  readonly header: readonly Cell[]
  /** Rows of equal width; a ragged row is filled with empty cells. */
  readonly rows: readonly (readonly Cell[])[]
  readonly offset: number
}

export interface Cell extends Tokens {
  readonly row: number
  readonly column: number
  /** Without markup and decoration. */
  readonly text: string
  readonly offset: number
  /** `?`, `-`, `待评估`, `N/A`: somebody still has to fill it. */
  readonly pending: boolean
}

const MOST_COLUMNS = 200
const PENDING = /^(?:\?+|？+|-+|[–—]+|n\/?a|null|none|tbd|todo|pending|待评估|待测|待定|待补|未评估|未测|暂无|⏳.*)$/i

export function readDocument(file: string, text: string): AuditDocument {
  const starts = lineStarts(text)
  const sections: Section[] = []
  const statements: Statement[] = []
  const tables: Table[] = []
  const leads = leadKeeper()
  for (const block of markdownBlocks(text)) {
    const section = sections[sections.length - 1] ?? null
    if (block.kind === 'heading') {
      const made = sectionAt(text, block, sections)
      sections.push(made)
      leads.reset()
      statements.push(statementAt(text, block, 'heading', made, []))
    } else if (block.kind === 'table') {
      const table = tableAt(text, block, section, statements[statements.length - 1] ?? null)
      tables.push(table)
      statements.push(...cellStatements(table, section))
    } else if (block.kind === 'code') {
      for (const line of codeLines(text, block)) {
        const made = statementAt(text, line, 'code', section, leads.around(line.from, Number.POSITIVE_INFINITY))
        if (isData(made)) statements.push(made)
      }
    } else {
      for (const line of block.lines) {
        const indent = line.from - starts[lastStart(starts, line.from)]
        const around = leads.around(line.from, indent)
        const parts = sentencesOf(text, line)
        for (const part of parts) {
          statements.push(statementAt(text, part, block.kind === 'item' ? 'item' : 'sentence', section, around))
        }
        leads.see(plain(text, line).text, indent)
      }
    }
  }
  const placeOf = (offset: number): Place => {
    const line = lastStart(starts, offset)
    return { line: line + 1, column: [...text.slice(starts[line], offset)].length + 1 }
  }
  return { file, text, tables, statements, sections, placeOf }
}

/** A line of code is data when it gives a value at a step; commands and comments are not read. */
function isData({ steps, quantities }: Statement): boolean {
  return steps.length === 1 && quantities.length > 0 && steps[0].from <= 4
}

function sectionAt(text: string, heading: Extract<Block, { kind: 'heading' }>, before: readonly Section[]): Section {
  let parent = before.at(-1) ?? null
  while (parent !== null && parent.level >= heading.level) parent = parent.parent
  return { title: plain(text, heading).text, level: heading.level, parent, offset: heading.from }
}

function statementAt(
  text: string,
  span: Span,
  kind: Statement['kind'],
  section: Section | null,
  leads: readonly string[],
): Statement {
  const { text: words, originOf } = plain(text, span)
  return {
    kind,
    text: words,
    section,
    leads,
    claims: claimsIn(words),
    cell: null,
    offsetOf: originOf,
    ...readTokens(words),
  }
}

function tableAt(
  text: string,
  table: Extract<Block, { kind: 'table' }>,
  section: Section | null,
  caption: Statement | null,
): Table {
  const header = cellsOf(text, table.header, MOST_COLUMNS).map((span, column) => cellAt(text, span, -1, column))
  const rows = table.rows.map((row, index) => {
    const cells = cellsOf(text, row, header.length).map((span, column) => cellAt(text, span, index, column))
    while (cells.length < header.length) {
      cells.push(cellAt(text, { from: row.to, to: row.to }, index, cells.length))
    }
    return cells
  })
  return { section, caption, header, rows, offset: table.from }
}

const DECORATION = /(?:[\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}⬆⬇➡★☆✓✗]|\uFE0F|\u200D)+/gu

function cellAt(text: string, span: Span, row: number, column: number): Cell {
  const words = plain(text, span).text
  const shown = words.replace(DECORATION, '').trim()
  return { row, column, text: shown, offset: span.from, pending: PENDING.test(shown), ...readTokens(shown) }
}

/** Words in a cell are claims like any other. */
function cellStatements(table: Table, section: Section | null): Statement[] {
  return table.rows.flat().flatMap(cell => {
    const claims = claimsIn(cell.text)
    if (claims.length === 0) return []
    const { text, quantities, steps, dates, offset } = cell
    return [{ kind: 'cell', text, section, leads: [], claims, cell, quantities, steps, dates, offsetOf: () => offset }]
  })
}

function* codeLines(text: string, { from, to }: Span): Generator<Span> {
  for (let start = from; start < to; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 || newline > to ? to : newline
    yield { from: start, to: end }
    start = end + 1
  }
}

/** Ends of sentences: Chinese stops anywhere, English ones before a space; list items are cut the same way. */
function sentencesOf(text: string, { from, to }: Span): Span[] {
  const parts: Span[] = []
  const line = text.slice(from, to)
  let start = 0
  for (const stop of line.matchAll(/[。！？](?=[^）)」”"']|$)|[.!?](?=\s+[A-Z“"'(*\d\u4e00-\u9fff])/gu)) {
    const end = stop.index + stop[0].length
    if (/(?:vs|e\.g|i\.e|approx|est|ca|Fig|Tab|No)\.$/i.test(line.slice(start, end))) continue
    parts.push({ from: from + start, to: from + end })
    start = end
  }
  if (start < line.length) parts.push({ from: from + start, to })
  return parts.filter(part => text.slice(part.from, part.to).trim() !== '')
}

/** Same length as what it replaces, so that places stay places. */
function plain(text: string, span: Span): { readonly text: string; readonly originOf: (index: number) => number } {
  const { text: words, originOf } = plainText(text, span)
  const ascii = words
    .replace(/[\uFF01-\uFF5E]/g, wide => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u2212\uFE63]/g, '-')
    .replace(/[\u3000\u00A0\u2002-\u200A\u202F]/g, ' ')
  return { text: ascii, originOf }
}

/** Remembers under which labels a line stands: less indented items, and lines that end with a colon. */
function leadKeeper() {
  let open: { readonly indent: number; readonly text: string }[] = []
  return {
    reset: () => {
      open = []
    },
    around: (_: number, indent: number): readonly string[] =>
      open
        .filter(lead => lead.indent < indent || /[:：]\s*$/.test(lead.text))
        .map(({ text }) => text)
        .reverse()
        .slice(0, 3),
    see: (text: string, indent: number) => {
      open = [...open.filter(lead => lead.indent < indent), { indent, text }]
    },
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lastStart(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (starts[middle] <= offset) low = middle
    else high = middle - 1
  }
  return low
}

import { type Block, cellsOf, linesOf, markdownBlocks, type Span } from './markdown.js'
import { type Place, placesIn } from './places.js'
import { plain } from './plain.js'
import { readProse, readTokens, type Tokens } from './quantity.js'
import { leadKeeper, sentencesOf, unwrapped } from './sentences.js'

/**
 * A report as its readers need it: tables of cells, and statements (sentences, list items, words in cells, lines of code
 * that are data) with the heading they stand under and the quantities they hold. Every character knows its place in the
 * file. What a statement claims is no business of this module.
 */
export interface ReportDocument {
  readonly file: string
  readonly text: string
  readonly tables: readonly Table[]
  /** In the order of the text; text cells of tables are among them. */
  readonly statements: readonly Statement[]
  readonly placeOf: (offset: number) => Place
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
  /** The item it is nested in, or the line before it that ends with a colon; the innermost first. */
  readonly leads: readonly string[]
  /** Of a text cell: where it stands. */
  readonly cell: Cell | null
  readonly table: Table | null
  /** It stands in a block quote: the words of somebody else. */
  readonly isQuoted: boolean
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
  readonly isQuoted: boolean
}

export interface Cell extends Tokens {
  readonly row: number
  readonly column: number
  /** Without markup and decoration. */
  readonly text: string
  readonly offset: number
  /** Printed in bold: its author points at it. */
  readonly bold: boolean
  /** `?`, `-`, `待评估`, `N/A`: somebody still has to fill it. */
  readonly pending: boolean
}

const MOST_COLUMNS = 200
/**
 * How many cells of ragged rows are filled in, over the whole document: under a header of two hundred columns a row of
 * one character would cost two hundred cells. Further rows are left out.
 */
const MOST_RAGGED = 200_000
const PENDING =
  /^(?:\?+|？+|-+|[–—]+|n\/?a|null|none|tbd|todo|pending|running|in progress|待评[估测]|待测|待定|待补|待跑|未评[估测]|未测|暂无|训练中|进行中|⏳.*)$/i

export function readDocument(file: string, text: string): ReportDocument {
  let section: Section | null = null
  const statements: Statement[] = []
  const tables: Table[] = []
  const leads = leadKeeper()
  const ragged = { left: MOST_RAGGED }
  for (const block of markdownBlocks(text)) {
    const isQuoted = isInQuote(text, block)
    if (block.kind === 'heading') {
      section = sectionAt(text, block, section)
      leads.reset()
      statements.push(statementAt(text, block, { kind: 'heading', section, leads: [], isQuoted }))
    } else if (block.kind === 'table') {
      const caption = statements.at(-1) ?? null
      const table = { ...rowsAt(text, block, ragged), section, caption, offset: block.from, isQuoted }
      tables.push(table)
      for (const row of table.rows) {
        for (const cell of row) if (holdsWords(cell) || isReckoned(cell)) statements.push(cellStatement(cell, table))
      }
    } else if (block.kind === 'code') {
      const around = leads.around(Number.POSITIVE_INFINITY)
      for (const line of linesOf(text, block)) {
        const made = statementAt(text, line, { kind: 'code', section, leads: around, isQuoted })
        if (isData(made)) statements.push(made)
      }
    } else {
      const kind = block.kind === 'item' ? 'item' : 'sentence'
      for (const line of unwrapped(text, block.lines)) {
        const indent = line.from - text.lastIndexOf('\n', line.from - 1) - 1
        const place = { kind, section, leads: leads.around(indent), isQuoted } as const
        const told = Array.from(sentencesOf(text, line), part => statementAt(text, part, place))
        for (const statement of told) statements.push(statement)
        const [only] = told
        leads.see(told.length === 1 && only !== undefined ? only.text : plain(text, line).text, indent)
      }
    }
  }
  return { file, text, tables, statements, placeOf: placesIn(text) }
}

/** The titles above a place, innermost first. */
export function titlesAbove(section: Section | null): readonly string[] {
  return section === null ? [] : [section.title, ...titlesAbove(section.parent)]
}

/** Whether the line on which a block begins has the mark of a quotation. */
function isInQuote(text: string, { from }: Span): boolean {
  return /^[ \t]*>/.test(text.slice(text.lastIndexOf('\n', from - 1) + 1, from))
}

/** A line of code is data when it gives a value at a step; commands and comments are not read. */
function isData({ steps, quantities }: Statement): boolean {
  return steps.length === 1 && quantities.length > 0 && (steps[0]?.from ?? 9) <= 4
}

function sectionAt(text: string, heading: Extract<Block, { kind: 'heading' }>, before: Section | null): Section {
  let parent = before
  while (parent !== null && parent.level >= heading.level) parent = parent.parent
  return { title: plain(text, heading).text, level: heading.level, parent, offset: heading.from }
}

/** Written out, because a long report has many thousands and spreading is slow. */
function statementAt(
  text: string,
  span: Span,
  place: Pick<Statement, 'kind' | 'section' | 'leads' | 'isQuoted'>,
): Statement {
  const { kind, section, leads, isQuoted } = place
  const { text: words, originOf: offsetOf } = plain(text, span)
  const { quantities, steps, dates, clocks } = kind === 'code' ? readTokens(words) : readProse(words)
  const [cell, table] = [null, null]
  return { kind, text: words, section, leads, cell, table, isQuoted, offsetOf, quantities, steps, dates, clocks }
}

function rowsAt(
  text: string,
  table: Extract<Block, { kind: 'table' }>,
  ragged: { left: number },
): Pick<Table, 'header' | 'rows'> {
  const header = cellsOf(text, table.header, MOST_COLUMNS).map((span, column) => cellAt(text, span, -1, column))
  const arePercent = header.map(({ text: words }) => PERCENT_HEADER.test(words))
  const rows: Cell[][] = []
  for (const row of table.rows) {
    const spans = cellsOf(text, row, header.length)
    ragged.left -= header.length - spans.length
    if (ragged.left < 0) break
    rows.push(
      header.map((_, column) => {
        const cell = cellAt(text, spans[column] ?? { from: row.to, to: row.to }, rows.length, column)
        return arePercent[column] ? asPercent(cell) : cell
      }),
    )
  }
  return { header, rows }
}

/** "Accuracy (%)": the header says it once for all its cells. */
const PERCENT_HEADER = /[(（[]\s?%\s?[)）\]]|[^%\s]\s?%$/

function asPercent(cell: Cell): Cell {
  if (cell.quantities.every(({ unit }) => unit !== null)) return cell
  return { ...cell, quantities: cell.quantities.map(one => (one.unit === null ? { ...one, unit: '%' } : one)) }
}

const DECORATION = /(?:[\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}⬆⬇➡★☆✓✗]|\uFE0F|\u200D)+/gu

const BEYOND_ASCII = /[^\0-\x7f]/

function cellAt(source: string, span: Span, row: number, column: number): Cell {
  const offset = span.from
  const words = plain(source, span).text
  const text = (BEYOND_ASCII.test(words) ? words.replace(DECORATION, '') : words).trim()
  const { quantities, steps, dates, clocks } = readTokens(text)
  const [bold, pending] = [source.startsWith('**', offset), PENDING.test(text)]
  // Written out: copying one object into another is slow, and a long report has a million cells.
  return { row, column, text, offset, bold, pending, quantities, steps, dates, clocks }
}

/** A bare number says nothing; a word, or a figure in brackets behind another, does. */
const WORDS = /\p{L}{2,}|\p{Script=Han}|\d\s?%?\s?[(（→]/u

/** "36 × 5 = 180", "2,250 (45 × 50)". */
const isReckoned = ({ text, quantities }: Cell): boolean => quantities.length > 2 && /[×*=]/.test(text)

function holdsWords({ text, column }: Cell): boolean {
  return column > 0 && WORDS.test(text)
}

/** Words in a cell are statements like any other. */
function cellStatement(cell: Cell, table: Table): Statement {
  const { text, offset, quantities, steps, dates, clocks } = cell
  const [kind, section, leads, offsetOf] = ['cell', table.section, NO_LEADS, () => offset] as const
  const { isQuoted } = table
  return { kind, text, section, leads, cell, table, isQuoted, offsetOf, quantities, steps, dates, clocks }
}

const NO_LEADS: readonly string[] = []

import { cellsOf, type Span, type Table } from '../../document/markdown.js'
import { withoutMarkup } from '../../document/markup.js'

/** A table of a report as words: markup and decoration are gone, and what stands above it is known. */
export interface TableWords {
  readonly line: number
  /** The headings it stands under, cleaned, the nearest first. */
  readonly headings: readonly string[]
  readonly header: readonly string[]
  /** Cells of all rows, split as they are asked for. */
  rows(): Iterable<readonly string[]>
  /** Enough rows to see how the table is laid out. */
  sample(): readonly (readonly string[])[]
  /** What the sampled rows are called: their first cells. */
  labels(): readonly string[]
}

const SAMPLED_ROWS = 200
/** Longer cells are prose; no header, label or number is. */
const LONGEST_CELL = 300

export function wordsOfTable(text: string, table: Table, line: number, headings: readonly string[]): TableWords {
  const cells = (row: Span, most?: number): string[] =>
    cellsOf(text, row, most).map(({ from, to }) => cellText(text.slice(from, Math.min(to, from + LONGEST_CELL))))
  const header = cells(table.header)
  const sample = table.rows.slice(0, SAMPLED_ROWS).map(row => cells(row, header.length))
  return {
    line,
    headings,
    header,
    *rows() {
      for (const row of table.rows) yield cells(row, header.length)
    },
    sample: () => sample,
    labels: () => sample.map(row => row[0] ?? '').filter(label => label !== ''),
  }
}

/** What a table cell says: without markup, and without the stars, arrows, emoji and white space at its ends. */
export function cellText(source: string): string {
  return withoutMarkup(source).replace(DECORATION, '')
}

const DECORATED = String.raw`[\s\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}↑↓→←▲▼✓✗✘★☆\uFE0F\u200D]`
const DECORATION = new RegExp(`^${DECORATED}+|(?<!${DECORATED})${DECORATED}+$`, 'gu')

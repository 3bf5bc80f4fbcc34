import { type Block, cellsOf, markdownBlocks, type Span, type Table } from './markdown.js'
import { withoutMarkup } from './markup.js'
import { placesIn } from './places.js'
import { cleanHeading } from './words.js'

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

/** The tables of a text in order. Unlike `readDocument`, no cell is looked at before it is asked for. */
export function* tablesIn(text: string): Generator<TableWords> {
  const placeOf = placesIn(text)
  let headings: readonly { readonly level: number; readonly title: string }[] = []
  for (const block of markdownBlocks(text)) {
    if (block.kind === 'heading') {
      const { level } = block
      const title = cleanHeading(titleOf(text, block))
      headings = [{ level, title }, ...headings.filter(above => above.level < level)]
    } else if (block.kind === 'table') {
      const titles = headings.map(({ title }) => title)
      yield wordsOfTable(text, block, placeOf(block.from).line, titles)
    }
  }
}

/** The first heading, or header of a table, that says anything: what tells this text from others. */
export function firstTitle(text: string): string {
  for (const block of markdownBlocks(text)) {
    const title = titleOf(text, block)
    if (title !== '') return title
  }
  return ''
}

const LONGEST_TITLE = 200

function titleOf(text: string, block: Block): string {
  if (block.kind !== 'heading' && block.kind !== 'table') return ''
  const { from, to } = block.kind === 'table' ? block.header : block
  return withoutMarkup(text.slice(from, Math.min(to, from + LONGEST_TITLE)))
}

function wordsOfTable(text: string, table: Table, line: number, headings: readonly string[]): TableWords {
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

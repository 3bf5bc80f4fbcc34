import { message as words } from '../../text/say.js'
import { render } from '../../text/sentences.js'
import type { CurveMark, Panel } from '../charts/chart.js'
import {
  type Block,
  type ChartBlock,
  type FindingItem,
  type Inline,
  inlineText,
  numericColumns,
  SEVERITY_TONES,
  type Table,
  type Tone,
  verdictGrounds,
  verdictTitle,
} from './blocks.js'
import { terminalChart } from './terminal-chart.js'
import { columnLines } from './terminal-columns.js'
import { alignTable, printable, shortNumber } from './terminal-text.js'

/** Blocks as lines for a terminal or a pipe. */

export interface TerminalOptions {
  /** Colours and weights; plain where it returns the text. */
  readonly paint: (format: TerminalFormat, text: string) => string
  /** Null: a pipe, in which no line need be short. */
  readonly width: number | null
  /** Details that are folded otherwise. */
  readonly all?: boolean
  readonly indent?: number
}

export type TerminalFormat = 'bold' | Colour

type Colour = 'green' | 'red' | 'cyan' | 'yellow' | 'dim'

const COLOURS: { readonly [tone in Tone]: Colour } = {
  good: 'green',
  bad: 'red',
  neutral: 'cyan',
  warning: 'yellow',
  quiet: 'dim',
}

/** Blocks stand apart by an empty line; those of one section stand together. Notes are not among them: they are remarks. */
export function terminalLines(blocks: readonly Block[], options: TerminalOptions): readonly string[] {
  return blocks
    .map(block => blockLines(block, options))
    .filter(lines => lines.length > 0)
    .flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]))
}

/** Under a title, under a verdict. */
const NESTED = 4
const LONGEST_LINE = 1000
const LONGEST_CELL = 240

function blockLines(block: Block, options: TerminalOptions): readonly string[] {
  const { paint, width, indent = 0, all = false } = options
  const indented = (lines: readonly string[], by = 0): readonly string[] =>
    lines.map(line => (line === '' ? '' : ' '.repeat(indent + by) + line))
  const inner = { ...options, indent: indent + NESTED }
  switch (block.kind) {
    case 'headline': {
      const about = block.about.map(text => safe(text, options))
      return indented([[paint('bold', safe(block.title, options)), about.join('    ')].filter(Boolean).join('  ')])
    }
    case 'heading':
      return indented([paint('bold', safe(block.text, options))])
    case 'paragraph':
      return indented([inlines(block.parts, options)])
    case 'list':
      return indented(block.items.map(item => `- ${inlines(item, options)}`))
    case 'table':
      return indented(tableLines(block, options))
    case 'pairs':
      return indented(
        alignTable(
          block.rows.map(({ label, value }) => [safe(label, options), inlines(value, options)]),
          new Set(),
          within(width, indent),
          true,
        ),
      )
    case 'verdict': {
      const grounds = verdictGrounds(block).map(parts => ' '.repeat(NESTED) + inlines(parts, options))
      return indented([inlines(verdictTitle(block), options), ...grounds])
    }
    case 'findings':
      return indented(findingRows(block.items, options))
    case 'note':
      return []
    case 'chart':
      return indented(chartLines(block, options))
    case 'texts':
      return indented(columnLines(block.items, options))
    case 'command':
      return indented([safe(block.text, options)])
    case 'progress':
      return indented([`${safe(block.text, options)}  ${block.done}${block.total === null ? '' : `/${block.total}`}`])
    case 'fold':
      return all ? blockLines({ ...block, kind: 'section' }, options) : []
    case 'section': {
      const title = paint('bold', safe(block.title, options))
      return [...indented([title]), ...block.blocks.flatMap(each => blockLines(each, inner))]
    }
  }
}

function within(width: number | null, indent: number): number | null {
  return width === null ? null : Math.max(20, width - indent)
}

function safe(text: string, { width }: TerminalOptions): string {
  return printable(text, LONGEST_LINE, width)
}

function inlines(parts: readonly Inline[], options: TerminalOptions, longest = LONGEST_LINE): string {
  return parts
    .map(part => {
      const text = printable(inlineText(part), longest, options.width)
      if (typeof part === 'string') return text
      if ('strong' in part) return options.paint('bold', text)
      return 'tone' in part ? options.paint(COLOURS[part.tone], text) : text
    })
    .join('')
}

function tableLines(block: Table, options: TerminalOptions): readonly string[] {
  const longest = options.all ? LONGEST_LINE : LONGEST_CELL
  const rows = block.rows.map(row => row.map(cell => inlines([cell], options, longest)))
  const header = block.header.map(title => printable(title, longest, options.width))
  return alignTable(
    header.length === 0 ? rows : [header, ...rows],
    numericColumns(block),
    within(options.width, options.indent ?? 0),
    true,
  )
}

function findingRows(items: readonly FindingItem[], options: TerminalOptions): readonly string[] {
  const heads = alignTable(
    items.map(({ word, rule, where }) => [word, rule, where ?? ''].map(text => safe(text, options))),
    new Set(),
    within(options.width, options.indent ?? 0),
  )
  return items.flatMap(({ severity, message, remedy }, i) => [
    options.paint(COLOURS[SEVERITY_TONES[severity]], heads[i]),
    `${' '.repeat(NESTED)}${safe(message, options)}`,
    ...(remedy === null ? [] : [`${' '.repeat(NESTED)}→ ${safe(remedy, options)}`]),
  ])
}

/** Curves in braille; what else a chart may show is described. */
function chartLines({ caption, definition }: ChartBlock, options: TerminalOptions): readonly string[] {
  const curves = definition.panels.flatMap(panel => panel.marks.flatMap(mark => curveOf(panel, mark)))
  const title = options.paint('bold', safe(caption, options))
  if (curves.length === 0) return [title, `${' '.repeat(NESTED)}${safe(definition.description, options)}`]
  const width = Math.min(100, (within(options.width, options.indent ?? 0) ?? 80) - 16)
  return [
    title,
    ...curves.flatMap(({ name, x, y }) => {
      const { lines, envelope, beyond } = terminalChart(x, y, { width: Math.max(20, width) })
      const notes = [
        ...(envelope ? [words('show.envelope', {})] : []),
        ...(beyond === null
          ? []
          : [words('show.beyond', { count: beyond.count, farthest: shortNumber(beyond.farthest) })]),
      ]
      const shown = [...(caption.includes(name) ? [] : [name]), ...notes.map(note => render(note, definition.language))]
      return [...shown.map(text => safe(text, options)), ...lines]
    }),
  ]
}

function curveOf({ title }: Panel, mark: Panel['marks'][number]) {
  if (mark.kind !== 'curve' || !isExact(mark.line)) return []
  const name = [title, mark.name].filter(Boolean).join(', ')
  return [{ name, x: mark.line.x, y: mark.line.y.map(value => value ?? Number.NaN) }]
}

function isExact(line: CurveMark['line']): line is Extract<CurveMark['line'], { x: readonly number[] }> {
  return 'x' in line
}

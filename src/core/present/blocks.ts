import type { Severity } from '../../logs/model/finding.js'
import type { Answer } from '../../logs/model/verdict.js'
import type { Chart } from '../charts/chart.js'
import type { Block, ChartBlock, Difference, FindingItem, Inline, Table, Tone, VerdictBlock } from './block-schema.js'

export type { Block, ChartBlock, Difference, FindingItem, Inline, Table, Tone, VerdictBlock } from './block-schema.js'

/**
 * Makers of blocks, and what renderers of plain text share. A presenter takes an answer as plain data and a speaker, gives
 * blocks, and runs in a browser as well.
 */

export const ANSWER_TONES: { readonly [answer in Answer]: Tone } = {
  better: 'good',
  worse: 'bad',
  same: 'neutral',
  'different-but-small': 'neutral',
  undetermined: 'warning',
  higher: 'neutral',
  lower: 'neutral',
}

export const SEVERITY_TONES: { readonly [severity in Severity]: Tone } = {
  error: 'bad',
  warning: 'warning',
  note: 'neutral',
}

export function headline(title: string, ...about: readonly string[]): Block {
  return { kind: 'headline', title, about }
}

export function heading(text: string, level: 2 | 3 = 2): Block {
  return { kind: 'heading', level, text }
}

export function paragraph(...parts: readonly Inline[]): Block {
  return { kind: 'paragraph', parts }
}

export function list(items: readonly (readonly Inline[])[]): Block {
  return { kind: 'list', items }
}

export function table(header: readonly string[], rows: readonly (readonly Inline[])[]): Block {
  return { kind: 'table', header, rows }
}

export function pairs(rows: readonly (readonly [label: string, ...value: readonly Inline[]])[]): Block {
  return { kind: 'pairs', rows: rows.map(([label, ...value]) => ({ label, value })) }
}

export function note(tone: 'info' | 'warning', text: string): Block {
  return { kind: 'note', tone, text }
}

export function section(title: string, ...blocks: readonly Block[]): Block {
  return { kind: 'section', title, blocks }
}

export function fold(title: string, ...blocks: readonly Block[]): Block {
  return { kind: 'fold', title, blocks }
}

export function chart(id: string, caption: string, definition: Chart): ChartBlock {
  return { kind: 'chart', id, caption, definition }
}

export function strong(text: string): Inline {
  return { strong: text }
}

export function code(text: string): Inline {
  return { code: text }
}

export function figure(text: string, source: string): Inline {
  return { figure: text, source }
}

export function toned(text: string, tone: Tone): Inline {
  return { text, tone }
}

/** What is read of a part, without its look. */
export function inlineText(part: Inline): string {
  if (typeof part === 'string') return part
  if ('strong' in part) return part.strong
  if ('code' in part) return part.code
  return 'figure' in part ? part.figure : part.text
}

export function columnCount({ header, rows }: Pick<Table, 'header' | 'rows'>): number {
  return rows.reduce((most, row) => Math.max(most, row.length), header.length)
}

/** Columns whose cells are all figures, or empty. */
export function numericColumns({ rows }: Pick<Table, 'rows'>): ReadonlySet<number> {
  const full = rows.filter(row => row.length > 1)
  const count = columnCount({ header: [], rows: full })
  const isNumeric = (k: number): boolean => {
    const textIn = (row: (typeof rows)[number]): string => inlineText(row[k] ?? '')
    return full.some(row => textIn(row) !== '') && full.every(row => textIn(row) === '' || FIGURE.test(textIn(row)))
  }
  return new Set(Array.from({ length: count }, (_, k) => k).filter(isNumeric))
}

const FIGURE =
  /^(?:× ?)?[+−-]?(?:\d[\d,]*(?:\.\d+)?(?:e[+−-]?\d+)?|∞)(?: ?@ ?\S+)?(?: ?%)?(?: \(\d[\d,]*\))?$|^(?:NaN|–|[+−]?∞)$/

/** What a verdict says in one line. */
export function verdictTitle({ answer, word, sentence, scope }: VerdictBlock): readonly Inline[] {
  const about = scope === '' ? [] : ['  ', toned(`(${scope})`, 'quiet')]
  return [toned(word, ANSWER_TONES[answer]), '  ', sentence, ...about]
}

/** Size, share and interval, as every rendering prints them. */
export function differenceParts({ size, share, interval }: Difference): readonly Inline[] {
  return [size, ...spaced('  ', share), ...spaced('   ', interval)]
}

/** The same on one line of running text. */
export const differenceText = (difference: Difference): string =>
  differenceParts(difference).map(inlineText).join('').replace(/\s+/g, ' ')

/** What a verdict rests on, a line each: the difference, the margin, the reasons, what limits it. */
export function verdictGrounds({ difference, margin, reasons, tags }: VerdictBlock): readonly (readonly Inline[])[] {
  const size = difference === null ? [] : [code(difference.of), '   ', ...differenceParts(difference)]
  return [
    ...(size.length === 0 ? [] : [size]),
    ...[...(margin === null ? [] : [margin]), ...reasons].map(text => [text]),
    ...tags.map(({ text }) => [toned(text, 'warning')]),
  ]
}

function spaced(space: string, text: string | null): readonly string[] {
  return text === null ? [] : [space, text]
}

/** A finding in two lines: how grave, by which rule and where; and what it is, with what to do. */
export function findingLines(item: FindingItem): readonly [head: readonly Inline[], text: readonly Inline[]] {
  const { severity, word, rule, where, message, remedy } = item
  const head = [toned(word, SEVERITY_TONES[severity]), '  ', code(rule), ...spaced('  ', where)]
  return [head, [message, ...spaced(' → ', remedy)]]
}

import type { Chart as ChartDefinition } from '../charts/chart.js'
import type { Severity } from '../model/finding.js'
import type { Answer } from '../model/verdict.js'

/**
 * An answer before it is terminal lines, Markdown, HTML or a page: blocks of words and figures. Text is always text here;
 * only renderers know markup, so a run's name or a metric's can never become any. Makers of blocks take an answer as
 * plain data and a speaker, and run in a browser as well.
 */
export type Block =
  | Headline
  | Heading
  | Paragraph
  | List
  | Table
  | Pairs
  | VerdictBlock
  | Findings
  | Note
  | ChartBlock
  | Command
  | Progress
  | Section
  | Fold

/** What an answer is about, in one line. */
export interface Headline {
  readonly kind: 'headline'
  readonly title: string
  /** Beside it: what the metric means, how much was compared. */
  readonly about: readonly string[]
}

export interface Heading {
  readonly kind: 'heading'
  readonly level: 2 | 3
  readonly text: string
}

export interface Paragraph {
  readonly kind: 'paragraph'
  readonly parts: readonly Inline[]
}

export interface List {
  readonly kind: 'list'
  readonly items: readonly (readonly Inline[])[]
}

/** Columns of figures stand to the right in every rendering. A row of one "…" stands for rows that are left out. */
export interface Table {
  readonly kind: 'table'
  /** None: each row speaks for itself. */
  readonly header: readonly string[]
  readonly rows: readonly (readonly Inline[])[]
}

/** Rows of "label: value". */
export interface Pairs {
  readonly kind: 'pairs'
  readonly rows: readonly { readonly label: string; readonly value: readonly Inline[] }[]
}

export interface VerdictBlock {
  readonly kind: 'verdict'
  readonly answer: Answer
  /** The answer as a word: BETTER. */
  readonly word: string
  readonly sentence: string
  /** What it is about: these runs, the settings. */
  readonly scope: string
  readonly difference: Difference | null
  /** Equality at the margin: shown, not shown, or from which margin on. */
  readonly margin: string | null
  readonly reasons: readonly string[]
  /** What limits it, by name, each with its sentence. */
  readonly tags: readonly { readonly name: string; readonly text: string }[]
}

export interface Difference {
  /** "kl − no-kl". */
  readonly of: string
  readonly size: Inline
  /** "(−1.6 %)", of the baseline's level. */
  readonly share: string | null
  readonly interval: string | null
}

export interface Findings {
  readonly kind: 'findings'
  readonly items: readonly FindingItem[]
}

export interface FindingItem {
  readonly severity: Severity
  /** The severity in words. */
  readonly word: string
  readonly rule: string
  /** Steps, or a place in a file. */
  readonly where: string | null
  readonly message: string
  readonly remedy: string | null
  readonly evidence: readonly { readonly name: string; readonly value: string }[]
}

/** A remark beside the answer; the terminal writes it to stderr. */
export interface Note {
  readonly kind: 'note'
  readonly tone: 'info' | 'warning'
  readonly text: string
}

export interface ChartBlock {
  readonly kind: 'chart'
  /** For the file name and the ids inside: letters, digits and dashes. */
  readonly id: string
  readonly caption: string
  /** What it shows; the renderers draw it, with colours of its own for a file or with the page's. */
  readonly definition: ChartDefinition
}

export interface Command {
  readonly kind: 'command'
  readonly text: string
}

export interface Progress {
  readonly kind: 'progress'
  readonly text: string
  readonly done: number
  /** Null: nothing tells. */
  readonly total: number | null
}

/** Blocks that belong under one title. */
export interface Section {
  readonly kind: 'section'
  readonly title: string
  readonly blocks: readonly Block[]
}

/** Details on demand: with --all on a terminal, to be unfolded in HTML and on a page. */
export interface Fold {
  readonly kind: 'fold'
  readonly title: string
  readonly blocks: readonly Block[]
}

export type Inline = string | Strong | Code | Figure | Toned

export interface Strong {
  readonly strong: string
}

/** A name or a command, as typed. */
export interface Code {
  readonly code: string
}

/** A number with where it comes from: shown on hover. */
export interface Figure {
  readonly figure: string
  readonly source: string
}

/** Text whose meaning is shown by its colour as well. */
export interface Toned {
  readonly text: string
  readonly tone: Tone
}

export type Tone = 'good' | 'bad' | 'neutral' | 'warning' | 'quiet'

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

export function note(tone: Note['tone'], text: string): Block {
  return { kind: 'note', tone, text }
}

export function section(title: string, ...blocks: readonly Block[]): Block {
  return { kind: 'section', title, blocks }
}

export function fold(title: string, ...blocks: readonly Block[]): Block {
  return { kind: 'fold', title, blocks }
}

export function strong(text: string): Strong {
  return { strong: text }
}

export function code(text: string): Code {
  return { code: text }
}

export function figure(text: string, source: string): Figure {
  return { figure: text, source }
}

export function toned(text: string, tone: Tone): Toned {
  return { text, tone }
}

/** What is read of a part, without its look. */
export function inlineText(part: Inline): string {
  if (typeof part === 'string') return part
  if ('strong' in part) return part.strong
  if ('code' in part) return part.code
  return 'figure' in part ? part.figure : part.text
}

/** Columns whose cells are all figures, or empty. */
export function numericColumns({ rows }: Pick<Table, 'rows'>): ReadonlySet<number> {
  const full = rows.filter(row => row.length > 1)
  const count = Math.max(0, ...full.map(row => row.length))
  const columns = Array.from({ length: count }, (_, k) => full.map(row => inlineText(row[k] ?? '')))
  return new Set(
    Array.from(columns.entries())
      .filter(([, cells]) => cells.some(cell => cell !== '') && cells.every(cell => cell === '' || FIGURE.test(cell)))
      .map(([k]) => k),
  )
}

const FIGURE = /^(?:× ?)?[+−-]?(?:\d[\d,]*(?:\.\d+)?(?:e[+−-]?\d+)?|∞)(?:@\S+)?(?: ?%)?$|^(?:NaN|–|[+−]?∞)$/

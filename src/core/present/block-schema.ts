import { z } from 'zod'
import { ANSWERS } from '../../logs/model/verdict.js'
import type { Chart } from '../charts/chart.js'

/**
 * What blocks are, as plain data: an answer before it is terminal lines, Markdown, HTML or a page. Text is always text
 * here; only renderers know markup, so a run's name or a metric's can never become any.
 */

const text = z.string()
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

const tone = z.enum(['good', 'bad', 'neutral', 'warning', 'quiet'])

export type Tone = z.infer<typeof tone>

const inline = z.union([
  text,
  z.object({ strong: text }),
  /** A name or a command, as typed. */
  z.object({ code: text }),
  /** A number with where it comes from, shown on hover, and the reference by which `klens fill` finds it again. */
  z.object({ figure: text, source: text, reference: text.optional(), verdict: text.optional() }),
  /** Text whose meaning is shown by its colour as well. */
  z.object({ text, tone }),
])

export type Inline = z.infer<typeof inline>

const difference = z.object({
  /** "kl − no-kl". */
  of: text,
  size: inline,
  /** "(−1.6 %)", of the baseline's level. */
  share: text.nullable(),
  interval: text.nullable(),
})

export type Difference = z.infer<typeof difference>

const verdict = z.object({
  kind: z.literal('verdict'),
  answer: z.enum(ANSWERS),
  /** The answer as a word: BETTER. */
  word: text,
  sentence: text,
  /** What it is about: these runs, the settings. */
  scope: text,
  difference: difference.nullable(),
  /** Equality at the margin: shown, not shown, or from which margin on. */
  margin: text.nullable(),
  reasons: list(text),
  /** What limits it, by name, each with its sentence. */
  tags: list(z.object({ name: text, text })),
  /** The reference by which `klens fill` finds the difference again. */
  reference: text.optional(),
})

export type VerdictBlock = z.infer<typeof verdict>

const finding = z.object({
  severity: z.enum(['error', 'warning', 'note']),
  /** The severity in words. */
  word: text,
  rule: text,
  /** Steps, or a place in a file. */
  where: text.nullable(),
  message: text,
  remedy: text.nullable(),
  evidence: list(z.object({ name: text, value: text })),
})

export type FindingItem = z.infer<typeof finding>

/** Columns of figures stand to the right in every rendering. A row of one cell runs over all columns; "…" stands for rows that are left out. */
const table = z.object({
  kind: z.literal('table'),
  /** None: each row speaks for itself. */
  header: list(text),
  rows: list(list(inline)),
})

export type Table = z.infer<typeof table>

const chart = z.object({
  kind: z.literal('chart'),
  /** For the file name and the ids inside: letters, digits and dashes. */
  id: text,
  caption: text,
  /** What it shows, its gaps null in JSON, which has no type for it: nothing here looks into it. */
  definition: z.json() as z.ZodType as z.ZodType<Chart>,
})

export type ChartBlock = z.infer<typeof chart>

const leaf = z.discriminatedUnion('kind', [
  /** What an answer is about, in one line, and beside it what the metric means and how much was compared. */
  z.object({ kind: z.literal('headline'), title: text, about: list(text) }),
  z.object({ kind: z.literal('heading'), level: z.union([z.literal(2), z.literal(3)]), text }),
  z.object({ kind: z.literal('paragraph'), parts: list(inline) }),
  z.object({ kind: z.literal('list'), items: list(list(inline)) }),
  table,
  /** Rows of "label: value". */
  z.object({ kind: z.literal('pairs'), rows: list(z.object({ label: text, value: list(inline) })) }),
  verdict,
  z.object({ kind: z.literal('findings'), items: list(finding) }),
  /** A remark beside the answer; the terminal writes it to stderr. */
  z.object({ kind: z.literal('note'), tone: z.enum(['info', 'warning']), text }),
  chart,
  /** What models wrote, letter by letter; two stand beside each other where there is room. */
  z.object({ kind: z.literal('texts'), items: list(z.object({ title: text, text })) }),
  z.object({ kind: z.literal('command'), text }),
  /** How much is done, and of how much where something tells. */
  z.object({ kind: z.literal('progress'), text, done: z.number(), total: z.number().nullable() }),
])

/** Blocks under one title. A fold is details on demand: with --all on a terminal, to be unfolded in HTML and on a page. */
interface Group {
  readonly kind: 'section' | 'fold'
  readonly title: string
  readonly blocks: readonly Block[]
}

export type Block = z.infer<typeof leaf> | Group

const group: z.ZodType<Group> = z.lazy(() =>
  z.object({ kind: z.enum(['section', 'fold']), title: text, blocks: list(block) }),
)

export const block: z.ZodType<Block> = z.union([leaf, group])

import { z } from 'zod'
import type { Chart } from '../charts/chart.js'
import type { Block } from './blocks.js'

/** Blocks as JSON carries them. A chart's definition is one of `charts`, its gaps null; nothing here looks into it. */

const text = z.string()
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

// JSON has no type for a chart: whoever wrote it took it from `charts`.
const chart = z.json() as z.ZodType as z.ZodType<Chart>

const inline = z.union([
  text,
  z.object({ strong: text }),
  z.object({ code: text }),
  z.object({ figure: text, source: text }),
  z.object({ text, tone: z.enum(['good', 'bad', 'neutral', 'warning', 'quiet']) }),
])

const difference = z.object({ of: text, size: inline, share: text.nullable(), interval: text.nullable() })

const finding = z.object({
  severity: z.enum(['error', 'warning', 'note']),
  word: text,
  rule: text,
  where: text.nullable(),
  message: text,
  remedy: text.nullable(),
  evidence: list(z.object({ name: text, value: text })),
})

export const block: z.ZodType<Block> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('headline'), title: text, about: list(text) }),
    z.object({ kind: z.literal('heading'), level: z.union([z.literal(2), z.literal(3)]), text }),
    z.object({ kind: z.literal('paragraph'), parts: list(inline) }),
    z.object({ kind: z.literal('list'), items: list(list(inline)) }),
    z.object({ kind: z.literal('table'), header: list(text), rows: list(list(inline)) }),
    z.object({ kind: z.literal('pairs'), rows: list(z.object({ label: text, value: list(inline) })) }),
    z.object({
      kind: z.literal('verdict'),
      answer: z.enum(['better', 'worse', 'same', 'different-but-small', 'undetermined', 'higher', 'lower']),
      word: text,
      sentence: text,
      scope: text,
      difference: difference.nullable(),
      margin: text.nullable(),
      reasons: list(text),
      tags: list(z.object({ name: text, text })),
    }),
    z.object({ kind: z.literal('findings'), items: list(finding) }),
    z.object({ kind: z.literal('note'), tone: z.enum(['info', 'warning']), text }),
    z.object({ kind: z.literal('chart'), id: text, caption: text, definition: chart }),
    z.object({ kind: z.literal('command'), text }),
    z.object({ kind: z.literal('progress'), text, done: z.number(), total: z.number().nullable() }),
    z.object({ kind: z.literal('section'), title: text, blocks: list(block) }),
    z.object({ kind: z.literal('fold'), title: text, blocks: list(block) }),
  ]),
)

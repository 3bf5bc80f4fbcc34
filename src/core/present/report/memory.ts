import { z } from 'zod'
import { AXES } from '../../../logs/model/axis.js'

/** What a report concluded and what it was made of, as a comment at its end: for the next report, and for an audit. */

export const memory = z.object({
  runs: z.array(z.string()).readonly(),
  metric: z.string(),
  evaluations: z.number(),
  verdicts: z.array(z.object({ question: z.string(), other: z.string(), answer: z.string() })).readonly(),
  findings: z.array(z.string()).readonly(),
})

/** What the report concluded. */
export type Memory = Readonly<z.infer<typeof memory>>

const START = '<!-- klens-report '
const END = ' -->'

/** JSON with every `<`, `>` and `-` of its texts spelled out, so that nothing can end the comment. */
export function memoryComment({ memory, recipe }: { readonly memory: Memory; readonly recipe: object | null }): string {
  const json = JSON.stringify({ ...memory, recipe }).replace(
    /[<>-]/g,
    mark => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${START}${json}${END}`
}

/** Null where the text is no report of klens's, or was changed by hand. */
export function memoryIn(text: string): Memory | null {
  const read = memory.safeParse(commentedIn(text))
  return read.success ? read.data : null
}

/** What the last such comment says, whatever that is. */
export function commentedIn(text: string): unknown {
  try {
    return JSON.parse(lastComment(text).slice(START.length, -END.length))
  } catch {
    return null
  }
}

/** Empty where there is none. */
export function lastComment(text: string): string {
  const start = text.lastIndexOf(START)
  const end = text.indexOf(END, start)
  return start < 0 || end < 0 ? '' : text.slice(start, end + END.length)
}

/**
 * What a report was made of, kept in it unseen: the runs with a hash of their data, and the question as it was asked.
 * Whoever has the logs can make the report again and hold every figure against it; nothing in a recipe has to be
 * believed, because a recipe that was tampered with gives another report.
 */
const MOST_RUNS = 10_000
const MOST_SIDES = 100

const recipe = z.object({
  version: z.string(),
  command: z.string(),
  output: z.string(),
  /** All runs, in the order in which they were taken. */
  runs: z.array(z.object({ id: z.string(), name: z.string(), data: z.string() })).max(MOST_RUNS),
  /** Places in `runs`; none for a sweep. */
  sides: z
    .array(
      z.object({
        label: z.string(),
        checkpoint: z.number().nullable(),
        runs: z.array(z.number().int().nonnegative()).max(MOST_RUNS),
      }),
    )
    .max(MOST_SIDES),
  over: z.array(z.string()),
  metric: z.string(),
  goal: z.enum(['max', 'min']).nullable(),
  margin: z.union([z.object({ absolute: z.number() }), z.object({ share: z.number() })]).nullable(),
  by: z.enum(AXES),
  decide: z.enum(['score', 'worst-seed', 'cost']).nullable().default(null),
  ended: z.boolean().default(false),
  /** The study file, for a report on a study. */
  study: z
    .object({
      path: z.string(),
      text: z.string(),
      base: z.object({ name: z.string(), text: z.string() }).nullable(),
    })
    .nullable()
    .default(null),
  title: z.string().nullable(),
  date: z.string().nullable(),
  language: z.enum(['en', 'zh']),
  /** What it was held against as the report before it. */
  before: memory.nullable(),
})

export type Recipe = Readonly<z.infer<typeof recipe>>

/** Null where the text is no report of klens's, or one of a klens that kept none. */
export function recipeIn(text: string): Recipe | null {
  const read = z.object({ recipe }).safeParse(commentedIn(text))
  return read.success ? read.data.recipe : null
}

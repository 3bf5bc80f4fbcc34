import { join } from 'node:path'
import { z } from 'zod'
import type { Condition } from '../../logs/model/evaluation.js'
import { sqlFiles, sqlNumber, sqlText } from './duck.js'
import { isCondition } from './evaluations.js'
import type { LoadedRun } from './series.js'
import { textsBehind } from './texts.js'

/**
 * The scored answers of a run as one table to be counted, filtered and paged: of the texts only their marks are read (length,
 * hash, how it ended), and whole texts of the rows that are shown. What a search looks for is looked for in every text.
 */
export interface RolloutSet {
  readonly metric: string
  readonly condition: Condition
  /** Null: of all steps. */
  readonly step: number | null
  /** The metric that says whether an answer was cut off, where there is one: it tells how an answer without turns ended. */
  readonly truncated: string | null
}

export interface RolloutFilter {
  /** Scores from `low` to `high`, both included. */
  readonly scores: { readonly low: number; readonly high: number } | null
  readonly search: string
  readonly ended: string | null
  readonly prompt: string | null
  /** Only answers that another one is identical to. */
  readonly isRepeated: boolean
}

export const ROLLOUT_ORDERS = ['highest', 'lowest', 'longest', 'shortest', 'repeated', 'prompt'] as const
export type RolloutOrder = (typeof ROLLOUT_ORDERS)[number]

const ORDER_COLUMNS: { readonly [order in RolloutOrder]: string } = {
  highest: 'score DESC',
  lowest: 'score',
  longest: 'length DESC NULLS LAST',
  shortest: 'length NULLS LAST',
  repeated: 'same DESC, hash',
  prompt: 'sample',
}

/** Counts come out of DuckDB as big integers. */
const whole = z.coerce.number()

const rowSchema = z.object({
  step: z.number(),
  sample: z.string(),
  repeat: z.number(),
  score: z.number(),
  /** How many answers the prompt has at this step, and what they score on average. */
  group: whole,
  groupMean: z.number(),
  /** Characters; null without a text. */
  length: whole.nullable(),
  ended: z.string().nullable(),
  /** How many answers have this text, this one included; 0 without a text. */
  same: whole,
})

export type RolloutRow = z.infer<typeof rowSchema>

const placeSchema = rowSchema.pick({ step: true, sample: true, repeat: true })
type AnswerPlace = z.infer<typeof placeSchema>
const text = z.string().nullable()
const textSchema = z.object({ input: text, output: text, expected: text, choice: text, tokens: text })

export interface RolloutCounts {
  /** Each score that there is, ascending, and how many answers have it. */
  readonly scores: Float64Array
  readonly counts: Float64Array
  readonly ends: readonly { readonly why: string; readonly n: number }[]
  /** Answers with a text, how many texts they are, and how many answers share theirs with another. */
  readonly texts: number
  readonly distinct: number
  readonly repeated: number
}

/** Opened once for a question: which files hold the texts is looked up here. */
export async function openRollouts(run: LoadedRun, set: RolloutSet) {
  const { duck } = run.workspace
  const texts = await textsBehind(run, set)
  const rollouts = rolloutTable(run, set, texts)

  async function count(): Promise<RolloutCounts> {
    const [scores, counts] = await duck.readDoubles(
      `SELECT score, count(*)::DOUBLE FROM (${scoredRows(run, set)}) GROUP BY score ORDER BY score`,
      2,
    )
    const [ends, [marks]] = await Promise.all([
      duck.readRows(
        `SELECT ended AS why, count(*) AS n FROM (${rollouts}) WHERE ended IS NOT NULL GROUP BY why ORDER BY n DESC, why LIMIT 40`,
      ),
      duck.readRows(
        `SELECT coalesce(sum(n), 0) AS texts, count(*) AS "distinct", coalesce(sum(n) FILTER (n > 1), 0) AS repeated
         FROM (SELECT count(*) AS n FROM (${rollouts}) WHERE hash IS NOT NULL GROUP BY hash)`,
      ),
    ])
    return {
      scores,
      counts,
      ends: ends.map(({ why, n }) => ({ why: String(why), n: Number(n) })),
      texts: Number(marks.texts),
      distinct: Number(marks.distinct),
      repeated: Number(marks.repeated),
    }
  }

  async function page(
    filter: RolloutFilter,
    { order, from, most }: { readonly order: RolloutOrder; readonly from: number; readonly most: number },
  ): Promise<{ readonly found: number; readonly rows: readonly RolloutRow[] }> {
    const fitting = `WITH fitting AS MATERIALIZED (SELECT * FROM (${rollouts}) ${whereOf(filter, texts)})`
    const rows = await duck.readRows(
      `${fitting} SELECT *, (SELECT count(*) FROM fitting) AS found FROM fitting
       ORDER BY ${ORDER_COLUMNS[order]}, step DESC, sample, repeat LIMIT ${most} OFFSET ${from}`,
    )
    const found =
      rows.length === 0 && from > 0 ? await duck.readRows(`${fitting} SELECT count(*) AS found FROM fitting`) : rows
    return { found: Number(found[0]?.found ?? 0), rows: rows.map(row => rowSchema.parse(row)) }
  }

  /** Of these answers, other figures of the same table. */
  async function parts(
    rows: readonly AnswerPlace[],
    metrics: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
    if (rows.length === 0 || metrics.length === 0) return new Map()
    const found = await duck.readRows(
      `SELECT metric, step, sample, repeat, score FROM ${scoresFile(run)}
       WHERE metric IN (${metrics.map(sqlText).join(', ')}) AND ${isCondition(set.condition)} AND ${amongRows(rows)}`,
    )
    const byRow = new Map<string, Map<string, number>>()
    for (const { metric, score, ...place } of found) {
      const key = rolloutKey(placeSchema.parse(place))
      byRow.set(key, (byRow.get(key) ?? new Map<string, number>()).set(String(metric), Number(score)))
    }
    return byRow
  }

  async function wholeTexts(rows: readonly AnswerPlace[]): Promise<ReadonlyMap<string, z.infer<typeof textSchema>>> {
    if (rows.length === 0 || texts === null) return new Map()
    const found = await duck.readRows(
      `SELECT step, sample, repeat, input, output, expected, choice, tokens FROM ${texts} WHERE ${amongRows(rows)} ORDER BY part`,
    )
    return new Map(found.map(row => [rolloutKey(placeSchema.parse(row)), textSchema.parse(row)]))
  }

  /** At each of these steps, the answers with the best score: how many, how long, and the one of the median length. */
  async function best(steps: readonly number[], goal: 'max' | 'min'): Promise<readonly BestOfStep[]> {
    const rows = await duck.readRows(
      `WITH ranked AS (
         SELECT *, rank() OVER (PARTITION BY step ORDER BY score ${goal === 'max' ? 'DESC' : 'ASC'}) = 1 AS is_best
         FROM (${rollouts}) WHERE step IN (${steps.map(sqlNumber).join(', ')})
       ), middle AS (
         SELECT *, row_number() OVER (PARTITION BY step ORDER BY length NULLS LAST, sample, repeat) AS nth,
           count(length) OVER (PARTITION BY step) AS told
         FROM ranked WHERE is_best
       )
       SELECT * FROM (
         SELECT step, count(*) FILTER (is_best) AS top, nullif(count(DISTINCT hash) FILTER (is_best), 0) AS "distinct",
           median(length) FILTER (is_best) AS "topLength", median(length) AS length
         FROM ranked GROUP BY step
       ) LEFT JOIN (SELECT step, sample, repeat FROM middle WHERE nth = (told + 1) // 2) USING (step) ORDER BY step`,
    )
    return rows.map(row => bestSchema.parse(row))
  }

  return { count, page, parts, wholeTexts, best, hasTexts: texts !== null }
}

const bestSchema = z.object({
  step: z.number(),
  top: whole,
  /** Different texts among them, and their characters, the median of them and of all answers; null without texts. */
  distinct: whole.nullable(),
  topLength: z.number().nullable(),
  length: z.number().nullable(),
  /** The one of the median length. */
  sample: z.string().nullable(),
  repeat: z.number().nullable(),
})

export type BestOfStep = z.infer<typeof bestSchema>

export function rolloutKey({ step, sample, repeat }: AnswerPlace): string {
  return `${step}\0${sample}\0${repeat}`
}

/** Of each step: how many prompts have so many answers of which so many score 1. What pass@k is computed from. */
const tallySchema = z.object({
  step: z.number(),
  answers: whole,
  /** Those that score 1. */
  right: whole,
  prompts: whole,
  total: z.number(),
  highest: z.number(),
  lowest: z.number(),
  isBinary: z.boolean(),
})

export type StepTally = z.infer<typeof tallySchema>

export async function tallySteps(run: LoadedRun, set: Omit<RolloutSet, 'step'>): Promise<readonly StepTally[]> {
  const rows = await run.workspace.duck.readRows(
    `SELECT step, answers, hits AS "right", count(*) AS prompts, sum(total) AS total, max(highest) AS highest, min(lowest) AS lowest,
       bool_and(is_binary) AS "isBinary"
     FROM (SELECT step, count(*) AS answers, count(*) FILTER (score = 1) AS hits, sum(score) AS total, max(score) AS highest,
             min(score) AS lowest, bool_and(score IN (0, 1)) AS is_binary
           FROM (${scoredRows(run, { ...set, step: null })}) GROUP BY step, sample)
     GROUP BY step, answers, hits ORDER BY step, answers, hits`,
  )
  return rows.map(row => tallySchema.parse(row))
}

function scoresFile({ folder }: LoadedRun): string {
  return `read_parquet(${sqlFiles([join(folder, 'samples.parquet')])})`
}

function scoredRows(run: LoadedRun, { metric, condition, step }: Omit<RolloutSet, 'truncated'>): string {
  const at = step === null ? '' : `AND step = ${step}::DOUBLE`
  return `SELECT step, sample, repeat, score FROM ${scoresFile(run)}
    WHERE metric = ${sqlText(metric)} AND ${isCondition(condition)} ${at}`
}

function rolloutTable(run: LoadedRun, set: RolloutSet, texts: string | null): string {
  const at = set.step === null ? '' : `WHERE step = ${set.step}::DOUBLE`
  const marks =
    texts === null
      ? `SELECT NULL::DOUBLE AS step, NULL::VARCHAR AS sample, NULL::INTEGER AS repeat, NULL::BIGINT AS length, NULL::UBIGINT AS hash, NULL::VARCHAR AS told WHERE false`
      : `SELECT step, sample, repeat, arg_max(output_length, part) AS length, arg_max(output_hash, part) AS hash,
           arg_max(ended, part) AS told FROM ${texts} ${at} GROUP BY step, sample, repeat`
  const cut =
    set.truncated === null
      ? `SELECT NULL::DOUBLE AS step, NULL::VARCHAR AS sample, NULL::INTEGER AS repeat, NULL::DOUBLE AS is_cut WHERE false`
      : `SELECT step, sample, repeat, score AS is_cut FROM (${scoredRows(run, { ...set, metric: set.truncated })})`
  return `SELECT step, sample, repeat, score, length, hash,
      coalesce(told, CASE is_cut WHEN 1 THEN 'length' WHEN 0 THEN 'stop' END) AS ended,
      count(*) OVER (PARTITION BY step, sample) AS "group", avg(score) OVER (PARTITION BY step, sample) AS "groupMean",
      CASE WHEN hash IS NULL THEN 0 ELSE count(*) OVER (PARTITION BY hash) END AS same
    FROM (${scoredRows(run, set)}) LEFT JOIN (${marks}) USING (step, sample, repeat) LEFT JOIN (${cut}) USING (step, sample, repeat)`
}

function whereOf({ scores, search, ended, prompt, isRepeated }: RolloutFilter, texts: string | null): string {
  const conditions = [
    ...(scores === null ? [] : [`score BETWEEN ${sqlNumber(scores.low)} AND ${sqlNumber(scores.high)}`]),
    ...(ended === null ? [] : [`ended = ${sqlText(ended)}`]),
    ...(prompt === null ? [] : [`sample = ${sqlText(prompt)}`]),
    ...(isRepeated ? ['same > 1'] : []),
    ...(search === '' ? [] : [holdsText(search, texts)]),
  ]
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

/** In the prompt, the answer, the right answer or the id, in whatever case. */
function holdsText(search: string, texts: string | null): string {
  const wanted = sqlText(search.toLowerCase())
  const inId = `contains(lower(sample), ${wanted})`
  if (texts === null) return inId
  const columns = ['input', 'output', 'expected', 'choice'].map(column => `contains(lower(${column}), ${wanted})`)
  return `(${inId} OR (step, sample, repeat) IN (SELECT (step, sample, repeat) FROM ${texts} WHERE ${columns.join(' OR ')}))`
}

function amongRows(rows: readonly AnswerPlace[]): string {
  const steps = [...new Set(rows.map(({ step }) => step))].map(sqlNumber).join(', ')
  const keys = rows.map(({ step, sample, repeat }) => `(${sqlNumber(step)}, ${sqlText(sample)}, ${repeat})`).join(', ')
  const samples = [...new Set(rows.map(({ sample }) => sample))].map(sqlText).join(', ')
  // The plain lists let files and row groups be passed over; the last one decides.
  return `step IN (${steps}) AND sample IN (${samples}) AND (step, sample, repeat) IN (${keys})`
}

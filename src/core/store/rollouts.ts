import { join } from 'node:path'
import type { Condition } from '../../logs/model/evaluation.js'
import { sqlFiles, sqlNumber, sqlText } from './duck.js'
import { isCondition } from './evaluations.js'
import type { LoadedRun } from './series.js'
import { type TextRow, textsBehind } from './texts.js'

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

export interface RolloutRow {
  readonly step: number
  readonly sample: string
  readonly repeat: number
  readonly score: number
  /** How many answers the prompt has at this step, and what they score on average. */
  readonly group: number
  readonly groupMean: number
  /** Characters; null without a text. */
  readonly length: number | null
  readonly ended: string | null
  /** How many answers have this text, this one included; 0 without a text. */
  readonly same: number
}

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
    return { found: Number(found[0]?.found ?? 0), rows: rows.map(rowOf) }
  }

  /** Of these answers, other figures of the same table. */
  async function parts(
    rows: readonly RolloutRow[],
    metrics: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
    if (rows.length === 0 || metrics.length === 0) return new Map()
    const found = await duck.readRows(
      `SELECT metric, step, sample, repeat, score FROM ${scoresFile(run)}
       WHERE metric IN (${metrics.map(sqlText).join(', ')}) AND ${isCondition(set.condition)} AND ${amongRows(rows)}`,
    )
    const byRow = new Map<string, Map<string, number>>()
    for (const { metric, step, sample, repeat, score } of found) {
      const key = rolloutKey({ step: Number(step), sample: String(sample), repeat: Number(repeat) })
      byRow.set(key, (byRow.get(key) ?? new Map<string, number>()).set(String(metric), Number(score)))
    }
    return byRow
  }

  async function wholeTexts(
    rows: readonly RolloutRow[],
  ): Promise<ReadonlyMap<string, Omit<TextRow, 'sample' | 'repeat'>>> {
    if (rows.length === 0 || texts === null) return new Map()
    const found = await duck.readRows(
      `SELECT step, sample, repeat, input, output, expected, choice, tokens FROM ${texts} WHERE ${amongRows(rows)} ORDER BY part`,
    )
    const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
    return new Map(
      found.map(({ step, sample, repeat, input, output, expected, choice, tokens }) => [
        rolloutKey({ step: Number(step), sample: String(sample), repeat: Number(repeat) }),
        {
          input: textOf(input),
          output: textOf(output),
          expected: textOf(expected),
          choice: textOf(choice),
          tokens: textOf(tokens),
        },
      ]),
    )
  }

  return { count, page, parts, wholeTexts, hasTexts: texts !== null }
}

export function rolloutKey({ step, sample, repeat }: Pick<RolloutRow, 'step' | 'sample' | 'repeat'>): string {
  return `${step}\0${sample}\0${repeat}`
}

/** Of each step: how many prompts have so many answers of which so many score 1. What pass@k is computed from. */
export interface StepTally {
  readonly step: number
  readonly answers: number
  /** Those that score 1. */
  readonly right: number
  readonly prompts: number
  readonly total: number
  readonly best: number
  readonly isBinary: boolean
}

export async function tallySteps(run: LoadedRun, set: Omit<RolloutSet, 'step'>): Promise<readonly StepTally[]> {
  const rows = await run.workspace.duck.readRows(
    `SELECT step, answers, hits, count(*) AS prompts, sum(total) AS total, max(best) AS best, bool_and(is_binary) AS is_binary
     FROM (SELECT step, count(*) AS answers, count(*) FILTER (score = 1) AS hits, sum(score) AS total, max(score) AS best,
             bool_and(score IN (0, 1)) AS is_binary
           FROM (${scoredRows(run, { ...set, step: null })}) GROUP BY step, sample)
     GROUP BY step, answers, hits ORDER BY step, answers, hits`,
  )
  return rows.map(({ step, answers, hits, prompts, total, best, is_binary: isBinary }) => ({
    step: Number(step),
    answers: Number(answers),
    right: Number(hits),
    prompts: Number(prompts),
    total: Number(total),
    best: Number(best),
    isBinary: isBinary === true,
  }))
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
      count(*) OVER (PARTITION BY step, sample) AS "group", avg(score) OVER (PARTITION BY step, sample) AS group_mean,
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

function amongRows(rows: readonly RolloutRow[]): string {
  const steps = [...new Set(rows.map(({ step }) => step))].map(sqlNumber).join(', ')
  const keys = rows.map(({ step, sample, repeat }) => `(${sqlNumber(step)}, ${sqlText(sample)}, ${repeat})`).join(', ')
  const samples = [...new Set(rows.map(({ sample }) => sample))].map(sqlText).join(', ')
  // The plain lists let files and row groups be passed over; the last one decides.
  return `step IN (${steps}) AND sample IN (${samples}) AND (step, sample, repeat) IN (${keys})`
}

function rowOf(row: Record<string, unknown>): RolloutRow {
  return {
    step: Number(row.step),
    sample: String(row.sample),
    repeat: Number(row.repeat),
    score: Number(row.score),
    group: Number(row.group),
    groupMean: Number(row.group_mean),
    length: row.length === null ? null : Number(row.length),
    ended: row.ended === null ? null : String(row.ended),
    same: Number(row.same),
  }
}

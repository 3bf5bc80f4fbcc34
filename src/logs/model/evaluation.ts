import type { Quality } from './run.js'

/** Under which circumstances a score was measured. Absent means unknown, never a default. */
export interface Condition {
  readonly dataset?: string
  /** Of a training metric: the environment, and the subset of its data, that it speaks of; absent where it is of all. */
  readonly environment?: string
  readonly subset?: string
  readonly shots?: number
  readonly temperature?: number
  readonly split?: string
  /** How repeats of one prompt were folded, such as `mean@8` or `best@4`. */
  readonly aggregate?: string
}

/** One score at one step, with the number of prompts behind it where that is known. */
export interface Evaluation {
  readonly metric: string
  readonly step: number
  readonly condition: Condition
  /** NaN where quality is `missing`. */
  readonly value: number
  readonly n: number | null
  readonly quality: Quality
}

/** What evaluations measure over the steps of a run: one metric under one condition. It is a series like any other. */
export interface EvaluatedMetric {
  readonly metric: string
  readonly condition: Condition
}

/**
 * The name under which such a series stands among the metrics of its run: `eval.score/dataset=gsm8k/shots=2`. It has no
 * character that a shell would take for its own.
 */
export function evaluatedName({ metric, condition }: EvaluatedMetric): string {
  return [metric, ...partsOf(condition)].join('/')
}

/** Whether a person means this series: by its metric, or by that and any parts of its condition (`eval.score/shots=2`). */
export function isNamed(name: string, { metric, condition }: EvaluatedMetric): boolean {
  if (name !== metric && !name.startsWith(`${metric}/`)) return false
  let rest = name.slice(metric.length)
  for (const part of partsOf(condition)) {
    if (`${rest}/`.includes(`/${part}/`)) rest = `${rest}/`.replace(`/${part}/`, '/').slice(0, -1)
  }
  return rest === ''
}

function partsOf({ dataset, split, shots, temperature, aggregate }: Condition): readonly string[] {
  const known = Object.entries({ dataset, split, shots, temperature, aggregate })
  return known.flatMap(([member, value]) => (value === undefined ? [] : [`${member}=${value}`]))
}

export function isSameCondition(one: Condition, other: Condition): boolean {
  return partsOf(one).join('/') === partsOf(other).join('/')
}

/** Scores of single prompts at one step: the raw material of paired tests. Columns of equal length. */
export interface SampleScores {
  readonly metric: string
  readonly step: number
  readonly condition: Condition
  readonly ids: readonly string[]
  readonly scores: readonly number[]
  /** Which attempt at the prompt, from 0; absent when there is one each. */
  readonly repeats?: readonly number[]
  /** What else the file says of each item (`passage_id`, `subject`), as text: what items can be clustered by. */
  readonly columns?: readonly ItemColumns[]
}

export type ItemColumns = { readonly [column: string]: string }

/** What was asked and answered, kept apart from the scores so that these can be read alone. Columns of equal length. */
export interface SampleTexts {
  /** The table that the texts stood in: `val` for the metrics `val/score` and `val/acc`, or a metric's whole name. */
  readonly table: string
  readonly step: number
  readonly condition: Condition
  readonly ids: readonly string[]
  readonly repeats: readonly number[]
  readonly inputs: readonly (string | null)[]
  readonly outputs: readonly (string | null)[]
  /** The right answer, where the table holds it. */
  readonly expected: readonly (string | null)[]
  /** What was chosen or extracted as the answer, where the table says so. */
  readonly choices: readonly (string | null)[]
  /** The answer token by token, where it was logged: `tokenScoresText`. */
  readonly tokens?: readonly (string | null)[]
}

/** Sources whose files are evaluations: items with scores, and no training. */
export const EVALUATION_SOURCES: ReadonlySet<string> = new Set(['lm-eval', 'inspect', 'verifiers', 'openai-evals'])

import type { Truth } from './condition.js'

/** A log before it is written in anybody's format. */
export interface BenchLog {
  readonly name: string
  readonly framework: 'verl' | 'trl'
  readonly config: { readonly [key: string]: unknown }
  readonly rows: readonly LogRow[]
  readonly truth: Truth
}

export interface LogRow {
  readonly step: number
  readonly values: { readonly [metric: string]: number }
}

/** What verl's file logger writes: Python's JSON, which has NaN and Infinity. */
export function verlLines({ rows }: BenchLog): string {
  return rows.map(({ step, values }) => `{"step": ${step}, "data": ${pythonJson(values)}}\n`).join('')
}

/** What the Trainer of transformers leaves beside a checkpoint. */
export function trainerState({ rows }: BenchLog): string {
  const history = rows.map(({ step, values }) => pythonJson({ ...values, step }))
  const last = rows.at(-1)?.step ?? 0
  return `{"epoch": 1.0, "global_step": ${last}, "max_steps": ${last}, "logging_steps": 1, "log_history": [${history.join(', ')}]}`
}

/** A column per metric; an empty cell where a metric was not logged. */
export function csvText({ rows }: BenchLog): string {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  const lines = rows.map(({ step, values }) => [step, ...columns.map(column => values[column] ?? '')].join(','))
  return `${['step', ...columns].join(',')}\n${lines.join('\n')}\n`
}

/** rldoctor takes settings from a first line, by the last part of their names. */
export function linesWithConfig(log: BenchLog): string {
  const leaves = Object.entries(log.config).map(([key, value]) => [key.split('.').at(-1), value])
  return `${JSON.stringify({ config: { ...Object.fromEntries(leaves), ...log.config } })}\n${verlLines(log)}`
}

function pythonJson(values: { readonly [metric: string]: number }): string {
  return `{${Object.entries(values)
    .map(([metric, value]) => `${JSON.stringify(metric)}: ${value}`)
    .join(', ')}}`
}

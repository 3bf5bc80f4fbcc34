import type { Condition, Evaluation } from '../../logs/model/evaluation.js'
import {
  type ColumnChunk,
  type ParquetColumn,
  parquetFile,
  plainDoubles,
  plainIntegers,
  plainLongs,
  plainTexts,
  type Run,
  repeatedIndices,
  runsOf,
} from './parquet.js'

/**
 * evals.parquet without DuckDB, for rows that are in memory. An import of ten thousand small runs spends three quarters of
 * its time in DuckDB if it must make a table, a join and a file for each. Columns and order are those of evaluations.ts.
 */

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'metric', type: 'text', optional: false },
  { name: 'step', type: 'double', optional: false },
  { name: 'value', type: 'double', optional: true },
  { name: 'n', type: 'int64', optional: true },
  { name: 'quality', type: 'text', optional: false },
  { name: 'dataset', type: 'text', optional: true },
  { name: 'shots', type: 'int32', optional: true },
  { name: 'temperature', type: 'double', optional: true },
  { name: 'split', type: 'text', optional: true },
  { name: 'aggregate', type: 'text', optional: true },
]

export function evaluationFile(evaluations: readonly Evaluation[]): Uint8Array {
  const rows = evaluations.toSorted(inFileOrder)
  const conditions = <Value>(of: (condition: Condition) => Value | undefined): readonly (Value | null)[] =>
    rows.map(({ condition }) => of(condition) ?? null)
  const columns = [
    repeated(
      rows.map(({ metric }) => metric),
      plainTexts,
    ),
    plain(rows.map(({ step }) => step)),
    plain(rows.map(({ quality, value }) => (quality === 'missing' ? null : value))),
    repeated(
      rows.map(({ n }) => n),
      plainLongs,
    ),
    repeated(
      rows.map(({ quality }) => quality),
      plainTexts,
    ),
    repeated(
      conditions(({ dataset }) => dataset),
      plainTexts,
    ),
    repeated(
      conditions(({ shots }) => shots),
      plainIntegers,
    ),
    plain(conditions(({ temperature }) => temperature)),
    repeated(
      conditions(({ split }) => split),
      plainTexts,
    ),
    repeated(
      conditions(({ aggregate }) => aggregate),
      plainTexts,
    ),
  ]
  return parquetFile(COLUMNS, [{ rows: rows.length, columns }])
}

/** As DuckDB sorts: texts by their bytes, what is unknown last. */
function inFileOrder(one: Evaluation, other: Evaluation): number {
  return (
    byBytes(one.metric, other.metric) ||
    byBytes(one.condition.dataset, other.condition.dataset) ||
    bySize(one.condition.shots, other.condition.shots) ||
    byBytes(one.condition.aggregate, other.condition.aggregate) ||
    one.step - other.step
  )
}

function byBytes(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function bySize(one = Number.POSITIVE_INFINITY, other = Number.POSITIVE_INFINITY): number {
  return one === other ? 0 : one - other
}

/** Few different values, most of them many times in a row. */
function repeated<Value extends string | number>(
  values: readonly (Value | null)[],
  encode: (entries: readonly Value[]) => Uint8Array,
): ColumnChunk {
  const places = new Map<Value, number>()
  const indices: Run[] = []
  for (const value of values) {
    if (value === null) continue
    const place = places.get(value) ?? places.size
    places.set(value, place)
    const [last, count] = indices.at(-1) ?? [-1, 0]
    if (last === place) indices[indices.length - 1] = [place, count + 1]
    else indices.push([place, 1])
  }
  const present = presence(values)
  if (places.size === 0) return { dictionary: null, values: new Uint8Array(0), present }
  const dictionary = { count: places.size, bytes: encode([...places.keys()]) }
  return { dictionary, values: repeatedIndices(indices), present }
}

function plain(values: readonly (number | null)[]): ColumnChunk {
  const there = values.filter(value => value !== null)
  return { dictionary: null, values: plainDoubles(Float64Array.from(there)), present: presence(values) }
}

function presence(values: readonly unknown[]): readonly Run[] {
  return runsOf(Uint8Array.from(values, value => (value === null ? 0 : 1)))
}

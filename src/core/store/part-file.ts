import { QUALITIES } from '../../logs/model/run.js'
import { type Checksum, checksumOf } from './checksum.js'
import {
  type ColumnChunk,
  type ParquetColumn,
  packedIndices,
  parquetFile,
  plainDoubles,
  plainIntegers,
  plainTexts,
  ROW_GROUP_ROWS,
  type RowGroup,
  type Run,
  repeatedIndices,
  runsOf,
} from './parquet.js'
import { NO_DECIMALS, type PointBatch, type PointBuffer } from './point-buffer.js'

/**
 * Points as Parquet: metric, step, value, time, segment, quality, decimals, sorted by (metric, step). Sorted, one series
 * of 50 M points is read in milliseconds; unsorted it takes a hundred times as long.
 * Bytes and their checksum are made here, of what is in memory; who writes them is another matter (`parts.ts`).
 */

/** A part as it goes to disk. */
export interface EncodedPart {
  readonly bytes: Uint8Array
  readonly checksum: Checksum
}

const LIKELY_BYTES_PER_POINT = 12

export function encodePart(buffer: PointBuffer): EncodedPart {
  const bytes = parquetFile(COLUMNS, rowGroups(buffer), LIKELY_BYTES_PER_POINT * buffer.length)
  return { bytes, checksum: checksumOf(bytes) }
}

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'metric', type: 'text', optional: false },
  { name: 'step', type: 'double', optional: false },
  { name: 'value', type: 'double', optional: true },
  { name: 'time', type: 'double', optional: true },
  { name: 'segment', type: 'uint16', optional: false },
  { name: 'quality', type: 'text', optional: false },
  { name: 'decimals', type: 'uint8', optional: true },
]

function* rowGroups(buffer: PointBuffer): Generator<RowGroup> {
  const { lines, names } = buffer
  const numbered = lineNumbering(lines.count)
  const segments = new Set(lines.segment.subarray(0, lines.count))
  for (const { rows, metrics, ...batch } of buffer.sorted(ROW_GROUP_ROWS)) {
    const line = batch.line.subarray(0, rows)
    const quality = batch.quality?.subarray(0, rows) ?? null
    const decimals = batch.decimals?.subarray(0, rows) ?? null
    // Where one metric has most of the rows, hardly a line stands there twice.
    const numbers = metrics.some(([, count]) => count > rows / 2) ? null : numbered(line)
    yield {
      rows,
      columns: [
        metricColumn(metrics, names),
        { ...lineColumn(lines.step, line, numbers), range: rangeOf(numbers?.lines ?? line, lines.step) },
        valueColumn(batch.value.subarray(0, rows), quality),
        lineColumn(lines.time, line, numbers),
        segments.size === 1
          ? integerColumn([[lines.segment[0], rows]])
          : integerColumn(runsOf(Uint16Array.from(line, at => lines.segment[at]))),
        { dictionary: QUALITY_NAMES, values: repeatedIndices(quality === null ? [[0, rows]] : runsOf(quality)) },
        integerColumn(decimals === null ? [[NO_DECIMALS, rows]] : runsOf(decimals), NO_DECIMALS),
      ],
    }
  }
}

const QUALITY_NAMES = { count: QUALITIES.length, bytes: plainTexts(QUALITIES) }

/** A row group holds few names, each many times in a row. */
function metricColumn(metrics: PointBatch['metrics'], names: readonly string[]): ColumnChunk {
  const held = metrics.map(([id]) => names[id])
  const inOrder = held.map(name => Buffer.from(name)).sort(Buffer.compare)
  return {
    dictionary: { count: held.length, bytes: plainTexts(held) },
    values: repeatedIndices(metrics.map(([, rows], index) => [index, rows])),
    range: [inOrder[0], inOrder[inOrder.length - 1]],
  }
}

function valueColumn(values: Float64Array, quality: Uint8Array | null): ColumnChunk {
  const missing = QUALITIES.indexOf('missing')
  if (quality === null || !quality.includes(missing)) return { dictionary: null, values: plainDoubles(values) }
  return sparse(values, row => quality[row] !== missing)
}

/** The lines of a row group, numbered in the order in which they come. */
interface NumberedLines {
  /** The line that has each number. */
  readonly lines: Uint32Array
  /** Each row's number; null where too few rows share a line for that to be worth it. */
  readonly indices: Uint8Array | null
}

/** The tables serve all row groups of a part; an entry counts where it was made for the current one. */
function lineNumbering(count: number): (line: Uint32Array) => NumberedLines {
  const [numbers, madeFor] = [new Uint32Array(count), new Uint32Array(count)]
  // The first group is the longest.
  let [indices, lines] = [new Uint32Array(0), new Uint32Array(0)]
  let current = 0
  return line => {
    if (current === 0) [indices, lines] = [new Uint32Array(line.length), new Uint32Array(line.length)]
    current += 1
    let known = 0
    for (let row = 0; row < line.length; row += 1) {
      const at = line[row]
      if (madeFor[at] !== current) {
        madeFor[at] = current
        numbers[at] = known
        lines[known] = at
        known += 1
      }
      indices[row] = numbers[at]
    }
    const isWorthIt = known <= line.length / 2
    return {
      lines: lines.subarray(0, known),
      indices: isWorthIt ? packedIndices(indices.subarray(0, line.length), known) : null,
    }
  }
}

/** Where many metrics share a line, its step and time are written once and pointed at. NaN stands for no value. */
function lineColumn(of: Float64Array, line: Uint32Array, numbers: NumberedLines | null): ColumnChunk {
  const entries = picked(of, numbers?.lines ?? line)
  const unknown = countNaN(entries)
  if (unknown === entries.length) return { dictionary: null, values: NOTHING, present: [[0, line.length]] }
  if (numbers?.indices && unknown === 0) {
    return { dictionary: { count: entries.length, bytes: plainDoubles(entries) }, values: numbers.indices }
  }
  const values = numbers === null ? entries : picked(of, line)
  if (unknown === 0) return { dictionary: null, values: plainDoubles(values) }
  return sparse(values, row => !Number.isNaN(values[row]))
}

const NOTHING = new Uint8Array(0)

/** By loops, here and below: `Float64Array.from` takes ten times as long. */
function picked(of: Float64Array, places: Uint32Array): Float64Array {
  const values = new Float64Array(places.length)
  for (let i = 0; i < values.length; i += 1) values[i] = of[places[i]]
  return values
}

function countNaN(values: Float64Array): number {
  let count = 0
  for (let i = 0; i < values.length; i += 1) if (Number.isNaN(values[i])) count += 1
  return count
}

function rangeOf(lines: Uint32Array, of: Float64Array): ColumnChunk['range'] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < lines.length; i += 1) {
    const value = of[lines[i]]
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  return [plainDoubles(Float64Array.of(least)), plainDoubles(Float64Array.of(greatest))]
}

function sparse(values: Float64Array, isPresent: (row: number) => boolean): ColumnChunk {
  const present = Uint8Array.from(values, (_, row) => (isPresent(row) ? 1 : 0))
  return {
    dictionary: null,
    values: plainDoubles(values.filter((_, row) => present[row] === 1)),
    present: runsOf(present),
  }
}

/** Few different values, each many times in a row; `none` stands for no value. */
function integerColumn(runs: readonly Run[], none?: number): ColumnChunk {
  const places = new Map<number, number>()
  const indices: Run[] = []
  for (const [value, count] of runs) {
    if (value === none) continue
    const place = places.get(value) ?? places.size
    places.set(value, place)
    indices.push([place, count])
  }
  const present = runs.map(([value, count]): Run => [value === none ? 0 : 1, count])
  if (places.size === 0) return { dictionary: null, values: NOTHING, present }
  const dictionary = { count: places.size, bytes: plainIntegers([...places.keys()]) }
  return { dictionary, values: repeatedIndices(indices), present }
}

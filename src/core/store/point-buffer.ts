import { QUALITIES, type Quality } from '../../logs/model/run.js'
import type { MetricState } from './metric-state.js'

/**
 * Points on their way to disk. What a log line says once, its step, time and segment, is kept once; a point is a value
 * and the number of its line: 12 bytes, so that millions fit and most runs go to disk in one piece.
 */

/** Stands for "not printed with fixed decimals". */
export const NO_DECIMALS = 255

/** Points as columns, of which the first `rows` rows count. */
export interface PointBatch {
  rows: number
  /** Whose points they are: metric after metric, each with the number of its rows. */
  readonly metrics: (readonly [id: number, rows: number])[]
  readonly value: Float64Array
  /** The log line of each, which has its step, time and segment. */
  readonly line: Uint32Array
  /** Null where all points are measured. */
  readonly quality: Uint8Array | null
  /** Null where no point was printed with fixed decimals. */
  readonly decimals: Uint8Array | null
}

export class PointBuffer {
  length = 0
  readonly names: string[] = []
  readonly #ids = new Map<string, number>()
  #series: Series[] = []
  #lines = newLines(64)

  idOf(metric: string): number {
    let id = this.#ids.get(metric)
    if (id === undefined) {
      id = this.names.length
      this.names.push(metric)
      this.#ids.set(metric, id)
      this.#series.push(newSeries(16))
    }
    return id
  }

  /** The points pushed from now on stand in this line of the log. */
  startLine(step: number, time: number | null, segment: number): void {
    if (this.#lines.count === this.#lines.step.length) this.#lines = grownLines(this.#lines)
    const lines = this.#lines
    lines.step[lines.count] = step
    lines.time[lines.count] = time ?? Number.NaN
    lines.segment[lines.count] = segment
    lines.count += 1
  }

  /** What the line says of these metrics. */
  push(
    metrics: readonly number[],
    values: readonly number[],
    qualities?: readonly Quality[],
    decimals?: readonly (number | null)[],
  ): void {
    const line = this.#lines.count - 1
    for (let i = 0; i < metrics.length; i += 1) {
      const series = this.#series[metrics[i]]
      const at = series.count
      if (at === series.value.length) growSeries(series)
      series.value[at] = values[i]
      series.line[at] = line
      if (qualities !== undefined && qualities[i] !== 'measured') {
        series.quality ??= new Uint8Array(series.value.length)
        series.quality[at] = QUALITIES.indexOf(qualities[i])
      }
      const places = decimals === undefined ? null : decimals[i]
      if (places !== null) {
        series.decimals ??= new Uint8Array(series.value.length).fill(NO_DECIMALS)
        series.decimals[at] = places
      }
      series.count = at + 1
    }
    this.length += metrics.length
  }

  /** Adds to a metric's summary the points that it does not have yet. */
  summarise(metric: string, summary: MetricState): void {
    const series = this.#series[this.#ids.get(metric) ?? -1]
    if (series === undefined) return
    const { step, segment } = this.#lines
    const { count, line, value, quality } = series
    for (let i = series.summarised; i < count; i += 1) {
      const at = line[i]
      summary.add(step[at], value[i], quality === null ? 'measured' : QUALITIES[quality[i]], segment[at])
    }
    series.summarised = count
  }

  /** The log lines that the points come from. */
  get lines(): Lines {
    return this.#lines
  }

  /**
   * The points by metric name, then step; points at one step keep the order they came in. In batches of `most`, lest all
   * of them be in memory twice; each batch overwrites the one before.
   */
  *sorted(most: number): Generator<PointBatch> {
    const capacity = Math.min(most, this.length)
    const batch = newBatch(capacity, {
      quality: this.#series.some(({ quality }) => quality !== null),
      decimals: this.#series.some(({ decimals }) => decimals !== null),
    })
    for (const id of idsByName(this.names)) {
      const series = this.#series[id]
      const order = orderByStep(series, this.#lines.step)
      for (let from = 0; from < series.count; ) {
        if (batch.rows === capacity) {
          yield batch
          batch.rows = 0
          batch.metrics.length = 0
        }
        const count = Math.min(series.count - from, capacity - batch.rows)
        addRows(batch, id, series, order?.subarray(from, from + count) ?? null, from, count)
        from += count
      }
    }
    if (batch.rows > 0) yield batch
  }

  /** One metric's points of one quality in step order; points at one step keep the order they came in. */
  pointsOf(
    name: string,
    wanted: Quality,
  ): { steps: Float64Array; values: Float64Array; times: Float64Array; segments: Float64Array } {
    const { step, time, segment } = this.#lines
    const series = this.#series[this.#ids.get(name) ?? -1] ?? newSeries(0)
    const { line, value, quality } = series
    const order = orderByStep(series, step)
    const code = QUALITIES.indexOf(wanted)
    const found = newPoints(series.count)
    let n = 0
    for (let i = 0; i < series.count; i += 1) {
      const at = order === null ? i : order[i]
      if ((quality === null ? 0 : quality[at]) !== code) continue
      found.steps[n] = step[line[at]]
      found.values[n] = value[at]
      found.times[n] = time[line[at]]
      found.segments[n] = segment[line[at]]
      n += 1
    }
    if (n === series.count) return found
    return {
      steps: found.steps.subarray(0, n),
      values: found.values.subarray(0, n),
      times: found.times.subarray(0, n),
      segments: found.segments.subarray(0, n),
    }
  }

  /** The measured points of a metric without their times; where all are measured and in order, values are not copied. */
  curveOf(name: string): { readonly steps: Float64Array; readonly values: Float64Array } {
    const series = this.#series[this.#ids.get(name) ?? -1] ?? newSeries(0)
    const { count, line, value, quality } = series
    const { step } = this.#lines
    if (quality !== null || orderByStep(series, step) !== null) return this.pointsOf(name, 'measured')
    const steps = new Float64Array(count)
    for (let i = 0; i < count; i += 1) steps[i] = step[line[i]]
    return { steps, values: value.subarray(0, count) }
  }

  /**
   * The points so far as a buffer of their own. This one goes on empty, with the same names and numbers for them, in the
   * memory of an earlier one that is done with: new memory of this size each time would keep the garbage collector busy.
   */
  take(spare: PointBuffer = new PointBuffer()): PointBuffer {
    const { length } = this
    const series = this.#series
    const lines = this.#lines
    spare.clear()
    for (const name of this.names) spare.idOf(name)
    this.#series = spare.#series
    this.#lines = spare.#lines
    this.length = 0
    spare.#series = series
    spare.#lines = lines
    spare.length = length
    return spare
  }

  /** All that it holds, for another thread, which looks at the same memory. */
  shared(): PointArrays {
    return { names: this.names, length: this.length, series: this.#series, lines: this.#lines }
  }

  static of({ names, length, series, lines }: PointArrays): PointBuffer {
    const buffer = new PointBuffer()
    for (const name of names) buffer.idOf(name)
    buffer.length = length
    buffer.#series = series
    buffer.#lines = lines
    return buffer
  }

  /** Forgets the points, but not the names, nor the memory: as many points will come again. */
  clear(): void {
    this.length = 0
    this.#lines.count = 0
    for (const series of this.#series) {
      series.count = 0
      series.summarised = 0
      series.quality = null
      series.decimals = null
    }
  }
}

export interface PointArrays {
  readonly names: readonly string[]
  readonly length: number
  readonly series: Series[]
  readonly lines: Lines
}

/** What the points of one log line share; the first `count` count. */
interface Lines {
  count: number
  readonly step: Float64Array
  readonly time: Float64Array
  readonly segment: Uint16Array
}

/** The points of one metric in the order they came; qualities and decimals only where some differ from the usual. */
interface Series {
  count: number
  /** How many of them are in the metric's summary. */
  summarised: number
  value: Float64Array
  line: Uint32Array
  quality: Uint8Array | null
  decimals: Uint8Array | null
}

/** Logs come in step order, so a series rarely needs sorting: null says that it does not. */
function orderByStep({ count, line }: Series, step: Float64Array): Uint32Array | null {
  let ascending = true
  for (let i = 1; i < count && ascending; i += 1) ascending = step[line[i]] >= step[line[i - 1]]
  if (ascending) return null
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  return order.sort((a, b) => step[line[a]] - step[line[b]] || a - b)
}

/** Puts points of one metric behind those that the batch has: a stretch of the series, or the points that `order` names. */
function addRows(
  batch: PointBatch,
  id: number,
  series: Series,
  order: Uint32Array | null,
  from: number,
  count: number,
): void {
  const start = batch.rows
  const put = (into: Column | null, column: Column | null, usual: number): void => {
    if (into === null) return
    if (column === null) into.fill(usual, start, start + count)
    else if (order === null) into.set(column.subarray(from, from + count), start)
    else for (let i = 0; i < count; i += 1) into[start + i] = column[order[i]]
  }
  put(batch.value, series.value, Number.NaN)
  put(batch.line, series.line, 0)
  put(batch.quality, series.quality, 0)
  put(batch.decimals, series.decimals, NO_DECIMALS)
  batch.metrics.push([id, count])
  batch.rows += count
}

type Column = Float64Array | Uint32Array | Uint8Array

function idsByName(names: readonly string[]): number[] {
  return names.map((_, id) => id).sort((a, b) => (names[a] < names[b] ? -1 : 1))
}

export function newPoints(size: number) {
  return {
    steps: new Float64Array(size),
    values: new Float64Array(size),
    times: new Float64Array(size),
    segments: new Float64Array(size),
  }
}

function newLines(size: number): Lines {
  const segment = new Uint16Array(new SharedArrayBuffer(size * Uint16Array.BYTES_PER_ELEMENT))
  return { count: 0, step: newDoubles(size), time: newDoubles(size), segment }
}

function grownLines({ count, step, time, segment }: Lines): Lines {
  const grown = newLines(step.length * 2)
  grown.step.set(step)
  grown.time.set(time)
  grown.segment.set(segment)
  return { ...grown, count }
}

function newSeries(size: number): Series {
  return {
    count: 0,
    summarised: 0,
    value: newDoubles(size),
    line: newLineNumbers(size),
    quality: null,
    decimals: null,
  }
}

/** Shared, so that a thread can encode points without a copy (`part-worker.ts`). */
function newDoubles(size: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(size * Float64Array.BYTES_PER_ELEMENT))
}

function newLineNumbers(size: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(size * Uint32Array.BYTES_PER_ELEMENT))
}

function growSeries(series: Series): void {
  const size = series.value.length * (series.value.length < 4_096 ? 4 : 2)
  series.value = extended(series.value, newDoubles(size))
  series.line = extended(series.line, newLineNumbers(size))
  series.quality &&= extended(series.quality, new Uint8Array(size))
  series.decimals &&= extended(series.decimals, new Uint8Array(size).fill(NO_DECIMALS))
}

function extended<T extends Float64Array | Uint32Array | Uint8Array>(from: T, into: T): T {
  into.set(from)
  return into
}

function newBatch(size: number, varying: { readonly quality: boolean; readonly decimals: boolean }): PointBatch {
  return {
    rows: 0,
    metrics: [],
    value: new Float64Array(size),
    line: new Uint32Array(size),
    quality: varying.quality ? new Uint8Array(size) : null,
    decimals: varying.decimals ? new Uint8Array(size) : null,
  }
}

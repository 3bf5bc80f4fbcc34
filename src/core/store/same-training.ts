import { crc32 } from 'node:zlib'
import { isTelling, plainName } from '../../logs/sources/metric-names.js'
import { knownDigits, printedPrecision, SINGLE_PRECISION } from '../../logs/sources/printed-precision.js'
import type { Manifest, MetricRecord } from './manifest.js'
import { type LoadedRun, readSeries, type SeriesPoints } from './series.js'

/**
 * Whether two logs are of one training: they hold the same values at the same steps, to the digits that each prints,
 * under names that differ at most in what trackers make of them. Marks find the few pairs that may be; only these are
 * read and compared.
 */

/** The metrics that tell a training from others, by the name that every tracker has for them. */
function tellingMetrics({
  metrics,
}: Manifest): Map<string, { readonly metric: string; readonly record: MetricRecord }> {
  const telling = [...metrics].filter(
    ([metric, { n, axis }]) => n > 1 && isTelling(metric) && (axis === null || axis.endsWith('step')),
  )
  return new Map(telling.map(([metric, record]) => [plainName(metric), { metric, record }]))
}

/** Of so many metrics, the same ones in every log: those whose names have the lowest checksums. */
const METRICS_MARKED = 16

/** What a report says of a run, or klens trained itself, is no log of it. */
const NO_LOGS = new Set(['klens', 'checkpoint', 'report'])

/**
 * Marks by which two logs of one training find each other: first, last, least and greatest value of some metrics, to two
 * digits. A mark may be rounded away or lie beyond where one log was cut off; most of them agree.
 */
export function trainingMarks(manifest: Manifest): readonly string[] {
  if (NO_LOGS.has(manifest.source)) return []
  const marked = [...tellingMetrics(manifest)]
    .map(([name, { record }]) => ({ name, record, order: crc32(name) }))
    .sort((a, b) => a.order - b.order)
    .slice(0, METRICS_MARKED)
  const marks = marked.flatMap(({ name, record: { first, firstStep, last, lastStep, min, max } }) => [
    ...markOf(`${name} ${firstStep}`, first),
    ...markOf(`${name} ${lastStep}`, last),
    ...markOf(`${name} min`, min),
    ...markOf(`${name} max`, max),
  ])
  return [...new Set(marks)]
}

/** Every training has zeros and ones. */
function markOf(place: string, value: number): readonly string[] {
  if (!Number.isFinite(value) || value === 0 || Math.abs(value) === 1) return []
  return [crc32(`${place} ${value.toPrecision(2)}`).toString(36)]
}

/** So many of the marks must agree, of the log that has fewer. */
const MARKS_SHARED = 0.4
/** A mark that so many runs have tells none of them. */
const MOST_SHARING = 64

/** The runs of a workspace by their marks. */
export class MarkedRuns {
  readonly #byMark = new Map<string, Set<string>>()
  readonly #counts = new Map<string, number>()

  add(id: string, marks: readonly string[]): void {
    this.#counts.set(id, marks.length)
    for (const mark of marks) {
      const ids = this.#byMark.get(mark)
      if (ids === undefined) this.#byMark.set(mark, new Set([id]))
      else ids.add(id)
    }
  }

  /** Runs that may be of the same training, the likeliest first. */
  alike(id: string, marks: readonly string[]): readonly string[] {
    const shared = new Map<string, number>()
    for (const mark of marks) {
      const ids = this.#byMark.get(mark)
      if (ids === undefined || ids.size > MOST_SHARING) continue
      for (const other of ids) if (other !== id) shared.set(other, (shared.get(other) ?? 0) + 1)
    }
    return [...shared]
      .filter(([other, count]) => count >= MARKS_SHARED * Math.min(marks.length, this.#counts.get(other) ?? 0))
      .sort(([, a], [, b]) => b - a)
      .map(([other]) => other)
  }
}

/** Logs that agree, and how many digits each of them prints. */
export interface LogAgreement {
  readonly digits: readonly [number, number]
  /** Neither has steps that the other lacks. */
  readonly sameSteps: boolean
}

/** The smaller log must have so many of its metrics in common with the other, and each of these so many of its points. */
const METRICS_SHARED = 0.5
const POINTS_SHARED = 0.9
/** One log may be cut off, but one that has hardly begun may be of any training with the same seed. */
const SHORTEST_SHARE = 0.5
/** A value that was logged twice at a step, or printed by other rules. */
const MOST_UNEQUAL = 0.005
/** So many values of three digits or more, at so many steps, do not agree by accident. */
const FEWEST_EQUAL = 6
const FEWEST_STEPS = 3
const TELLING_DIGITS = 3
const VALUES_LOOKED_AT = 50

export async function agreementOf(one: LoadedRun, other: LoadedRun): Promise<LogAgreement | null> {
  const [ours, theirs] = [tellingMetrics(one.manifest), tellingMetrics(other.manifest)]
  const names = [...ours.keys()].filter(name => theirs.has(name))
  if (names.length === 0 || names.length < METRICS_SHARED * Math.min(ours.size, theirs.size)) return null
  const seriesOf = (run: LoadedRun, metrics: typeof ours): Promise<Map<string, SeriesPoints>> =>
    readSeries(
      run,
      names.flatMap(name => metrics.get(name)?.metric ?? []),
    )
  const [left, right] = [await seriesOf(one, ours), await seriesOf(other, theirs)]
  const sum = { equal: 0, unequal: 0, telling: 0, digits: [0, 0] as [number, number] }
  const steps = new Set<number>()
  let whole = 0
  let sameSteps = true
  for (const name of names) {
    const a = printedPoints(left.get(ours.get(name)?.metric ?? ''))
    const b = printedPoints(right.get(theirs.get(name)?.metric ?? ''))
    const [fewer, more] = [Math.min(a.points.size, b.points.size), Math.max(a.points.size, b.points.size)]
    if (fewer === 0 || fewer < SHORTEST_SHARE * more) continue
    let matched = 0
    let looked = 0
    let before = Number.NaN
    for (const [step, value] of a.points) {
      const twin = b.points.get(step)
      if (twin === undefined) continue
      matched += 1
      if (isSame(a, value, b, twin)) sum.equal += 1
      else sum.unequal += 1
      // Digits are costly to count, and a few dozen values of a metric show how it is printed.
      if (looked < VALUES_LOOKED_AT && value !== before) {
        looked += 1
        const digits = [knownDigits(value), knownDigits(twin)] as const
        if (Math.min(...digits) >= TELLING_DIGITS) {
          sum.telling += 1
          sum.digits[0] += digits[0]
          sum.digits[1] += digits[1]
          steps.add(step)
        }
      }
      before = value
    }
    if (matched >= POINTS_SHARED * fewer) whole += 1
    if (matched < more) sameSteps = false
    if (sum.unequal > FEWEST_EQUAL && sum.unequal > sum.equal) return null
  }
  const isEqual = sum.unequal <= MOST_UNEQUAL * (sum.equal + sum.unequal) && whole >= POINTS_SHARED * names.length
  if (!isEqual || sum.telling < FEWEST_EQUAL || steps.size < FEWEST_STEPS) return null
  return { digits: [sum.digits[0] / sum.telling, sum.digits[1] / sum.telling], sameSteps }
}

interface PrintedPoints {
  readonly points: ReadonlyMap<number, number>
  /** How far its printing may have moved a value; found out when the first value differs. */
  within(value: number): number
}

/** The finite points of a series. */
function printedPoints(series: SeriesPoints | undefined): PrintedPoints {
  const points = new Map<number, number>()
  for (let i = 0; i < (series?.steps.length ?? 0); i += 1) {
    const value = series?.values[i] ?? Number.NaN
    if (Number.isFinite(value)) points.set(series?.steps[i] ?? Number.NaN, value)
  }
  let precision: ((value: number) => number) | undefined
  return {
    points,
    within: value => {
      precision ??= printedPrecision(points.values())
      return precision(value)
    },
  }
}

/** Equal to the digits that each log prints. */
function isSame(one: PrintedPoints, value: number, other: PrintedPoints, twin: number): boolean {
  if (value === twin) return true
  return Math.abs(value - twin) <= one.within(value) + other.within(twin) + SINGLE_PRECISION * Math.abs(value)
}

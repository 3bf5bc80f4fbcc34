import type { Quantity } from '../../logs/document/quantity.js'
import { significant } from './figure.js'
import type { FigureJudgement, FigureReading } from './reading.js'
import { isSame } from './sentence.js'

/**
 * Whether a figure that fits nothing is wrong, or only not understood. Each of its first readings is weighed by how plainly the
 * words say it, how near its value is, and whether the figures beside it were traced to the same run; the weights were fitted
 * to figures that were changed in reports whose every figure is known (docs/decisions/trace.md).
 */
export interface SuspectWords {
  readonly isRunSaid: boolean
  readonly isMetricSaid: boolean
  readonly isPartSaid: boolean
  /** It speaks of one run at most, and has few figures. */
  readonly isAboutOne: boolean
  /** How many figures its sentence has. */
  readonly count: number
  /** A level that is said to be passed, and no value. */
  readonly isLimit: boolean
  /** How many words around it name nothing known. */
  readonly unread: number
}

export interface Suspect {
  readonly quantity: Quantity
  readonly words: SuspectWords
  /** What came of the other figures of the sentence. */
  readonly beside: readonly FigureJudgement[]
  readonly isExcused: boolean
}

/** The features of a reading, in the order of the weights. */
function featuresOf(
  { quantity, words, beside, isExcused }: Suspect,
  readings: readonly FigureReading[],
  i: number,
): readonly number[] {
  const reading = readings[i]
  const right = reading?.values[0]?.printed
  if (reading === undefined || right === undefined || !isPlain(reading, quantity) || !isBelievable(reading)) return []
  const first = readings[0]?.rank ?? 0
  const next = readings[i + 1]?.rank ?? reading.rank + 2
  const off = Math.abs(quantity.value - right) / Math.max(Math.abs(right), Math.abs(quantity.value), 1e-12)
  if (off > FARTHEST) return []
  const traced = beside.filter(({ state }) => state === 'traced' || state === 'derived')
  const runs = reading.address?.runs
  const isBeside = (one: FigureJudgement): boolean =>
    one.state === 'traced' &&
    one.reading.address !== null &&
    runs !== undefined &&
    isSame(one.reading.address.runs, runs)
  const flag = (is: boolean): number => (is ? 1 : 0)
  return [
    1,
    flag(reading.isNamed),
    Math.min(reading.rank, 4),
    Math.min(reading.rank - first, 2),
    i === 0 ? Math.min(next - reading.rank, 1.5) : 0,
    Math.exp(-off / 0.05),
    Math.exp(-off / 0.2),
    flag(isSlip(quantity, right)),
    Math.min(significant(quantity), 5),
    flag(reading.computed !== null),
    flag(reading.kind === 'step'),
    flag(reading.address?.across === 'std'),
    beside.length === 0 ? 0.5 : traced.length / beside.length,
    flag(beside.some(isBeside)),
    flag(words.isRunSaid),
    flag(words.isMetricSaid),
    flag(words.isPartSaid),
    Math.log(words.count + 1),
    flag(isExcused),
    flag(reading.isOfPair === true),
    Math.min(words.unread, 8),
    flag(words.isRunSaid && words.isMetricSaid && words.isPartSaid),
  ]
}

const BELIEVED = 1.2

/** Of which two values a difference is only the figures right before it tell; and what is no share is not printed in percent. */
const isPlain = (
  { computed, isOfPair = false, isNamed, grid, values: [value] }: FigureReading,
  { unit }: Quantity,
): boolean =>
  computed === null ? unit !== '%' || value?.printed !== value?.value : isOfPair || (grid !== undefined && isNamed)

/** Of which values a deviation is, their mean tells. */
const isBelievable = ({ rank, address, isOfPair = false }: FigureReading): boolean =>
  rank <= BELIEVED && (address?.across !== 'std' || isOfPair)

const WEIGHTS: readonly number[] = [
  -1.45, 0.27, -0.25, -0.46, 1.21, -1.15, 1.81, 2.13, 0.1, -0.64, 0, 0.02, 1.01, 0.82, 1.13, -0.46, 0.72, -0.46, -2.19,
  0.2, -0.11, -0.26,
]
const SUSPECTED = 2.2

/** Run, metric and part are each named, and nothing else with another value is as plain. */
function isCertain({ quantity, words, isExcused }: Suspect, first: FigureReading, next?: FigureReading): boolean {
  const right = first.values[0]?.printed ?? Number.NaN
  const off = Math.abs(quantity.value - right) / Math.max(Math.abs(right), 1e-12)
  const isAlone = next === undefined || next.rank - first.rank > CERTAIN_LEAD
  if (first.kind === 'setting' || first.kind === 'count' || first.kind === 'step') return first.isNamed && !isExcused
  return (
    first.isNamed &&
    first.rank <= PLAINLY &&
    isPlain(first, quantity) &&
    !isExcused &&
    isAlone &&
    ((words.isAboutOne && words.count <= FEW) || off <= MISTYPED)
  )
}

const CERTAIN_LEAD = 0.15
const PLAINLY = 0.7
const FEW = 2
/** Who mistypes a figure stays near it. */
const MISTYPED = 0.4
/** Words that may mean something else are no proof for what is far off. */
const FARTHEST = 0.75

/** The reading that the figure should have been, where that is likely enough. */
export function suspected(suspect: Suspect, readings: readonly FigureReading[]): FigureReading | null {
  if (suspect.words.isLimit) return null
  // What a gain is of its two figures may be computed in several ways.
  const [first, ...others] = readings
  const next = others.find(one => one.isOfPair !== true || first?.isOfPair !== true)
  if (first !== undefined && isCertain(suspect, first, next)) return first
  let best: { readonly reading: FigureReading; readonly score: number } | null = null
  for (const [i, reading] of readings.entries()) {
    const features = featuresOf(suspect, readings, i)
    if (features.length === 0) continue
    const score = features.reduce((sum, feature, f) => sum + feature * (WEIGHTS[f] ?? 0), 0)
    if (best === null || score > best.score) best = { reading, score }
  }
  return best !== null && best.score > SUSPECTED ? best.reading : null
}

/** One digit for another, or two in the wrong order. The last digit alone tells two values that are near each other. */
function isSlip({ value, decimals }: Quantity, right: number): boolean {
  if (value < 0 !== right < 0) return false
  const digits = (one: number): string =>
    Math.abs(one)
      .toFixed(Math.min(12, Math.max(0, decimals)))
      .replace('.', '')
  const [a, b] = [digits(value), digits(right)]
  if (a.length !== b.length || b.replace(/^0+/, '').length < 2) return false
  const apart = [...a].flatMap((digit, i) => (digit === b[i] ? [] : [i]))
  const [i = 0, j = 0] = apart
  if (apart.length === 2) return j === i + 1 && a[i] === b[j] && a[j] === b[i]
  return apart.length === 1
}

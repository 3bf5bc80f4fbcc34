import { memoByObject } from '../model/util/memo.js'
import { greatest, mean } from '../stats/descriptive.js'

/**
 * One logged series, and the values of it that people print: a point, an extreme, the first, the last, the mean of all,
 * or of so many at the beginning or at the end.
 */
export interface LoggedSeries {
  readonly run: string
  readonly metric: string
  /** What the vocabulary calls the metric; null where it knows none. */
  readonly canonical: string | null
  readonly file: string | null
  /** Rising. */
  readonly steps: ArrayLike<number>
  readonly values: ArrayLike<number>
}

/** In the order in which they are likely to be printed. */
const AGGREGATES = ['last', 'max', 'min', 'mean', 'first'] as const
export type Aggregate = (typeof AGGREGATES)[number]

/** Where a printed value was logged. */
export interface Source {
  readonly run: string
  readonly metric: string
  readonly step: number | null
  /** A setting has no series to be a part of. */
  readonly aggregate: Aggregate | 'setting' | null
  /** The steps of a mean that is not of all. */
  readonly over: readonly [first: number, last: number] | null
  readonly file: string | null
}

/** A value with what it is of. */
export interface Logged extends Pick<Source, 'step' | 'over'> {
  readonly value: number
  readonly series: LoggedSeries
  readonly aggregate: Aggregate | null
}

export function sourceOf({ series: { run, metric, file }, step, aggregate, over }: Logged): Source {
  return { run, metric, step, aggregate, over, file }
}

type LoggedPoint = Logged & { readonly step: number }

/** Every point that is a number. */
export const pointsOf = memoByObject((series: LoggedSeries): readonly LoggedPoint[] => {
  const none = { series, aggregate: null, over: null }
  const points = Array.from(series.values, (value, i) => ({ value, step: series.steps[i], ...none }))
  return points.filter(({ value }) => Number.isFinite(value))
})

const pointsByStep = memoByObject(
  (series: LoggedSeries) => new Map(pointsOf(series).map(point => [point.step, [point]])),
)

const aggregatesOf = memoByObject((series: LoggedSeries): ReadonlyMap<Aggregate, readonly Logged[]> => {
  const values = pointsOf(series).map(({ value }) => value)
  const min = -greatest(values.map(value => -value))
  const [first, last, max] = [values[0], values[values.length - 1], greatest(values)]
  const found: Record<Aggregate, number> = { last, max, min, mean: mean(values), first }
  const known = values.length === 0 ? [] : AGGREGATES
  return new Map(known.map(one => [one, [{ value: found[one], series, step: null, aggregate: one, over: null }]]))
})

/** A part of a series that words may mean: what the series has there. */
export type Place = (series: LoggedSeries) => readonly Logged[]

export function atStep(step: number): Place {
  return series => pointsByStep(series).get(step) ?? []
}

export function atAggregate(aggregate: Aggregate): Place {
  return series => aggregatesOf(series).get(aggregate) ?? []
}

export const EVERY_AGGREGATE = AGGREGATES.map(atAggregate)

/** The mean over some steps. */
export function overSteps(first: number, last: number): Place {
  return series => meanOf(pointsOf(series).filter(({ step }) => step >= first && step <= last))
}

/** The mean of so many at one end, which may be points or steps; of a share of the points where it is below 1. */
export function atEnd(end: 'first' | 'last', count: number): Place {
  return series => {
    const points = end === 'first' ? pointsOf(series) : pointsOf(series).toReversed()
    if (count < 1) return meanOf(points.slice(0, Math.round(count * points.length)))
    const near = points.filter(({ step }) => Math.abs(step - points[0].step) < count)
    return [...(count > points.length ? [] : meanOf(points.slice(0, count))), ...meanOf(near)]
  }
}

function meanOf(points: readonly LoggedPoint[]): readonly Logged[] {
  if (points.length === 0) return []
  const [one, other] = [points[0].step, points[points.length - 1].step]
  const over = [Math.min(one, other), Math.max(one, other)] as const
  return [{ ...points[0], value: mean(points.map(({ value }) => value)), step: null, aggregate: 'mean', over }]
}

export function loggedAtAny(series: readonly LoggedSeries[], places: readonly Place[]): readonly Logged[] {
  return series.flatMap(one => places.flatMap(place => place(one)))
}

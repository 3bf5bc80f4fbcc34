import { remembered } from '../document/remembered.js'

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

/** A part of a series that words may mean. */
export type Place =
  | { readonly kind: 'step'; readonly step: number }
  | { readonly kind: 'aggregate'; readonly aggregate: Aggregate }
  /** The mean of so many steps or points at one end; of a share of them where it is below 1. */
  | { readonly kind: 'window'; readonly end: 'first' | 'last'; readonly count: number }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }

export const EVERY_AGGREGATE: readonly Place[] = AGGREGATES.map(aggregate => ({ kind: 'aggregate', aggregate }))

/** A value with what it is of. */
export interface Logged {
  readonly value: number
  readonly series: LoggedSeries
  readonly step: number | null
  readonly aggregate: Aggregate | null
  readonly over: Source['over']
}

export function sourceOf({ series: { run, metric, file }, step, aggregate, over }: Logged): Source {
  return { run, metric, step, aggregate, over, file }
}

/** Every point that is a number. */
export const pointsOf = remembered((series: LoggedSeries): readonly (Logged & { readonly step: number })[] =>
  Array.from(series.values, (value, i) => ({
    value,
    series,
    step: series.steps[i],
    aggregate: null,
    over: null,
  })).filter(({ value }) => Number.isFinite(value)),
)

const pointsByStep = remembered(
  (series: LoggedSeries): ReadonlyMap<number, Logged> => new Map(pointsOf(series).map(point => [point.step, point])),
)

const aggregatesOf = remembered((series: LoggedSeries): ReadonlyMap<Aggregate, Logged> => {
  const values = pointsOf(series).map(({ value }) => value)
  const found: Record<Aggregate, number> = {
    last: values[values.length - 1],
    max: values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    min: values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    first: values[0],
  }
  return new Map(
    AGGREGATES.map(aggregate => [aggregate, { value: found[aggregate], series, step: null, aggregate, over: null }]),
  )
})

/** What a series has at a place; two values where "the last 50 steps" may be points or steps. */
export function loggedAt(series: LoggedSeries, place: Place): readonly Logged[] {
  const points = pointsOf(series)
  if (points.length === 0) return []
  if (place.kind === 'step' || place.kind === 'aggregate') {
    const one = place.kind === 'step' ? pointsByStep(series).get(place.step) : aggregatesOf(series).get(place.aggregate)
    return one === undefined ? [] : [one]
  }
  return stretchesOf(place, points).flatMap(([from, to]): Logged[] => {
    if (from < 0 || to > points.length || from >= to) return []
    const sum = points.slice(from, to).reduce((total, { value }) => total + value, 0)
    const over = [points[from].step, points[to - 1].step] as const
    return [{ value: sum / (to - from), series, step: null, aggregate: 'mean', over }]
  })
}

export function loggedAtAny(series: readonly LoggedSeries[], places: readonly Place[]): readonly Logged[] {
  return series.flatMap(one => places.flatMap(place => loggedAt(one, place)))
}

/** The points that are averaged, from one index up to another. */
function stretchesOf(
  place: Extract<Place, { readonly kind: 'window' | 'range' }>,
  points: readonly { readonly step: number }[],
): readonly (readonly [from: number, to: number])[] {
  const { length } = points
  const firstBehind = (step: number): number => {
    const at = points.findIndex(point => point.step > step)
    return at < 0 ? length : at
  }
  if (place.kind === 'range') return [[firstBehind(place.from - 0.5), firstBehind(place.to)]]
  const { end, count } = place
  const some = count < 1 ? Math.round(count * length) : count
  const isFirst = end === 'first'
  const byPoints = isFirst ? ([0, some] as const) : ([length - some, length] as const)
  if (count < 1) return [byPoints]
  const edge = firstBehind(isFirst ? points[0].step + some - 1 : points[length - 1].step - some)
  return [byPoints, isFirst ? [0, edge] : [edge, length]]
}

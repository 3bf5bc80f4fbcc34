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

/** A number in the settings of a run. */
export interface LoggedSetting {
  readonly run: string
  readonly key: string
  /** What the vocabulary calls it; null where it knows none. */
  readonly canonical: string | null
  readonly value: number
}

export type Aggregate = 'first' | 'last' | 'min' | 'max' | 'mean'

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

export const EVERY_AGGREGATE: readonly Place[] = (['last', 'max', 'min', 'mean', 'first'] as const).map(aggregate => ({
  kind: 'aggregate',
  aggregate,
}))

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

export function pointsOf(series: LoggedSeries): readonly Logged[] {
  const { steps, values } = summaryOf(series)
  return steps.map((step, i) => ({ value: values[i], series, step, aggregate: null, over: null }))
}

export function valueAt(series: LoggedSeries, step: number): number | undefined {
  return summaryOf(series).atStep.get(step)
}

/** What a series has at a place; two values where "the last 50 steps" may be points or steps. */
export function loggedAt(series: LoggedSeries, place: Place): readonly Logged[] {
  const { steps, values, aggregates } = summaryOf(series)
  const count = steps.length
  if (count === 0) return []
  if (place.kind === 'aggregate') {
    const { aggregate } = place
    return [{ value: aggregates[aggregate], series, step: null, aggregate, over: null }]
  }
  if (place.kind === 'step') {
    const value = valueAt(series, place.step)
    return value === undefined ? [] : [{ value, series, step: place.step, aggregate: null, over: null }]
  }
  const mean = (from: number, to: number): readonly Logged[] => {
    if (from < 0 || to > count || to - from < 1) return []
    let sum = 0
    for (let i = from; i < to; i += 1) sum += values[i]
    return [{ value: sum / (to - from), series, step: null, aggregate: 'mean', over: [steps[from], steps[to - 1]] }]
  }
  if (place.kind === 'range') return mean(indexOf(steps, place.from), indexOf(steps, place.to + 1e-9))
  const points = place.count < 1 ? Math.round(place.count * count) : place.count
  const isLast = place.end === 'last'
  const edge = isLast ? steps[count - 1] - points : steps[0] + points - 1
  return [
    ...(isLast ? mean(count - points, count) : mean(0, points)),
    ...(place.count < 1
      ? []
      : isLast
        ? mean(indexOf(steps, edge + 1e-9), count)
        : mean(0, indexOf(steps, edge + 1e-9))),
  ]
}

/** The index of the first step that is not below the limit. */
function indexOf(steps: readonly number[], limit: number): number {
  const at = steps.findIndex(step => step >= limit)
  return at < 0 ? steps.length : at
}

interface Summary {
  /** Of the points that are numbers. */
  readonly steps: readonly number[]
  readonly values: readonly number[]
  readonly atStep: ReadonlyMap<number, number>
  readonly aggregates: Readonly<Record<Aggregate, number>>
}

const summaries = new WeakMap<LoggedSeries, Summary>()

function summaryOf(series: LoggedSeries): Summary {
  const known = summaries.get(series)
  if (known !== undefined) return known
  const [steps, values]: [number[], number[]] = [[], []]
  let [min, max, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  for (let i = 0; i < series.values.length; i += 1) {
    const value = series.values[i]
    if (!Number.isFinite(value)) continue
    steps.push(series.steps[i])
    values.push(value)
    min = Math.min(min, value)
    max = Math.max(max, value)
    sum += value
  }
  const [first, last] = [values[0], values[values.length - 1]]
  const made = {
    steps,
    values,
    atStep: new Map(steps.map((step, i) => [step, values[i]])),
    aggregates: { first, last, min, max, mean: sum / values.length },
  }
  summaries.set(series, made)
  return made
}

import { lastAtMost } from '../../logs/document/places.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { memoByObject } from '../../logs/model/util/memo.js'
import type { Goal } from '../../logs/model/vocabulary/metric.js'
import { mean, median, standardDeviation } from '../../stats/descriptive.js'

/**
 * What the runs behind a report logged, asked by address: some runs, a metric, a part of the series, and what is made of
 * several runs. Nothing here is found by size: a value without an address is no source.
 */
export interface LoggedSeries {
  readonly run: string
  readonly metric: string
  readonly canonical: string | null
  readonly goal: Goal | null
  readonly isValidation: boolean
  readonly file: string | null
  readonly steps: readonly number[]
  readonly values: readonly number[]
}

export interface LoggedRuns {
  readonly series: readonly LoggedSeries[]
  /** The numbers of their configs: a key is the metric, and its value the only point. */
  readonly settings: readonly LoggedSeries[]
}

export interface LogRun {
  readonly name: string
  /** Its name without the seed: runs of one group are replicates. */
  readonly group: string
  readonly seed: number | null
}

/** A name under which runs log; `scale` is how widely it varies over all of them. */
export interface LogMetric extends Pick<LoggedSeries, 'canonical' | 'goal' | 'isValidation'> {
  readonly name: string
  /** Between 0 and 1 throughout, so that people print it as a percentage. */
  readonly isFraction: boolean
  readonly spread: number
  readonly range: readonly [low: number, high: number]
  /** How many different values there are at most: a share of 200 prompts has 201. */
  readonly distinct: number
}

/** What is made of the values of a curve, or of a stretch of it. */
export type Summary = 'mean' | 'median' | 'std' | 'max' | 'min'

/** Which part of a series. `best` is the end that the metric's goal names. */
export type Part =
  | { readonly kind: 'last' | 'first' | Summary | 'steps' | 'points' }
  /** Where the highest or lowest value is, of a stretch where one is meant. */
  | { readonly kind: 'maxStep' | 'minStep'; readonly first?: number; readonly last?: number }
  | { readonly kind: 'at'; readonly step: number }
  | { readonly kind: 'over'; readonly first: number; readonly last: number; readonly of?: Summary }
  /** So many steps or evaluations; where no word says which, either. */
  | { readonly kind: 'tail'; readonly steps: number; readonly of?: Summary; readonly by?: 'steps' | 'points' }
  /** So many steps before the end. */
  | { readonly kind: 'back'; readonly steps: number }

/** What is made of the values of several runs; `range`: the highest less the lowest, `curve`: of the mean over them at each step. */
export type Across = 'mean' | 'std' | 'max' | 'min' | 'range' | 'curve'

export interface Address {
  readonly runs: readonly LogRun[]
  readonly metric: string
  readonly part: Part
  readonly across: Across | null
  /** Less this metric: a gap between two. */
  readonly minus?: string
}

export interface LoggedValue {
  readonly value: number
  /** Where one point is meant; null for what is made of several. */
  readonly step: number | null
  readonly run: LogRun | null
}

export type MeanCurve = Pick<LoggedSeries, 'steps' | 'values'>

export interface Log {
  readonly runs: readonly LogRun[]
  readonly groups: ReadonlyMap<string, readonly LogRun[]>
  readonly metrics: ReadonlyMap<string, LogMetric>
  readonly settings: ReadonlyMap<string, LogMetric>
  readonly seriesOf: (run: LogRun, metric: string) => LoggedSeries | undefined
  /** The mean over runs at each step that all have. */
  readonly meanCurve: (runs: readonly LogRun[], metric: string) => MeanCurve
  readonly settingOf: (run: LogRun, key: string) => number | undefined
  /** The value at an address, the usual convention first; none where nothing was logged there. */
  readonly at: (address: Address) => readonly LoggedValue[]
}

/** One run by its name, several by their group's. */
export const nameOf = (runs: readonly LogRun[]): string =>
  runs.length === 1 ? (runs[0]?.name ?? '') : (runs[0]?.group ?? '')

const SEED = /^(.+?)[/_\-. ]?(?:seed|种子)[_\-= ]?(\d{1,6})$|^(.+)[/_-]s(\d{1,4})$/i

export const logOf: (logged: LoggedRuns) => Log = memoByObject(({ series: own, settings }) => {
  const series = [...own, ...setMeans(own)]
  const names = [...new Set([...series, ...settings].map(({ run }) => run))]
  const runs = names.map((name): LogRun => {
    const [, group = name, seed, other, number] = SEED.exec(name) ?? []
    return {
      name,
      group: other ?? group,
      seed: seed === undefined && number === undefined ? null : Number(seed ?? number),
    }
  })
  const byRun = new Map([...groupBy(series, ({ run }) => run)].map(([run, own]) => [run, byMetric(own)] as const))
  const setBy = new Map([...groupBy(settings, ({ run }) => run)].map(([run, own]) => [run, byMetric(own)] as const))
  const seriesOf = (run: LogRun, metric: string): LoggedSeries | undefined => byRun.get(run.name)?.get(metric)
  const curves = new WeakMap<readonly LogRun[], Map<string, MeanCurve>>()
  const curveOf = (some: readonly LogRun[], metric: string): MeanCurve => {
    const own = curves.get(some) ?? new Map<string, MeanCurve>()
    const found = own.get(metric) ?? meanCurve(some, metric, seriesOf)
    curves.set(some, own.set(metric, found))
    return found
  }
  // One run is asked for in many a list of its own.
  const known = new WeakMap<LogRun | readonly LogRun[], Map<string, readonly LoggedValue[]>>()
  return {
    runs,
    groups: groupBy(runs, ({ group }) => group),
    metrics: new Map([...groupBy(series, ({ metric }) => metric)].map(([name, all]) => [name, metricOf(name, all)])),
    settings: new Map([...groupBy(settings, ({ metric }) => metric)].map(([name, all]) => [name, metricOf(name, all)])),
    seriesOf,
    meanCurve: curveOf,
    settingOf: (run, key) => setBy.get(run.name)?.get(key)?.values[0],
    at: address => {
      const [run, other] = address.runs
      const of = run !== undefined && other === undefined ? run : address.runs
      const own = known.get(of) ?? new Map<string, readonly LoggedValue[]>()
      const key = keyOf(address)
      const found = own.get(key) ?? valuesAt(address, seriesOf, curveOf)
      own.set(key, found)
      known.set(of, own)
      return found
    },
  }
})

const OF_SET = /^(val(?:-core|-aux)?|test)\/([^/]+)(\/.+)$/

/** People speak of "the average of the three sets": each run's mean over its data sets, step by step, under the name that all share. */
function setMeans(series: readonly LoggedSeries[]): readonly LoggedSeries[] {
  const families = groupBy(
    series.filter(({ metric }) => OF_SET.test(metric)),
    ({ run, metric }) => `${run}\n${metric.replace(OF_SET, '$1/*$3')}`,
  )
  return [...families.values()].flatMap(all => {
    const [first] = all
    const isAlike = all.every(({ steps }) => steps.length === first?.steps.length)
    if (first === undefined || all.length < 2 || !isAlike) return []
    const values = first.values.map((_, i) => mean(all.map(one => one.values[i] ?? Number.NaN)))
    return [{ ...first, metric: first.metric.replace(OF_SET, '$1/*$3'), canonical: null, file: null, values }]
  })
}

function keyOf({ metric, part, across, minus = '' }: Address): string {
  return `${metric} ${Object.values(part).join()} ${across} ${minus}`
}

function byMetric(series: readonly LoggedSeries[]): ReadonlyMap<string, LoggedSeries> {
  return new Map(series.map(one => [one.metric, one]))
}

const MOST_DISTINCT = 2_000
/** Between 0 and 1 by chance: nobody prints these in percent. */
const NO_SHARE =
  /entropy|(?:^|[^a-z])kl(?![a-z])|grad_?norm|loss|learning_rate|(?:^|[^a-z])lr(?![a-z])|time|ratio_mean|advantages?|adv_|coef|beta|length/i

function metricOf(name: string, all: readonly LoggedSeries[]): LogMetric {
  const { canonical = null, goal = null, isValidation = false } = all[0] ?? {}
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const distinct = new Set<number>()
  let count = 0
  for (const { values } of all) {
    count += values.length
    for (const value of values) {
      if (value < low) low = value
      if (value > high) high = value
      if (distinct.size < MOST_DISTINCT) distinct.add(value)
    }
  }
  const isFraction = low >= 0 && high <= 1 && !NO_SHARE.test(name)
  // Hardly a value twice: nothing says that there are no values between.
  const isContinuous = distinct.size > 0.8 * Math.min(count, MOST_DISTINCT)
  const spread = Math.max(high - low, 0)
  return {
    name,
    canonical,
    goal,
    isValidation,
    isFraction,
    spread,
    range: [low, high],
    distinct: isContinuous ? 1e6 : distinct.size,
  }
}

function valuesAt(
  { runs, metric, part, across, minus }: Address,
  seriesOf: Log['seriesOf'],
  curveOf: Log['meanCurve'],
): readonly LoggedValue[] {
  const of = (run: LogRun, name: string): readonly LoggedValue[] => {
    const series = seriesOf(run, name)
    return series === undefined ? [] : partOf(series, part).map(value => ({ ...value, run }))
  }
  const each = runs.map(run => {
    if (minus === undefined) return of(run, metric)
    const [own, other] = [of(run, metric)[0], of(run, minus)[0]]
    return own === undefined || other === undefined ? [] : [{ ...own, value: own.value - other.value }]
  })
  if (each.length === 1) return across === null ? (each[0] ?? []) : []
  if (across === null || each.some(({ length }) => length === 0)) return []
  if (across === 'curve') return partOf(curveOf(runs, metric), part).map(value => ({ ...value, run: null }))
  const conventions = Math.max(...each.map(({ length }) => length))
  return Array.from({ length: conventions }, (_, i) => each.map(values => values[i] ?? values[0])).flatMap(values => {
    const known = values.filter(value => value !== undefined)
    return acrossRuns(known, across)
  })
}

/** The mean over runs at each step that all have. */
function meanCurve(runs: readonly LogRun[], metric: string, seriesOf: Log['seriesOf']): MeanCurve {
  const sums = new Map<number, { sum: number; count: number }>()
  for (const run of runs) {
    const { steps = [], values = [] } = seriesOf(run, metric) ?? {}
    for (const [i, step] of steps.entries()) {
      const known = sums.get(step) ?? { sum: 0, count: 0 }
      sums.set(step, { sum: known.sum + (values[i] ?? Number.NaN), count: known.count + 1 })
    }
  }
  const shared = [...sums].filter(([, { count }]) => count >= runs.length).sort(([a], [b]) => a - b)
  return { steps: shared.map(([step]) => step), values: shared.map(([, { sum, count }]) => sum / count) }
}

function acrossRuns(values: readonly LoggedValue[], across: Exclude<Across, 'curve'>): readonly LoggedValue[] {
  const numbers = values.map(({ value }) => value)
  const made = (value: number): LoggedValue => ({ value, step: null, run: null })
  if (across === 'mean') return [made(mean(numbers))]
  if (across === 'std') {
    const sample = standardDeviation(numbers)
    const share = (numbers.length - 1) / numbers.length
    return [sample, sample * Math.sqrt(share), sample / Math.sqrt(numbers.length)].map(made)
  }
  if (across === 'range') return [made(Math.max(...numbers) - Math.min(...numbers))]
  const end = across === 'max' ? Math.max(...numbers) : Math.min(...numbers)
  return values.filter(({ value }) => value === end).slice(0, 1)
}

type PartValue = Omit<LoggedValue, 'run'>

function partOf({ steps, values }: Pick<LoggedSeries, 'steps' | 'values'>, part: Part): readonly PartValue[] {
  const point = (i: number): readonly PartValue[] => {
    const [value, step] = [values.at(i), steps.at(i)]
    return value === undefined || step === undefined || !Number.isFinite(value) ? [] : [{ value, step }]
  }
  switch (part.kind) {
    case 'last':
      return point(-1)
    case 'first':
      return point(0)
    case 'max':
    case 'min':
      return point(extremeOf(values, part.kind))
    case 'maxStep':
    case 'minStep': {
      const { first = Number.NEGATIVE_INFINITY, last = Number.POSITIVE_INFINITY } = part
      const own = values.map((value, i) => ((steps[i] ?? 0) < first || (steps[i] ?? 0) > last ? Number.NaN : value))
      const at = extremeOf(own, part.kind === 'maxStep' ? 'max' : 'min')
      // Of equal ones each is a place of the best.
      return steps.filter((_, i) => own[i] === own[at]).map(step => ({ value: step, step }))
    }
    case 'at':
      return steps.flatMap((step, i) => (step === part.step ? point(i) : []))
    case 'mean':
    case 'median':
    case 'std': {
      const { kind } = part
      return [values, ...(steps[0] === 0 ? [values.slice(1)] : [])].flatMap(all => summaryOf(all, kind))
    }
    case 'over':
      return ofStretch(steps, values, [part.first, part.last], part.of)
    case 'tail': {
      const end = steps.at(-1) ?? 0
      return [
        ...(part.by === 'points' ? [] : ofStretch(steps, values, [end - part.steps + STEP, end], part.of)),
        ...(part.by === 'steps'
          ? []
          : ofRange(values, Math.max(0, values.length - part.steps), values.length, part.of)),
      ]
    }
    case 'back': {
      const step = (steps.at(-1) ?? 0) - part.steps
      return steps.flatMap((one, i) => (one === step ? point(i) : []))
    }
    case 'steps':
      return [{ value: steps.at(-1) ?? 0, step: null }]
    case 'points':
      return [values.length, values.length - 1].map(value => ({ value, step: null }))
  }
}

const SUMMARIES: { readonly [summary in Summary]: (values: readonly number[]) => number } = {
  mean,
  median,
  std: standardDeviation,
  max: values => values.reduce((a, b) => Math.max(a, b)),
  min: values => values.reduce((a, b) => Math.min(a, b)),
}

/** Less than any two steps are apart. */
const STEP = 1e-9

/** The sums of the first so many values; null where some are no numbers. */
const sumsOf = memoByObject((values: readonly number[]): Float64Array | null => {
  const sums = new Float64Array(values.length + 1)
  for (const [i, value] of values.entries()) sums[i + 1] = (sums[i] ?? 0) + value
  return Number.isFinite(sums.at(-1)) ? sums : null
})

const isSorted = memoByObject((steps: readonly number[]): { readonly is: boolean } => ({
  is: steps.every((step, i) => i === 0 || step > (steps[i - 1] ?? 0)),
}))

/** Of the steps between two, both among them. */
function ofStretch(
  steps: readonly number[],
  values: readonly number[],
  [first, last]: readonly [number, number],
  summary?: Summary,
): readonly PartValue[] {
  if (isSorted(steps).is)
    return ofRange(values, lastAtMost(steps, first - STEP) + 1, lastAtMost(steps, last) + 1, summary)
  return summaryOf(
    values.filter((_, i) => (steps[i] ?? 0) >= first && (steps[i] ?? 0) <= last),
    summary,
  )
}

/** Stretches are asked for again and again: their means come from sums that are kept. */
function ofRange(values: readonly number[], from: number, to: number, summary: Summary = 'mean'): readonly PartValue[] {
  const sums = summary === 'mean' ? sumsOf(values) : null
  if (sums === null) return summaryOf(values.slice(from, to), summary)
  return to <= from ? [] : [{ value: ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from), step: null }]
}

function summaryOf(values: readonly number[], summary: Summary = 'mean'): readonly PartValue[] {
  const finite = values.filter(Number.isFinite)
  return finite.length === 0 ? [] : [{ value: SUMMARIES[summary](finite), step: null }]
}

function extremeOf(values: readonly number[], end: 'max' | 'min'): number {
  let best = -1
  for (const [i, value] of values.entries()) {
    const than = values[best]
    if (Number.isFinite(value) && (than === undefined || (end === 'max' ? value > than : value < than))) best = i
  }
  return best
}

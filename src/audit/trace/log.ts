import { groupBy } from '../../logs/model/util/group-by.js'
import { memoByObject } from '../../logs/model/util/memo.js'
import type { Goal } from '../../logs/model/vocabulary/metric.js'
import { mean, standardDeviation } from '../../stats/descriptive.js'

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
  /** How many different values there are at most: a share of 200 prompts has 201. */
  readonly distinct: number
}

/** Which part of a series. `best` is the end that the metric's goal names. */
export type Part =
  | { readonly kind: 'last' | 'first' | 'max' | 'min' | 'mean' | 'maxStep' | 'minStep' | 'steps' | 'points' }
  | { readonly kind: 'at'; readonly step: number }
  | { readonly kind: 'over'; readonly first: number; readonly last: number }
  | { readonly kind: 'tail'; readonly steps: number }

/** What is made of the values of several runs. */
export type Across = 'mean' | 'std' | 'max' | 'min'

export interface Address {
  readonly runs: readonly LogRun[]
  readonly metric: string
  readonly part: Part
  readonly across: Across | null
}

export interface LoggedValue {
  readonly value: number
  /** Where one point is meant; null for what is made of several. */
  readonly step: number | null
  readonly run: LogRun | null
}

export interface Log {
  readonly runs: readonly LogRun[]
  readonly groups: ReadonlyMap<string, readonly LogRun[]>
  readonly metrics: ReadonlyMap<string, LogMetric>
  readonly settings: ReadonlyMap<string, LogMetric>
  readonly seriesOf: (run: LogRun, metric: string) => LoggedSeries | undefined
  readonly settingOf: (run: LogRun, key: string) => number | undefined
  /** The value at an address, the usual convention first; none where nothing was logged there. */
  readonly at: (address: Address) => readonly LoggedValue[]
}

/** One run by its name, several by their group's. */
export const nameOf = (runs: readonly LogRun[]): string =>
  runs.length === 1 ? (runs[0]?.name ?? '') : (runs[0]?.group ?? '')

const SEED = /^(.+?)[/_\-. ]?(?:seed|种子)[_\-= ]?(\d{1,6})$|^(.+)[/_-]s(\d{1,4})$/i

export const logOf: (logged: LoggedRuns) => Log = memoByObject(({ series, settings }) => {
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
  // One run is asked for in many a list of its own.
  const known = new WeakMap<LogRun | readonly LogRun[], Map<string, readonly LoggedValue[]>>()
  return {
    runs,
    groups: groupBy(runs, ({ group }) => group),
    metrics: new Map([...groupBy(series, ({ metric }) => metric)].map(([name, all]) => [name, metricOf(name, all)])),
    settings: new Map([...groupBy(settings, ({ metric }) => metric)].map(([name, all]) => [name, metricOf(name, all)])),
    seriesOf,
    settingOf: (run, key) => setBy.get(run.name)?.get(key)?.values[0],
    at: address => {
      const [run, other] = address.runs
      const of = run !== undefined && other === undefined ? run : address.runs
      const own = known.get(of) ?? new Map<string, readonly LoggedValue[]>()
      const key = keyOf(address)
      const found = own.get(key) ?? valuesAt(address, seriesOf)
      own.set(key, found)
      known.set(of, own)
      return found
    },
  }
})

function keyOf({ metric, part, across }: Address): string {
  const which =
    'step' in part ? part.step : 'first' in part ? `${part.first}-${part.last}` : 'steps' in part ? part.steps : ''
  return `${metric} ${part.kind} ${which} ${across}`
}

function byMetric(series: readonly LoggedSeries[]): ReadonlyMap<string, LoggedSeries> {
  return new Map(series.map(one => [one.metric, one]))
}

const MOST_DISTINCT = 2_000

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
  const isFraction = low >= 0 && high <= 1
  // Hardly a value twice: nothing says that there are no values between.
  const isContinuous = distinct.size > 0.8 * Math.min(count, MOST_DISTINCT)
  const spread = Math.max(high - low, 0)
  return { name, canonical, goal, isValidation, isFraction, spread, distinct: isContinuous ? 1e6 : distinct.size }
}

function valuesAt({ runs, metric, part, across }: Address, seriesOf: Log['seriesOf']): readonly LoggedValue[] {
  const each = runs.map(run => {
    const series = seriesOf(run, metric)
    return series === undefined ? [] : partOf(series, part).map(value => ({ ...value, run }))
  })
  if (each.length === 1) return across === null ? (each[0] ?? []) : []
  if (across === null || each.some(({ length }) => length === 0)) return []
  const conventions = Math.max(...each.map(({ length }) => length))
  return Array.from({ length: conventions }, (_, i) => each.map(values => values[i] ?? values[0])).flatMap(values => {
    const known = values.filter(value => value !== undefined)
    return acrossRuns(known, across)
  })
}

function acrossRuns(values: readonly LoggedValue[], across: Across): readonly LoggedValue[] {
  const numbers = values.map(({ value }) => value)
  const made = (value: number): LoggedValue => ({ value, step: null, run: null })
  if (across === 'mean') return [made(mean(numbers))]
  if (across === 'std') {
    const sample = standardDeviation(numbers)
    const share = (numbers.length - 1) / numbers.length
    return [sample, sample * Math.sqrt(share), sample / Math.sqrt(numbers.length)].map(made)
  }
  const end = across === 'max' ? Math.max(...numbers) : Math.min(...numbers)
  return values.filter(({ value }) => value === end).slice(0, 1)
}

type PartValue = Omit<LoggedValue, 'run'>

function partOf({ steps, values }: LoggedSeries, part: Part): readonly PartValue[] {
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
      const at = extremeOf(values, part.kind === 'maxStep' ? 'max' : 'min')
      // Of equal ones each is a place of the best.
      return steps.filter((_, i) => values[i] === values[at]).map(step => ({ value: step, step }))
    }
    case 'at':
      return steps.flatMap((step, i) => (step === part.step ? point(i) : []))
    case 'mean':
      return [meanOf(values), ...(steps[0] === 0 ? [meanOf(values.slice(1))] : [])].flat()
    case 'over':
      return meanOf(values.filter((_, i) => (steps[i] ?? 0) >= part.first && (steps[i] ?? 0) <= part.last))
    case 'tail': {
      const end = steps.at(-1) ?? 0
      return [
        meanOf(values.filter((_, i) => (steps[i] ?? 0) > end - part.steps)),
        meanOf(values.slice(-part.steps)),
      ].flat()
    }
    case 'steps':
      return [{ value: steps.at(-1) ?? 0, step: null }]
    case 'points':
      return [values.length, values.length - 1].map(value => ({ value, step: null }))
  }
}

function meanOf(values: readonly number[]): readonly PartValue[] {
  const finite = values.filter(Number.isFinite)
  return finite.length === 0 ? [] : [{ value: mean(finite), step: null }]
}

function extremeOf(values: readonly number[], end: 'max' | 'min'): number {
  let best = -1
  for (const [i, value] of values.entries()) {
    const than = values[best]
    if (Number.isFinite(value) && (than === undefined || (end === 'max' ? value > than : value < than))) best = i
  }
  return best
}

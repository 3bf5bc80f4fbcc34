import type { Quantity } from '../document/quantity.js'
import type { Range } from '../stats/rounding.js'
import { meets, scale } from './arithmetic.js'
import { mentionAt, significantDigits } from './evidence.js'

/**
 * Everything that the logs hold, found by size: points by their step, and all of them with the aggregates that people
 * print (first, last, lowest, highest, mean). A figure is looked up by the range that its printed digits stand for.
 */
export interface LoggedSeries {
  readonly run: string
  readonly metric: string
  readonly file: string | null
  readonly steps: ArrayLike<number>
  readonly values: ArrayLike<number>
  readonly valueAt: (step: number) => number | undefined
}

export interface Source {
  readonly run: string
  readonly metric: string
  readonly step: number | null
  readonly aggregate: 'first' | 'last' | 'min' | 'max' | 'mean' | null
  readonly file: string | null
}

interface Logged {
  readonly value: number
  readonly series: LoggedSeries
  readonly step: number | null
  readonly aggregate: Source['aggregate']
}

/** A figure of the report, as far as the logs are asked about it. */
export interface SoughtFigure {
  readonly quantity: Quantity
  /** What names its row, its column or its sentence. */
  readonly words: readonly string[]
  readonly step: number | null
}

export interface LogIndex {
  readonly series: readonly LoggedSeries[]
  /** Where a figure was logged, the likeliest place; null where it may agree by chance. */
  readonly placeOf: (figure: SoughtFigure) => Source | null
  /** As `placeOf`, at its step and under a name that stands beside it: what cannot be chance. */
  readonly namedPlaceOf: (figure: SoughtFigure) => Source | null
  /** Of every series that has this figure at this step. */
  readonly seriesWith: (quantity: Quantity, step: number) => readonly LoggedSeries[]
  readonly runs: readonly string[]
  /** Which runs some words name. */
  readonly runsNamed: (words: string) => ReadonlySet<string>
  /** What the one run that is named logs under a name of such words; null where no run or nothing logged is meant. */
  readonly seriesNamed: (run: string, metric: string) => readonly LoggedSeries[] | null
}

const MOST_CANDIDATES = 200
/** A figure is traced by its size alone where fewer than so many logged values would fit it by chance. */
const MOST_BY_CHANCE = 0.1
const FEWEST_DIGITS = 3

const indexes = new WeakMap<readonly LoggedSeries[], LogIndex>()

/** Made once for all reports of an audit. */
export function logIndex(series: readonly LoggedSeries[]): LogIndex {
  const known = indexes.get(series) ?? makeIndex(series)
  indexes.set(series, known)
  return known
}

function makeIndex(series: readonly LoggedSeries[]): LogIndex {
  const points = series.flatMap(pointsOf)
  const all = sorted([...points, ...series.flatMap(aggregatesOf)])
  const byStep = new Map<number, Logged[]>()
  for (const point of points) {
    const known = byStep.get(point.step ?? 0)
    if (known === undefined) byStep.set(point.step ?? 0, [point])
    else known.push(point)
  }
  for (const list of byStep.values()) sorted(list)
  const runs = [...new Set(series.map(({ run }) => run))]
  const metrics = [...new Set(series.map(({ metric }) => metric))]
  const runsNamed = namedIn(runs)
  const metricsNamed = namedIn(metrics)
  const named = new Map<string, readonly LoggedSeries[]>()
  const isRunNamed = ({ series: { run } }: Logged, words: readonly string[]): boolean =>
    words.some(text => runsNamed(text).has(run))
  const isMetricNamed = ({ series: { metric } }: Logged, words: readonly string[]): boolean =>
    words.some(text => metricsNamed(text).has(metric))
  const likeliest = (list: readonly Logged[], words: readonly string[]): Logged | undefined => {
    const ofRun = list.filter(one => isRunNamed(one, words))
    const among = ofRun.length > 0 ? ofRun : list
    return among.find(one => isMetricNamed(one, words)) ?? among[0]
  }
  const atStep = (quantity: Quantity, step: number | null): readonly Logged[] =>
    step === null ? [] : within(byStep.get(step) ?? [], quantity)
  const namedPlace = ({ quantity, step, words }: SoughtFigure): Logged | undefined =>
    likeliest(
      atStep(quantity, step).filter(one => isRunNamed(one, words) || isMetricNamed(one, words)),
      words,
    )
  return {
    series,
    runs,
    runsNamed,
    seriesNamed(words, metric) {
      const [run, ...more] = runsNamed(words)
      if (run === undefined || more.length > 0) return null
      const asked = `${run}\n${metric}`
      const known = named.get(asked) ?? seriesOf(series, run, metric)
      named.set(asked, known)
      return known.length === 0 ? null : known
    },
    placeOf(figure) {
      const { quantity, step, words } = figure
      const named = namedPlace(figure)
      if (named !== undefined) return sourceOf(named)
      const there = step === null ? [] : (byStep.get(step) ?? [])
      const found = chanceOf(there, quantity) <= MOST_BY_CHANCE ? within(there, quantity) : []
      if (found.length > 0) return sourceOf(likeliest(found, words) ?? found[0])
      if (significantDigits(quantity) < FEWEST_DIGITS || chanceOf(all, quantity) > MOST_BY_CHANCE) return null
      const anywhere = likeliest(within(all, quantity), words)
      return anywhere === undefined ? null : sourceOf(anywhere)
    },
    namedPlaceOf(figure) {
      const best = namedPlace(figure)
      return best === undefined ? null : sourceOf(best)
    },
    seriesWith: (quantity, step) => [...new Set(atStep(quantity, step).map(point => point.series))],
  }
}

/** Which of some names a text holds, asked once for each text. */
function namedIn(names: readonly string[]): (text: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>()
  return text => {
    const told = known.get(text)
    if (told !== undefined) return told
    const found = new Set(names.filter(name => mentionAt(text, [name]) >= 0 && isSpeltSo(text, name)))
    known.set(text, found)
    return found
  }
}

/** A run called kl is not meant by a column KL. */
function isSpeltSo(text: string, name: string): boolean {
  return name.length > 3 || text.includes(name)
}

/** "Val Reward" are words of `val-core/gsm8k/reward/mean@1`. */
function seriesOf(series: readonly LoggedSeries[], run: string, metric: string): readonly LoggedSeries[] {
  const wanted = wordsOf(metric)
  if (wanted.size === 0) return []
  return series.filter(one => one.run === run && [...wanted].every(word => wordsOf(one.metric).has(word)))
}

function wordsOf(name: string): ReadonlySet<string> {
  return new Set((name.toLowerCase().match(/[a-z]{2,}/g) ?? []).filter(word => word !== 'mean'))
}

function sorted(list: Logged[]): Logged[] {
  return list.sort((a, b) => a.value - b.value)
}

/** A share may be logged as such and printed as a percentage. */
function rangesOf({ range, unit }: Quantity): readonly Range[] {
  return unit === '%' ? [range, scale(range, 0.01)] : [range]
}

function within(list: readonly Logged[], quantity: Quantity): readonly Logged[] {
  return rangesOf(quantity).flatMap(({ low, high }) => {
    const from = firstAtLeast(list, low - slackOf(low))
    return list.slice(from, Math.min(firstAtLeast(list, high + slackOf(high), true), from + MOST_CANDIDATES))
  })
}

/** Where the neighbourhood is looked at, in widths of the printed figure. */
const NEIGHBOURHOOD = 20

/** How many values of the list a figure of these digits would meet if it meant none of them. */
function chanceOf(list: readonly Logged[], quantity: Quantity): number {
  return rangesOf(quantity).reduce((sum, { low, high }) => {
    const reach = NEIGHBOURHOOD * Math.max(high - low, slackOf(high))
    const around = firstAtLeast(list, high + reach, true) - firstAtLeast(list, low - reach)
    const inside = firstAtLeast(list, high + slackOf(high), true) - firstAtLeast(list, low - slackOf(low))
    return sum + (around - inside) / (2 * NEIGHBOURHOOD)
  }, 0)
}

/** The first place whose value is not below the limit, or above it. */
function firstAtLeast(list: readonly Logged[], limit: number, isAbove = false): number {
  let from = 0
  let to = list.length
  while (from < to) {
    const half = (from + to) >> 1
    if (list[half].value < limit || (isAbove && list[half].value === limit)) from = half + 1
    else to = half
  }
  return from
}

const slackOf = (value: number): number => 1e-9 * Math.abs(value)

export function agrees({ range, unit }: Quantity, value: number): boolean {
  const exact = { low: value, high: value }
  return meets(range, exact) || (unit === '%' && meets(scale(range, 0.01), exact))
}

function sourceOf({ series: { run, metric, file }, step, aggregate }: Logged): Source {
  return { run, metric, step, aggregate, file }
}

function pointsOf(series: LoggedSeries): Logged[] {
  const found: Logged[] = []
  for (let i = 0; i < series.steps.length; i += 1) {
    const [value, step] = [series.values[i], series.steps[i]]
    if (value !== undefined && step !== undefined && Number.isFinite(value))
      found.push({ value, series, step, aggregate: null })
  }
  return found
}

function aggregatesOf(series: LoggedSeries): Logged[] {
  const known = Array.from(series.values).filter(Number.isFinite)
  const [first] = known
  const last = known.at(-1)
  if (first === undefined || last === undefined) return []
  let [min, max, sum] = [first, first, 0]
  for (const value of known) {
    min = Math.min(min, value)
    max = Math.max(max, value)
    sum += value
  }
  const found = { first, last, min, max, mean: sum / known.length }
  return (['first', 'last', 'min', 'max', 'mean'] as const).map(aggregate => ({
    value: found[aggregate],
    series,
    step: null,
    aggregate,
  }))
}

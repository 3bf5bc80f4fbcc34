import { NUMBER_WORDS, type Quantity, type StepMark, type Stretch } from '../logs/document/quantity.js'
import { rememberedText } from '../logs/document/remembered.js'
import { groupBy } from '../logs/model/util/group-by.js'
import { memoByObject } from '../logs/model/util/memo.js'
import { ROWS } from '../logs/model/vocabulary/metric-index.js'
import { greatest, mean } from '../stats/descriptive.js'
import { has, type Sense } from './lexicon.js'
import { wordsOf } from './names.js'

/**
 * Everything that the logs hold, found by name or by size. A figure is looked up by the range that its printed digits
 * stand for, and counts as found only where it would hardly be met by chance.
 */
export interface LogIndex {
  readonly runs: readonly string[]
  /** Every place where a run is named. */
  readonly runsIn: (text: string) => readonly RunMention[]
  /** The metrics that the words fit best. */
  readonly metricsIn: (text: string) => ReadonlySet<string>
  /** What these runs log under these names; null stands for all. */
  readonly seriesOf: (runs: ReadonlySet<string> | null, metrics: ReadonlySet<string> | null) => readonly LoggedSeries[]
  /** What was set, likewise. */
  readonly settings: LogIndex | null
}

/** What the runs behind a report logged. */
export interface LoggedRuns {
  readonly series: readonly LoggedSeries[]
  /** The numbers of their configs: a key is the metric, and its value the only point. */
  readonly settings: readonly LoggedSeries[]
}

/** Figures with fewer digits are in every log by chance. */
export const FEWEST_DIGITS = 3

/** Everything that the logs hold; made once for all reports of an audit. */
export const logIndex: (logs: LoggedRuns) => LogIndex = memoByObject(({ series, settings }) => {
  const byRun = groupBy(series, ({ run }) => run)
  const runs = [...byRun.keys()]
  const runsIn = rememberedText(runFinder(runs))
  const find = metricFinder(series)
  return {
    runs,
    runsIn,
    // A run that is called kl-0.1 names no KL.
    metricsIn: rememberedText(text =>
      find(
        runsIn(text).reduce((rest, { from, to }) => rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to), text),
      ),
    ),
    seriesOf: (runs, metrics) => {
      const ofRuns = runs === null ? series : [...runs].flatMap(run => byRun.get(run) ?? [])
      return metrics === null ? ofRuns : ofRuns.filter(({ metric }) => metrics.has(metric))
    },
    settings: settings.length === 0 ? null : logIndex({ series: settings, settings: [] }),
  }
})

/** Where the neighbourhood of a figure is looked at, in its widths to either side. */
const NEIGHBOURHOOD = 20

/** The value that a figure prints; undefined where none is, or where more than so many would meet it by chance. */
export function foundAmong(candidates: readonly Logged[], quantity: Quantity, mostByChance = 0.1): Logged | undefined {
  const found = candidates.find(({ value }) => agrees(quantity, value))
  if (found === undefined) return undefined
  const beside = candidates.filter(({ value }) => !agrees(quantity, value) && agrees(quantity, value, NEIGHBOURHOOD))
  return beside.length / (2 * NEIGHBOURHOOD) > mostByChance ? undefined : found
}

/** Whether a figure stands for a value, or misses it by no more than so many of its widths. */
export function agrees({ range: { low, high }, unit }: Quantity, value: number, widths = 0): boolean {
  const slack = 1e-9 * Math.max(Math.abs(low), Math.abs(high)) + widths * (high - low)
  const isNear = (one: number): boolean => one >= low - slack && one <= high + slack
  // A share may be logged as such and printed as a percentage.
  return isNear(value) || (unit === '%' && isNear(value * 100))
}

/** What most of some points agree with, the first of equals, and how many do. */
export function mostVoted<Item, Choice>(
  points: readonly Item[],
  choicesOf: (point: Item) => Iterable<Choice>,
): readonly [Choice | undefined, number] {
  const counts = new Map<Choice, number>()
  for (const point of points) for (const one of choicesOf(point)) counts.set(one, (counts.get(one) ?? 0) + 1)
  let best: readonly [Choice | undefined, number] = [undefined, 0]
  for (const entry of counts) if (entry[1] > best[1]) best = entry
  return best
}

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
export interface LoggedSource {
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
export interface Logged extends Pick<LoggedSource, 'step' | 'over'> {
  readonly value: number
  readonly series: LoggedSeries
  readonly aggregate: Aggregate | null
}

export function sourceOf({ series: { run, metric, file }, step, aggregate, over }: Logged): LoggedSource {
  return { run, metric, step, aggregate, over, file }
}

type LoggedPoint = Logged & { readonly step: number }

/** Every point that is a number. */
export const pointsOf = memoByObject((series: LoggedSeries): readonly LoggedPoint[] => {
  const none = { series, aggregate: null, over: null }
  const points = Array.from(series.values, (value, i) => ({ value, step: series.steps[i] ?? Number.NaN, ...none }))
  return points.filter(({ value }) => Number.isFinite(value))
})

const pointsByStep = memoByObject(
  (series: LoggedSeries) => new Map(pointsOf(series).map(point => [point.step, [point]])),
)

const aggregatesOf = memoByObject((series: LoggedSeries): ReadonlyMap<Aggregate, readonly Logged[]> => {
  const values = pointsOf(series).map(({ value }) => value)
  const min = -greatest(values.map(value => -value))
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined) return new Map()
  const found: Record<Aggregate, number> = { last, max: greatest(values), min, mean: mean(values), first }
  return new Map(AGGREGATES.map(one => [one, [{ value: found[one], series, step: null, aggregate: one, over: null }]]))
})

/** A part of a series that words may mean: what the series has there. */
export type SeriesPart = (series: LoggedSeries) => readonly Logged[]

export function atStep(step: number): SeriesPart {
  return series => pointsByStep(series).get(step) ?? []
}

function atAggregate(aggregate: Aggregate): SeriesPart {
  return series => aggregatesOf(series).get(aggregate) ?? []
}

export const EVERY_AGGREGATE = AGGREGATES.map(atAggregate)

/** The mean over some steps. */
function overSteps(first: number, last: number): SeriesPart {
  return series => meanOf(pointsOf(series).filter(({ step }) => step >= first && step <= last))
}

/** The mean of so many at one end, which may be points or steps; of a share of the points where it is below 1. */
function atEnd(end: 'first' | 'last', count: number): SeriesPart {
  return series => {
    const points = end === 'first' ? pointsOf(series) : pointsOf(series).toReversed()
    if (count < 1) return meanOf(points.slice(0, Math.round(count * points.length)))
    const near = points.filter(({ step }) => Math.abs(step - (points[0]?.step ?? 0)) < count)
    return [...(count > points.length ? [] : meanOf(points.slice(0, count))), ...meanOf(near)]
  }
}

function meanOf(points: readonly LoggedPoint[]): readonly Logged[] {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return []
  const over = [Math.min(first.step, last.step), Math.max(first.step, last.step)] as const
  return [{ ...first, value: mean(points.map(({ value }) => value)), step: null, aggregate: 'mean', over }]
}

export function loggedAtAny(series: readonly LoggedSeries[], places: readonly SeriesPart[]): readonly Logged[] {
  return series.flatMap(one => places.flatMap(place => place(one)))
}

/**
 * What the words of a report mean in the logs: which runs, which metrics, and which part of a series. Runs are found by
 * their names, the longest first; metrics by the words of all their names, those of the vocabulary included, so that
 * 梯度范数 and "gradient norm" are both `actor/grad_norm`.
 */
export interface RunMention extends Stretch {
  readonly run: string
}

/** Finds the metrics that some words fit best; none where they fit none. */
function metricFinder(series: readonly LoggedSeries[]): (text: string) => ReadonlySet<string> {
  const names = new Map(series.map(({ metric, canonical }) => [metric, namesOf(metric, canonical)]))
  const known = new Set([...names.values()].flat(2))
  return text => {
    const said = new Set(stems(text))
    const heard = new Set([...known].filter(word => [...said].some(other => isWord(word, other))))
    const fits = [...names].map(([metric, all]) => ({ metric, fit: Math.max(...all.map(name => fitOf(name, heard))) }))
    const best = Math.max(...fits.map(({ fit }) => fit))
    return new Set(fits.filter(({ fit }) => fit === best && fit > 0).map(({ metric }) => metric))
  }
}

/** Finds every place where a run is named. A run called kl is not meant by a column KL; longer names are, however they are spelt. */
const SHORT_NAME = 3

export function runFinder(runs: readonly string[]): (text: string) => readonly RunMention[] {
  const patterns = runs
    .toSorted((a, b) => b.length - a.length)
    .map(run => {
      const parts = run.split(/[\s_=:-]+/).map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      const flags = run.length > SHORT_NAME ? 'gi' : 'g'
      return { run, pattern: new RegExp(`(?<![\\w.-])${parts.join('[\\s_=:-]{0,3}')}(?![\\w]|[.-]\\w)`, flags) }
    })
  return text => {
    const found: RunMention[] = []
    for (const { run, pattern } of patterns) {
      for (const { index: from, 0: words } of text.matchAll(pattern)) {
        const to = from + words.length
        if (!found.some(other => from < other.to && to > other.from)) found.push({ run, from, to })
      }
    }
    return found.sort((a, b) => a.from - b.from)
  }
}

/** Words that many names share: they decide between metrics that fit equally well, and name none. */
const WEAK = new Set(
  'val train actor critic core aux mean max min std env objective data at s the of per and in on to step'.split(' '),
)
const LEAST_OF_WORD = 3
/** What a word of a name that the text lacks costs, a weak word that it has brings, and being of validation without saying so. */
const LACKING = 0.4
const WEAK_BONUS = 0.3
const UNSAID_VALIDATION = 0.2

/** The words of each of its names. */
function namesOf(name: string, canonical: string | null): readonly (readonly string[])[] {
  const row = canonical === null ? undefined : ROWS.get(canonical)
  const aliases = row === undefined ? [] : Object.values(row).filter(Array.isArray).flat()
  return [name, ...(canonical === null ? [] : [canonical]), ...aliases].map(one => [...new Set(stems(String(one)))])
}

function stems(text: string): readonly string[] {
  return wordsOf(text)
    .map(({ text: word }) => (word === 'eval' || word === 'evaluation' ? 'val' : word))
    .filter(word => !/^\d/.test(word))
}

/** "grad" and "gradient", "frac" and "fraction" are one word. */
function isWord(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= LEAST_OF_WORD && /^[a-z]+$/.test(short) && long.startsWith(short) && !WEAK.has(short)
}

function fitOf(name: readonly string[], heard: ReadonlySet<string>): number {
  const own = name.filter(word => !WEAK.has(word))
  const met = own.filter(word => heard.has(word)).length
  if (met === 0) return 0
  const weak = name.filter(word => WEAK.has(word) && heard.has(word)).length
  const isUnsaid = name.includes('val') && !heard.has('val')
  return met - LACKING * (own.length - met) + WEAK_BONUS * weak - (isUnsaid ? UNSAID_VALIDATION : 0)
}

/** "the last 20", "final three", 前 10 步; "the last third", 后 30%. */
const WINDOW =
  /(?<![a-z])(?:(last|final|最后|末|后)|first|最初|前)\s?(\d{1,6}|[a-z]{3,7}|半|[三四]分之一|[一二三四五六七八九十])(\s?%)?/gi
const AMOUNTS: ReadonlyMap<string, number> = new Map([
  ...NUMBER_WORDS,
  ...['half', 'third', 'quarter', '半', '三分之一', '四分之一'].map((word, i) => [word, 1 / ((i % 3) + 2)] as const),
])

const AGGREGATE_WORDS: readonly (readonly [Aggregate, readonly Sense[]])[] = [
  ['last', ['final']],
  ['max', ['maximum', 'best']],
  ['min', ['minimum', 'best']],
  ['mean', ['mean']],
]

/** The parts of a series that some words name: windows first, which are the most particular. */
export function placesIn(text: string, steps: readonly StepMark[]): readonly SeriesPart[] {
  const windows = Array.from(text.matchAll(WINDOW), ([, last, amount = '', percent]) => {
    const size = AMOUNTS.get(amount.toLowerCase()) ?? Number(amount)
    return atEnd(last === undefined ? 'first' : 'last', percent === undefined ? size : size / 100)
  })
  const marked = steps.map(({ first, last }) => (first === last ? atStep(first) : overSteps(first, last)))
  const aggregates = AGGREGATE_WORDS.filter(([, senses]) => has(text, ...senses)).map(([one]) => atAggregate(one))
  return [...windows, ...marked, ...aggregates]
}

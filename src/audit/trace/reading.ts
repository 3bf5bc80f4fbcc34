import { agrees, chanceOf, nearChance, type PrintedFigure, scaleOf } from './figure.js'
import type { Address, Log, LoggedValue, LogMetric, LogRun } from './log.js'

/**
 * A reading says what a figure may stand for: an address in the logs, or something computed from addresses. Readings come
 * in the order in which a reader would try them, and one that fits is believed as long as a figure of this size would
 * hardly fit one of those tried so far by chance.
 */
export interface FigureReading {
  readonly metric: Pick<LogMetric, 'name' | 'spread' | 'distinct'>
  /** In the unit of the figure, the usual convention first. */
  readonly values: readonly (LoggedValue & { readonly printed: number })[]
  /** Where it comes from; null for what is computed from several places. */
  readonly address: Address | null
  /** What was computed from what, in words; null for a plain value. */
  readonly computed: string | null
  /** 0: as the words have it; more, the less plainly they say so. */
  readonly rank: number
  /** Run, metric and part are all said: if nothing fits, this is what the figure should have been. */
  readonly isNamed: boolean
  /** The words mean several metrics alike: what was printed is none of them, but which is right is not known. */
  readonly isAmbiguous?: boolean
  readonly chance: number
  /** Computed from the figures right before it: no search, whatever fits. */
  readonly isNear?: boolean
  /** From the logged values of the two figures right before it. */
  readonly isOfPair?: boolean
  /** From figures of the report, and not from a log. */
  readonly isPrinted?: boolean
  /** Steps are logged so far apart. */
  readonly grid?: number
  readonly kind: 'value' | 'setting' | 'count' | 'step' | 'computed'
}

export type FigureJudgement =
  | {
      readonly state: 'traced' | 'derived'
      readonly reading: FigureReading
      readonly value: FigureReading['values'][number]
    }
  | { readonly state: 'contradicted'; readonly reading: FigureReading; readonly value: FigureReading['values'][number] }
  | {
      readonly state: 'untraced'
      readonly fitsByChance: boolean
      /** What it seems to be and does not agree with, the most believable first; none where nothing should be said. */
      readonly doubts?: readonly FigureReading[]
    }

/** So much luck may be in what the words say first; the less they say it, the less. */
const MOST_CHANCE = 0.16
const FADE = 0.28
/** A source is not much less believable than what the words say first. */
const FARTHEST = 3.6
/** Where words name one. */
const FAR = 2.3
/** What the words say first is mostly right, and a wrong figure does not fit it. */
const FIRST = 0.5
/** There are more pairs than values. */
const COMPUTED = 0.8
/** Of so many tries one fits anyway: that excuses nothing. */
const MOST_EXCUSED = 0.25
const MOST_FOR_NAMED = 0.15
const EXCUSING = 2
const MOST_LOOKED = 200
/** So many different readings may be what it should have been. */
const MOST_DOUBTS = 8

/**
 * `rest`: what else it may be, the most believable first; a figure that fits none of it is wrong where the first was named.
 * In words that may mean something else only a figure near what they seem to mean is wrong.
 */
export function judge(
  { quantity }: Pick<PrintedFigure, 'quantity'>,
  readings: readonly FigureReading[],
  rest: Iterable<FigureReading> | null = null,
): FigureJudgement {
  let tried = 0
  let looked = 0
  let isExcused = false
  let named: FigureReading | undefined
  const doubts: FigureReading[] = []
  // What was looked at once cannot fit by chance once more.
  const seen: number[] = []
  const width = quantity.range.high - quantity.range.low
  const isNew = (value: number): boolean => {
    if (seen.some(other => Math.abs(other - value) <= width / 2)) return false
    seen.push(value)
    return true
  }
  for (const reading of inOrder(readings, rest)) {
    // A whole number fits any share.
    if (reading.values.length === 0 || (reading.kind === 'value' && reading.chance >= 0.5 && quantity.decimals === 0))
      continue
    if (reading.isPrinted !== true) named ??= reading
    const [{ printed: own = Number.NaN } = {}] = reading.values
    if (doubts.length < MOST_DOUBTS && reading.isPrinted !== true && isNearby(own, quantity.value))
      if (!doubts.some(one => Math.abs((one.values[0]?.printed ?? 0) - own) <= width)) doubts.push(reading)
    const isPlain = (reading === named && reading.isNamed) || reading.isNear === true
    for (const { printed } of isPlain || reading.chance === 0 ? [] : reading.values)
      if (isNew(printed)) tried += nearChance(quantity, printed, reading.grid) * (reading === named ? FIRST : 1)
    const value = reading.values.find(({ printed }) => agrees(quantity, printed))
    looked += 1
    if (value !== undefined) {
      const most = MOST_CHANCE * Math.exp(-FADE * reading.rank) * (reading.computed === null ? 1 : COMPUTED)
      const beyond = reading.rank - (named?.rank ?? 0)
      if ((tried <= most && beyond <= (named?.isNamed === true ? FAR : FARTHEST)) || isPlain)
        return { state: reading.computed === null ? 'traced' : 'derived', reading, value }
      // What words name is excused by little.
      isExcused = named?.isNamed !== true || (tried <= MOST_FOR_NAMED && beyond <= EXCUSING)
    }
    if (value !== undefined || tried > MOST_EXCUSED || looked > MOST_LOOKED) break
  }
  const value = named?.values[0]
  // Next to nothing is said of what is printed as "about", or as a bound.
  if (named === undefined || value === undefined || quantity.hedge === 'about' || quantity.bound !== null)
    return { state: 'untraced', fitsByChance: isExcused }
  if (rest === null && named.isNamed && !isExcused && Number.isFinite(value.printed))
    return { state: 'contradicted', reading: named, value }
  // A bare small number may count anything.
  const isBare =
    quantity.decimals === 0 && quantity.unit === null && (named.kind === 'value' || named.kind === 'setting')
  return { state: 'untraced', fitsByChance: isExcused, ...(rest === null || isBare ? {} : { doubts }) }
}

function* inOrder(readings: readonly FigureReading[], rest: Iterable<FigureReading> | null): Generator<FigureReading> {
  yield* readings.toSorted((a, b) => a.rank - b.rank)
  if (rest !== null) yield* rest
}

const ORDER = 20

/** Nobody writes 0.8 for 0.00001: what is so far off is of something else. */
const isNearby = (right: number, printed: number): boolean =>
  Number.isFinite(right) &&
  (Math.abs(right - printed) <= 1e-9 ||
    (right !== 0 && Math.abs(printed) < ORDER * Math.abs(right) && Math.abs(right) < ORDER * Math.abs(printed)))

/** A plain value at an address, scaled to the unit of the figure. */
export function readingAt(
  log: Log,
  figure: Pick<PrintedFigure, 'quantity'>,
  named: Address,
  { rank, isNamed, isAmbiguous = false }: Pick<FigureReading, 'rank' | 'isNamed' | 'isAmbiguous'>,
): FigureReading {
  const metric = log.metrics.get(named.metric) ?? log.settings.get(named.metric)
  // A setting that runs of several projects share means those that log the metric.
  const logging = named.runs.length < 2 ? [] : named.runs.filter(run => log.seriesOf(run, named.metric) !== undefined)
  const address = logging.length === 0 || logging.length === named.runs.length ? named : { ...named, runs: logging }
  const scale = metric === undefined ? 1 : scaleOf(figure.quantity, metric)
  const isStep =
    address.part.kind === 'maxStep' ||
    address.part.kind === 'minStep' ||
    address.part.kind === 'steps' ||
    address.part.kind === 'points'
  const values = log.at(address).map(value => ({ ...value, printed: isStep ? value.value : value.value * scale }))
  const known = metric ?? { name: address.metric, spread: 1, distinct: 1 }
  // What is made of several runs has more values than one of them.
  const distinct = address.across === 'std' ? 1e6 : known.distinct * Math.max(1, address.runs.length)
  return {
    metric: known,
    values,
    address,
    computed: address.minus === undefined ? null : `${address.metric} − ${address.minus}`,
    rank,
    isNamed,
    isAmbiguous,
    chance: isStep ? stepChance(log, address) : chanceOf(figure.quantity, { ...known, distinct }, scale),
    kind: isStep ? 'step' : 'value',
  }
}

function stepChance(log: Log, { runs, metric }: Address): number {
  const [run] = runs
  const series = run === undefined ? undefined : log.seriesOf(run, metric)
  return 1 / Math.max(series?.steps.length ?? 1, 1)
}

/** A setting of some runs: what their configs agree on, else what those of all do. */
export function settingReading(
  log: Log,
  { quantity }: Pick<PrintedFigure, 'quantity'>,
  runs: readonly LogRun[],
  setting: LogMetric,
  rank: number,
): readonly FigureReading[] {
  if (quantity.unit !== null) return []
  const of = (some: readonly LogRun[]): readonly number[] => [
    ...new Set(some.flatMap(run => log.settingOf(run, setting.name) ?? [])),
  ]
  const [own, every] = [of(runs), of(log.runs)]
  // What another run has is no wrong value of the setting: it may be the other that is meant.
  const values = [...new Set([...own, ...every])].map(value => ({
    value,
    printed: value,
    step: null,
    run: runs[0] ?? null,
  }))
  const address: Address = { runs, metric: setting.name, part: { kind: 'first' }, across: null }
  const isNamed = own.length === 1 || every.length === 1
  return [{ metric: setting, values, address, computed: null, rank, isNamed, chance: 0.001, kind: 'setting' }]
}

/** What is computed from two logged or printed values. */
export function computedReadings(
  figure: Pick<PrintedFigure, 'quantity'>,
  metric: Pick<LogMetric, 'name' | 'spread' | 'distinct' | 'isFraction'>,
  [a, b]: readonly [number, number],
  how: {
    readonly words: string
    readonly rank: number
    readonly isNamed: boolean
    readonly address?: Address
    /** "52 % of the baseline's": the one as a share of the other. */
    readonly isShare?: boolean
  },
): readonly FigureReading[] {
  const { quantity } = figure
  const { unit, signed, value: printed } = quantity
  const difference = (b - a) * scaleOf(quantity, metric, true)
  const size = (value: number): number =>
    signed && unit !== 'times' ? value : Math.abs(value) * (printed < 0 ? -1 : 1)
  const changes = [a, b].filter(base => base !== 0).map(base => (100 * (b - a)) / Math.abs(base))
  const ratios = a === 0 || b === 0 ? [] : [b / a, a / b]
  const made = (value: number, i: number): FigureReading => ({
    metric,
    values: [{ value, printed: value, step: null, run: null }],
    address: how.address ?? null,
    computed: how.words,
    rank: how.rank + i * 0.1,
    isNamed: how.isNamed,
    chance: chanceOf(
      quantity,
      { spread: Math.max(metric.spread, Math.abs(difference)), distinct: metric.distinct },
      scaleOf(quantity, metric, true),
    ),
    kind: 'computed',
  })
  if (unit === 'times') return ratios.map(made)
  if (unit === '%' && how.isShare === true) return ratios.map(one => 100 * one).map(made)
  if (unit === '%') return [...changes, ...(metric.isFraction ? [difference] : [])].map(size).map(made)
  return [size(difference)].map(made)
}

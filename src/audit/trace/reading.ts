import type { Quantity } from '../../logs/document/quantity.js'
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
  /** Against what the words say: an excuse, and no source. */
  readonly isFar?: boolean
  readonly kind: 'value' | 'setting' | 'count' | 'step' | 'computed'
}

export type FigureJudgement =
  | {
      readonly state: 'traced' | 'derived'
      readonly reading: FigureReading
      readonly value: FigureReading['values'][number]
    }
  | { readonly state: 'contradicted'; readonly reading: FigureReading; readonly value: FigureReading['values'][number] }
  | { readonly state: 'untraced'; readonly fitsByChance: boolean }

/** A changed figure is called traced at most this often. */
const MOST_CHANCE = 0.045
/** Of so many tries one fits anyway: that excuses nothing. */
const MOST_EXCUSED = 0.08
const MOST_LOOKED = 600
const MISTYPED = 0.4

/**
 * `widely`: wherever else a kind reader might look, before the figure is called wrong. `isPlainly`: the words can mean
 * nothing else; otherwise a figure far from what they seem to mean is taken for something else, and only one near it is wrong.
 */
export function judge(
  { quantity }: Pick<PrintedFigure, 'quantity'>,
  readings: readonly FigureReading[],
  widely: (() => Iterable<FigureReading>) | null = null,
  isPlainly = true,
): FigureJudgement {
  const sorted = readings.filter(({ values }) => values.length > 0).sort((a, b) => a.rank - b.rank)
  let tried = 0
  let isExcused = false
  // What was looked at once cannot fit by chance once more.
  const seen: number[] = []
  const width = quantity.range.high - quantity.range.low
  const isNew = (value: number): boolean => {
    if (seen.some(other => Math.abs(other - value) <= width / 2)) return false
    seen.push(value)
    return true
  }
  const look = (reading: FigureReading): FigureJudgement | null => {
    const isPlain = (reading.rank === 0 && reading.isNamed) || reading.isNear === true
    for (const { printed } of isPlain || reading.chance === 0 ? [] : reading.values)
      if (isNew(printed)) tried += nearChance(quantity, printed)
    const value = reading.values.find(({ printed }) => agrees(quantity, printed))
    if (value === undefined) return null
    if ((tried <= MOST_CHANCE && !reading.isFar) || isPlain)
      return { state: reading.computed === null ? 'traced' : 'derived', reading, value }
    isExcused ||= tried <= MOST_EXCUSED
    return null
  }
  for (const reading of sorted) {
    const found = look(reading)
    if (found !== null) return found
  }
  let looked = 0
  for (const reading of widely?.() ?? []) {
    const found = look(reading)
    if (found !== null) return found
    looked += 1
    if (tried > MOST_EXCUSED || isExcused || looked > MOST_LOOKED) break
  }
  const [named] = sorted
  const value = named?.values[0]
  // A bare small number may count anything.
  const isBare =
    widely !== null &&
    quantity.decimals === 0 &&
    quantity.unit === null &&
    (named?.kind === 'value' || named?.kind === 'setting')
  const isPlain = quantity.hedge !== 'about' && quantity.bound === null && !isBare
  const isWrong =
    named?.isNamed &&
    value !== undefined &&
    isPlain &&
    !isExcused &&
    (widely === null ? Number.isFinite(value.printed) : isNearby(value.printed, quantity.value)) &&
    (isPlainly ||
      named.kind === 'setting' ||
      Math.abs(value.printed - quantity.value) <= MISTYPED * Math.abs(value.printed))
  if (isPlain && !isExcused && widely !== null && !isWrong) {
    const slipped = sorted.find(
      one => one.rank < 1 && one.kind !== 'setting' && isSlip(quantity, one.values[0]?.printed),
    )
    const right = slipped?.values[0]
    if (slipped !== undefined && right !== undefined) return { state: 'contradicted', reading: slipped, value: right }
  }
  return isWrong ? { state: 'contradicted', reading: named, value } : { state: 'untraced', fitsByChance: isExcused }
}

const ORDER = 20

/** Nobody writes 0.8 for 0.00001: what is so far off is of something else. */
const isNearby = (right: number, printed: number): boolean =>
  Number.isFinite(right) &&
  (Math.abs(right - printed) <= 1e-9 ||
    (right !== 0 && Math.abs(printed) < ORDER * Math.abs(right) && Math.abs(right) < ORDER * Math.abs(printed)))

/** One digit for another, or two in the wrong order. The last digit alone tells two values that are near each other. */
export function isSlip({ value, decimals, unit }: Quantity, right: number | undefined): boolean {
  if (right === undefined || !Number.isFinite(right) || value < 0 !== right < 0) return false
  const digits = (one: number): string => Math.abs(one).toFixed(Math.min(12, decimals)).replace('.', '')
  const [a, b] = [digits(value), digits(right)]
  if (a.length !== b.length) return false
  const apart = [...a].flatMap((digit, i) => (digit === b[i] ? [] : [i]))
  const [i = 0, j = 0] = apart
  const significant = b.replace(/^0+/, '').length
  if (apart.length === 2) return j === i + 1 && a[i] === b[j] && a[j] === b[i] && significant > 1
  return apart.length === 1 && significant > 2 && (i < a.length - 1 || unit === 'step')
}

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
    computed: null,
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
  how: { readonly words: string; readonly rank: number; readonly isNamed: boolean; readonly address?: Address },
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
  if (unit === '%') return [...changes, ...(metric.isFraction ? [difference] : [])].map(size).map(made)
  return [size(difference)].map(made)
}

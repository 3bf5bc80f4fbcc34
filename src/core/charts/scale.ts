import type { Extent, ProgressUnit } from './chart.js'

/** From values to pixels and back, axis ends and ticks on round numbers, and how numbers are written on axes. */

/** An axis on paper; pixels and values are found by `pixelAt` and `valueAt`. */
export interface AxisScale extends AxisRange {
  readonly kind: 'linear' | 'log' | 'names'
  /** The pixels of the domain's two ends. */
  readonly range: Extent
}

/** Where an axis begins and ends, and what is written on it. */
export interface AxisRange {
  readonly domain: Extent
  readonly ticks: readonly Tick[]
}

export interface Tick {
  readonly value: number
  readonly text: string
}

/** What is not positive has no place on powers of ten, and stands at their foot. By index: a frame of a zoom asks ten thousand times. */
export function pixelAt({ domain, range, kind }: AxisScale, value: number): number {
  if (kind === 'log' && value <= 0) return range[0]
  const share =
    kind === 'log'
      ? Math.log(value / domain[0]) / Math.log(domain[1] / domain[0])
      : (value - domain[0]) / (domain[1] - domain[0])
  return range[0] + share * (range[1] - range[0])
}

export function valueAt({ domain: [low, high], range, kind }: AxisScale, pixel: number): number {
  const share = (pixel - range[0]) / (range[1] - range[0])
  return kind === 'log' ? low * (high / low) ** share : low + share * (high - low)
}

/** For values: out to whole intervals, about so many of them. */
export function valueRange([low, high]: Extent, about: number): AxisRange {
  const [from, to] = apart(low, high)
  const interval = roundInterval((to - from) / Math.max(1, about))
  const first = Math.floor(from / interval + 1e-9)
  const last = Math.ceil(to / interval - 1e-9)
  return {
    domain: [rounded(first * interval), rounded(last * interval)],
    ticks: multiples(first, last, interval).map(value => ({ value, text: tickText(value, interval) })),
  }
}

/** For positive values over orders of magnitude: ticks at powers of ten, and at 2 and 5 times those while there are few. */
export function logRange([low, high]: Extent, about: number): AxisRange {
  const first = Math.floor(Math.log10(low) + 1e-9)
  const powers = Array.from({ length: Math.ceil(Math.log10(high) - 1e-9) - first + 2 }, (_, i) => first + i)
  const round = powers.flatMap(power => [1, 2, 5].map(factor => rounded(factor * 10 ** power)))
  const below = round.findLast(value => value <= low * (1 + 1e-9)) ?? low
  const above = round.find(value => value >= high * (1 - 1e-9) && value > below) ?? high
  const decades = Math.log10(above / below)
  const every = Math.ceil(decades / Math.max(1, about))
  const chosen =
    decades * 3 <= about + 2 ? round : powers.filter(power => power % every === 0).map(power => 10 ** power)
  return {
    domain: [below, above],
    ticks: chosen
      .filter(value => value >= below && value <= above)
      .map(value => ({ value, text: value >= 1e-3 && value < 1e5 ? stepText(value) : short(value) })),
  }
}

/** Along training: from the first point to the last and not further, ticks on round numbers between. */
export function progressRange([low, high]: Extent, about: number, unit: ProgressUnit = 'steps'): AxisRange {
  const [min, max] = low === high ? [low - 1, high + 1] : [low, high]
  const least = (max - min) / Math.max(1, about)
  const whole = Number.isInteger(low) && Number.isInteger(high)
  const interval = Math.max(roundSpan(least, unit), whole ? 1 : 0)
  const first = Math.ceil(min / interval - 1e-9)
  const last = Math.floor(max / interval + 1e-9)
  const write =
    unit === 'seconds'
      ? durationText(interval)
      : unit === 'time'
        ? clockText(interval)
        : interval >= 1e5
          ? millions
          : stepText
  return {
    domain: [min, max],
    ticks: multiples(first, last, interval).map(value => ({ value, text: write(value) })),
  }
}

/** The same by powers of ten. What is not positive, such as step 0, stands at the foot, which then has a tick. */
export function logProgressRange(
  [low, high]: Extent,
  { about, unit, least }: { readonly about: number; readonly unit: ProgressUnit; readonly least: number },
): AxisRange {
  const from = low > 0 ? low : least / 2
  const to = Math.max(high, from * (1 + 1e-9))
  // Nothing else stands at the foot.
  const isInside = ({ value }: Tick): boolean => value >= (low > 0 ? low : least) && value <= to
  const powers =
    unit === 'seconds'
      ? LOG_DURATIONS.map(value => ({ value, text: progressText(value, unit) }))
      : logRange([from, to], about).ticks
  const inside = powers.filter(isInside)
  const ticks = inside.length > 1 ? inside : progressRange([from, to], about, unit).ticks.filter(isInside)
  return { domain: [from, to], ticks: low > 0 ? ticks : [{ value: 0, text: '0' }, ...ticks] }
}

/** Beyond this a difference of two values overflows. */
const LARGEST = 1e300

/** The lowest and highest finite values; 0 and 1 when there is none. */
export function extentOf(values: Iterable<number | null>): Extent {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? [0, 1] : [clamped(low, -LARGEST, LARGEST), clamped(high, -LARGEST, LARGEST)]
}

export function clamped(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

/** Values that agree to nine digits are one level; an axis that told them apart would have unreadable ticks. */
function apart(low: number, high: number): Extent {
  const size = Math.max(Math.abs(low), Math.abs(high))
  if (high - low > Math.max(size * 1e-9, SMALLEST)) return [low, high]
  const room = size < SMALLEST ? 1 : size * 0.1
  return [low - room, high + room]
}

/** Below this a tenth of a difference underflows. */
const SMALLEST = 1e-290

function multiples(first: number, last: number, interval: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first) + 1 }, (_, i) => rounded((first + i) * interval))
}

/** 0.1 + 0.2 is no round number; twelve digits of it are. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}

/** The nearest of 1, 2 and 5 times a power of ten that is not below `least`. */
export function roundInterval(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find(candidate => candidate * power >= least * 0.999) ?? 10
  return rounded(factor * power)
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const DURATIONS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map(minutes => minutes * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map(hours => hours * HOUR),
]

const LOG_DURATIONS = [1, 10].flatMap(n => [n, n * MINUTE, n * HOUR, 100 * n * HOUR]).sort((a, b) => a - b)

/** The same along training, where time has its own round numbers. */
export function roundSpan(least: number, unit: ProgressUnit): number {
  if ((unit !== 'seconds' && unit !== 'time') || least < 1) return roundInterval(least)
  return DURATIONS.find(duration => duration >= least * 0.999) ?? roundInterval(least / DAY) * DAY
}

/** 30 min, 1 h, 1 h 30: in the unit of the interval, and in the next larger one where that is reached. */
function durationText(interval: number): (seconds: number) => string {
  if (interval >= DAY) return seconds => `${stepText(rounded(seconds / DAY))} d`
  if (interval >= HOUR) return seconds => `${stepText(rounded(seconds / HOUR))} h`
  const [large, small, names] = interval >= MINUTE ? [HOUR, MINUTE, ['h', 'min']] : [MINUTE, 1, ['min', 's']]
  return seconds => {
    const [whole, rest] = [Math.floor(seconds / large), rounded((seconds % large) / small)]
    if (whole <= 0) return `${stepText(rounded(seconds / small))} ${names[1]}`
    return `${stepText(whole)} ${names[0]}${rest === 0 ? '' : ` ${stepText(rest)}`}`
  }
}

/** A place on the clock, as fine as the interval: 17 Nov is 11-17 in every language. */
function clockText(interval: number): (seconds: number) => string {
  return seconds => {
    const [day, time] = new Date(seconds * 1000).toISOString().split('T')
    if (interval >= DAY) return day.slice(5)
    return interval >= MINUTE ? `${day.slice(5)} ${time.slice(0, 5)}` : time.slice(0, 8)
  }
}

function millions(count: number): string {
  return count === 0 ? '0' : `${stepText(rounded(count / 1e6))}M`
}

/** Ticks of one axis all have the decimals that their interval needs. */
function tickText(value: number, interval: number): string {
  const size = Math.abs(value)
  const isZero = size < interval * 1e-6
  if (interval < 1e-4) return isZero ? '0' : short(value)
  if (size >= 1e6) return short(value)
  const decimals = Math.max(0, Math.min(6, Math.ceil(-Math.log10(interval) - 1e-9)))
  const text = (isZero ? 0 : value).toFixed(decimals)
  return minus(size >= 10_000 ? Number(text).toLocaleString('en-US') : text)
}

/** Numbers that stand beside each other: as many decimals as it takes to tell `span` apart in hundredths. */
export function decimalsFor(span: number): number {
  if (!(span > 0)) return 3
  return Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(span))))
}

export function fixedText(value: number | null, decimals: number): string {
  if (value === null || !Number.isFinite(value)) {
    return value === null || Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '−∞'
  }
  if (Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 10 ** -decimals / 2)) return short(value)
  return minus(value.toFixed(decimals))
}

function short(value: number): string {
  return minus(value.toExponential(2).replace(/\.?0*e\+?/, 'e'))
}

/** A real minus sign, as in the tables of papers. */
function minus(text: string): string {
  return text.replace(/^-(?=0(\.0*)?$)/, '').replaceAll('-', '−')
}

export function stepText(step: number): string {
  if (!Number.isInteger(step)) return minus(String(Number(step.toPrecision(4))))
  return minus(Math.abs(step) >= 10_000 ? step.toLocaleString('en-US') : String(step))
}

/** A place along training. */
export function progressText(value: number, unit: ProgressUnit): string {
  if (unit === 'time') return clockText(MINUTE)(value)
  return unit === 'seconds' ? durationText(value < HOUR ? 1 : MINUTE)(value) : stepText(value)
}

/** One place, or from one to another. */
export function progressSpan(from: number, to: number, unit: ProgressUnit = 'steps'): string {
  return from === to ? progressText(from, unit) : `${progressText(from, unit)}–${progressText(to, unit)}`
}

/** Axis ends and ticks on round numbers, and how the ticks are written. */

export interface Scale {
  readonly min: number
  readonly max: number
  readonly ticks: readonly number[]
  readonly interval: number
}

/** Beyond this a difference of two values overflows. */
const LARGEST = 1e300

/** The lowest and highest finite values; 0 and 1 when there is none. */
export function extentOf(values: Iterable<number>): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? [0, 1] : [within(low), within(high)]
}

function within(value: number): number {
  return Math.max(-LARGEST, Math.min(LARGEST, value))
}

/** For values: out to whole intervals. */
export function valueScale([low, high]: readonly [number, number], about: number): Scale {
  const [from, to] = apart(low, high)
  const interval = roundInterval((to - from) / Math.max(1, about))
  const first = Math.floor(from / interval + 1e-9)
  const last = Math.ceil(to / interval - 1e-9)
  return {
    min: rounded(first * interval),
    max: rounded(last * interval),
    ticks: multiples(first, last, interval),
    interval,
  }
}

/** For steps: from the first to the last and not further, ticks on round numbers between. */
export function stepScale([low, high]: readonly [number, number], about: number): Scale {
  const [min, max] = low === high ? [low - 1, high + 1] : [low, high]
  const whole = Number.isInteger(low) && Number.isInteger(high)
  const interval = Math.max(roundInterval((max - min) / Math.max(1, about)), whole ? 1 : 0)
  const first = Math.ceil(min / interval - 1e-9)
  const last = Math.floor(max / interval + 1e-9)
  return { min, max, ticks: multiples(first, last, interval), interval }
}

/** Values that agree to nine digits are one level; an axis that told them apart would have unreadable ticks. */
function apart(low: number, high: number): readonly [number, number] {
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

/** Ticks of one axis all have the decimals that their interval needs. */
export function tickText(value: number, interval: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e6 || interval < 1e-4)) return signed(value.toExponential(2).replace(/\.?0*e\+?/, 'e'))
  const decimals = Math.max(0, Math.min(6, Math.ceil(-Math.log10(interval) - 1e-9)))
  const text = size < interval * 1e-6 ? (0).toFixed(decimals) : value.toFixed(decimals)
  return signed(size >= 10_000 ? Number(text).toLocaleString('en-US') : text)
}

/** Numbers that stand beside each other: as many decimals as it takes to tell `span` apart in hundredths. */
export function decimalsFor(span: number): number {
  if (!(span > 0)) return 3
  return Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(span))))
}

export function fixedText(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '−∞'
  if (Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 10 ** -decimals / 2)) {
    return signed(value.toExponential(2).replace(/\.?0*e\+?/, 'e'))
  }
  return signed(value.toFixed(decimals))
}

export function withSign(value: number, decimals: number): string {
  const text = fixedText(value, decimals)
  return value > 0 ? `+${text}` : text
}

/** A real minus sign, as in the tables of papers. */
function signed(text: string): string {
  return text.replace(/^-(?=0(\.0*)?$)/, '').replaceAll('-', '−')
}

export function stepText(step: number): string {
  if (!Number.isInteger(step)) return signed(String(Number(step.toPrecision(4))))
  return signed(Math.abs(step) >= 10_000 ? step.toLocaleString('en-US') : String(step))
}

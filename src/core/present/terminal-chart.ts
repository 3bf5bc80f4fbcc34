import { pad, shortNumber, shortStep } from './terminal-text.js'

export interface TerminalChart {
  readonly lines: readonly string[]
  /** Whether a column stands for several points. */
  readonly envelope: boolean
  /** Values beyond the scale: how many, and the farthest. */
  readonly beyond: { readonly count: number; readonly farthest: number } | null
}

/**
 * A line chart in braille dots: two columns and four rows of dots per character. Every point is joined to the
 * next, so a column that many points share shows the whole range from their lowest to their highest: no peak disappears.
 * A few values so far off that all else would be a flat line are arrows at the edge, and are told.
 */
export function terminalChart(
  steps: ArrayLike<number>,
  values: ArrayLike<number>,
  { width = 60, height = 6 }: { readonly width?: number; readonly height?: number } = {},
): TerminalChart {
  const finite = Array.from(steps, (step, i) => ({ step, value: values[i] })).filter(({ value }) =>
    Number.isFinite(value),
  )
  if (finite.length === 0) return { lines: [], envelope: false, beyond: null }
  const [firstStep, lastStep] = extent(finite.map(({ step }) => step))
  const [low, high] = scaleOf(finite.map(({ value }) => value))
  const dotColumns = width * 2
  const dotRows = height * 4
  const columnOf = (step: number): number =>
    lastStep === firstStep ? 0 : Math.round(((step - firstStep) / (lastStep - firstStep)) * (dotColumns - 1))
  const rowOf = (value: number): number =>
    high === low ? Math.floor(dotRows / 2) : Math.round(((high - clamped(value)) / (high - low)) * (dotRows - 1))
  const clamped = (value: number): number => Math.min(high, Math.max(low, value))

  const cells = new Uint8Array(width * height)
  const plot = (column: number, row: number): void => {
    cells[(row >> 2) * width + (column >> 1)] |= DOTS[row & 3][column & 1]
  }
  const arrows = new Map<number, string>()
  const outside = finite.filter(({ value }) => value > high || value < low)
  for (const { step, value } of outside) {
    arrows.set((value > high ? 0 : (height - 1) * width) + (columnOf(step) >> 1), value > high ? '▲' : '▼')
  }
  const used = new Set<number>()
  let previous: { column: number; row: number } | null = null
  for (const { step, value } of finite) {
    const column = columnOf(step)
    const row = rowOf(value)
    if (previous !== null) drawLine(previous.column, previous.row, column, row, plot)
    else plot(column, row)
    used.add(column)
    previous = { column, row }
  }

  const labels = Array.from({ length: height }, (_, i) => {
    if (i === 0) return shortNumber(high)
    return i === height - 1 && high !== low ? shortNumber(low) : ''
  })
  const margin = Math.max(...labels.map(label => label.length))
  const lines = labels.map((label, i) => {
    const row = cells.subarray(i * width, (i + 1) * width)
    const dots = Array.from(row, (mask, column) => {
      return arrows.get(i * width + column) ?? (mask === 0 ? ' ' : String.fromCharCode(0x2800 + mask))
    }).join('')
    return `${pad(label, margin, 'right')} ┤${dots.trimEnd()}`
  })
  const from = shortStep(firstStep)
  const to = shortStep(lastStep)
  lines.push(`${' '.repeat(margin + 2)}${from}${pad(to, Math.max(to.length, width - from.length), 'right')}`)
  const far = outside.map(({ value }) => value).sort((a, b) => Math.abs(b) - Math.abs(a))
  const beyond = far.length === 0 ? null : { count: far.length, farthest: far[0] }
  return { lines, envelope: finite.length > used.size, beyond }
}

/** Bits of a braille character, by row and column of its dots. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
]

function drawLine(
  fromColumn: number,
  fromRow: number,
  toColumn: number,
  toRow: number,
  plot: (column: number, row: number) => void,
): void {
  const length = Math.max(Math.abs(toColumn - fromColumn), Math.abs(toRow - fromRow), 1)
  for (let i = 0; i <= length; i += 1) {
    const share = i / length
    plot(Math.round(fromColumn + share * (toColumn - fromColumn)), Math.round(fromRow + share * (toRow - fromRow)))
  }
}

/** Fewer values have no usual range. */
const ENOUGH = 20
/** Of all values this share on each side may be outliers. */
const FARTHEST = 0.01
/** Outliers flatten a chart when they make it more than three times as high. */
const FLATTENING = 2

/** From where to where: all values, but for a few that would flatten the rest, as in the charts of reports. */
function scaleOf(values: readonly number[]): readonly [number, number] {
  const [low, high] = extent(values)
  if (values.length < ENOUGH) return [low, high]
  const sorted = Float64Array.from(values).sort()
  const outer = Math.max(1, Math.floor(sorted.length * FARTHEST))
  const core = [sorted[outer], sorted[sorted.length - 1 - outer]] as const
  const size = core[1] - core[0]
  if (size === 0) return [low, high]
  const near = sorted.filter(value => value >= core[0] - size && value <= core[1] + size)
  return [
    core[0] - low > FLATTENING * size ? near[0] : low,
    high - core[1] > FLATTENING * size ? near[near.length - 1] : high,
  ]
}

function extent(values: readonly number[]): [number, number] {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}

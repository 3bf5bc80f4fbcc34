import { pad, shortNumber, shortStep } from './style.js'

/**
 * A line chart in braille dots: two columns and four rows of dots per character. Every point is joined to the
 * next, so a column that many points share shows the whole range from their lowest to their highest: no peak disappears.
 */
export function terminalChart(
  steps: ArrayLike<number>,
  values: ArrayLike<number>,
  { width = 60, height = 6 }: { readonly width?: number; readonly height?: number } = {},
): { readonly lines: readonly string[]; readonly envelope: boolean } {
  const finite = Array.from(steps, (step, i) => ({ step, value: values[i] })).filter(({ value }) =>
    Number.isFinite(value),
  )
  if (finite.length === 0) return { lines: [], envelope: false }
  const [firstStep, lastStep] = extent(finite.map(({ step }) => step))
  const [low, high] = extent(finite.map(({ value }) => value))
  const dotColumns = width * 2
  const dotRows = height * 4
  const columnOf = (step: number): number =>
    lastStep === firstStep ? 0 : Math.round(((step - firstStep) / (lastStep - firstStep)) * (dotColumns - 1))
  const rowOf = (value: number): number =>
    high === low ? Math.floor(dotRows / 2) : Math.round(((high - value) / (high - low)) * (dotRows - 1))

  const cells = new Uint8Array(width * height)
  const plot = (column: number, row: number): void => {
    cells[(row >> 2) * width + (column >> 1)] |= DOTS[row & 3][column & 1]
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
    const dots = Array.from(row, mask => (mask === 0 ? ' ' : String.fromCharCode(0x2800 + mask))).join('')
    return `${pad(label, margin, 'right')} ┤${dots.trimEnd()}`
  })
  const from = shortStep(firstStep)
  const to = shortStep(lastStep)
  lines.push(`${' '.repeat(margin + 2)}${from}${pad(to, Math.max(to.length, width - from.length), 'right')}`)
  return { lines, envelope: finite.length > used.size }
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

function extent(values: readonly number[]): [number, number] {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}

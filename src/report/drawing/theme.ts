/**
 * One look for every chart: quiet grid, direct words, lines told apart by dash and marker as well as by a colour from
 * Okabe and Ito (2008), so that they survive a black-and-white printer and colour blindness.
 */
export const INK = '#1b1f24'
export const FAINT = '#5b6470'
export const LINE = '#d8dde3'
export const PAPER = '#ffffff'

/** The page's own colours, where a chart stands inside a page that may be dark (see src/report/style.ts). */
export const PAGE_COLOURS: readonly (readonly [fixed: string, variable: string])[] = [
  [INK, 'var(--ink)'],
  [FAINT, 'var(--faint)'],
  [LINE, 'var(--line)'],
  [PAPER, 'var(--paper)'],
]

const FONT =
  "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"

interface SideStyle {
  readonly color: string
  readonly symbol: string
  readonly type: 'solid' | 'dashed' | 'dotted' | readonly number[]
}

const STYLES: readonly SideStyle[] = [
  { color: '#0072B2', symbol: 'circle', type: 'solid' },
  { color: '#D55E00', symbol: 'rect', type: 'dashed' },
  { color: '#009E73', symbol: 'triangle', type: 'dotted' },
  { color: '#CC79A7', symbol: 'diamond', type: [10, 4, 2, 4] },
  { color: '#E69F00', symbol: 'emptyCircle', type: [4, 2] },
  { color: '#56B4E9', symbol: 'emptyRect', type: [2, 2] },
]

export function styleOf(side: number): SideStyle {
  return STYLES[side % STYLES.length]
}

/** ECharts wants a fresh, writable list. */
export function dashOf({ type }: SideStyle): 'solid' | 'dashed' | 'dotted' | number[] {
  return typeof type === 'string' ? type : [...type]
}

export const TEXT = { fontFamily: FONT, color: INK, fontSize: 12 }

/** A name in a legend or on an axis: the whole of it would push the picture away. */
export function shortName(name: string, longest = 32): string {
  const characters = [...name.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')]
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}

/** Axis numbers: four digits, exponents for the very small and the very large. */
export function tick(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(1).replace('e+', 'e').replace('-', '−')
  return String(Number(value.toPrecision(4))).replace('-', '−')
}

/** An axis as every chart has it. */
export function valueAxis(name: string, more: object = {}) {
  return {
    type: 'value' as const,
    name: shortName(name, 48),
    nameLocation: 'middle' as const,
    nameTextStyle: { ...TEXT, color: FAINT },
    axisLabel: { ...TEXT, formatter: tick, hideOverlap: true },
    axisLine: { show: true, onZero: false, lineStyle: { color: FAINT } },
    axisTick: { lineStyle: { color: FAINT } },
    splitLine: { lineStyle: { color: LINE } },
    scale: true,
    ...more,
  }
}

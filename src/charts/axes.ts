import { EDGE } from './frame.js'
import { textWidth } from './label.js'
import { type Scale, stepText, tickText } from './scale.js'
import { colour, TEXT } from './theme.js'

/** Axes as ECharts wants them, on the ticks that a scale has chosen. No text stands on its side. */

/** Space that the labels of a vertical axis take. */
export function labelRoom({ ticks, interval }: Scale): number {
  return Math.ceil(Math.max(...ticks.map(value => textWidth(tickText(value, interval), TEXT.small))) + 12)
}

/** Half of the last label of a horizontal axis hangs over its end. */
export function overhang(lastLabel: string): number {
  return Math.max(8, Math.ceil(textWidth(lastLabel, TEXT.small) / 2) - EDGE + 4)
}

export function verticalAxis({ min, max, ticks, interval }: Scale, gridIndex = 0) {
  return {
    type: 'value' as const,
    gridIndex,
    min,
    max,
    interval,
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: {
      color: colour('muted'),
      fontSize: TEXT.small,
      formatter: (value: number) => tickText(value, interval),
      customValues: [...ticks],
    },
    splitLine: { show: true, lineStyle: { color: colour('grid'), width: 1 } },
  }
}

/** The name stands in the middle below the labels. */
export function stepAxis(
  { min, max, ticks }: Scale,
  { name, gridIndex = 0 }: { readonly name?: string; readonly gridIndex?: number } = {},
) {
  return horizontalAxis({ min, max, ticks, format: stepText, name, gridIndex, splitLines: false })
}

export function quantityAxis({ min, max, ticks, interval }: Scale, name?: string) {
  return horizontalAxis({
    min,
    max,
    ticks,
    format: value => tickText(value, interval),
    name,
    gridIndex: 0,
    splitLines: true,
  })
}

interface Horizontal {
  readonly min: number
  readonly max: number
  readonly ticks: readonly number[]
  readonly format: (value: number) => string
  readonly name: string | undefined
  readonly gridIndex: number
  readonly splitLines: boolean
}

function horizontalAxis({ min, max, ticks, format, name, gridIndex, splitLines }: Horizontal) {
  return {
    type: 'value' as const,
    gridIndex,
    min,
    max,
    ...(name !== undefined && { name, nameLocation: 'middle' as const, nameGap: 30 }),
    nameTextStyle: { color: colour('muted'), fontSize: TEXT.label },
    axisLine: { show: true, onZero: false, lineStyle: { color: colour('axis'), width: 1 } },
    axisTick: { show: true, length: 4, lineStyle: { color: colour('axis') }, customValues: [...ticks] },
    axisLabel: {
      color: colour('muted'),
      fontSize: TEXT.small,
      hideOverlap: false,
      formatter: format,
      customValues: [...ticks],
    },
    splitLine: { show: splitLines, lineStyle: { color: colour('grid'), width: 1 } },
  }
}

/** Below a plot: tick labels, and the name of the axis. */
export const AXIS_ROOM = 50

import type { Language } from '../text/language.js'
import type { Extent } from './chart.js'
import type { Measure } from './label.js'
import type { Scale } from './scale.js'
import type { Area, Point, Shape } from './shapes.js'
import type { Style } from './theme.js'

/** Where a mark is drawn, and what comes of it. */

export interface Place {
  readonly area: Area
  readonly x: Scale
  readonly y: Scale
  /** Steps in each range, where there are more points than pixels. */
  readonly stretch: number | null
  readonly view: Extent | undefined
  readonly measure: Measure
  readonly language: Language
}

export interface Drawn {
  /** Below all other marks of the panel; cut at its edges. */
  readonly under: readonly Shape[]
  /** Cut at the edges. */
  readonly over: readonly Shape[]
  /** Symbols and words, whole. */
  readonly top: readonly Shape[]
  readonly readings: readonly Reading[]
  readonly beyond: readonly Beyond[]
  readonly gaps: boolean
  /** Values that went into ranges. */
  readonly ranged: number
}

/** A number as drawn: for whoever points at it, and for the table of what is seen. */
export interface Reading {
  readonly series: string
  readonly x: number | string
  /** The end of the range that was summed up. */
  readonly until?: number
  readonly y: number
  readonly low?: number
  readonly high?: number
}

/** A value outside the axes, and where on the edge it is marked. */
export interface Beyond {
  readonly edge: 'up' | 'down' | 'left' | 'right'
  readonly at: Point
  readonly value: number
  readonly style: Style
}

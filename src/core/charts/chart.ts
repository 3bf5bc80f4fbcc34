import type { Severity } from '../../logs/model/finding.js'
import type { Language } from '../../text/language.js'
import type { Style } from './theme.js'

/**
 * What a chart shows, apart from how it is laid out: panels of marks on axes, in plain data that survives JSON (a gap is
 * NaN here and null there). `layout` turns it into shapes for one width and one window of steps; a report writes those as
 * SVG, a browser draws them and asks again when its reader zooms. Nothing here knows pixels.
 */
export interface Chart {
  /** Of every text in it, and of what `layout` adds. */
  readonly language: Language
  readonly title: string
  /** For readers who cannot see it. */
  readonly description: string
  /** What holds however it is laid out; gaps, ranges and clipped values are told by `layout`. */
  readonly notes: readonly string[]
  readonly panels: readonly Panel[]
  /** Shown over every panel along training, numbered in order of their start. */
  readonly findings: readonly ChartFinding[]
}

export interface Panel {
  /** Where a chart has several. */
  readonly title?: string
  readonly note?: string
  /** As logged: which findings are about it. */
  readonly metric?: string
  readonly x: PanelAxis
  readonly y: PanelAxis
  /** Later ones lie over earlier ones. */
  readonly marks: readonly ChartMark[]
}

export type PanelAxis = ProgressAxis | ValueAxis | NamesAxis

/** Along training, from the first point to the last. */
export interface ProgressAxis {
  readonly kind: 'progress'
  readonly unit: ProgressUnit
  readonly log?: boolean
}

/** `seconds` since the start of each run; `time` by the clock, in Unix seconds. */
export type ProgressUnit = 'steps' | 'samples' | 'tokens' | 'seconds' | 'time'

export interface ValueAxis {
  readonly kind: 'value'
  readonly name?: string
  readonly log?: boolean
  /** Values that it must hold, such as zero. */
  readonly holds?: readonly number[]
  /** As the reader wants it: what lies outside is not marked. */
  readonly fixed?: Extent
  /** Where places on it stand for something else, which the marks say. */
  readonly isMute?: boolean
}

/** Rows or columns; a mark's place on it is the index of a name. */
export interface NamesAxis {
  readonly kind: 'names'
  readonly name?: string
  readonly names: readonly string[]
  /** What stands at the far end of each row. */
  readonly words?: readonly { readonly strong: string; readonly plain: string }[]
}

/** What is not finite is a gap. */
export type GappedValues = readonly (number | null)[]

/** In order of x. */
export interface ChartSeries {
  readonly x: readonly number[]
  readonly y: GappedValues
}

export type Extent = readonly [low: number, high: number]

/** A mark with a name has an entry in the legend. */
export type ChartMark = CurveMark | PathMark | PointsMark | BoxMark | RuleMark | StrokesMark | CellsMark

/**
 * A value along training: exact, or as ranges that the store made of more points than anyone can see. Exact points that
 * outnumber pixels are drawn as ranges too.
 */
export interface CurveMark {
  readonly kind: 'curve'
  readonly name: string
  readonly style: Style
  readonly line: ChartSeries | Envelope
  /** Thin, behind the line: the runs that it is the mean of. */
  readonly runs?: readonly ChartSeries[]
  /** What those runs are called, where a reader may ask. */
  readonly runNames?: readonly string[]
  /** Thin, behind the line: what it is the moving mean of, and over how many points. */
  readonly smoothed?: { readonly raw: ChartSeries | Envelope; readonly over: number }
  /** Around the mean: one standard deviation of the runs. */
  readonly band?: { readonly x: readonly number[]; readonly low: GappedValues; readonly high: GappedValues }
}

/** Points joined in their order, on two measured axes. */
export interface PathMark {
  readonly kind: 'path'
  readonly name?: string
  readonly style: Style
  readonly x: GappedValues
  readonly y: GappedValues
  /** Beside some of the points, which are drawn larger. */
  readonly labels: readonly { readonly at: number; readonly text: string }[]
}

export interface PointsMark {
  readonly kind: 'points'
  readonly name?: string
  readonly style: Style
  readonly x: readonly number[]
  readonly y: GappedValues
  /** Error bars, along one of the axes. */
  readonly bars?: { readonly along: 'x' | 'y'; readonly low: GappedValues; readonly high: GappedValues }
  /** Tied to zero by a thin line. */
  readonly stems?: boolean
  /** Moved aside, so that what was measured at the same place stays visible. */
  readonly beside?: boolean
}

export interface BoxMark {
  readonly kind: 'box'
  readonly name?: string
  readonly style: Style
  readonly x: Extent
  readonly y: Extent
}

/** A straight line at one value, over the whole plot or a part of it. */
export interface RuleMark {
  readonly kind: 'rule'
  readonly name?: string
  readonly style: Style
  readonly axis: 'x' | 'y'
  readonly at: number
  readonly over?: Extent
}

/** Short strokes on the x axis: the steps that all sides share. */
export interface StrokesMark {
  readonly kind: 'strokes'
  readonly x: readonly number[]
}

/** A matrix, by row and column. */
export interface CellsMark {
  readonly kind: 'cells'
  readonly cells: readonly (readonly HeatmapCell[])[]
  /** Groups of cells, each as row and column, whose values are equal to the last digit. */
  readonly identical: readonly (readonly (readonly [row: number, column: number])[])[]
}

export type HeatmapCell =
  | { readonly value: number | null; readonly spread?: number }
  | { readonly missing: 'run' | 'evaluation' | 'training' }

/** A finding along training; the label is a sentence in the chart's language. */
export interface ChartFinding {
  readonly from: number
  readonly to: number
  readonly label: string
  readonly severity: Severity
  /** The metrics that it is about, as logged; without them it is about all. */
  readonly metrics?: readonly string[]
}

export function isMeasured(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** Something for what is known, nothing for what is not. */
export function ifKnown<Value, Made>(value: Value | null | undefined, make: (value: Value) => Made): readonly Made[] {
  return value === null || value === undefined ? [] : [make(value)]
}

/** The range of the values in each stretch of steps: what is drawn of more points than there are pixels. */
export interface Envelope {
  /** Steps in each stretch. */
  readonly size: number
  /** How many values went in. */
  readonly count: number
  readonly stretches: readonly ValueRange[]
}

export interface ValueRange {
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
  readonly mean: number
}

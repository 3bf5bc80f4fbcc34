import type { CustomSeriesOption, LineSeriesOption } from 'echarts/charts'
import type { GraphicComponentOption, GridComponentOption, LegendComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import type { Severity } from '../model/finding.js'
import type { Goal } from '../model/vocabulary/metric.js'
import type { Language } from '../text/language.js'

/** What goes into a chart and what comes out: plain data in, an ECharts option and the size it was laid out for out. */

export type ChartSeries = LineSeriesOption | CustomSeriesOption

export type ChartOption = ComposeOption<
  ChartSeries | GridComponentOption | LegendComponentOption | GraphicComponentOption
>

export interface Chart {
  readonly option: ChartOption
  readonly width: number
  readonly height: number
  /** For readers who cannot see it. */
  readonly description: string
}

/** What every chart is asked. */
export interface ChartRequest {
  readonly language: Language
  /** Pixels; 760 unless said otherwise. */
  readonly width?: number
}

/** Values in step order; one that is not finite is a gap. */
export interface ChartLine {
  readonly steps: ArrayLike<number>
  readonly values: ArrayLike<number>
}

/** An interval at each step. */
export interface ChartBand {
  readonly steps: ArrayLike<number>
  readonly low: ArrayLike<number>
  readonly high: ArrayLike<number>
}

/** A finding on the step axis. The label is a sentence in the reader's language. */
export interface ChartMarker {
  readonly from: number
  readonly to: number
  readonly label: string
  readonly severity: Severity
}

/** The metric on an axis, as it should be called. */
export interface ChartMetric {
  readonly name: string
  readonly goal?: Goal | null
}

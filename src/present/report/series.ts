import type { RunSide } from '../../analysis/compare/evidence.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'

/** What the charts of a report show of one side, read once. */
export interface SideSeries {
  readonly label: string
  /** The metric in question, of each run that has it. */
  readonly scores: readonly SeriesPoints[]
  /** The first run stands for its side in training curves: those of many replicates would hide each other. */
  readonly run: string
  readonly signals: ReadonlyMap<Signal, SeriesPoints>
}

/** What is shown of training, as far as a run logs it. */
export const SIGNALS = ['kl.ref', 'entropy', 'len.response', 'grad.norm', 'clip.frac', 'score.mean'] as const

export type Signal = (typeof SIGNALS)[number]

/** `metrics` are the raw names of the metric in question, one per side; none where there is no question. */
export async function readSideSeries(
  sides: readonly Pick<RunSide, 'label' | 'runs'>[],
  metrics: readonly string[],
): Promise<readonly SideSeries[]> {
  return Promise.all(
    sides.map(async ({ label, runs }, i) => {
      const named = SIGNALS.flatMap(signal =>
        runs[0]
          .metricsNamed(signal)
          .slice(0, 1)
          .map(name => ({ signal, name })),
      )
      const metric = metrics.slice(i, i + 1)
      const read = await Promise.all(
        runs.map((run, k) =>
          readSeries(run, [...new Set([...metric, ...(k === 0 ? named.map(({ name }) => name) : [])])]),
        ),
      )
      return {
        label,
        scores: metric.flatMap(name => read.flatMap(series => series.get(name) ?? [])),
        run: runs[0].manifest.id,
        signals: new Map(
          named.flatMap(({ signal, name }) => {
            const points = read[0].get(name)
            return points === undefined ? [] : [[signal, points] as const]
          }),
        ),
      }
    }),
  )
}

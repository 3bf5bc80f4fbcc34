import { figure } from '../../text/numbers.js'
import type { Chart, PathMark } from './chart.js'
import type { ChartMetric, ChartRequest } from './request.js'
import { saying } from './words.js'

/** Many runs and their settings at once: an axis for each setting and one for the score, a line for each run. */

export interface ParallelRequest extends ChartRequest {
  readonly metric: ChartMetric
  readonly settings: readonly string[]
  readonly runs: readonly ParallelRun[]
}

export interface ParallelRun {
  readonly score: number
  /** One for each setting; null where the run does not tell. */
  readonly values: readonly (number | string | null)[]
}

/** Values of so few kinds are all written on their axis; of more, the ends. */
const MOST_WRITTEN = 6

export function parallelChart({ language, metric, settings, runs }: ParallelRequest): Chart {
  const say = saying(language)
  const columns = [...settings.map((_, i) => runs.map(({ values }) => values[i])), runs.map(({ score }) => score)]
  const axes = columns.map(axisOf)
  const isLow = metric.goal === 'min'
  const ordered = runs.map(({ score }) => score).toSorted((a, b) => (isLow ? a - b : b - a))
  const thirds = ['best', 'middle', 'worst'] as const
  const thirdOf = (score: number): number => Math.min(2, Math.floor((3 * ordered.indexOf(score)) / runs.length))
  const styles = ['better', 'rest', 'worse'] as const
  const lineOf = (run: ParallelRun, third: number): PathMark => ({
    kind: 'path',
    name: say(`charts.parallel.${thirds[third]}`, {}),
    style: styles[third],
    x: axes.map((_, i) => i),
    y: [...run.values, run.score].map((value, i) => axes[i].placeOf(value)),
    labels: [],
  })
  return {
    language,
    title: say('charts.parallel.title', { metric: metric.name }),
    description: say('charts.parallel.described', {
      n: runs.length,
      metric: metric.name,
      settings: settings.join(', '),
    }),
    notes: [],
    panels: [
      {
        x: { kind: 'names', names: [...settings, metric.name] },
        y: { kind: 'value', isMute: true, holds: [0, 1] },
        marks: [
          ...axes.map(
            ({ written }, i): PathMark => ({
              kind: 'path',
              style: 'zero',
              x: written.map(() => i),
              y: written.map(({ place }) => place),
              labels: written.map(({ text }, at) => ({ at, text })),
            }),
          ),
          // The best lie over the others.
          ...runs
            .map(run => ({ run, third: thirdOf(run.score) }))
            .toSorted((a, b) => b.third - a.third)
            .map(({ run, third }) => lineOf(run, third)),
        ],
      },
    ],
    findings: [],
  }
}

interface ParallelAxis {
  readonly placeOf: (value: number | string | null) => number | null
  readonly written: readonly { readonly place: number; readonly text: string }[]
}

/** Numbers by size where there are many, else each value its own place at equal distances. */
function axisOf(values: readonly (number | string | null)[]): ParallelAxis {
  const known = [...new Set(values.filter(value => value !== null))]
  const isNumeric = known.every(value => typeof value === 'number')
  const sorted = known.toSorted((a, b) => (isNumeric ? Number(a) - Number(b) : String(a).localeCompare(String(b))))
  const textOf = (value: number | string): string => (typeof value === 'number' ? figure(value, 3) : value)
  if (!isNumeric || sorted.length <= MOST_WRITTEN) {
    const placeOf = (value: number | string): number =>
      sorted.length < 2 ? 0.5 : sorted.indexOf(value) / (sorted.length - 1)
    return {
      placeOf: value => (value === null ? null : placeOf(value)),
      written: sorted.map(value => ({ place: placeOf(value), text: textOf(value) })),
    }
  }
  const [low, high] = [Number(sorted[0]), Number(sorted[sorted.length - 1])]
  return {
    placeOf: value => (value === null ? null : (Number(value) - low) / (high - low)),
    written: [low, high].map((value, place) => ({ place, text: textOf(value) })),
  }
}

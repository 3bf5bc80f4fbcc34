import { z } from 'zod'
import type { RunView } from '../../core/analysis/run-view.js'
import { outlinesAlong } from '../../core/analysis/series-along.js'
import { exactPoints, ranges, type Window } from '../../core/analysis/series-outline.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { render } from '../../text/sentences.js'
import { list, numberWithin, request } from './fields.js'
import { resolveAll } from './names.js'
import { problemOf, question } from './question.js'

/**
 * Series as a picture needs them: every point where there are few, else the range of each stretch, and how many points
 * there are in either case. A picture that zooms asks again for its window. Along time, tokens and samples the stretches
 * are made here, because the store orders points by step.
 */

const MOST = 4000
const USUALLY = 1000
/** A query of one short file keeps one core busy at most. */
const RUNS_AT_ONCE = 4

const along = z.enum(['steps', 'seconds', 'time', 'tokens', 'samples'])

const about = {
  run: z.string(),
  metric: z.string(),
  /** The names of the request that it answers: `val.score` is whatever the run is judged by. */
  asked: list(z.string()),
  canonical: z.string().nullable(),
  goal: z.enum(['max', 'min']).nullable(),
  unit: z.string().nullable(),
}

const seriesAnswer = z.object({
  along,
  series: list(z.discriminatedUnion('shown', [exactPoints.extend(about), ranges.extend(about)])),
  /** Runs whose log does not tell how far they were along this axis. */
  without: list(z.string()),
  /** Runs whose data cannot be read, and why. */
  unread: list(z.object({ run: z.string(), reason: z.string() })),
})

export type SeriesOutlineAnswer = z.infer<typeof seriesAnswer>
type OneSeries = SeriesOutlineAnswer['series'][number]

const seriesRequest = request({
  runs: list(z.string()).refine(runs => runs.length <= 200, { message: '200 runs at most' }),
  /** Raw names, or canonical ones: then the best carrier of each run. A run that has none is left out. */
  metric: list(z.string()).refine(metrics => metrics.length <= 50, { message: '50 metrics at most' }),
  along: along.default('steps'),
  /** The window, in the unit of the axis. */
  from: numberWithin({}),
  to: numberWithin({}),
  /** For a picture along powers of ten: the first stretches are divided further. */
  log: z.boolean().default(false),
  /** At most so many points or stretches of each. */
  most: numberWithin({ above: 9, below: MOST + 1, whole: true }),
})

export const series = question({
  request: seriesRequest,
  answer: seriesAnswer,
  async ask(workspace, asked, asking) {
    const runs = await resolveAll(workspace, asked.runs, asking)
    const window = { from: asked.from ?? Number.NEGATIVE_INFINITY, to: asked.to ?? Number.POSITIVE_INFINITY }
    const readOne = async (run: RunView): Promise<ReadRun> => {
      const { id } = run.manifest
      try {
        return { id, series: await seriesOfRun(run, asked, window) }
      } catch (error) {
        const problem = problemOf(error)
        if (problem === null || runs.length === 1) throw error
        return { id, reason: render(problem.sentence, asked.lang) }
      }
    }
    const read: ReadRun[] = []
    for (let at = 0; at < runs.length; at += RUNS_AT_ONCE) {
      asking.signal?.throwIfAborted()
      read.push(...(await Promise.all(runs.slice(at, at + RUNS_AT_ONCE).map(readOne))))
    }
    return {
      along: asked.along,
      series: read.flatMap(run => ('series' in run && run.series) || []),
      without: read.flatMap(run => ('series' in run && run.series === null ? [run.id] : [])),
      unread: read.flatMap(run => ('reason' in run ? [{ run: run.id, reason: run.reason }] : [])),
    }
  },
})

/** Without series where its log does not tell how far it was along the axis. */
type ReadRun =
  | { readonly id: string; readonly series: readonly OneSeries[] | null }
  | { readonly id: string; readonly reason: string }

type Wanted = z.output<typeof seriesRequest>

/** Null where its log does not tell how far it was along the axis. */
async function seriesOfRun(run: RunView, asked: Wanted, window: Window): Promise<readonly OneSeries[] | null> {
  const names = groupBy(asked.metric, name => run.metricsNamed(name)[0])
  const metrics = [...names.keys()].filter(metric => metric !== undefined)
  const outlines = await outlinesAlong(asked.along, run, metrics, {
    window,
    most: asked.most ?? USUALLY,
    log: asked.log,
  })
  if (outlines === null) return null
  return metrics.flatMap(metric => {
    const points = outlines.get(metric)
    const { canonical, goal, unit } = run.meaningOf(metric)
    return points === undefined
      ? []
      : [{ run: run.manifest.id, metric, asked: names.get(metric) ?? [], canonical, goal, unit, ...points }]
  })
}

import { z } from 'zod'
import { extremesOf, originPoint, originsOf, pointsWithin } from '../../core/analysis/origin.js'
import { readSeries } from '../../core/store/series.js'
import { Problem } from '../../logs/model/problem.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { list, numberWithin, request, someOf } from './fields.js'
import { resolveOne } from './names.js'
import { question } from './question.js'

/**
 * Where does this number come from? A point of a run, and the line or record of the log that it was read from. Of a
 * stretch of steps, the lowest and the highest point.
 */

const say = sentences({
  'origin.no-point': {
    en: '{run} has no point of {metric} there; its steps are {from} to {to}',
    zh: '{run} 的 {metric} 在此处没有数据点；其 step 为 {from} 到 {to}',
  },
})

const originSchema = z.object({
  run: z.string(),
  name: z.string(),
  /** As the log calls it. */
  metric: z.string(),
  canonical: z.string().nullable(),
  /** How many points the stretch has. */
  total: z.number(),
  points: list(originPoint),
})

export const origin = question({
  request: request({
    run: z.string(),
    /** Raw or canonical. */
    metric: z.string(),
    step: numberWithin({}),
    /** Instead of a step, the end of a stretch that begins there. */
    to: numberWithin({}),
    /** Files outside the workspace are opened only where the person who asks could open them, too. */
    reach: z.enum(['registered', 'workspace']).default('registered'),
  }),
  answer: encoded(originSchema),
  async ask(workspace, { run: named, metric: called, step, to, reach, lang }, asking) {
    const run = await resolveOne(workspace, named, asking)
    const { manifest } = run
    const [metric] = run.metricsNamed(called)
    if (metric === undefined) {
      const known = someOf([...manifest.metrics.keys()], 8)
      throw new Problem('not-found', message('show.no-metric', { run: manifest.id, metric: called, known }))
    }
    const points = (await readSeries(run, [metric])).get(metric)
    const wanted = points === undefined ? [] : pointsWithin(points, step, to)
    if (points === undefined || wanted.length === 0) {
      const { firstStep, lastStep } = manifest.metrics.get(metric) ?? { firstStep: 0, lastStep: 0 }
      throw new Problem(
        'not-found',
        say('origin.no-point', { run: manifest.name, metric: called, from: firstStep, to: lastStep }),
      )
    }
    const origins = await originsOf(run, metric, points, extremesOf(points, wanted), { reach, signal: asking.signal })
    const { canonical } = run.meaningOf(metric)
    const about = { run: manifest.id, name: manifest.givenName ?? manifest.name, metric, canonical }
    return encode({ ...about, total: wanted.length, points: origins }, lang)
  },
})

export type OriginAnswer = z.infer<typeof origin.answer>

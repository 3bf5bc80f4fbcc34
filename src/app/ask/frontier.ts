import { z } from 'zod'
import { frontierAnswer, frontierOf } from '../../core/analysis/frontier/answer.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { ended, goal, list, metric, request, size } from './fields.js'
import { resolveAll, resolveRuns } from './names.js'
import { question } from './question.js'

/** What did the distance from the reference buy, and what did it cost? */
export const frontier = question({
  request: request({
    runs: list(z.string()),
    /** Config keys, raw or canonical; none: the KL coefficient, or the one setting that differs. */
    over: list(z.string()).default([]),
    /** A run of the setting to compare with. */
    baseline: z.string().optional(),
    metric,
    goal,
    margin: size,
    ended,
  }),
  answer: encoded(frontierAnswer),
  async ask(workspace, { runs: names, baseline: named, lang, ...options }, asking) {
    const runs = await resolveAll(workspace, names, asking)
    const [baseline = null] = named === undefined ? [] : await resolveRuns(workspace, named, asking)
    return encode(await frontierOf(workspace, runs, { ...options, baseline }), lang)
  },
})

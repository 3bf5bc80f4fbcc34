import { z } from 'zod'
import { forecastAnswer, forecastRun } from '../../core/analysis/forecast/answer.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { goal, numberWithin, request } from './fields.js'
import { resolveOne } from './names.js'
import { question } from './question.js'

/** Where will this training end, and is the rest of it worth its time? */
export const forecast = question({
  request: request({
    run: z.string(),
    metric: z.string().nullable().default(null),
    goal,
    /** A score to pass. */
    target: numberWithin({}),
    /** A finished run to pass. */
    baseline: z.string().nullable().default(null),
    /** The last step, where the settings do not tell it. */
    until: numberWithin({ above: 0 }),
    /** As if seen at this step. */
    at: numberWithin({ above: 0 }),
  }),
  answer: encoded(forecastAnswer),
  async ask(workspace, { run: name, baseline: named, lang, ...wanted }, asking) {
    const run = await resolveOne(workspace, name, asking)
    const baseline = named === null ? null : await resolveOne(workspace, named, asking)
    return encode(await forecastRun(workspace, run, { ...wanted, baseline }), lang)
  },
})

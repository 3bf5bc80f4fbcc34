import { frontierAnswer, frontierOf } from '../../core/analysis/frontier/answer.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { numberWithin } from './fields.js'
import { resolveAll } from './names.js'
import { question } from './question.js'
import { baselineRun, sweepRequest } from './sweep.js'

/** What did moving away from the reference gain, and what did it cost? Without `over` it is asked of the KL coefficient, or of the one setting that differs. */
export const frontier = question({
  request: sweepRequest.extend({
    /** Which is the best setting within this KL? */
    maxKl: numberWithin({ above: 0 }),
  }),
  answer: encoded(frontierAnswer),
  async ask(workspace, { runs: names, baseline: named, lang, ...options }, asking) {
    const runs = await resolveAll(workspace, names, asking)
    const baseline = named === undefined ? null : await baselineRun(workspace, named, asking)
    return encode(await frontierOf(workspace, runs, { ...options, baseline }), lang)
  },
})

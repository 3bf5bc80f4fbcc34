import { z } from 'zod'
import { gateAnswer, gateStatusAnswer, statusOf } from '../../core/analysis/gate/answer.js'
import { lookAtCandidate } from '../../core/analysis/gate/look.js'
import { listLoops, lookAtLoop, readLoop } from '../../core/store/loop-ledger.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { comparisonOf } from './compare.js'
import { ended, request, size } from './fields.js'
import { resolveSides } from './names.js'
import { question } from './question.js'

/** Keep, discard, or run more? One look at a candidate of a loop, remembered in the loop's ledger. */
export const gate = question({
  request: request({
    /** Runs of the incumbent and of the candidate: names, patterns or paths, as `compare` takes them. */
    baseline: z.string(),
    candidate: z.string(),
    /** The metric to judge by, or `max` or `min`; what `compare` is judged by unless given. */
    goal: z.string().nullable().default(null),
    /** The smallest gain worth keeping. */
    margin: size,
    loop: z.string().default(''),
    ended,
  }),
  answer: encoded(gateAnswer),
  async ask(workspace, { baseline, candidate, loop, lang, ...asked }, asking) {
    // A name or a ledger that is no good is said before a log is imported, and others need not wait for that.
    await readLoop(workspace, loop)
    const [incumbent, proposed] = await resolveSides(workspace, [baseline, candidate], asking)
    const answer = await lookAtLoop(workspace, loop, looks =>
      lookAtCandidate(workspace, loop, looks, [incumbent, proposed], {
        ...asked,
        compare: (sides, spec) => comparisonOf(workspace, sides, spec),
      }),
    )
    return encode(answer, lang)
  },
})

export const gateStatus = question({
  request: request({
    /** All loops of the workspace without it. */
    loop: z.string().nullable().default(null),
  }),
  answer: encoded(gateStatusAnswer),
  async ask(workspace, { loop, lang }) {
    const names = loop === null ? await listLoops(workspace) : [loop]
    const found = await Promise.all(names.map(async name => statusOf(name, await readLoop(workspace, name)) ?? []))
    return encode({ loops: found.flat() }, lang)
  },
})

import { z } from 'zod'
import { findRollouts, rolloutsAnswer } from '../../core/analysis/samples/rollouts.js'
import { ROLLOUT_ORDERS } from '../../core/store/rollouts.js'
import { encode } from '../../text/encode.js'
import { numberWithin, otherwise, refuse, request } from './fields.js'
import { question } from './question.js'
import { conditionAsked, sidesNamed } from './samples.js'

/** Which answers did a run give at a step, what did each earn, and why? */

const USUALLY_SHOWN = 20

export const rollouts = question({
  request: request({
    /** A run, or RUN@STEP; without a step the last one that has answers. */
    run: z.string(),
    allSteps: z.boolean().default(false),
    metric: z.string().nullable().default(null),
    condition: conditionAsked,
    /** `0.5:1`: scores from 0.5 to 1, both included. */
    scores: z
      .string()
      .transform((text, context) => {
        const [low, high, ...more] = text.split(':').map(each => (each.trim() === '' ? Number.NaN : Number(each)))
        if (more.length === 0 && low <= high) return { low, high }
        return refuse(context, text, 'rollouts.bad-scores')
      })
      .nullable()
      .default(null),
    /** In prompts, answers, right answers and ids. */
    search: z.string().default(''),
    /** Why it ended. */
    ended: z.string().nullable().default(null),
    /** All answers to the prompt of this id. */
    prompt: z.string().nullable().default(null),
    /** Only answers that another one is identical to. */
    repeated: z.boolean().default(false),
    /** The best first, unless said otherwise. */
    order: z.enum(ROLLOUT_ORDERS, otherwise('rollouts.bad-order')).nullable().default(null),
    from: numberWithin({ above: -1, whole: true }),
    most: numberWithin({ above: 0, below: 1_001, whole: true }),
    /** Whole texts; else those beyond 4,000 characters are cut. */
    whole: z.boolean().default(false),
    /** What is rewarded at so many steps, too. */
    byStep: numberWithin({ above: 0, whole: true }),
  }),
  answer: rolloutsAnswer,
  async ask(workspace, { run, lang, ...asked }, asking) {
    const [side] = await sidesNamed(workspace, [run], asking)
    const { scores, search, ended, prompt, repeated, from, most, byStep, ...rest } = asked
    const filter = { scores, search: search.trim(), ended, prompt, isRepeated: repeated }
    const page = { from: from ?? 0, most: most ?? USUALLY_SHOWN, byStep: byStep ?? null }
    return encode(await findRollouts(side, { ...rest, ...page, filter }), lang)
  },
})

export type RolloutsAnswer = z.infer<typeof rollouts.answer>

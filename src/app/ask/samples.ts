import { z } from 'zod'
import type { sampleText } from '../../core/analysis/samples/sample-text.js'
import { answerSamples, samplesAnswer } from '../../core/analysis/samples/samples.js'
import { type NamedSide, selectSamples } from '../../core/analysis/samples/select.js'
import type { Workspace } from '../../core/store/workspace.js'
import type { Condition } from '../../logs/model/evaluation.js'
import { Problem } from '../../logs/model/problem.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { message } from '../../text/say.js'
import { list, numberWithin, otherwise, refuse, request } from './fields.js'
import { type Naming, resolveSides } from './names.js'
import { question } from './question.js'

/** Which prompts flipped between two checkpoints, and why do answers fail? */

const USUALLY_SHOWN = 5

/** `dataset=gsm8k`, `shots=4`, … */
export const conditionAsked = list(
  z.string().transform((text, context): readonly [key: string, value: string | number] => {
    const [, key, value] = /^(dataset|split|shots|temperature)=(.+)$/s.exec(text) ?? []
    const read = key === 'shots' || key === 'temperature' ? Number(value) : value
    if (key === undefined || Number.isNaN(read)) return refuse(context, text, 'samples.bad-condition')
    return [key, read]
  }),
)
  .default([])
  .transform((conditions): Condition => Object.fromEntries(conditions))

const samplesRequest = request({
  sides: list(z.string()).refine(sides => sides.length < 3, otherwise('samples.too-many-sides')),
  /** Whether the texts of flips, and of failed answers, are wanted. */
  flips: z.boolean().default(false),
  failures: z.boolean().default(false),
  /** How many of each. */
  limit: numberWithin({ above: 0, whole: true }),
  metric: z.string().nullable().default(null),
  condition: conditionAsked,
  /** Whether the scores of all prompts are wanted, and of which of them the texts. */
  prompts: z.boolean().default(false),
  ids: list(z.string()).default([]),
})

export const samples = question({
  request: samplesRequest,
  answer: encoded(samplesAnswer),
  async ask(workspace, { sides, metric, condition, lang, ...options }, asking) {
    const selection = await selectSamples(await sidesNamed(workspace, sides, asking), { metric, condition })
    return encode(await answerSamples(selection, { ...options, limit: options.limit ?? USUALLY_SHOWN }), lang)
  },
})

export type SamplesAnswer = z.infer<typeof samples.answer>
export type SampleText = z.infer<typeof sampleText>

export async function sidesNamed(
  workspace: Workspace,
  names: readonly string[],
  naming: Naming,
): Promise<readonly NamedSide[]> {
  const sides = await resolveSides(workspace, names, naming)
  return sides.map(({ label, runs, checkpoint }) => {
    if (runs.length === 1) return { label, run: runs[0], step: checkpoint }
    throw new Problem('bad-request', message('samples.one-run', { side: label, count: runs.length }))
  })
}

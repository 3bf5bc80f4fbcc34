import { z } from 'zod'

/** What a look of `settle` saw of an arm against the baseline, as it is answered and kept (settle-seeds.ts, settle-prompts.ts). */

export const seedLookSchema = z.object({
  /** A side. */
  seeds: z.number(),
  estimate: z.number(),
  interval: z.tuple([z.number(), z.number()]).readonly(),
  /** Of seeds within an arm. */
  scatter: z.number(),
  p: z.number(),
  claimBound: z.number(),
  pSame: z.number().nullable(),
  sameBound: z.number(),
  chance: z.number(),
})

export const promptLookSchema = z.object({
  prompts: z.number(),
  estimate: z.number(),
  forBaseline: z.number(),
  forArm: z.number(),
  evidence: z.number(),
  claimAt: z.number(),
  evidenceSame: z.number().nullable(),
  sameAt: z.number(),
})

export const verdictSchema = z.enum(['better', 'worse', 'same', 'undetermined'])

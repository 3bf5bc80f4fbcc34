import { z } from 'zod'
import type { Json } from '../json.js'

/**
 * What plans, files, answers and pages say of a study: states, looks, verdicts, drops, costs. Schemas and nothing else, since
 * the page is type-checked with a browser's world around it, in which nothing that trains can be.
 */

export const verdictSchema = z.enum(['better', 'worse', 'same', 'undetermined'])

export type ArmVerdict = z.infer<typeof verdictSchema>

const interval = z.tuple([z.number(), z.number()]).readonly()

/** What a look at equally many seeds a side saw of an arm against the baseline (study/settle/sequential.ts). */
export const seedLookSchema = z.object({
  /** A side. */
  seeds: z.number(),
  /** The arm minus the baseline. */
  estimate: z.number(),
  interval,
  /** Of seeds within an arm. */
  scatter: z.number(),
  p: z.number(),
  claimBound: z.number(),
  /** Null without a margin. */
  pSame: z.number().nullable(),
  sameBound: z.number(),
  /** Chance that the last look would settle it, if seeds go on as they did. */
  chance: z.number(),
})

export type SeedLook = z.infer<typeof seedLookSchema>

/** What a look at so many prompts saw of an arm against the baseline (study/settle/sequential.ts). */
export const promptLookSchema = z.object({
  prompts: z.number(),
  /** Mean of the arm minus the baseline. */
  estimate: z.number(),
  /** Prompts on which the baseline scored higher, and the arm. */
  forBaseline: z.number(),
  forArm: z.number(),
  /** Against "no difference": so many to one. */
  evidence: z.number(),
  claimAt: z.number(),
  /** Against a difference of the margin or more; null without a margin. */
  evidenceSame: z.number().nullable(),
  sameAt: z.number(),
})

export type PromptLook = z.infer<typeof promptLookSchema>

const lookSchema = z.union([seedLookSchema, promptLookSchema])

/** A look at one arm among several. */
export type ArmLook = { readonly other: string } & (SeedLook | PromptLook)

/** How each arm stands against the baseline by the looks so far. */
export const settlingSchema = z.object({
  /** Seeds speak about the settings, prompts about these checkpoints. */
  by: z.enum(['seeds', 'prompts']),
  baseline: z.string(),
  /** Seeds a side, or prompts, at each planned look. */
  planned: z.array(z.number()).readonly(),
  others: z
    .array(
      z.object({
        arm: z.string(),
        looks: z.array(lookSchema).readonly(),
        /** Against the baseline; null until a look settles it. */
        verdict: verdictSchema.nullable(),
      }),
    )
    .readonly(),
})

export type Settling = z.infer<typeof settlingSchema>

/** An arm that nothing more is trained of. */
export const dropSchema = z.object({
  arm: z.string(),
  /** Unix seconds. */
  at: z.number(),
  by: z.enum(['rule', 'person']),
  /** Null where a person dropped it. */
  evidence: z
    .object({
      /** Share of the planned evaluations that had been made. */
      share: z.number(),
      leader: z.string(),
      /** Of the arm, null where all its runs are dead, and of the leader. */
      level: z.number().nullable(),
      leaderLevel: z.number(),
      seeds: z.number(),
      leaderSeeds: z.number(),
      /** How far behind the leader an arm may be; null where it is dead. */
      reach: z.number().nullable(),
    })
    .nullable(),
})

export type Drop = z.infer<typeof dropSchema>
export type DropEvidence = NonNullable<Drop['evidence']>

/** The last interim analysis of an arm, and what it claims; null where it does not pass the bound of its part of the 5 %. */
export const interimSchema = z.object({ look: lookSchema, verdict: verdictSchema.nullable() })

/** An arm against the baseline by all of its seeds. */
export const finalVerdictSchema = z.object({
  other: z.string(),
  verdict: verdictSchema,
  /** The arm minus the baseline over all seeds; null where one of them has fewer than three. */
  estimate: z.number().nullable(),
  interval: interval.nullable(),
  /** Corrected for all arms that were started. */
  p: z.number().nullable(),
  pSame: z.number().nullable(),
  seeds: z.number(),
  isDropped: z.boolean(),
  /** Where seeds or prompts were added until it is resolved: a claim takes an interim analysis that makes it. */
  interim: interimSchema.nullable(),
})

export type FinalVerdict = z.infer<typeof finalVerdictSchema>

/** What has been spent: trials that were begun, and the hours that their epochs and those of their stages took. */
export const costSchema = z.object({ trials: z.number(), hours: z.number() })

export type StudyCost = z.infer<typeof costSchema>

const json: z.ZodType<Json> = z.json()

/** The design before the first result, and what was changed since. `hash` is that of the file as it is now. */
export const designSchema = z.object({
  hash: z.string(),
  frozen: z.object({ hash: z.string(), at: z.number() }).nullable(),
  changed: z.array(z.object({ key: z.string(), before: json, now: json })).readonly(),
})

export type Design = z.infer<typeof designSchema>

/** The best setting, or arm, within a KL. */
export const withinKlSchema = z.object({
  max: z.number(),
  /** Null: none is known to stay within it. */
  best: z.string().nullable(),
  /** Those that may be the best of those within. */
  candidates: z.array(z.string()).readonly(),
  settings: z
    .array(
      z.object({
        setting: z.string(),
        kl: z.number().nullable(),
        interval: z.tuple([z.number(), z.number()]).readonly().nullable(),
        /** By the 95 % interval of its KL; open where that holds the limit, or one run has none. */
        state: z.enum(['within', 'beyond', 'open', 'unknown']),
      }),
    )
    .readonly(),
})

export type WithinKl = z.infer<typeof withinKlSchema>

import { z } from 'zod'
import { costSchema, STATES, settlingSchema } from '../study/terms.js'
import { figure, json, list, pair } from './fields.js'

/**
 * What a page is told of studies. Apart from the questions themselves, because the page is type-checked with a browser's
 * world around it, in which nothing that trains can be; and no path of this machine is among it.
 */

const studySummary = z.object({
  study: z.string(),
  question: z.string(),
  metric: z.string(),
  /** Unix seconds: when its design was frozen, right before its first trial. */
  frozenAt: z.number(),
  states: z.record(z.enum(STATES), z.number()),
  /** The arm that stands best so far; null while there is none. */
  best: z.object({ arm: z.string(), mean: z.number(), n: z.number() }).nullable(),
  cost: costSchema,
})

export const studiesAnswer = z.object({
  studies: list(studySummary),
  /** Those whose frozen design cannot be read by this klens. */
  damaged: list(z.string()),
})

export type StudiesAnswer = z.infer<typeof studiesAnswer>

const cellView = z.object({
  trial: z.string(),
  arm: z.string(),
  /** Which evaluation it is of; empty for the trial's own validation, in training. */
  table: z.string(),
  /** What sets it apart from the other cells of its arm in the same table: the seed, and the step of a checkpoint. */
  seed: z.number(),
  step: z.number().nullable(),
  state: z.enum(STATES),
  /** The run that counts. */
  run: z.string().nullable(),
  value: figure.nullable(),
  /** How many evaluations a trial that runs has made, and how many it is to make where that is known. */
  progress: z.object({ done: z.number(), planned: z.number().nullable() }).nullable(),
  /** Why it failed, or should not be taken as it is. */
  why: list(z.string()),
})

const armView = z.object({
  arm: z.string(),
  /** What it sets over the base. */
  settings: z.record(z.string(), json),
  /** One for each seed that can be taken as it is. */
  values: list(z.number()),
  mean: z.number().nullable(),
  /** 95 %, over seeds; null with fewer than two. */
  interval: pair(z.number()).nullable(),
  /** `dropped`: nothing more is trained of it. `kept`: no rule may drop it. */
  standing: z.enum(['open', 'dropped', 'kept']),
  /** Of a dropped one: by whom, when (Unix seconds), and on what evidence, in words. */
  drop: z.object({ by: z.enum(['rule', 'person']), at: z.number(), why: z.string() }).nullable(),
})

export const studyViewAnswer = z.object({
  study: z.string(),
  question: z.string(),
  metric: z.string(),
  direction: z.enum(['max', 'min']),
  margin: z.number().nullable(),
  expectations: list(z.string()),
  frozen: z.object({ hash: z.string(), at: z.number() }),
  cost: costSchema,
  budget: z.object({ trials: z.number().nullable(), hours: z.number().nullable() }),
  cells: list(cellView),
  arms: list(armView),
  /** Where all arms differ by one number and nothing else: that number of each, in the order of the arms. */
  dose: z.object({ key: z.string(), doses: list(z.number()) }).nullable(),
  /**
   * What `klens study settle` would say of the seeds that are there, or has said where prompts are bought; null where
   * there is one arm, or nothing to be told yet.
   */
  settle: settlingSchema.nullable(),
  /** Who works on it now: a process on this machine or elsewhere, and what was handed over to an executor and goes on. */
  work: z.object({ process: z.enum(['here', 'elsewhere']).nullable(), jobs: z.number() }),
  /** Whether a rule of the file may drop arms, which `kept` ones are safe from. */
  dropsByRule: z.boolean(),
  /** Whether `klens study settle` has arms to compare. */
  canSettle: z.boolean(),
  /** Runs of this name that the frozen design does not plan: the file was changed since. */
  unplanned: z.number(),
})

export type StudyViewAnswer = z.infer<typeof studyViewAnswer>

export type StudyCellView = z.infer<typeof cellView>

/** What a page shows of the events of a study: its last one, as little as it needs. */
export type StudyStep =
  | { readonly event: 'begun'; readonly trial: string }
  | { readonly event: 'epoch'; readonly trial: string; readonly epoch: number }
  | { readonly event: 'ended'; readonly trial: string; readonly run: string | null; readonly isFailed: boolean }
  | { readonly event: 'evaluated'; readonly trial: string; readonly done: number; readonly total: number }
  | { readonly event: 'dropped'; readonly arm: string }
  | { readonly event: 'look'; readonly arm: string; readonly seeds?: number; readonly prompts?: number }

import { z } from 'zod'
import { encoded } from '../../../text/answer-schema.js'
import type { Json } from '../json.js'
import { goalSchema } from '../vocabulary/judged-by.js'
import { STATES } from './state.js'
import {
  costSchema,
  designSchema,
  dropSchema,
  finalVerdictSchema,
  promptLookSchema,
  seedLookSchema,
  settlingSchema,
  verdictSchema,
  withinKlSchema,
} from './terms.js'

/**
 * What is answered about studies, by schema: the JSON contracts, and what the presentation and the page know of a study.
 * What a page is told has no path of this machine in it.
 */

const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
const text = z.string()
const number = z.number()
const json: z.ZodType<Json> = z.json()
const settings = z.record(text, json)
/** NaN and the infinities are words. */
const figure = z.union([number, z.enum(['NaN', 'Infinity', '-Infinity'])])
const stopped = z.enum(['asked', 'out-of-budget']).nullable()
/** By what the verdicts judge; null where evaluations after the training decide, or nothing has run. */
const judged = {
  judgedBy: encoded(goalSchema).nullable(),
  /** The best arm within the KL that the file allows; null where it allows any. */
  within: withinKlSchema.nullable(),
}
const checkpoint = z.object({ step: number, contentHash: text, path: text })

/** A trial under a condition at a checkpoint. Without an `evaluation` it is the trial's own validation, in training. */
const cellAnswer = z.object({
  trial: text,
  /** Hash of all that determines the trial. */
  id: text,
  arm: text,
  values: settings,
  /** What the evaluation is called in the file, and which checkpoints it asks for. */
  evaluation: text.nullable(),
  which: json,
  /** Under which circumstances the score was measured; absent means unknown. */
  condition: z.object({
    dataset: text.optional(),
    shots: number.optional(),
    temperature: number.optional(),
    split: text.optional(),
    aggregate: text.optional(),
  }),
  state: z.enum(STATES),
  /** Of an evaluation: where its single scores are. */
  runs: list(text),
  /** Whose weights the figure is of. */
  checkpoint: checkpoint.nullable(),
  value: figure.nullable(),
  /** How many evaluations of the metric there are, of which the value is the last; of an evaluation, how many samples. */
  n: number,
  suspicious: list(text),
  /** Of these, what somebody vouches for; `suspicious` is a state only where one is left. */
  acknowledged: list(z.object({ suspicion: text, because: text, at: number })),
  reasons: list(text),
})

export type CellAnswer = z.infer<typeof cellAnswer>

const stageAnswer = z.object({
  stage: text,
  seed: number,
  /** Hash of all that determines it; equal for the same stage of another study. */
  id: text,
  /** Hash of the stage that it starts from. */
  from: text.nullable(),
  state: z.enum(['done', 'running', 'pending', 'failed', 'dropped']),
  runs: list(text),
  checkpoint: checkpoint.nullable(),
  reasons: list(text),
})

export const statusAnswer = z.object({
  study: text,
  question: text,
  metric: text,
  design: designSchema,
  stages: list(stageAnswer),
  cells: list(cellAnswer),
  baseline: text,
  /** Each arm against the baseline, by every trial that there is. */
  verdicts: list(finalVerdictSchema),
  ...judged,
  cost: costSchema,
})

export type StudyStatusAnswer = z.infer<typeof statusAnswer>

const programsAnswer = z.object({
  /** To be given to --trust by a person who has read the commands. */
  hash: text,
  trusted: z.boolean(),
  /** What the file has klens start to hand trials over, and gives them there. */
  executor: list(text),
  /** Services that run beside trials, and what scores their checkpoints. */
  beside: list(text),
  arms: list(
    z.object({
      arm: text,
      /** That of its first seed, quoted as a person would type it. */
      command: text,
      seed: number,
      words: list(text),
      environment: z.record(text, text),
      folder: text,
      /** False: klens does not know this program, so that only what varies was looked at. */
      examined: z.boolean(),
      findings: list(z.object({ rule: text, severity: z.enum(['error', 'warning', 'note']), message: text })),
      /** Why the study is refused. */
      refused: list(text),
    }),
  ),
})

export type ProgramsAnswer = z.infer<typeof programsAnswer>

export const runAnswer = z.object({
  study: text,
  dryRun: z.boolean(),
  design: designSchema,
  /** What the settings of an arm fix beforehand. */
  arms: list(z.object({ arm: text, byConstruction: list(text) })),
  /** What would be started; null for what klens trains itself. */
  programs: programsAnswer.nullable(),
  trials: list(
    z.object({
      trial: text,
      id: text,
      arm: text,
      values: settings,
      state: z.enum(['done', 'running', 'pending', 'failed', 'missing', 'dropped']),
      run: text.nullable(),
    }),
  ),
  /** How many were finished before and left out. */
  known: number,
  /** Evaluations that this call has made, and those that it could not. */
  evaluated: number,
  left: number,
  /** Why not all was trained: it was asked to stop, or the hours of the budget are spent. */
  stopped,
  drops: list(dropSchema),
  baseline: text,
  /** Each arm against the baseline, as far as all its seeds are there. */
  verdicts: list(finalVerdictSchema),
  ...judged,
  cost: costSchema,
})

export type StudyRunAnswer = z.infer<typeof runAnswer>

export const evalAnswer = z.object({
  study: text,
  /** How many were evaluated by this call. */
  evaluated: number,
  /** How many have still no score of every sample, with a checkpoint to evaluate. */
  left: number,
  stopped: z.enum(['asked']).nullable(),
  cells: list(cellAnswer),
})

const ofArm = { other: text }

const armAnswer = z.object({
  ...ofArm,
  verdict: verdictSchema,
  why: z.enum(['claim', 'same', 'futile', 'last-look', 'dropped']),
})

export type ArmAnswer = z.infer<typeof armAnswer>

const offer = z.object({
  kind: z.enum(['seeds', 'prompts']),
  /** Seeds a side, or prompts a run, that there would be then. */
  count: number,
  seconds: number,
  /** Standard error of the difference of two arms, then. */
  error: number,
})

export type Offer = z.infer<typeof offer>

const settleResult = z.object({
  baseline: text,
  /** In the order in which they were made; several arms have a look each. */
  looks: list(z.union([seedLookSchema.extend(ofArm), promptLookSchema.extend(ofArm)])),
  /** Of each arm against the baseline, as far as it is settled. */
  answers: list(armAnswer),
  /** Of the arm that did best. Null: stopped or out of budget before all was settled. */
  answer: armAnswer.nullable(),
  /** What was bought for each look, by this call: trainings, and prompts that each run was asked. */
  bought: list(z.object({ look: number, trials: list(text), prompts: number.nullable() })),
  /** Standard deviation between seeds, and what the prompts add to a run's score; null where prompts are not bought. */
  components: z.object({ seeds: number, prompts: number, asked: number }).nullable(),
  /** What could be bought next, the better buy first; empty where it is settled. */
  offers: list(offer),
  /** The next look, and the trainings that it would take; null where it is settled. */
  next: z.object({ look: number, trials: number }).nullable(),
  stopped,
  cost: costSchema.extend({ answers: number }),
  /** Of a study that looks only once (`study/settle/offers.ts`); null before the first look. */
  fixedDesignCost: costSchema
    .extend({ seeds: number, prompts: number.nullable(), by: z.enum(['margin', 'most']) })
    .nullable(),
})

export type SettleResult = z.infer<typeof settleResult>

export const settleAnswer = settleResult.extend({
  study: text,
  question: text,
  /** What is judged: where prompts are bought, what they score. */
  metric: text,
  direction: z.enum(['max', 'min']),
  margin: number.nullable(),
  design: designSchema,
  by: z.enum(['seeds', 'prompts']),
  /** Seeds speak about the settings, prompts about these checkpoints. */
  scope: z.enum(['configs', 'checkpoints']),
  /** As `status`, `run` and the report give them. */
  verdicts: list(finalVerdictSchema),
  ...judged,
})

export type StudySettleAnswer = z.infer<typeof settleAnswer>

const searchResult = z.object({
  points: list(
    z.object({
      arm: text,
      settings,
      /** By seed. */
      values: list(number),
      /** The level that is believed, shrunken towards its neighbours, and how surely. */
      believed: number,
      spread: number,
      isNotSeparable: z.boolean(),
    }),
  ),
  /** The arm to take: of those that cannot be told from the best, the one with the highest believed level. */
  take: text.nullable(),
  stopped,
  cost: costSchema,
})

export type SearchAnswer = z.infer<typeof searchResult>

export const searchAnswer = searchResult.extend({ study: text, question: text, metric: text, design: designSchema })

export type StudySearchAnswer = z.infer<typeof searchAnswer>

const stoppedJob = z.object({
  trial: text,
  handle: text,
  place: text,
  /** `elsewhere`: it was handed over to another executor than the one that was asked. */
  state: z.enum(['stopped', 'done', 'failed', 'lost', 'evicted', 'waiting', 'running', 'elsewhere']),
})

export type StoppedJob = z.infer<typeof stoppedJob>

export const stopAnswer = z.object({ study: text, jobs: list(stoppedJob) })

export type StudyStopAnswer = z.infer<typeof stopAnswer>

export const dropAnswer = z.object({
  study: text,
  drops: list(dropSchema),
  /** What the rule would drop now; nothing is dropped by asking. */
  proposed: list(dropSchema),
  /** Never dropped by the rule. */
  kept: list(text),
  /** Why the rule proposes nothing: the workspace has no two settings with two finished runs each. */
  hasHouse: z.boolean(),
})

export type StudyDropAnswer = z.infer<typeof dropAnswer>

export const adoptAnswer = z.object({
  study: text,
  adopted: list(
    z.object({
      trial: text,
      id: text,
      /** Null: it was taken back. */
      run: text.nullable(),
      /** In what its config and the study's do not agree: suspicious until somebody vouches for it. */
      differences: list(z.object({ key: text, study: json, run: json })),
      /** What its config does not tell. */
      untold: list(text),
      checkpoint: checkpoint.nullable(),
    }),
  ),
})

export type StudyAdoptAnswer = z.infer<typeof adoptAnswer>

export const studiesAnswer = z.object({
  studies: list(
    z.object({
      study: text,
      question: text,
      metric: text,
      /** Unix seconds: when its design was frozen, right before its first trial. */
      frozenAt: number,
      states: z.record(z.enum(STATES), number),
      /** The arm that stands best so far; null while there is none. */
      best: z.object({ arm: text, mean: number, n: number }).nullable(),
      cost: costSchema,
    }),
  ),
  /** Those whose frozen design cannot be read by this klens. */
  damaged: list(text),
})

export type StudiesAnswer = z.infer<typeof studiesAnswer>

const cellView = z.object({
  trial: text,
  arm: text,
  /** Which evaluation it is of; empty for the trial's own validation, in training. */
  table: text,
  /** What sets it apart from the other cells of its arm in the same table: the seed, and the step of a checkpoint. */
  seed: number,
  step: number.nullable(),
  state: z.enum(STATES),
  /** The run that counts. */
  run: text.nullable(),
  value: figure.nullable(),
  /** How many evaluations a trial that runs has made, and how many it is to make where that is known. */
  progress: z.object({ done: number, planned: number.nullable() }).nullable(),
  /** Why it failed, or should not be taken as it is. */
  why: list(text),
})

export type StudyCellView = z.infer<typeof cellView>

const armView = z.object({
  arm: text,
  /** What it sets over the base. */
  settings,
  /** One for each seed that can be taken as it is. */
  values: list(number),
  mean: number.nullable(),
  /** 95 %, over seeds; null with fewer than two. */
  interval: z.tuple([number, number]).readonly().nullable(),
  /** `dropped`: nothing more is trained of it. `kept`: no rule may drop it. */
  standing: z.enum(['open', 'dropped', 'kept']),
  /** Of a dropped one: by whom, when (Unix seconds), and on what evidence, in words. */
  drop: z.object({ by: z.enum(['rule', 'person']), at: number, why: text }).nullable(),
})

export const studyViewAnswer = z.object({
  study: text,
  question: text,
  metric: text,
  direction: z.enum(['max', 'min']),
  margin: number.nullable(),
  expectations: list(text),
  frozen: z.object({ hash: text, at: number }),
  cost: costSchema,
  budget: z.object({ trials: number.nullable(), hours: number.nullable() }),
  cells: list(cellView),
  arms: list(armView),
  /** Where all arms differ by one number and nothing else: that number of each, in the order of the arms. */
  dose: z.object({ key: text, doses: list(number) }).nullable(),
  baseline: text,
  /** Each arm against the baseline, by every trial that there is: as `status`, `run` and the report give them. */
  verdicts: list(finalVerdictSchema),
  ...judged,
  /** The interim analyses of `klens study settle`, none before it has begun; null where there is one arm. */
  settle: settlingSchema.nullable(),
  /** Who works on it now: a process on this machine or elsewhere, and what was handed over to an executor and goes on. */
  work: z.object({ process: z.enum(['here', 'elsewhere']).nullable(), jobs: number }),
  /** Whether a rule of the file may drop arms, which `kept` ones are safe from. */
  dropsByRule: z.boolean(),
  /** Whether `klens study settle` has arms to compare. */
  canSettle: z.boolean(),
  /** Runs of this name that the frozen design does not plan: the file was changed since. */
  unplanned: number,
})

export type StudyViewAnswer = z.infer<typeof studyViewAnswer>

/** What a page shows of the events of a study: its last one, as little as it needs. */
export type StudyStep =
  | { readonly event: 'begun'; readonly trial: string }
  | { readonly event: 'epoch'; readonly trial: string; readonly epoch: number }
  | { readonly event: 'ended'; readonly trial: string; readonly run: string | null; readonly isFailed: boolean }
  | { readonly event: 'evaluated'; readonly trial: string; readonly done: number; readonly total: number }
  | { readonly event: 'dropped'; readonly arm: string }
  | { readonly event: 'look'; readonly arm: string; readonly seeds?: number; readonly prompts?: number }

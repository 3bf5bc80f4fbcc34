import { z } from 'zod'
import { jsonNumber } from '../../logs/model/json.js'
import type { Message } from '../../logs/model/run.js'
import type { Offer } from '../../logs/model/study/answers.js'
import type { ArmLook, Drop } from '../../logs/model/study/terms.js'
import type { EpochReport, TrainingResult } from '../train/run/run-training.js'
import type { Components } from './settle/offers.js'

/**
 * Progress of a study, or of a training of klens itself, wherever it runs: one stream of events, from executors to
 * the terminal and the page. As `--json` prints it, NaN and the infinities are words.
 */
export type StudyEvent =
  | {
      readonly event: 'grid'
      readonly trials: readonly { readonly name: string; readonly epochs: number }[]
      readonly workers: number
    }
  /** `trial` is null for a single training. */
  | {
      readonly event: 'started'
      readonly trial: string | null
      readonly resumedAfter: number | null
      /** Of a single training. */
      readonly about: StartedTraining | null
    }
  | { readonly event: 'progress'; readonly done: number; readonly total: number }
  /** Of the supervised start that several trainings share. */
  | { readonly event: 'start-progress'; readonly done: number; readonly total: number }
  | { readonly event: 'epoch'; readonly trial: string | null; readonly report: EpochAnswer }
  | { readonly event: 'end'; readonly trial: string; readonly end: TrialEnd }
  | ({ readonly event: 'program'; readonly trial: string } & ProgramProgress)
  | {
      readonly event: 'evaluation'
      readonly trial: string
      readonly evaluation: string
      readonly step: number
      readonly shots: number | null
      readonly value: number | null
      readonly n: number
      readonly missing: number
      readonly done: number
      readonly total: number
    }
  | { readonly event: 'drop'; readonly drop: Drop }
  | { readonly event: 'look'; readonly look: ArmLook }
  | { readonly event: 'offers'; readonly components: Components | null; readonly offers: readonly Offer[] }

/** What a training of klens itself tells. */
export type TrainEvent = Extract<
  StudyEvent,
  { readonly event: 'grid' | 'started' | 'progress' | 'start-progress' | 'epoch' | 'end' }
>

export type EvaluationEvent = Extract<StudyEvent, { readonly event: 'evaluation' }>

type ProgramProgress =
  /** `queue`: where it was handed over to and may still wait; null: it runs on this machine. */
  | { readonly what: 'begun'; readonly attempt: number; readonly isResumed: boolean; readonly queue: string | null }
  | { readonly what: 'found' }
  | { readonly what: 'step'; readonly run: string; readonly step: number }
  | {
      readonly what: 'ended'
      readonly state: Outcome['state']
      readonly run: string | null
      readonly problems: readonly string[]
    }

/** How a trial ended, wherever it ran. */
export interface Outcome {
  /** `left`: klens was asked to stop, and it goes on without klens. */
  readonly state: 'done' | 'failed' | 'stopped' | 'left'
  /** Null where it has none. */
  readonly run: string | null
  /** Why it failed, in the language of the request. */
  readonly reasons: readonly string[]
  /** It had ended before, and nothing was done for it now. */
  readonly isKnown: boolean
}

const figure = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])])

/** An epoch as `klens train --json` prints it. All but `volatile` is the same every time. */
export const epochSchema = z.object({
  epoch: z.number(),
  phase: z.enum(['rce', 'grpo']),
  metrics: z.record(z.string(), figure),
  volatile: z.object({ time: z.number(), 'time.step': z.number(), 'throughput.samples': z.number() }),
})

export type EpochAnswer = z.infer<typeof epochSchema>

/** A training that has ended, as `klens train --json` prints it. */
export const trainedSchema = z.object({
  run: z.string(),
  /** `killed`: it was asked to stop. */
  status: z.enum(['finished', 'killed']),
  /** The last one done. */
  lastEpoch: z.number(),
  checkpoints: z.array(z.string()).readonly(),
  evaluations: z
    .array(z.object({ epoch: z.number(), metrics: z.record(z.string(), z.union([z.number(), z.string()])) }))
    .readonly(),
  volatile: z.object({ folder: z.string(), resumedAfter: z.number().nullable(), seconds: z.number() }),
})

export type TrainedAnswer = z.infer<typeof trainedSchema>

interface TrialTimes {
  readonly seconds: number
  readonly resumedAfter: number | null
}

/** How one training of many ended: trained now, finished before, or failed. */
export type TrialEnd =
  | TrainedAnswer
  | { readonly run: string; readonly status: 'finished'; readonly volatile: TrialTimes }
  | { readonly run: null; readonly status: 'failed'; readonly reason: string; readonly volatile: TrialTimes }

export interface StartedTraining extends Introduction {
  readonly id: string
  readonly name: string
  /** On resuming: settings that changed, and checkpoints that could not be read. */
  readonly changes: readonly string[]
  readonly damaged: readonly string[]
}

export interface Introduction {
  readonly kind: 'selector' | 'language-model'
  /** Requests, for the language model. */
  readonly queries: number
  readonly parameters: number
  readonly baselines: readonly { readonly name: string; readonly score: number }[]
  /** Quantities that the settings fix beforehand. */
  readonly byConstruction: readonly Message[]
}

export function epochAnswer({ epoch, phase, metrics, volatile }: EpochReport): EpochAnswer {
  const written = Object.entries(metrics).map(([name, value]) => [name, jsonNumber(value)] as const)
  return { epoch, phase, metrics: Object.fromEntries(written), volatile }
}

export function trainedAnswer(
  { run, status, epoch, checkpoints, evaluations, folder }: TrainingResult,
  times: TrialTimes,
): TrainedAnswer {
  return { run, status, lastEpoch: epoch, checkpoints, evaluations, volatile: { folder, ...times } }
}

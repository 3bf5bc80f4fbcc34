import { z } from 'zod'
import { jsonNumber } from '../model/json.js'
import type { Message } from '../model/run.js'
import type { EpochReport, TrainingResult } from '../train/run/run-training.js'
import { figure, list } from './fields.js'

/** What a training tells while it runs and what it comes to, whether it is one or a trial of many, here or elsewhere. */

/** All but `volatile` is the same every time. */
export const epoch = z.object({
  epoch: z.number(),
  phase: z.enum(['rce', 'grpo']),
  metrics: z.record(z.string(), figure),
  volatile: z.object({ time: z.number(), 'time.step': z.number(), 'throughput.samples': z.number() }),
})

export type EpochAnswer = z.infer<typeof epoch>

export const trained = z.object({
  run: z.string(),
  /** `killed`: it was asked to stop. */
  status: z.enum(['finished', 'killed']),
  /** The last one done. */
  lastEpoch: z.number(),
  checkpoints: list(z.string()),
  evaluations: list(z.object({ epoch: z.number(), metrics: z.record(z.string(), z.union([z.number(), z.string()])) })),
  volatile: z.object({ folder: z.string(), resumedAfter: z.number().nullable(), seconds: z.number() }),
})

const trials = z.object({
  runs: list(
    z.object({
      trial: z.string().nullable(),
      run: z.string().nullable(),
      status: z.enum(['finished', 'killed', 'failed', 'unknown']),
    }),
  ),
  /** How many were finished before and left out. */
  known: z.number(),
  /** Whether they were asked to stop. */
  stopped: z.boolean(),
})

export const trainAnswer = z.union([trained, trials])

export type TrainedAnswer = z.infer<typeof trained>
export type TrialsAnswer = z.infer<typeof trials>

/** How one trial of many ended. */
export type TrialEnd =
  | TrainedAnswer
  | { readonly run: string; readonly status: 'finished'; readonly volatile: TrialTimes }
  | { readonly run: null; readonly status: 'failed'; readonly reason: string; readonly volatile: TrialTimes }

interface TrialTimes {
  readonly seconds: number
  readonly resumedAfter: number | null
}

/** What a training tells while it runs. `trial` is null for a single one. */
export type TrainEvent =
  | {
      readonly event: 'grid'
      readonly trials: readonly { readonly name: string; readonly epochs: number }[]
      readonly workers: number
    }
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

import { z } from 'zod'
import { trainedSchema } from '../../lab/study/events.js'
import { list } from './fields.js'

/** What a training comes to, whether it is one or many. */

export type {
  EpochAnswer,
  Introduction,
  StartedTraining,
  TrainEvent,
  TrainedAnswer,
  TrialEnd,
} from '../../lab/study/events.js'

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

export const trainAnswer = z.union([trainedSchema, trials])

export type TrialsAnswer = z.infer<typeof trials>

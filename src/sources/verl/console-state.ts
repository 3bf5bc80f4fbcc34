import { z } from 'zod'
import { blockSchema } from './block.js'
import { captureSchema } from './capture.js'

/** All that the reader of a verl console log must remember between two lines; plain JSON, because cursors carry it. */

const stateSchema = z.object({
  linesRead: z.number(),
  lastStep: z.number().nullable(),
  lastMetric: z.string(),
  /** Where a resumed process says it goes on. */
  resumedAt: z.number().nullable(),
  totalSteps: z.number().nullable(),
  finished: z.boolean(),
  /** A line was seen that no fixed format printed. */
  printsInFull: z.boolean(),
  experiment: z.string().nullable(),
  versionKnown: z.boolean(),
  capture: captureSchema.nullable(),
  /** Validation metrics from before the first step, until a step line shows whether it repeats them. */
  initial: z.object({ process: z.string(), text: z.string() }).nullable(),
  /** Metrics that may follow on lines of their own. */
  block: blockSchema.nullable(),
  badValues: z.object({ count: z.number(), step: z.number(), field: z.string() }),
  overlongLines: z.number(),
})

export type ConsoleState = z.infer<typeof stateSchema>

export const consoleCursorSchema = z.object({ offset: z.int().nonnegative(), state: stateSchema })

export function newConsoleState(): ConsoleState {
  return {
    linesRead: 0,
    lastStep: null,
    lastMetric: '',
    resumedAt: null,
    totalSteps: null,
    finished: false,
    printsInFull: false,
    experiment: null,
    versionKnown: false,
    capture: null,
    initial: null,
    block: null,
    badValues: { count: 0, step: 0, field: '' },
    overlongLines: 0,
  }
}

import { z } from 'zod'
import {
  type Diagnosed,
  type DiagnosisProgress,
  diagnosedRuns,
  diagnoseRuns,
  runHealth,
  summariseDiagnoses,
  summariseHealth,
} from '../../core/diagnosis/diagnosed-runs.js'
import { workspaceHealth } from '../../core/diagnosis/workspace-health.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { list, numberWithin, request } from './fields.js'
import { resolveAll } from './names.js'
import { type Asking, problemOf, question } from './question.js'
import { version } from './version.js'

/** Is the training healthy? What is wrong since when, what to change, and what could not be checked? */

export const diagnose = question({
  request: request({ runs: list(z.string()) }),
  answer: encoded(diagnosedRuns),
  async ask(workspace, { runs: names, lang }, asking: Asking<DiagnosisProgress>) {
    const runs = await resolveAll(workspace, names, asking)
    return encode(summariseDiagnoses(await diagnoseRuns(runs, asking)), lang)
  },
})

export type DiagnoseAnswer = z.infer<typeof diagnose.answer>

const healthSchema = z.object({
  runs: list(runHealth),
  /** Runs whose data cannot be read, and why. */
  unread: list(z.object({ run: z.string(), reason: sentence })),
})

/** Of each run, only the gravest finding and how many there are: what a list of runs has room for. */
export const health = question({
  request: request({ runs: list(z.string()) }),
  answer: encoded(healthSchema),
  async ask(workspace, { runs: names, lang }, asking: Asking<DiagnosisProgress>) {
    const diagnosed: Diagnosed[] = []
    const unread: z.infer<typeof healthSchema>['unread'][number][] = []
    for (const run of await resolveAll(workspace, names, asking)) {
      try {
        diagnosed.push(...(await diagnoseRuns([run], asking)))
      } catch (error) {
        const problem = problemOf(error)
        if (problem === null) throw error
        unread.push({ run: run.manifest.id, reason: problem.sentence })
      }
    }
    return encode({ unread, runs: diagnosed.map(summariseHealth) }, lang)
  },
})

export type HealthAnswer = z.infer<typeof health.answer>

/** So long one look at the workspace goes on; who wants all of it asks again. */
const LOOK_MS = 600
/** More are on the page of runs. */
const MOST_SICK = 300

const attentionSchema = z.object({
  /** How many runs were looked at so far, of all there are. */
  looked: z.number(),
  total: z.number(),
  /** How many have an error or a warning. */
  sick: z.number(),
  /** The most severe first, then the newest. */
  runs: list(z.object({ id: z.string(), name: z.string(), worst: runHealth.shape.worst.unwrap() })),
})

/** What is wrong with any run of the workspace? */
export const attention = question({
  request: request({
    /** How many were looked at when it was last asked: a page that asks again asks for more. */
    after: numberWithin({ above: -1, whole: true }),
  }),
  answer: encoded(attentionSchema),
  async ask(workspace, { lang }, { signal }) {
    const { looked, total, sick } = await workspaceHealth(workspace, { version: version(), most: LOOK_MS, signal })
    const runs = sick.slice(0, MOST_SICK).map(({ entry, worst }) => ({ id: entry.id, name: entry.name, worst }))
    return encode({ looked, total, sick: sick.length, runs }, lang)
  },
})

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
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { list, request } from './fields.js'
import { resolveAll } from './names.js'
import { type Asking, problemOf, question } from './question.js'

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

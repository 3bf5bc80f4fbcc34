import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Workspace } from '../store/workspace.js'
import { openExecutor } from '../study/executor/open-executor.js'
import { jobRecords } from '../study/executor/records.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import { list, request } from './fields.js'
import { thisMachine } from './machine.js'
import { question } from './question.js'
import { allowPrograms, placedRequest } from './study-programs.js'

/** Ends what a study has handed over to its executor, whether or not a klens waits for it. */

const stopAnswer = z.object({
  study: z.string(),
  jobs: list(
    z.object({
      trial: z.string(),
      handle: z.string(),
      place: z.string(),
      /** `elsewhere`: it was handed over to another executor than the one that was asked. */
      state: z.enum(['stopped', 'done', 'failed', 'lost', 'evicted', 'waiting', 'running', 'elsewhere']),
    }),
  ),
})

export type StudyStopAnswer = z.infer<typeof stopAnswer>

const LOOK_EVERY_MS = 500
/** An executor gives a job time to save what it can. */
const WAIT_MS = 90_000

export const studyStop = question({
  request: request(placedRequest),
  answer: stopAnswer,
  async ask(workspace, { file, executor, trust }) {
    return stopHandedOver(workspace, await planStudy(file, executor), trust)
  },
})

export async function stopHandedOver(
  workspace: Workspace,
  study: PlannedStudy,
  trust?: string,
): Promise<StudyStopAnswer> {
  await allowPrograms(workspace, study, trust)
  const records = jobRecords(workspace, study.name)
  const executor = openExecutor(study.file.executor, records.folder, thisMachine())
  const open = (await records.all()).filter(({ end }) => end === null)
  const here = open.filter(({ place }) => place === executor.place)
  for (const { handle } of here) await executor.stop(handle)
  const deadline = performance.now() + WAIT_MS
  const jobs: StudyStopAnswer['jobs'][number][] = []
  for (const record of open) {
    const { name: trial, handle, place } = record
    if (!here.includes(record)) {
      jobs.push({ trial, handle, place, state: 'elsewhere' })
      continue
    }
    let stand = await executor.stand(handle)
    while ((stand.state === 'running' || stand.state === 'waiting') && performance.now() < deadline) {
      await pause(LOOK_EVERY_MS)
      stand = await executor.stand(handle)
    }
    const { state, reason } = stand
    if (state === 'done' || state === 'failed' || state === 'stopped' || state === 'evicted') {
      await records.end(record, { state, reason })
    }
    jobs.push({ trial, handle, place, state })
  }
  return { study: study.name, jobs }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Workspace } from '../../../core/store/workspace.js'
import type { StoppedJob } from '../../../logs/model/study/answers.js'
import type { Machine } from '../executor/local.js'
import { openQueue } from '../executor/open-queue.js'
import { jobRecords } from '../executor/records.js'
import type { PlannedStudy } from '../plan/plan-study.js'

const LOOK_EVERY_MS = 500
/** An executor gives a job time to save what it can. */
const WAIT_MS = 90_000

/** Ends what a study has handed over to its executor, whether or not a klens waits for it. */
export async function stopJobs(
  workspace: Workspace,
  plan: PlannedStudy,
  machine: Machine,
): Promise<readonly StoppedJob[]> {
  const records = jobRecords(workspace, plan.name)
  const queue = openQueue(plan.file.executor, records.folder, machine)
  const open = await records.open()
  const here = open.filter(({ place }) => place === queue.place)
  for (const { handle } of here) await queue.stop(handle)
  const deadline = performance.now() + WAIT_MS
  const jobs: StoppedJob[] = []
  for (const record of open) {
    const { name: trial, handle, place } = record
    if (!here.includes(record)) {
      jobs.push({ trial, handle, place, state: 'elsewhere' })
      continue
    }
    let status = await queue.status(handle)
    while ((status.state === 'running' || status.state === 'waiting') && performance.now() < deadline) {
      await pause(LOOK_EVERY_MS)
      status = await queue.status(handle)
    }
    const { state, reason } = status
    if (state === 'done' || state === 'failed' || state === 'stopped' || state === 'evicted') {
      await records.end(record, { state, reason })
    }
    jobs.push({ trial, handle, place, state })
  }
  return jobs
}

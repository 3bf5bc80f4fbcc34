import { mkdir } from 'node:fs/promises'
import { takeLease } from '../store/lease.js'
import type { Workspace } from '../store/workspace.js'
import { freeze } from '../study/file/frozen.js'
import { studyFolder } from '../study/file/kept-file.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'

/** Two processes that ran one study would both begin what neither has begun; so one at a time, frozen before it begins. */
export async function holdingStudy<Result>(
  workspace: Workspace,
  study: PlannedStudy,
  work: () => Promise<Result>,
): Promise<Result> {
  const folder = studyFolder(workspace, study.name)
  await mkdir(folder, { recursive: true })
  const lease = await takeLease(folder, 'train')
  try {
    await freeze(workspace, study)
    return await work()
  } finally {
    await lease.release()
  }
}

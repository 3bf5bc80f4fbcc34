import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { UserGoal } from '../../logs/model/vocabulary/run-goal.js'
import { type Message, sentences } from '../../text/sentences.js'
import { writeFileAtomically } from './atomic.js'
import type { Workspace } from './workspace.js'

/** The metric that the user judges by, in goal.json at the root of the workspace; a file of its own, because klens writes it. */

const userGoal = z.object({ metric: z.string().min(1), goal: z.enum(['max', 'min']).nullable() })

const say = sentences({
  'goal.damaged': {
    en: 'goal.json in the workspace cannot be read and is not used; klens goal METRIC writes it again',
    zh: '工作区中的 goal.json 无法读取，已忽略；klens goal METRIC 可重新写入',
  },
})

export function goalPath({ root }: Workspace): string {
  return join(root, 'goal.json')
}

export async function readGoal(
  workspace: Workspace,
): Promise<{ readonly goal: UserGoal | null; readonly problems: readonly Message[] }> {
  const text = await readFile(goalPath(workspace), 'utf8').catch(() => null)
  if (text === null) return { goal: null, problems: [] }
  try {
    return { goal: userGoal.parse(JSON.parse(text)), problems: [] }
  } catch {
    return { goal: null, problems: [say('goal.damaged', {})] }
  }
}

/** Null forgets it. */
export async function writeGoal(workspace: Workspace, goal: UserGoal | null): Promise<void> {
  if (goal === null) return rm(goalPath(workspace), { force: true })
  await mkdir(workspace.root, { recursive: true })
  await writeFileAtomically(goalPath(workspace), `${JSON.stringify(goal, null, 2)}\n`)
}

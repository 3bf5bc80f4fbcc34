import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../model/problem.js'
import { writeFileAtomically } from '../../store/atomic.js'
import type { Workspace } from '../../store/workspace.js'
import { sentences } from '../../text/sentences.js'
import { studyFolder } from '../file/frozen.js'

/**
 * What somebody has looked into and vouches for: a suspicion of a trial, with the reason why its figures may be compared
 * all the same. Kept with the study and shown wherever its figures are.
 */
export interface Acknowledgement {
  /** Hash of the trial. */
  readonly trial: string
  readonly rule: string
  readonly subject: string
  readonly because: string
  /** Unix seconds. */
  readonly at: number
}

const say = sentences({
  'study.acknowledged.damaged': {
    en: '{path} cannot be read as what was acknowledged of a study',
    zh: '{path} 无法作为研究的确认记录读取',
  },
})

const schema = z.array(
  z.object({ trial: z.string(), rule: z.string(), subject: z.string(), because: z.string(), at: z.number() }),
)

function pathOf(workspace: Workspace, study: string): string {
  return join(studyFolder(workspace, study), 'acknowledged.json')
}

export async function readAcknowledged(workspace: Workspace, study: string): Promise<readonly Acknowledgement[]> {
  const path = pathOf(workspace, study)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Problem('damaged', say('study.acknowledged.damaged', { path }), { cause })
  }
}

export async function keepAcknowledged(
  workspace: Workspace,
  study: string,
  added: readonly Acknowledgement[],
): Promise<void> {
  const before = await readAcknowledged(workspace, study)
  const all = new Map([...before, ...added].map(each => [acknowledgementKey(each), each]))
  await mkdir(studyFolder(workspace, study), { recursive: true })
  await writeFileAtomically(pathOf(workspace, study), `${JSON.stringify([...all.values()])}\n`)
}

export function acknowledgementKey({ trial, rule, subject }: Omit<Acknowledgement, 'because' | 'at'>): string {
  return JSON.stringify([trial, rule, subject])
}

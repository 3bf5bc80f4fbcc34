import { z } from 'zod'
import type { Workspace } from '../../store/workspace.js'
import { keptFile } from '../file/kept-file.js'

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

const schema = z.array(
  z.object({ trial: z.string(), rule: z.string(), subject: z.string(), because: z.string(), at: z.number() }),
)

const kept = keptFile('acknowledged.json', schema)

export async function readAcknowledged(workspace: Workspace, study: string): Promise<readonly Acknowledgement[]> {
  return (await kept.read(workspace, study)) ?? []
}

export async function keepAcknowledged(
  workspace: Workspace,
  study: string,
  added: readonly Acknowledgement[],
): Promise<void> {
  const before = await readAcknowledged(workspace, study)
  const all = new Map([...before, ...added].map(each => [acknowledgementKey(each), each]))
  await kept.keep(workspace, study, [...all.values()])
}

export function acknowledgementKey({ trial, rule, subject }: Omit<Acknowledgement, 'because' | 'at'>): string {
  return JSON.stringify([trial, rule, subject])
}

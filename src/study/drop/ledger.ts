import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../store/atomic.js'
import type { Workspace } from '../../store/workspace.js'
import { studyFolder } from '../file/frozen.js'

/** Which arms of a study were dropped, by whom and on what evidence, and which a person wants kept whatever the rule says. */

const evidence = z.object({
  /** Share of the planned evaluations that had been made. */
  share: z.number(),
  leader: z.string(),
  /** Of the arm, null where all its runs are dead, and of the leader. */
  level: z.number().nullable(),
  leaderLevel: z.number(),
  seeds: z.number(),
  leaderSeeds: z.number(),
  /** How far behind the leader an arm may be; null where it is dead. */
  reach: z.number().nullable(),
})

const drop = z.object({
  arm: z.string(),
  /** Unix seconds. */
  at: z.number(),
  by: z.enum(['rule', 'person']),
  /** Null where a person dropped it. */
  evidence: evidence.nullable(),
})

const schema = z.object({ format: z.literal(1), drops: z.array(drop), kept: z.array(z.string()) })

export type DropEvidence = z.infer<typeof evidence>
export type Drop = z.infer<typeof drop>

interface DropLedger {
  readonly drops: readonly Drop[]
  readonly kept: readonly string[]
}

export const dropSchema = drop

function pathOf(workspace: Workspace, study: string): string {
  return join(studyFolder(workspace, study), 'drops.json')
}

export async function readDropLedger(workspace: Workspace, study: string): Promise<DropLedger> {
  const text = await readFile(pathOf(workspace, study), 'utf8').catch(() => null)
  return text === null ? { drops: [], kept: [] } : schema.parse(JSON.parse(text))
}

export async function readDrops(workspace: Workspace, study: string): Promise<readonly Drop[]> {
  return (await readDropLedger(workspace, study)).drops
}

async function write(workspace: Workspace, study: string, ledger: DropLedger): Promise<void> {
  await mkdir(studyFolder(workspace, study), { recursive: true })
  await writeFileAtomically(pathOf(workspace, study), `${JSON.stringify({ format: 1, ...ledger })}\n`)
}

/** One that is dropped already stays as it was dropped; a person's word takes back a veto. */
export async function keepDrop(workspace: Workspace, study: string, drop: Drop): Promise<void> {
  const { drops, kept } = await readDropLedger(workspace, study)
  if (drops.some(({ arm }) => arm === drop.arm)) return
  await write(workspace, study, { drops: [...drops, drop], kept: kept.filter(arm => arm !== drop.arm) })
}

/** Takes back a drop, and vetoes any that the rule would make. */
export async function keepArm(workspace: Workspace, study: string, arm: string): Promise<void> {
  const { drops, kept } = await readDropLedger(workspace, study)
  await write(workspace, study, {
    drops: drops.filter(each => each.arm !== arm),
    kept: [...new Set([...kept, arm])],
  })
}

import { z } from 'zod'
import type { Workspace } from '../../store/workspace.js'
import { keptFile } from '../file/kept-file.js'

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

const ledgerFile = keptFile('drops.json', schema)

export async function readDropLedger(workspace: Workspace, study: string): Promise<DropLedger> {
  return (await ledgerFile.read(workspace, study)) ?? { drops: [], kept: [] }
}

export async function readDrops(workspace: Workspace, study: string): Promise<readonly Drop[]> {
  return (await readDropLedger(workspace, study)).drops
}

function write(workspace: Workspace, study: string, { drops, kept }: DropLedger): Promise<void> {
  return ledgerFile.keep(workspace, study, { format: 1, drops: [...drops], kept: [...kept] })
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

import { z } from 'zod'
import type { Workspace } from '../../store/workspace.js'
import { keptFile } from '../file/kept-file.js'
import { promptLookSchema, seedLookSchema, verdictSchema } from './looks.js'

/**
 * On how many prompts each look was made. Scores that were measured better since would make another look of it, one that
 * nobody had planned; so a look stays what it was.
 */
export type PromptsAtLooks = ReadonlyMap<number, number>

const looksFile = keptFile(
  'settle.json',
  z.object({ format: z.literal(1), looks: z.array(z.object({ seeds: z.number(), prompts: z.number() })) }),
)

const settledSchema = z.object({
  format: z.literal(1),
  by: z.enum(['seeds', 'prompts']),
  answers: z.array(
    z.object({
      other: z.string(),
      verdict: verdictSchema,
      estimate: z.number().nullable(),
      interval: z.tuple([z.number(), z.number()]).readonly().nullable(),
      p: z.number().nullable(),
      seeds: z.number(),
    }),
  ),
  looks: z.number(),
  fixed: z.object({ trials: z.number(), hours: z.number(), prompts: z.number().nullable() }).nullable(),
})

/** What settling came to, for whoever reports on the study. */
export type SettledStudy = Omit<z.infer<typeof settledSchema>, 'format'>

const settledFile = keptFile('settled.json', settledSchema)

export function readSettled(workspace: Workspace, study: string): Promise<SettledStudy | null> {
  return settledFile.read(workspace, study)
}

export function keepSettled(workspace: Workspace, study: string, settled: SettledStudy): Promise<void> {
  return settledFile.keep(workspace, study, { format: 1, ...settled })
}

const settlingSchema = z.object({
  format: z.literal(1),
  by: z.enum(['seeds', 'prompts']),
  baseline: z.string(),
  /** At which numbers of seeds or prompts is looked. */
  planned: z.array(z.number()),
  others: z.array(
    z.object({
      arm: z.string(),
      looks: z.array(z.union([seedLookSchema, promptLookSchema])),
      verdict: verdictSchema.nullable(),
    }),
  ),
})

/** How far settling has come where prompts are bought: nobody but the process that asked them could tell it otherwise. */
export type SettlingProgress = Omit<z.infer<typeof settlingSchema>, 'format'>

const settlingFile = keptFile('settling.json', settlingSchema)

export function readSettling(workspace: Workspace, study: string): Promise<SettlingProgress | null> {
  return settlingFile.read(workspace, study)
}

export function keepSettling(workspace: Workspace, study: string, settling: SettlingProgress): Promise<void> {
  const others = settling.others.map(other => ({ ...other, looks: other.looks.map(finite) }))
  return settlingFile.keep(workspace, study, { format: 1, ...settling, others })
}

/** JSON has no infinity, and evidence may be beyond every number. */
function finite(look: SettlingProgress['others'][number]['looks'][number]) {
  if (!('evidence' in look)) return look
  const { evidence, evidenceSame } = look
  const most = (size: number): number => Math.min(size, Number.MAX_VALUE)
  return { ...look, evidence: most(evidence), evidenceSame: evidenceSame === null ? null : most(evidenceSame) }
}

export async function readLooks(workspace: Workspace, study: string): Promise<PromptsAtLooks> {
  const looks = (await looksFile.read(workspace, study))?.looks ?? []
  return new Map(looks.map(({ seeds, prompts }) => [seeds, prompts]))
}

export function keepLooks(workspace: Workspace, study: string, looks: PromptsAtLooks): Promise<void> {
  return looksFile.keep(workspace, study, {
    format: 1,
    looks: [...looks].map(([seeds, prompts]) => ({ seeds, prompts })),
  })
}

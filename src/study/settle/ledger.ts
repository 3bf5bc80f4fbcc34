import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../store/atomic.js'
import type { Workspace } from '../../store/workspace.js'
import { studyFolder } from '../file/frozen.js'
import { promptLookSchema, seedLookSchema, verdictSchema } from './looks.js'

/**
 * On how many prompts each look was made. Scores that were measured better since would make another look of it, one that
 * nobody had planned; so a look stays what it was.
 */
export type PromptsAtLooks = ReadonlyMap<number, number>

const schema = z.object({ format: z.literal(1), looks: z.array(z.object({ seeds: z.number(), prompts: z.number() })) })

function pathOf(workspace: Workspace, study: string): string {
  return join(studyFolder(workspace, study), 'settle.json')
}

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

export async function readSettled(workspace: Workspace, study: string): Promise<SettledStudy | null> {
  const text = await readFile(join(studyFolder(workspace, study), 'settled.json'), 'utf8').catch(() => null)
  return text === null ? null : settledSchema.parse(JSON.parse(text))
}

export async function keepSettled(workspace: Workspace, study: string, settled: SettledStudy): Promise<void> {
  const path = join(studyFolder(workspace, study), 'settled.json')
  await writeFileAtomically(path, `${JSON.stringify({ format: 1, ...settled })}\n`)
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
export type Settling = Omit<z.infer<typeof settlingSchema>, 'format'>

export async function readSettling(workspace: Workspace, study: string): Promise<Settling | null> {
  const text = await readFile(join(studyFolder(workspace, study), 'settling.json'), 'utf8').catch(() => null)
  return text === null ? null : settlingSchema.parse(JSON.parse(text))
}

export async function keepSettling(workspace: Workspace, study: string, settling: Settling): Promise<void> {
  const path = join(studyFolder(workspace, study), 'settling.json')
  // JSON has no infinity, and evidence may be beyond every number.
  const finite = (_: string, value: unknown): unknown => (value === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : value)
  await writeFileAtomically(path, `${JSON.stringify({ format: 1, ...settling }, finite)}\n`)
}

export async function readLooks(workspace: Workspace, study: string): Promise<PromptsAtLooks> {
  const text = await readFile(pathOf(workspace, study), 'utf8').catch(() => null)
  if (text === null) return new Map()
  return new Map(schema.parse(JSON.parse(text)).looks.map(({ seeds, prompts }) => [seeds, prompts]))
}

export async function keepLooks(workspace: Workspace, study: string, looks: PromptsAtLooks): Promise<void> {
  await mkdir(studyFolder(workspace, study), { recursive: true })
  const listed = [...looks].map(([seeds, prompts]) => ({ seeds, prompts }))
  await writeFileAtomically(pathOf(workspace, study), `${JSON.stringify({ format: 1, looks: listed })}\n`)
}

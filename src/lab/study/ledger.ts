import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../core/store/atomic.js'
import { unreadable } from '../../core/store/disk-problem.js'
import { nullWhenMissing } from '../../core/store/lease.js'
import type { Workspace } from '../../core/store/workspace.js'
import type { Json } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import {
  costSchema,
  type Drop,
  dropSchema,
  finalVerdictSchema,
  type PromptLook,
  type SeedLook,
  type Settling,
  settlingSchema,
} from '../../logs/model/study/terms.js'
import { sentences } from '../../text/sentences.js'

/**
 * What klens keeps of a study beside its runs: a small JSON file for each kind of thing, always written as a whole. One that
 * is not there says nothing. One that cannot be read, because a disk was full or somebody has cut it off, is named: to
 * begin again in its place would forget what people have decided.
 */
interface KeptFile<Content> {
  /** Null: nothing has been kept. */
  read(workspace: Workspace, study: string): Promise<Content | null>
  keep(workspace: Workspace, study: string, content: Content): Promise<void>
}

const say = sentences({
  'study.kept.damaged': {
    en: '{path} is damaged and cannot be read; restore a copy, or remove it to continue without it',
    zh: '{path} 已损坏，无法作为研究的记录读取；请恢复其副本，或删除它以继续',
  },
})

export function studyFolder({ root }: Workspace, name: string): string {
  return join(root, 'studies', name)
}

export function keptFile<Schema extends z.ZodType>(name: string, schema: Schema): KeptFile<z.output<Schema>> {
  return {
    async read(workspace, study) {
      const path = join(studyFolder(workspace, study), name)
      return readKept(path, schema)
    },
    async keep(workspace, study, content) {
      const folder = studyFolder(workspace, study)
      await mkdir(folder, { recursive: true })
      await writeFileAtomically(join(folder, name), `${JSON.stringify(content)}\n`)
    },
  }
}

/** Null where there is no such file. */
export async function readKept<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const text = await readFile(path, 'utf8')
    .catch(nullWhenMissing)
    .catch(error => {
      throw unreadable(path, error)
    })
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Problem('damaged', say('study.kept.damaged', { path }), { cause })
  }
}

/** Which arms were dropped, and which a person wants kept whatever the rule says. */
interface DropLedger {
  readonly drops: readonly Drop[]
  readonly kept: readonly string[]
}

const dropFile = keptFile(
  'drops.json',
  z.object({ format: z.literal(1), drops: z.array(dropSchema).readonly(), kept: z.array(z.string()).readonly() }),
)

export async function readDropLedger(workspace: Workspace, study: string): Promise<DropLedger> {
  return (await dropFile.read(workspace, study)) ?? { drops: [], kept: [] }
}

/** Names of the arms that were dropped. */
export async function readDropped(workspace: Workspace, study: string): Promise<ReadonlySet<string>> {
  return new Set((await readDropLedger(workspace, study)).drops.map(({ arm }) => arm))
}

/** One that is dropped already stays as it was dropped; a person's word takes back a veto. */
export async function keepDrop(workspace: Workspace, study: string, drop: Drop): Promise<void> {
  const { drops, kept } = await readDropLedger(workspace, study)
  if (drops.some(({ arm }) => arm === drop.arm)) return
  const vetoes = kept.filter(arm => arm !== drop.arm)
  await dropFile.keep(workspace, study, { format: 1, drops: [...drops, drop], kept: vetoes })
}

/** Takes back a drop, and vetoes any that the rule would make. */
export async function keepArm(workspace: Workspace, study: string, arm: string): Promise<void> {
  const { drops, kept } = await readDropLedger(workspace, study)
  const left = drops.filter(each => each.arm !== arm)
  await dropFile.keep(workspace, study, { format: 1, drops: left, kept: [...new Set([...kept, arm])] })
}

const json: z.ZodType<Json> = z.json()

/**
 * A run that was made outside of a study and stands for a trial of it. The run itself is left as it is: what it was made of
 * is its own, and the study only says which cell it fills, and in what its config differs from the cell's.
 */
const adoptedRun = z.object({
  run: z.string(),
  /** Unix seconds. */
  at: z.number(),
  /** Settings that its config and the study's do not agree in. */
  differences: z.array(z.object({ key: z.string(), study: json, run: json })).readonly(),
  checkpoint: z.object({ path: z.string(), step: z.number(), contentHash: z.string() }).nullable(),
})

export type AdoptedRun = z.infer<typeof adoptedRun>
/** By trial id. */
export type AdoptedRuns = { readonly [trial: string]: AdoptedRun }

const adoptedFile = keptFile(
  'adopted.json',
  z.object({ format: z.literal(1), adopted: z.record(z.string(), adoptedRun) }),
)

export async function readAdopted(workspace: Workspace, study: string): Promise<AdoptedRuns> {
  return (await adoptedFile.read(workspace, study))?.adopted ?? {}
}

export function keepAdopted(workspace: Workspace, study: string, adopted: AdoptedRuns): Promise<void> {
  return adoptedFile.keep(workspace, study, { format: 1, adopted })
}

/**
 * What somebody has looked into and vouches for: a suspicion of a trial, with the reason why its figures may be compared
 * all the same. Kept with the study and shown wherever its figures are.
 */
const acknowledgement = z.object({
  /** Hash of the trial. */
  trial: z.string(),
  rule: z.string(),
  subject: z.string(),
  because: z.string(),
  /** Unix seconds. */
  at: z.number(),
})

export type Acknowledgement = z.infer<typeof acknowledgement>

const acknowledgedFile = keptFile('acknowledged.json', z.array(acknowledgement))

export async function readAcknowledged(workspace: Workspace, study: string): Promise<readonly Acknowledgement[]> {
  return (await acknowledgedFile.read(workspace, study)) ?? []
}

export async function keepAcknowledged(
  workspace: Workspace,
  study: string,
  added: readonly Acknowledgement[],
): Promise<void> {
  const before = await readAcknowledged(workspace, study)
  const all = new Map([...before, ...added].map(each => [acknowledgementKey(each), each]))
  await acknowledgedFile.keep(workspace, study, [...all.values()])
}

export function acknowledgementKey({ trial, rule, subject }: Omit<Acknowledgement, 'because' | 'at'>): string {
  return JSON.stringify([trial, rule, subject])
}

/**
 * On how many prompts each look was made, by seeds. Scores that were measured better since would make another look of it,
 * one that was not planned; so a look stays what it was.
 */
type PromptsAtLooks = ReadonlyMap<number, number>

const looksFile = keptFile(
  'settle.json',
  z.object({ format: z.literal(1), looks: z.array(z.object({ seeds: z.number(), prompts: z.number() })) }),
)

export async function readLooks(workspace: Workspace, study: string): Promise<PromptsAtLooks> {
  const looks = (await looksFile.read(workspace, study))?.looks ?? []
  return new Map(looks.map(({ seeds, prompts }) => [seeds, prompts]))
}

export function keepLooks(workspace: Workspace, study: string, looks: PromptsAtLooks): Promise<void> {
  const listed = [...looks].map(([seeds, prompts]) => ({ seeds, prompts }))
  return looksFile.keep(workspace, study, { format: 1, looks: listed })
}

const settledSchema = z.object({
  format: z.literal(1),
  by: z.enum(['seeds', 'prompts']),
  answers: z.array(finalVerdictSchema.omit({ pSame: true, isDropped: true, interim: true })),
  /** How many there were. */
  looks: z.number(),
  fixed: costSchema.extend({ prompts: z.number().nullable() }).nullable(),
})

/** What settling came to, for reports on the study. */
export type SettledStudy = Omit<z.infer<typeof settledSchema>, 'format'>

const settledFile = keptFile('settled.json', settledSchema)

export function readSettled(workspace: Workspace, study: string): Promise<SettledStudy | null> {
  return settledFile.read(workspace, study)
}

export function keepSettled(workspace: Workspace, study: string, settled: SettledStudy): Promise<void> {
  return settledFile.keep(workspace, study, { format: 1, ...settled })
}

const settlingFile = keptFile('settling.json', settlingSchema.extend({ format: z.literal(1) }))

/** How far settling has come where prompts are bought: only the process that asked them knows it otherwise. */
export function readSettling(workspace: Workspace, study: string): Promise<Settling | null> {
  return settlingFile.read(workspace, study)
}

export function keepSettling(workspace: Workspace, study: string, settling: Settling): Promise<void> {
  const others = settling.others.map(other => ({ ...other, looks: other.looks.map(finite) }))
  return settlingFile.keep(workspace, study, { ...settling, format: 1, others })
}

/** JSON has no infinity, and evidence may be beyond every number. */
function finite(look: SeedLook | PromptLook): SeedLook | PromptLook {
  if (!('evidence' in look)) return look
  const { evidence, evidenceSame } = look
  const most = (size: number): number => Math.min(size, Number.MAX_VALUE)
  return { ...look, evidence: most(evidence), evidenceSame: evidenceSame === null ? null : most(evidenceSame) }
}

/** Why trials and stages failed, by their hash, in the language in which they were run. */
export type Failures = { readonly [trial: string]: readonly string[] }

const failuresFile = keptFile('failed.json', z.record(z.string(), z.array(z.string()).readonly()))

/** Of trials that ended before there was a run that could tell. One that cannot be read is as good as none. */
export async function readFailures(workspace: Workspace, study: string): Promise<Failures> {
  return (await failuresFile.read(workspace, study).catch(() => null)) ?? {}
}

/** Those of the last attempt: what is tried again and succeeds has not failed. */
export function keepFailures(workspace: Workspace, study: string, failures: Failures): Promise<void> {
  return failuresFile.keep(workspace, study, failures)
}

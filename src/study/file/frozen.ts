import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isJsonObject, type Json } from '../../model/json.js'
import { Problem } from '../../model/problem.js'
import { writeFileAtomically } from '../../store/atomic.js'
import type { Workspace } from '../../store/workspace.js'
import { sentences } from '../../text/sentences.js'
import { canonicalJson } from '../../train/config/hash.js'
import type { ReadStudy } from './read.js'

/**
 * The study as it was before its first result. A margin, a metric or an expectation that is changed once results are
 * known is no longer a prediction; nobody is stopped from changing it, but it is shown as changed from then on.
 */
export interface FrozenStudy {
  /** SHA-256 over the design: the file without its comments and spaces. */
  readonly hash: string
  /** Unix seconds. */
  readonly at: number
  readonly design: Json
  /** The file itself. */
  readonly text: string
  /** Where it lay, absolute: what its programs are started from. Null: frozen by a klens that did not note it. */
  readonly path: string | null
}

export interface DesignChange {
  readonly key: string
  readonly before: Json
  readonly now: Json
}

const say = sentences({
  'study.frozen.damaged': { en: '{path} cannot be read as a frozen study', zh: '{path} 无法作为冻结的研究读取' },
})

const schema = z.object({
  format: z.literal(1),
  hash: z.string(),
  at: z.number(),
  design: z.json(),
  text: z.string(),
  path: z.string().nullable().default(null),
})

/** Where klens keeps what it knows of a study beside its runs. */
export function studyFolder({ root }: Workspace, name: string): string {
  return join(root, 'studies', name)
}

/** Of all studies of which something has been run here. */
export async function frozenStudies({ root }: Workspace): Promise<readonly string[]> {
  const entries = await readdir(join(root, 'studies'), { withFileTypes: true }).catch(() => [])
  return entries.flatMap(entry => (entry.isDirectory() ? [entry.name] : [])).sort()
}

/** Null: nothing has been run yet. */
export async function readFrozen(workspace: Workspace, name: string): Promise<FrozenStudy | null> {
  const path = join(studyFolder(workspace, name), 'frozen.json')
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Problem('damaged', say('study.frozen.damaged', { path }), { cause })
  }
}

/** Freezes a study that is not frozen yet; one that is stays as it was. */
export async function freeze(workspace: Workspace, study: ReadStudy): Promise<FrozenStudy> {
  const before = await readFrozen(workspace, study.name)
  if (before !== null) return before
  const { text, path } = study
  const frozen = { hash: designHash(study), at: Date.now() / 1000, design: designOf(study), text, path: resolve(path) }
  const folder = studyFolder(workspace, study.name)
  await mkdir(folder, { recursive: true })
  await writeFileAtomically(join(folder, 'frozen.json'), `${JSON.stringify({ format: 1, ...frozen })}\n`)
  return frozen
}

export function designHash(study: ReadStudy): string {
  return createHash('sha256')
    .update(canonicalJson(designOf(study)))
    .digest('hex')
}

/** Where trials run, and how many at a time, decides no number. */
function designOf({
  name,
  base,
  file: { workers: _, executor: _place, resources: _needs, ...design },
}: ReadStudy): Json {
  return JSON.parse(JSON.stringify({ ...design, name, base: base?.text ?? design.base }))
}

/** By the innermost keys that differ. */
export function changesSince({ design }: FrozenStudy, study: ReadStudy): readonly DesignChange[] {
  const before = leavesOf(design)
  const now = leavesOf(designOf(study))
  return [...new Set([...before.keys(), ...now.keys()])].flatMap(key => {
    const change = { key, before: before.get(key) ?? null, now: now.get(key) ?? null }
    return canonicalJson(change.before) === canonicalJson(change.now) ? [] : [change]
  })
}

function leavesOf(value: Json, prefix = ''): ReadonlyMap<string, Json> {
  if (!isJsonObject(value)) return new Map([[prefix, value]])
  return new Map(
    Object.entries(value).flatMap(([key, child]) => [...leavesOf(child, prefix === '' ? key : `${prefix}.${key}`)]),
  )
}

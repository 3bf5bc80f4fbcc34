import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { Workspace } from '../../../core/store/workspace.js'
import { sha256 } from '../../../logs/model/id.js'
import { isJsonObject, type Json } from '../../../logs/model/json.js'
import type { Design } from '../../../logs/model/study/terms.js'
import { canonicalJson } from '../../train/config/hash.js'
import { keptFile } from '../ledger.js'
import type { ReadStudy } from './read.js'

/**
 * The study as it was before its first result. A margin, a metric or an expectation that is changed once results are
 * known is no longer a prediction; it may be changed, but is shown as changed from then on.
 */
const json: z.ZodType<Json> = z.json()

const frozenSchema = z.object({
  format: z.literal(1),
  /** SHA-256 over the design: the file without its comments and spaces. */
  hash: z.string(),
  /** Unix seconds. */
  at: z.number(),
  design: json,
  /** The file itself. */
  text: z.string(),
  /** Where it lay, absolute: what its programs are started from. Null: frozen by a klens that did not note it. */
  path: z.string().nullable().default(null),
})

export type FrozenStudy = Omit<z.output<typeof frozenSchema>, 'format'>

const kept = keptFile('frozen.json', frozenSchema)

/** Of all studies of which something has been run here. */
export async function frozenStudies({ root }: Workspace): Promise<readonly string[]> {
  const entries = await readdir(join(root, 'studies'), { withFileTypes: true }).catch(() => [])
  return entries.flatMap(entry => (entry.isDirectory() ? [entry.name] : [])).sort()
}

/** Null: nothing has been run yet. */
export function readFrozen(workspace: Workspace, name: string): Promise<FrozenStudy | null> {
  return kept.read(workspace, name)
}

/** Freezes a study that is not frozen yet; one that is stays as it was. */
export async function freeze(workspace: Workspace, study: ReadStudy): Promise<FrozenStudy> {
  const before = await readFrozen(workspace, study.name)
  if (before !== null) return before
  const { text, path } = study
  const frozen = { hash: designHash(study), at: Date.now() / 1000, design: designOf(study), text, path: resolve(path) }
  await kept.keep(workspace, study.name, { format: 1, ...frozen })
  return frozen
}

export function designHash(study: ReadStudy): string {
  return sha256(canonicalJson(designOf(study)))
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
export function changesSince({ design }: FrozenStudy, study: ReadStudy): Design['changed'] {
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

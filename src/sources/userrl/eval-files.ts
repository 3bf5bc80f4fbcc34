import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { parsePythonJson } from '../python-json.js'
import type { Belonging, SourceFile } from '../source.js'

/**
 * What UserRL's `eval.py` leaves behind for each `--save_name`: `NAME_results.json`, averages per environment and number of
 * rollouts, and `NAME_reward_cache.json`, every dialogue. The two are one run, named after the policy. Where the name ends
 * with a step (`qwen3-kl-global_step_45`), all steps of that name are one run and can be compared as checkpoints.
 */

export const RESULTS = '_results.json'
export const CACHE = '_reward_cache.json'

/** Some 20,000 dialogues; parsing takes several times as much. */
const LARGEST = 256 << 20

const NAME = /^(.*?)(?:[-_](?:global[-_]?)?(?:step|checkpoint|ckpt)[-_]?(\d{1,12}))?$/i

export interface Place {
  readonly policy: string
  readonly step: number
}

export function placeOf(path: string): Place {
  const stem = basename(path).replace(/_(?:results|reward_cache)\.json$/i, '')
  const [, policy, step] = NAME.exec(stem) ?? []
  return policy === undefined || policy === '' || step === undefined
    ? { policy: stem, step: 0 }
    : { policy, step: Number(step) }
}

/** At a step the dialogues stand before their averages, so that a run is known again by the same file. */
export function belongingOf({ path }: SourceFile, kind: 'dialogues' | 'averages'): Belonging {
  const { policy, step } = placeOf(path)
  const folder = dirname(path)
  const order = step + (kind === 'averages' ? 0.5 : 0)
  return { run: `userrl:${join(folder, policy)}`, name: policy, folder, order, firstRecord: '' }
}

const moveSchema = z.looseObject({
  choice: z.string().default(''),
  content: z.json().default(''),
  feedback: z.json().default(null),
  reward: z.number().nullable().default(null),
})

const itemSchema = z.looseObject({
  gold: z.json().default(null),
  messages: z.array(z.looseObject({ role: z.string(), content: z.json().default('') })).default([]),
})

/** `history`, `reward` and `data` hold one entry for each rollout. */
const taskSchema = z.looseObject({
  history: z.array(z.array(moveSchema)),
  reward: z.array(z.array(z.number())),
  data: z.array(itemSchema).min(1),
})

const cacheSchema = z.record(z.string(), z.record(z.string(), z.unknown()))

export type Move = z.infer<typeof moveSchema>
export type CachedTask = z.infer<typeof taskSchema>

export interface CachedEnvironment {
  readonly name: string
  readonly tasks: readonly (CachedTask & { readonly hash: string })[]
  /** Entries that are no task. With several `--pass_k`, `eval.py` goes on with the names of an item's fields. */
  readonly strays: number
}

/** Null where the file cannot be read. */
export async function readRewardCache(path: string): Promise<readonly CachedEnvironment[] | null> {
  const parsed = cacheSchema.safeParse(await readJson(path))
  if (!parsed.success) return null
  return Object.entries(parsed.data).map(([name, entries]) => {
    const tasks = Object.entries(entries).flatMap(([hash, entry]) => {
      const task = taskSchema.safeParse(entry)
      return task.success ? [{ hash, ...task.data }] : []
    })
    return { name, tasks, strays: Object.keys(entries).length - tasks.length }
  })
}

const averageSchema = z.object({ micro_avg: z.number(), micro_max: z.number() })
export const resultsSchema = z.record(z.string(), z.record(z.string().regex(/^\d{1,6}$/), averageSchema))

export async function readJson(path: string): Promise<unknown> {
  const bytes = await readFile(path).catch(() => null)
  return bytes === null || bytes.length > LARGEST ? undefined : parsePythonJson(bytes.toString('utf8'))
}

import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { numberOf } from '../../model/vocabulary/config-value.js'
import { stepRange } from '../../store/catalogue.js'
import type { RunView } from '../run-view.js'

/** Which checkpoints there are to take: what lies on disk, else what the settings say was kept. */
export interface SavedSteps {
  readonly steps: readonly number[]
  readonly source: 'files' | 'settings'
}

/** Null where nothing tells. The model that a run started from exists in any case: step 0 is always among them. */
export async function savedSteps(run: RunView): Promise<SavedSteps | null> {
  const found = await stepsOnDisk(run)
  if (found.length > 0) return { steps: withStart(found), source: 'files' }
  const told = stepsBySettings(run)
  return told === null ? null : { steps: withStart(told), source: 'settings' }
}

function withStart(steps: readonly number[]): readonly number[] {
  return [...new Set([0, ...steps])].sort((a, b) => a - b)
}

/** verl's `global_step_50`, Hugging Face's `checkpoint-500`, klens's own `epoch12.safetensors`, and their like. */
const CHECKPOINT = /^(?:global_step|checkpoint|step|epoch|iter|ckpt)[-_]?(\d+)(\.(?:safetensors|pt|pth|bin|ckpt))?$/
/** Keys under which frameworks write where they save. */
const PLACES = /(?:^|\.)(?:default_local_dir|output_dir|save_path|ckpt_path|ckpt\.path)$/

async function stepsOnDisk({ manifest, config, folder }: RunView): Promise<readonly number[]> {
  const logs = manifest.files.filter(({ role }) => role === 'log').map(({ path }) => dirname(path))
  const named = Object.entries(config).flatMap(([key, value]) =>
    PLACES.test(key) && typeof value === 'string' && value !== '' ? logs.map(log => resolve(log, value)) : [],
  )
  const beside = logs.flatMap(log => [
    log,
    join(log, 'checkpoints'),
    ...(CHECKPOINT.test(basename(log)) ? [dirname(log)] : []),
  ])
  const found = new Set<number>()
  for (const place of new Set([join(folder, 'checkpoints'), ...beside, ...named])) {
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => [])) {
      const checkpoint = CHECKPOINT.exec(entry.name)
      if (checkpoint !== null && entry.isDirectory() === (checkpoint[2] === undefined)) found.add(Number(checkpoint[1]))
    }
  }
  return [...found]
}

/** Every so many steps and at the end of training; of these perhaps only the last few were kept. */
function stepsBySettings({ manifest, settings }: RunView): readonly number[] | null {
  const every = numberOf(settings.get('save.every')?.effective)
  const last = stepRange(manifest)?.[1]
  if (every === null || last === undefined) return null
  // verl's −1: nothing is saved, not even at the end.
  if (!(every > 0)) return []
  const steps = Array.from({ length: Math.floor(last / every) }, (_, i) => (i + 1) * every)
  const planned = numberOf(settings.get('steps')?.effective)
  const isOver = manifest.status === 'finished' || (planned !== null && last >= planned)
  if (isOver && !steps.includes(last)) steps.push(last)
  const keep = numberOf(settings.get('save.keep')?.effective)
  return keep !== null && keep > 0 ? steps.slice(-keep) : steps
}

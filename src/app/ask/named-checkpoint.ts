import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runFolder, type Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import { sentences } from '../../text/sentences.js'
import { type Naming, resolveOne } from './names.js'

const say = sentences({
  'checkpoint.none-at': {
    en: '{run} has no checkpoint at {step}; it has {known}',
    zh: '{run} 在 {step} 没有检查点；现有 {known}',
  },
})

/** Selectors are kept as a file for an epoch, language models as a folder for a step. */
const KEPT = /^(?:epoch|step)(\d+)(?:\.safetensors)?$/

/** A path, or `RUN@STEP` for a checkpoint of a run that klens has trained. */
export async function checkpointPath(workspace: Workspace, name: string, naming: Naming): Promise<string> {
  const [, run, step] = /^(.+)@(\d+)$/.exec(name) ?? []
  if (run === undefined || existsSync(name)) return name
  const { manifest } = await resolveOne(workspace, run, naming)
  const folder = join(runFolder(workspace, manifest.id), 'checkpoints')
  const kept = await readdir(folder).catch(() => [])
  const stepOf = (file: string): number => Number(KEPT.exec(file)?.[1] ?? Number.NaN)
  const found = kept.find(file => stepOf(file) === Number(step))
  if (found !== undefined) return join(folder, found)
  const known = kept
    .map(stepOf)
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  const told = known.length === 0 ? '–' : known.join(', ')
  throw new Problem('not-found', say('checkpoint.none-at', { run: manifest.name, step: Number(step), known: told }))
}

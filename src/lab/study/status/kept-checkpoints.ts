import { join } from 'node:path'
import type { Json } from '../../../logs/model/json.js'
import { Problem } from '../../../logs/model/problem.js'
import { keptSteps } from '../../train/intention/checkpoints.js'
import { checkpointsIn } from '../../train/run/resume-point.js'
import { withWeights } from '../../weights/open.js'

/** The checkpoints that a training of klens has left, as their own headers tell of them: files of a selector, folders of a language model. */
export interface KeptCheckpoint {
  readonly name: string
  readonly step: number
  readonly contentHash: string
  /** Hash of the settings that it says it was trained with. */
  readonly settings: string | null
  /** The run that it says has written it. */
  readonly run: string | null
}

/** In the folder of a language model. */
const WEIGHTS = 'model.safetensors'

/** In the order of their steps. One that is gone or torn is left out: its figure stands, but no file proves it. */
export async function keptCheckpoints(folder: string, which: 'all' | 'last'): Promise<readonly KeptCheckpoint[]> {
  const files = await filesIn(folder)
  const wanted = which === 'all' ? files : files.slice(-1)
  const read = await Promise.all(wanted.map(file => readHeader(folder, file)))
  return read.flatMap(each => each ?? [])
}

interface CheckpointPlace {
  readonly name: string
  readonly step: number
  /** From its folder. */
  readonly weights: string
}

async function filesIn(folder: string): Promise<readonly CheckpointPlace[]> {
  try {
    const files = await checkpointsIn(folder)
    if (files.length > 0) return files.map(({ name, epoch }) => ({ name, step: epoch, weights: name }))
    return (await keptSteps(folder)).map(name => ({
      name,
      step: Number(name.replace(/\D/g, '')),
      weights: join(name, WEIGHTS),
    }))
  } catch (error) {
    return nothingWhereUnreadable(error) ?? []
  }
}

async function readHeader(folder: string, { name, step, weights }: CheckpointPlace): Promise<KeptCheckpoint | null> {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  try {
    return await withWeights(join(folder, weights), async ({ about: { contentHash, configHash, run } }) =>
      typeof contentHash === 'string' ? { name, step, contentHash, settings: text(configHash), run: text(run) } : null,
    )
  } catch (error) {
    return nothingWhereUnreadable(error)
  }
}

function nothingWhereUnreadable(error: unknown): null {
  if (error instanceof Problem || (error instanceof Error && 'code' in error)) return null
  throw error
}

/** The config that a checkpoint carries; null where it carries none. */
export async function configInside(path: string): Promise<Json> {
  try {
    return await withWeights(
      path.endsWith('.safetensors') ? path : join(path, WEIGHTS),
      async ({ about }) => about.config ?? null,
    )
  } catch (error) {
    return nothingWhereUnreadable(error)
  }
}

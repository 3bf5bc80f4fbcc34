import { basename, dirname, join } from 'node:path'
import type { Belonging } from '../source.js'

/**
 * Which model an evaluation file is about. Where its path or the model's name ends with a checkpoint (`checkpoint-500`,
 * `global_step_500`, `kl-step_500`), the scores belong to that step of the training, and files of several steps are one run.
 */
export interface EvaluatedModel {
  readonly name: string
  /** Null: no checkpoint is named. */
  readonly step: number | null
  /** The folder that holds the checkpoint, or what is left of the name before it. */
  readonly training: string
}

const CHECKPOINT = /^(.*?)[-_.]*(?:checkpoint|ckpt|global[-_]?step|step|iter)[-_]?(\d{1,12})$/i
/** So many folders above a file may be the checkpoint. */
const FARTHEST = 4

export function evaluatedModel(path: string, model: string | null): EvaluatedModel {
  let folder = dirname(path)
  for (let up = 0; up < FARTHEST && basename(folder) !== ''; up += 1, folder = dirname(folder)) {
    const found = checkpointIn(folder)
    if (found !== null) return found
  }
  const named = model === null ? null : checkpointIn(model)
  return named ?? { name: model ?? basename(dirname(path)), step: null, training: path }
}

function checkpointIn(path: string): EvaluatedModel | null {
  const [, before, step] = CHECKPOINT.exec(basename(path)) ?? []
  if (before === undefined || step === undefined) return null
  const training = before === '' ? dirname(path) : join(dirname(path), before)
  // lm-eval writes the slashes of a model's path as two underscores.
  const name = basename(training).split('__').at(-1) ?? ''
  return name === '' || name === '.' ? null : { name, step: Number(step), training }
}

/** Files of one call have the same `call`; `order` tells which of them is read first. */
export function evaluationBelonging(
  source: string,
  path: string,
  { name, step, training }: EvaluatedModel,
  { call, order }: { readonly call: string; readonly order: number },
): Belonging {
  if (step === null) {
    // A folder of its own: an evaluation that names no checkpoint is no part of the training that lies beside it.
    return {
      run: `${source}:${join(dirname(path), call)}`,
      name,
      folder: join(dirname(path), call),
      order,
      firstRecord: '',
    }
  }
  return {
    run: `${source}:${training}`,
    name,
    folder: training,
    order: step + order / 8,
    firstRecord: '',
    ofCheckpoint: true,
  }
}

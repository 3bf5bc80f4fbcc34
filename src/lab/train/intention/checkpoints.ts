/**
 * The checkpoints of a language model's training: folders `stepN` that `transformers` loads, each with what its training
 * needs to go on, and `latest` in place of those that are not kept for good. `step0` is the supervised start, which is
 * the reference.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { JsonObject } from '../../../logs/model/json.js'
import { KEPT_SCHEMAS, nullIfUnreadable } from '../checkpoint.js'
import { type LoadedModel, loadModel, saveModel } from '../lm/checkpoint/model-folder.js'
import { loadTrainingState, saveTrainingState } from '../lm/checkpoint/training-file.js'
import type { EvaluatedEpoch, NewestWhole } from '../run/trainable.js'
import type { IntentionStep, Resumed } from './train.js'

const LATEST = 'latest'

export function stepFolder(step: number): string {
  return `step${step}`
}

interface KeptState {
  readonly evaluations: readonly EvaluatedEpoch[]
  readonly changes: readonly string[]
}

/** Answers which weights these are. */
export async function keepStep(
  folder: string,
  { step, model, progress, state }: IntentionStep,
  about: JsonObject,
  kept: KeptState,
  forGood: boolean,
): Promise<string> {
  const trainer: JsonObject = {
    step,
    queue: [...progress.queue],
    kl: { ...progress.coefficients.kl },
    entropy: { ...progress.coefficients.entropy },
    evaluations: kept.evaluations.map(({ epoch, metrics }) => ({ epoch, metrics: { ...metrics } })),
    changes: [...kept.changes],
  }
  const path = join(folder, forGood ? stepFolder(step) : LATEST)
  const hash = await saveModel(path, model, { ...about, step }, beside =>
    saveTrainingState(beside, model.parameters.all, { ...state(), trainer }),
  )
  if (forGood && step > 0) await rm(join(folder, LATEST), { recursive: true, force: true })
  return hash
}

/** In the order of their steps; `latest` is no checkpoint but a place to go on from. */
export async function keptSteps(folder: string): Promise<readonly string[]> {
  const steps = (await readdir(folder)).flatMap(name => /^step(\d+)$/.exec(name)?.[1] ?? [])
  return steps
    .map(Number)
    .sort((a, b) => a - b)
    .map(stepFolder)
}

const whole = z.int().min(0)
const { coefficient, evaluations, changes } = KEPT_SCHEMAS
const trainerSchema = z.object({
  step: whole,
  queue: z.array(whole),
  kl: coefficient,
  entropy: coefficient,
  evaluations,
  changes,
})

export interface KeptStep extends Resumed, KeptState {
  readonly start: LoadedModel
}

/** The newest that is whole, with the start that it needs as its reference; `notAfter`: what the store has metrics of. */
export async function newestStep(folder: string, notAfter: number): Promise<NewestWhole<KeptStep>> {
  const damaged: string[] = []
  const names = await keptSteps(folder)
  const found = await Promise.all([...names, LATEST].map(async name => ({ name, kept: await readStep(folder, name) })))
  const whole = found.flatMap(({ kept }) => (kept !== null && kept.progress.step <= notAfter ? [kept] : []))
  for (const { name, kept } of found) if (kept === null && name !== LATEST) damaged.push(name)
  const newest = whole.toSorted((a, b) => b.progress.step - a.progress.step)[0]
  if (newest === undefined) return { point: null, damaged }
  const start = await nullIfUnreadable(loadModel(join(folder, stepFolder(0))))
  return start === null
    ? { point: null, damaged: [...damaged, stepFolder(0)] }
    : { point: { ...newest, start }, damaged }
}

async function readStep(folder: string, name: string): Promise<(Resumed & KeptState) | null> {
  const model = await nullIfUnreadable(loadModel(join(folder, name)))
  const state = model === null ? null : await loadTrainingState(join(folder, name))
  const trainer = trainerSchema.safeParse(state?.trainer)
  if (model === null || state === null || !trainer.success) return null
  const { step, queue, kl, entropy, ...kept } = trainer.data
  return { values: model.values, state, progress: { step, queue, coefficients: { kl, entropy } }, ...kept }
}

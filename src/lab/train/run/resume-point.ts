import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { withWeights } from '../../weights/open.js'
import { contentHash } from '../../weights/tensor.js'
import { KEPT_SCHEMAS, movedReferenceIn, nullIfUnreadable, optimiserIn, sealOf, valuesOf } from '../checkpoint.js'
import type { Start, TrainingState } from '../training-state.js'
import type { EvaluatedEpoch, NewestWhole } from './trainable.js'

/**
 * Where a training can be taken up again: the newest of its checkpoints that is whole. A file that was torn or damaged
 * since is recognised by its seal and passed over for the one before it, from which the same numbers come out again.
 */
export interface ResumePoint {
  readonly start: Start & { readonly kind: 'resume' }
  /** Content hash of the last checkpoint that was kept up to here. */
  readonly parent: string | null
  /** Content hash of the reference, once there is one. */
  readonly reference: string | null
  readonly evaluations: readonly EvaluatedEpoch[]
  readonly changes: readonly string[]
}

/** Holds the newest epoch where it is not one to be kept (`save.every`); replaced after every epoch. */
export const LATEST = 'latest.safetensors'

export function checkpointName(epoch: number): string {
  return `epoch${epoch}.safetensors`
}

/** `notAfter`: the last epoch whose metrics the store has; a checkpoint beyond it would leave a gap. */
export async function findResumePoint(folder: string, notAfter: number): Promise<NewestWhole<ResumePoint>> {
  const damaged: string[] = []
  for (const { name, epoch } of (await checkpointsIn(folder)).toReversed()) {
    if (epoch === 0 || epoch > notAfter) continue
    const read = await readState(join(folder, name))
    const values = read === null ? null : await referenceOf(folder, read)
    if (read === null || values === 'damaged') {
      damaged.push(read === null ? name : checkpointName(read.state.grpo?.referenceEpoch ?? 0))
      continue
    }
    const { state, contentHash: hash, ...said } = read
    const start = { kind: 'resume', state, reference: values } as const
    return { point: { ...said, start, parent: name === LATEST ? said.parent : hash }, damaged }
  }
  return { point: null, damaged: [...new Set(damaged)] }
}

interface CheckpointFile {
  readonly name: string
  readonly epoch: number
}

/** In the order of their epochs. */
export async function checkpointsIn(folder: string): Promise<readonly CheckpointFile[]> {
  const files: CheckpointFile[] = []
  for (const name of await readdir(folder)) {
    const epoch = name === LATEST ? await epochInside(join(folder, name)) : epochIn(name)
    if (epoch !== null) files.push({ name, epoch })
  }
  return files.toSorted((a, b) => a.epoch - b.epoch)
}

/** A file that does not even tell its epoch is not worth trying: the one before it is there. */
function epochInside(path: string): Promise<number | null> {
  return nullIfUnreadable(
    withWeights(path, async ({ about }) => (typeof about.epoch === 'number' ? about.epoch : null)),
  )
}

function epochIn(name: string): number | null {
  const digits = /^epoch(\d+)\.safetensors$/.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

const whole = z.int().min(0)
const { random, coefficient, evaluations, changes } = KEPT_SCHEMAS
const aboutSchema = z.object({
  epoch: whole,
  phase: z.enum(['rce', 'grpo']),
  step: whole,
  parent: z.string().nullable(),
  reference: z.string().nullable(),
  contentHash: z.string(),
  seal: z.string(),
  evaluations,
  changes,
  training: z.object({
    phaseEpoch: whole,
    random,
    grpo: z
      .object({
        referenceEpoch: whole,
        kl: coefficient,
        stopping: z.object({
          best: z.number().nullable(),
          bestStep: z.number().nullable(),
          evaluationsSinceBest: whole,
        }),
      })
      .nullable(),
  }),
})

interface ReadState {
  readonly state: TrainingState
  readonly contentHash: string
  readonly parent: string | null
  readonly reference: string | null
  readonly evaluations: readonly EvaluatedEpoch[]
  readonly changes: readonly string[]
}

/** Null where the file is not whole. */
function readState(path: string): Promise<ReadState | null> {
  const reading = withWeights(path, async ({ tensors, about }) => {
    const parsed = aboutSchema.safeParse(about)
    if (!parsed.success) return null
    const { seal, ...said } = about
    const { epoch, phase, step, training, contentHash: hash, seal: _, ...kept } = parsed.data
    if (seal !== (await sealOf(tensors, said)) || hash !== (await contentHash(tensors))) return null
    const parameters = await valuesOf(tensors, 'model', '')
    const optimiser = await optimiserIn(tensors, step)
    const state = { epoch, phase, ...training, parameters, optimiser, movedReference: await movedReferenceIn(tensors) }
    return { state, contentHash: hash, ...kept }
  })
  return nullIfUnreadable(reading)
}

async function referenceOf(folder: string, { state, reference }: ReadState) {
  if (state.grpo === null && reference === null) return null
  const path = join(folder, checkpointName(state.grpo?.referenceEpoch ?? 0))
  const reading = withWeights(path, async ({ tensors }) =>
    (await contentHash(tensors)) === reference ? valuesOf(tensors, 'model', '') : null,
  )
  return (await nullIfUnreadable(reading)) ?? 'damaged'
}

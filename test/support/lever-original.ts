/**
 * The experiment of Lever-Plus itself (fixtures/lever, `notes` inside): what its own trainer was given and what it gave,
 * as files that `klens train` reads and as numbers to hold it against.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeSafetensors } from '../../src/lab/weights/safetensors.js'
import { npyFile } from './npy.js'
import { flatten, type Tensor } from './parity.js'

/** Before an update: loss, ppo_loss, kl, mean ratio, clipped share, coefficient, gradient norm, log-probs. */
type OriginalUpdate = readonly [number, number, number, number, number, number, number, readonly number[]]

export type OriginalEpoch = { readonly [metric: string]: number } & (
  | { readonly phase: 'rce'; readonly grad_norms: readonly number[] }
  | { readonly phase: 'grpo'; readonly updates: readonly OriginalUpdate[] }
)

export interface OriginalCase {
  readonly name: string
  readonly form: string
  readonly start: Readonly<Record<string, Tensor>>
  readonly frozen: boolean
  readonly kl_beta: number
  readonly clip_only: boolean
  readonly adaptive_kl: boolean
  readonly epochs: readonly OriginalEpoch[]
  /** Of tensors that changed. */
  readonly parameters_after: {
    readonly [name: string]: { readonly sum: number; readonly l2: number; readonly every5: readonly number[] }
  }
  /** Positions in the query's own pool. */
  readonly greedy_after: readonly (readonly number[])[]
}

interface StartClip {
  readonly embeddings: readonly (readonly number[])[]
  readonly rl_data: {
    readonly [query: string]: {
      readonly candidate_pool_ids: readonly number[]
      readonly pointer_candidates: readonly { readonly pointer: readonly number[] }[]
    }
  }
  readonly groups: { readonly early: readonly OriginalGroup[]; readonly late: readonly OriginalGroup[] }
  readonly forms: {
    readonly [form: string]: {
      readonly start: OriginalCase['start']
      readonly cases: readonly Omit<OriginalCase, 'form' | 'start'>[]
    }
  }
}

type OriginalGroup = readonly [query: number, beams: readonly number[], advantages: readonly number[]]

export const original: StartClip = JSON.parse(
  readFileSync(new URL('../fixtures/lever/start-clip.json', import.meta.url), 'utf8'),
)

export const originalCases: readonly OriginalCase[] = Object.entries(original.forms).flatMap(
  ([form, { start, cases }]) => cases.map(one => ({ ...one, form, start })),
)

/** What the original prints, and what klens calls it. */
export const METRIC_NAMES = {
  grpo: {
    grpo_loss: 'loss.total',
    ppo_loss: 'loss.policy',
    kl: 'kl.ref',
    kl_loss: 'kl.weighted',
    mean_ratio: 'ratio.mean',
    clip_fraction: 'clip.frac',
    std_advantage: 'adv.std',
    max_advantage: 'adv.max',
    val_loss: 'val.loss',
  },
  rce: { rce_loss: 'loss.rce', val_loss: 'val.loss' },
} as const

export function startValues({ start }: OriginalCase): ReadonlyMap<string, readonly number[]> {
  return new Map(Object.entries(start).map(([name, values]) => [name, flatten(values)]))
}

/** Data, embeddings, config and first weights of a case, as files of a folder. */
export async function writeOriginalInputs(folder: string, one: OriginalCase): Promise<void> {
  const { embeddings, rl_data } = original
  const at = (file: string): string => join(folder, file)
  writeFileSync(at('rl_data.json'), JSON.stringify(rl_data))
  writeFileSync(at('embeddings.npy'), npyFile(embeddings.flat(), [embeddings.length, embeddings[0].length]))
  writeFileSync(at('config.yaml'), originalConfig(one))
  await writeSafetensors(at('start.safetensors'), Object.entries(one.start).map(tensor), {})
}

function tensor([name, values]: readonly [string, Tensor]) {
  const floats = Float32Array.from(flatten(values))
  const [first] = Array.isArray(values) ? values : []
  const rows = Array.isArray(values) ? values.length : 0
  return {
    name,
    dtype: 'F32' as const,
    shape: Array.isArray(first) ? [rows, first.length] : [rows],
    part: 'model' as const,
    async *bytes() {
      yield Buffer.from(floats.buffer)
    },
  }
}

export function originalConfig({ form, frozen, epochs, kl_beta, clip_only, adaptive_kl }: OriginalCase): string {
  const count = (wanted: string): number => epochs.filter(({ phase }) => phase === wanted).length
  return `
task: lever
data: { train: rl_data.json, query_embeddings: embeddings.npy }
policy: { form: ${form}, hidden: 16, shots: 2 }
epochs: { rce: ${count('rce')}, grpo: ${count('grpo')} }
lr: { rce: 2e-4, grpo: 5e-4 }
reward: { mode: hard_plus_soft, normalise: z-score }
adv: { degenerate: keep }
clip.old: start
kl:
  loss: { coef: ${clip_only ? 0 : kl_beta}, estimator: k3-inverse }
  controller: ${adaptive_kl ? 'band' : 'constant'}
  reference: before-rce
freeze.grpo: ${frozen ? '[backbone]' : '[]'}
curriculum: { early_epochs: 1, early_beams: 3, late_beams: 5, order: stored }
`
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { withWeights } from '../../src/lab/weights/open.js'
import { tensorValues } from '../../src/lab/weights/tensor.js'
import { klensInside } from '../cli-inside.js'
import { temporaryFolder } from '../workspace.js'
import { METRIC_NAMES, type OriginalCase, original, writeOriginalInputs } from './lever-original.js'

/**
 * The experiment of Lever-Plus itself: `klens train` from a config file on the original's data file, against what the
 * original's own code gave on it in float64. Its own float32 differs from that by up to 7e-6, and klens trains in float32.
 */
interface Tolerance {
  /** Of epoch means, and of everything else that an update is logged with. */
  readonly epoch: number
  readonly update: number
  readonly weight: number
  /** Of gradient norms, relative. */
  readonly norm: number
}

export const FLOAT32: Tolerance = { epoch: 7e-6, update: 7e-6, weight: 2e-6, norm: 1e-5 }

/**
 * One weight of one case: when GRPO begins, with AdamW's memory empty, its first gradient is −2.8e-7 in a tensor of norm
 * 6.2, which is less than float32 resolves. The step that AdamW makes of it is a matter of rounding, and everything after
 * it differs by a part of that step; in float64 nothing does (lever-parity-float64.test.ts).
 */
const UNRESOLVED = { name: 'rce-then-full', form: 'static', tensor: 'cand_proj.weight', at: 45 }
const AFTER_UNRESOLVED: Tolerance = { ...FLOAT32, epoch: 5e-5, update: 5e-4, norm: 5e-4 }

/**
 * After a warm-up in the same process the original's frozen weights keep its last gradient, which counts in every clip of
 * the norm from then on, and in the norm itself. klens does not share this; how little it changes is seen here, that it is
 * the whole difference in lever-parity-float64.test.ts.
 */
const STALE_GRADIENT = 'rce-then-frozen'
const AFTER_STALE_GRADIENT: Tolerance = { epoch: 6e-5, update: 3e-4, weight: 1e-5, norm: Number.POSITIVE_INFINITY }

function toleranceOf({ name, form }: OriginalCase): Tolerance {
  if (name === STALE_GRADIENT) return AFTER_STALE_GRADIENT
  return name === UNRESOLVED.name && form === UNRESOLVED.form ? AFTER_UNRESOLVED : FLOAT32
}

/** The same epochs, updates, weights and choices. */
export async function expectParity(one: OriginalCase): Promise<void> {
  const { epochs, clip_only, parameters_after, greedy_after } = one
  const tolerance = toleranceOf(one)

  const folder = temporaryFolder()
  const at = (file: string): string => join(folder, file)
  await writeOriginalInputs(folder, one)
  const words = ['train', at('config.yaml'), '--from', at('start.safetensors'), '--out', at('out'), '--json']
  const { code, out, error } = await klensInside(folder, words)
  expect(error).not.toContain('error')
  expect(code).toBe(0)

  const lines: readonly { readonly metrics: Readonly<Record<string, number>> }[] = linesOf(out)
  for (const [i, epoch] of epochs.entries()) {
    const { metrics } = lines[i]
    const within = epoch.phase === 'rce' ? FLOAT32 : tolerance
    for (const [theirs, ours] of Object.entries(METRIC_NAMES[epoch.phase])) {
      expect(Math.abs(metrics[ours] - epoch[theirs]), `${ours} in epoch ${i + 1}`).toBeLessThan(within.epoch)
    }
    if (epoch.phase === 'grpo' && !clip_only) expect(metrics['kl.coef.last']).toBeCloseTo(epoch.beta_after, 6)
    expectUpdates(epochs, i, at('out'), within)
  }

  const last = at(`out/grpo_epoch${epochs.filter(({ phase }) => phase === 'grpo').length}.pt`)
  await withWeights(last, async ({ tensors }) => {
    for (const tensor of tensors) {
      const expected = parameters_after[tensor.name]
      if (expected === undefined) continue
      const values = Array.from(await tensorValues(tensor))
      for (const [i, value] of expected.every5.entries()) {
        const unresolved =
          tolerance === AFTER_UNRESOLVED && tensor.name === UNRESOLVED.tensor && i * 5 === UNRESOLVED.at
        const within = unresolved ? GRPO_RATE : tolerance.weight
        expect(Math.abs(values[i * 5] - value), `${tensor.name}[${i * 5}]`).toBeLessThan(within)
      }
      const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
      expect(norm / expected.l2, `norm of ${tensor.name}`).toBeCloseTo(1, tolerance === FLOAT32 ? 6 : 4)
    }
  })
  expect(await choicesOf(last, folder)).toEqual(greedy_after)
}

/** The most that one step of AdamW moves a weight. */
const GRPO_RATE = 5e-4

interface UpdateLine {
  readonly grad_norm: number
  readonly groups: readonly {
    readonly query: string
    readonly choices: readonly (readonly number[])[]
    readonly advantages?: readonly number[]
    readonly log_probs: readonly number[]
  }[]
  readonly [metric: string]: unknown
}

/** Every update of one epoch, from the file that `--out` writes. */
function expectUpdates(epochs: OriginalCase['epochs'], i: number, folder: string, within: Tolerance): void {
  const epoch = epochs[i]
  const nth = epochs.slice(0, i + 1).filter(({ phase }) => phase === epoch.phase).length
  const file = join(folder, `${epoch.phase}_epoch${nth}_updates.jsonl`)
  const updates: readonly UpdateLine[] = linesOf(readFileSync(file, 'utf8'))
  if (epoch.phase === 'rce') {
    expectClose(
      updates.map(({ grad_norm }) => grad_norm),
      epoch.grad_norms,
      within.norm,
    )
    return
  }
  const groups = nth === 1 ? original.groups.early : original.groups.late
  expect(updates).toHaveLength(groups.length)
  for (const [u, { grad_norm, groups: own, ...update }] of updates.entries()) {
    const [query, beams, advantages] = groups[u]
    expect(own.map(group => group.query)).toEqual([String(query)])
    // The original has the best choice first, klens the file's order.
    const places = beams.map(beam => placeOf(original.rl_data[query].pointer_candidates[beam].pointer, own[0].choices))
    const inOrder = (values: readonly number[] = []): readonly number[] => places.map(place => values[place])
    expectClose(inOrder(own[0].advantages), advantages, 1e-7)
    const [loss, policy, kl, ratio, clipped, beta, norm, logProbs] = epoch.updates[u]
    const { grpo_loss, ppo_loss, kl: ownKl, mean_ratio, clip_fraction, kl_beta } = update
    expectClose([grpo_loss, ppo_loss, ownKl, mean_ratio].map(Number), [loss, policy, kl, ratio], within.update)
    expectClose([Number(clip_fraction)], [clipped], 1e-7)
    // Without a KL in the loss the original still names the coefficient.
    if (kl_beta !== 0) expectClose([Number(kl_beta)], [beta], 1e-7)
    expectClose(inOrder(own[0].log_probs), logProbs, within.update)
    expectClose([grad_norm], [norm], within.norm)
  }
}

function placeOf(choice: readonly number[], among: readonly (readonly number[])[]): number {
  return among.findIndex(other => other.join() === choice.join())
}

/** Absolute below one, relative above. */
export function expectClose(found: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(found).toHaveLength(expected.length)
  for (const [i, value] of expected.entries()) {
    expect(Math.abs(found[i] - value) / Math.max(1, Math.abs(value)), `${found[i]}, not ${value}`).toBeLessThan(
      tolerance,
    )
  }
}

/** Greedy choices of all queries as positions in their pools, by `klens eval`. */
async function choicesOf(checkpoint: string, folder: string): Promise<readonly (readonly number[])[]> {
  const chosen: (readonly number[])[] = []
  for (const split of ['train', 'val']) {
    const file = join(folder, `${split}.json`)
    const words = ['eval', checkpoint, '--config', join(folder, 'config.yaml'), '--split', split, '--shots', '2']
    await klensInside(folder, [...words, '--choices', file])
    const [{ query_ids, icd_idx_list }] = JSON.parse(readFileSync(file, 'utf8')).checkpoints
    for (const [i, id] of query_ids.entries()) {
      const pool = original.rl_data[id].candidate_pool_ids
      chosen[Number(id)] = icd_idx_list['shot_num=2'][i].map((example: number) => pool.indexOf(example))
    }
  }
  return chosen
}

function linesOf<T>(text: string): T[] {
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

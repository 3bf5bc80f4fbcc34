import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withWeights } from '../src/weights/open.js'
import { writeSafetensors } from '../src/weights/safetensors-write.js'
import { klensInside } from './cli-inside.js'
import { npyFile } from './support/npy.js'
import { flatten, type Tensor } from './support/parity.js'
import { temporaryFolder } from './workspace.js'

/**
 * The experiment of Lever-Plus itself: `klens train` from a config file, on the original's data file, against the epoch
 * means that the original's own code gave on it (fixtures/lever). The original ran in float64 here; in its own float32
 * it differs from that by up to 7e-6, and klens trains in float32. Ratios to the policy before a warm-up are far from 1,
 * where rounding counts for more (3.9e-5 was seen).
 */
const TOLERANCE = 2e-5
const AFTER_WARM_UP = 5e-5

interface Case {
  readonly name: string
  readonly frozen: boolean
  readonly kl_beta: number
  readonly clip_only: boolean
  readonly adaptive_kl: boolean
  readonly epochs: readonly OriginalEpoch[]
}

type OriginalEpoch = { readonly phase: 'rce' | 'grpo' } & { readonly [metric: string]: number }

interface StartClip {
  readonly embeddings: readonly (readonly number[])[]
  readonly rl_data: object
  readonly forms: {
    readonly [form: string]: { readonly start: Readonly<Record<string, Tensor>>; readonly cases: readonly Case[] }
  }
}

const original: StartClip = JSON.parse(
  readFileSync(new URL('./fixtures/lever/start-clip.json', import.meta.url), 'utf8'),
)

const cases = Object.entries(original.forms).flatMap(([form, { start, cases: each }]) =>
  each.map(one => ({ ...one, form, start })),
)

/** What the original prints, and what klens calls it. */
const NAMES = {
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

describe.each(cases)("the original's $name, $form", ({ name, form, start, frozen, epochs, ...asked }) => {
  it('gives the same losses, ratios, KL, clipped share and validation loss, epoch by epoch', async () => {
    const folder = temporaryFolder()
    const at = (file: string): string => join(folder, file)
    await writeInputs(folder, start, configOf(form, frozen, epochs, asked))
    const words = ['train', at('config.yaml'), '--from', at('start.safetensors'), '--json']
    const { code, out, error } = await klensInside(folder, words)
    expect(error).not.toContain('error')
    expect(code).toBe(0)
    const lines: readonly { readonly metrics: Readonly<Record<string, number>> }[] = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    // After a warm-up in the same process the original's frozen weights keep its last gradient, which counts in every
    // clip of the norm from then on: a quirk that klens does not share, so only the phase before it can be compared.
    const comparable = name === 'rce-then-frozen' ? epochs.filter(({ phase }) => phase === 'rce') : epochs
    const tolerance = name.startsWith('rce') ? AFTER_WARM_UP : TOLERANCE
    for (const [i, epoch] of comparable.entries()) {
      const { metrics } = lines[i]
      for (const [theirs, ours] of Object.entries(NAMES[epoch.phase])) {
        expect(Math.abs(metrics[ours] - epoch[theirs]), `${ours} in epoch ${i + 1}`).toBeLessThan(tolerance)
      }
      if (epoch.phase === 'rce' || asked.clip_only) continue
      expect(metrics['kl.coef.last']).toBeCloseTo(epoch.beta_after, 6)
    }
  })
})

describe('klens train --out', () => {
  it("writes what the original's command line writes, under its names and counts", async () => {
    const folder = temporaryFolder()
    const { form, frozen, start, epochs, ...asked } = cases.filter(({ name }) => name === 'rce-then-full')[0]
    await writeInputs(folder, start, configOf(form, frozen, epochs, asked))
    const at = (file: string): string => join(folder, file)
    const words = ['train', at('config.yaml'), '--from', at('start.safetensors'), '--out', at('out'), '--json']
    expect((await klensInside(folder, words)).code).toBe(0)
    const names = ['grpo_epoch1', 'grpo_epoch2', 'rce_epoch1', 'rce_epoch2']
    const files = names.flatMap(name => [`${name}.pt`, `${name}_v2format.ckpt`])
    expect(readdirSync(at('out')).sort()).toEqual([...files, 'metrics.json'].sort())
    await withWeights(at('out/grpo_epoch2.pt'), async ({ about, layout, tensors }) => {
      expect(layout).toBe('v3')
      expect(Object.keys(about)).toEqual(['epoch', 'phase', 'kl_beta', 'metrics'])
      expect(about).toMatchObject({ epoch: 1, phase: 'grpo', kl_beta: 0.145 })
      const { metrics } = about
      expect(Object.keys(metrics ?? {})).toEqual([...ORIGINAL_METRICS, 'val_loss'])
      expect(tensors.map(({ name }) => name).sort()).toEqual(Object.keys(start).sort())
    })
    await withWeights(at('out/grpo_epoch2_v2format.ckpt'), async ({ layout, tensors }) => {
      expect(layout).toBe('v2')
      const known = Object.keys(start).map(name => `lever_lm.pointer_selector.${name}`)
      expect(tensors.map(({ name }) => name).sort()).toEqual(known.sort())
    })
    const written: readonly object[] = JSON.parse(readFileSync(at('out/metrics.json'), 'utf8'))
    expect(written.map(record => Object.entries(record).slice(0, 2))).toEqual(
      ['rce', 'rce', 'grpo', 'grpo'].map((phase, i) => [
        ['phase', phase],
        ['epoch', (i % 2) + 1],
      ]),
    )
  })
})

const ORIGINAL_METRICS = [
  'grpo_loss',
  'ppo_loss',
  'kl_loss',
  'kl',
  'mean_ratio',
  'mean_advantage',
  'std_advantage',
  'max_advantage',
]

async function writeInputs(folder: string, start: Readonly<Record<string, Tensor>>, config: string): Promise<void> {
  const { embeddings, rl_data } = original
  const at = (file: string): string => join(folder, file)
  writeFileSync(at('rl_data.json'), JSON.stringify(rl_data))
  writeFileSync(at('embeddings.npy'), npyFile(embeddings.flat(), [embeddings.length, embeddings[0].length]))
  writeFileSync(at('config.yaml'), config)
  await writeSafetensors(at('start.safetensors'), Object.entries(start).map(tensor), {})
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

function configOf(
  form: string,
  frozen: boolean,
  epochs: readonly OriginalEpoch[],
  { kl_beta, clip_only, adaptive_kl }: Pick<Case, 'kl_beta' | 'clip_only' | 'adaptive_kl'>,
): string {
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

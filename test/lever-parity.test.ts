import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { withWeights } from '../src/lab/weights/open.js'
import { tensorValues } from '../src/lab/weights/tensor.js'
import { klensInside } from './cli-inside.js'
import { originalCases, writeOriginalInputs } from './support/lever-original.js'
import { expectClose, expectParity, FLOAT32 } from './support/lever-parity.js'
import { temporaryFolder } from './workspace.js'

/** Every case in one of its two forms by turns; the others: test/long/lever-parity.test.ts. */
describe.each(originalCases.filter((_, i) => i % 2 === 0))("the original's $name, $form", one => {
  it('gives the same epochs, updates, weights and choices', () => expectParity(one))
})

describe('klens train --out', () => {
  it("writes what the original's command line writes, under its names and counts", async () => {
    const folder = temporaryFolder()
    const [one] = originalCases.filter(({ name }) => name === 'rce-then-full')
    const { start } = one
    await writeOriginalInputs(folder, one)
    const at = (file: string): string => join(folder, file)
    const words = ['train', at('config.yaml'), '--from', at('start.safetensors'), '--out', at('out'), '--json']
    expect((await klensInside(folder, words)).code).toBe(0)
    const names = ['grpo_epoch1', 'grpo_epoch2', 'rce_epoch1', 'rce_epoch2']
    const files = names.flatMap(name => [`${name}.pt`, `${name}_v2format.ckpt`, `${name}_updates.jsonl`])
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

describe.each(['static', 'gated'])("the original's own grpo_epoch1.pt, %s", form => {
  it('is what klens writes: the same keys, types and order, and the same numbers', async () => {
    const folder = temporaryFolder()
    const [one] = originalCases.filter(each => each.name === 'full-beta' && each.form === form)
    await writeOriginalInputs(folder, one)
    const words = ['train', 'config.yaml', '--from', 'start.safetensors', '--out', 'out', '--set', 'epochs.grpo=1']
    expect((await klensInside(folder, words)).code).toBe(0)
    const contents = (path: string) =>
      withWeights(path, async ({ format, layout, about, tensors }) => ({
        kind: { format, layout, keys: Object.keys(about), epoch: about.epoch, phase: about.phase, beta: about.kl_beta },
        metrics: Object.entries(about.metrics ?? {}),
        tensors: tensors.map(({ name, dtype, shape }) => ({ name, dtype, shape })),
        values: (
          await Promise.all(tensors.map(async each => withoutKeyBias(each.name, await tensorValues(each))))
        ).flat(),
      }))
    const theirs = await contents(fileURLToPath(new URL(`./fixtures/lever/${form}-grpo_epoch1.pt`, import.meta.url)))
    const ours = await contents(join(folder, 'out/grpo_epoch1.pt'))
    expect(ours.kind).toEqual(theirs.kind)
    expect(ours.tensors).toEqual(theirs.tensors)
    expectClose(ours.values, theirs.values, FLOAT32.weight)
    expect(ours.metrics.map(([name]) => name)).toEqual(theirs.metrics.map(([name]) => name))
    const numbers = (metrics: typeof ours.metrics): number[] => metrics.map(([, value]) => Number(value))
    expectClose(numbers(ours.metrics), numbers(theirs.metrics), FLOAT32.epoch)
  })
})

/** A key's bias moves all scores alike, so its gradient is zero: what the original's float32 adds to it is rounding. */
function withoutKeyBias(name: string, values: ArrayLike<number>): readonly number[] {
  const third = values.length / 3
  return Array.from(values).filter((_, i) => !name.endsWith('in_proj_bias') || i < third || i >= 2 * third)
}

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

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import type { PickleValue } from '../../logs/sources/pickle/read.js'
import { readPickle } from '../../logs/sources/pickle/read.js'
import { type Converted, convertWeights } from './convert.js'
import { isUnknownToOriginal, plainName } from './lever-plus.js'
import { withWeights } from './open.js'
import { meaningOf } from './pickle-meaning.js'
import { writeSafetensors } from './safetensors.js'
import { contentHash, type Tensor } from './tensor.js'

const FIXTURES = fileURLToPath(new URL('./fixtures', import.meta.url))

const convert = (from: string, to: string): Promise<Converted> => withWeights(from, file => convertWeights(file, to))
const hashOf = (path: string): Promise<string> => withWeights(path, ({ tensors }) => contentHash(tensors))

function tensor(name: string, part: Tensor['part'] = 'model'): Tensor {
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(new Float32Array([1, 2]).buffer)
  }
  return { name, dtype: 'F32', shape: [2], part, bytes }
}

/** The dictionary that torch would load, klens's own part not unfolded. */
function picklesEntries(path: string): (readonly [string, PickleValue])[] {
  const bytes = readFileSync(path)
  return entriesOf(readPickle(bytes, bytes.indexOf(Buffer.from([0x80, 2]))).value)
}

function entriesOf(value: PickleValue): (readonly [string, PickleValue])[] {
  const meaning = meaningOf(value)
  return meaning.kind === 'dict' ? meaning.entries.map(([key, member]) => [String(key), member]) : []
}

describe('convert', () => {
  it('loses nothing on the way from .pt to safetensors to .ckpt and back to .pt', async () => {
    const folder = temporaryFolder()
    const path = (name: string): string => join(folder, name)
    const start = join(FIXTURES, 'grpo_epoch2.pt')
    await convert(start, path('a.safetensors'))
    await convert(path('a.safetensors'), path('b.ckpt'))
    await convert(path('b.ckpt'), path('c.pt'))
    await convert(start, path('direct.pt'))
    const hashes = await Promise.all([start, ...['a.safetensors', 'b.ckpt', 'c.pt'].map(path)].map(hashOf))
    expect(new Set(hashes).size).toBe(1)
    // Also kl_beta, metrics, the order of the tensors, and NaN.
    expect(readFileSync(path('c.pt'))).toEqual(readFileSync(path('direct.pt')))
  })

  it('writes the layouts that torch reads: each tensor aligned, under the original’s keys, and names that its model knows', async () => {
    const folder = temporaryFolder()
    await convert(join(FIXTURES, 'grpo_epoch2.pt'), join(folder, 'b.ckpt'))
    await withWeights(join(folder, 'b.ckpt'), async made => {
      await withWeights(join(FIXTURES, 'grpo_epoch2_v2format.ckpt'), async original => {
        expect(made.layout).toBe('v2')
        const attention = original.tensors.filter(({ name }) => isUnknownToOriginal(name))
        expect(attention).toHaveLength(6)
        expect(made.tensors.filter(({ name }) => isUnknownToOriginal(name))).toEqual([])
        expect(made.tensors.map(({ name }) => plainName(name))).toEqual(
          original.tensors.map(({ name }) => plainName(name)),
        )
        expect(made.about).toMatchObject(original.about)
      })
    })
  })

  it('tells the original what it counts and names its own way, and klens what klens said', async () => {
    const folder = temporaryFolder()
    const [own, pt, again] = ['own.safetensors', 'own.pt', 'again.safetensors'].map(name => join(folder, name))
    const metrics = { 'loss.total': 2, 'kl.ref': 'NaN', 'val.loss': 1.5, 'clip.frac': 0.1 }
    const training = { phaseEpoch: 2, grpo: { kl: { effective: 0.15 } } }
    const said = { epoch: 5, phase: 'grpo', metrics, training, config: { 'kl.loss.coef': 0.1 } }
    await writeSafetensors(own, [tensor('w')], said)
    await convert(own, pt)
    const theirs = picklesEntries(pt)
    expect(theirs.map(([key]) => key)).toEqual(['epoch', 'phase', 'model_state_dict', 'kl_beta', 'metrics', 'klens'])
    expect(theirs.filter(([key]) => ['epoch', 'phase', 'kl_beta'].includes(key)).map(([, value]) => value)).toEqual([
      1,
      'grpo',
      0.15,
    ])
    expect(entriesOf(theirs[4][1])).toEqual([
      ['grpo_loss', 2],
      ['kl', Number.NaN],
      ['val_loss', 1.5],
    ])
    await convert(pt, again)
    await withWeights(again, async ({ about }) => expect(about).toMatchObject({ ...said, kl_beta: 0.15 }))
  })

  it('keeps embeddings one tensor, whichever format they come in', async () => {
    const folder = temporaryFolder()
    await convert(join(FIXTURES, 'embeddings.npy'), join(folder, 'a.safetensors'))
    expect(await convert(join(folder, 'a.safetensors'), join(folder, 'b.pt'))).toMatchObject({ target: 'tensor' })
    await withWeights(join(folder, 'b.pt'), async ({ layout }) => expect(layout).toBe('tensor'))
    expect(await hashOf(join(folder, 'b.pt'))).toBe(await hashOf(join(FIXTURES, 'embeddings.pt')))
  })

  it('keeps an optimiser’s state in safetensors, and says which of it a .pt has no place for', async () => {
    const folder = temporaryFolder()
    const [own, pt] = [join(folder, 'own.safetensors'), join(folder, 'model.pt')]
    await writeSafetensors(own, [tensor('w'), tensor('optimiser.m.w', 'state')], { seed: 3, config: { lr: 1e-4 } })
    await withWeights(own, async ({ tensors, about }) => {
      expect(tensors.map(({ name, part }) => [name, part])).toEqual([
        ['w', 'model'],
        ['optimiser.m.w', 'state'],
      ])
      expect(about).toEqual({ seed: 3, config: { lr: 1e-4 } })
    })
    expect(await convert(own, pt)).toEqual({ target: 'v3', tensors: 1, leftOut: ['optimiser.m.w'] })
    await withWeights(pt, async ({ about }) => expect(about).toEqual({ seed: 3, config: { lr: 1e-4 } }))
  })

  it('refuses to drop attention layers that the v2 format has no room for', async () => {
    const folder = temporaryFolder()
    const deep = join(folder, 'deep.safetensors')
    await writeSafetensors(
      deep,
      [tensor('cross_attn_layers.0.in_proj_bias'), tensor('cross_attn_layers.1.in_proj_bias')],
      {},
    )
    const error = await convert(deep, join(folder, 'deep.ckpt')).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Problem)
    expect(String(error)).toContain('weights.too-many-layers')
  })
})

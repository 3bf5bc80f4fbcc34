import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { numberFromJson } from '../../logs/model/json.js'
import { plainName } from './lever-plus.js'
import { withWeights } from './open.js'
import { contentHash, tensorValues } from './tensor.js'

const FIXTURES = fileURLToPath(new URL('./fixtures', import.meta.url))
const fixture = (name: string): string => join(FIXTURES, name)

interface Told {
  readonly shape: readonly number[]
  readonly values: readonly (number | string)[]
}

const expected: { readonly [file: string]: { readonly [name: string]: Told } } = JSON.parse(
  readFileSync(fixture('expected.json'), 'utf8'),
)

async function tensorsOf(name: string): Promise<Map<string, { shape: readonly number[]; values: number[] }>> {
  return withWeights(fixture(name), async ({ tensors }) => {
    const read = new Map<string, { shape: readonly number[]; values: number[] }>()
    for (const tensor of tensors) {
      read.set(plainName(tensor.name), { shape: tensor.shape, values: [...(await tensorValues(tensor))] })
    }
    return read
  })
}

const hashOf = (name: string): Promise<string> => withWeights(fixture(name), ({ tensors }) => contentHash(tensors))

describe('every value is what torch says it is', () => {
  const files = [
    ['every.pt', 'every'],
    ['every-legacy.pt', 'every'],
    ['every.safetensors', 'every'],
    ['grpo_epoch1.pt', 'grpo_epoch1'],
    ['grpo_epoch2.pt', 'grpo_epoch2'],
    ['legacy.pt', 'grpo_epoch2'],
    ['grpo_epoch2_v2format.ckpt', 'grpo_epoch2'],
  ] as const
  for (const [file, told] of files) {
    it(file, async () => {
      const read = await tensorsOf(file)
      expect(read.size).toBeGreaterThanOrEqual(9)
      for (const [name, { shape, values }] of read) {
        expect(shape, name).toEqual(expected[told][name].shape)
        expect(values, name).toEqual(expected[told][name].values.map(value => numberFromJson(String(value)) ?? value))
      }
    })
  }

  it('no tensor is missing from the PyTorch files', async () => {
    for (const file of ['every.pt', 'every-legacy.pt']) {
      expect([...(await tensorsOf(file)).keys()]).toEqual(Object.keys(expected.every))
    }
  })
})

describe('the hash of the content', () => {
  it('is the same for the same weights in every format and layout', async () => {
    const hash = await hashOf('grpo_epoch2.pt')
    expect(await hashOf('legacy.pt')).toBe(hash)
    expect(await hashOf('grpo_epoch2_v2format.ckpt')).toBe(hash)
    expect(await hashOf('grpo_epoch1.pt')).not.toBe(hash)
    expect(await hashOf('embeddings.npy')).toBe(await hashOf('embeddings.pt'))
  })
})

describe('what a file says of itself', () => {
  it('is read from the original’s training checkpoint, NumPy numbers and NaN included', async () => {
    await withWeights(fixture('grpo_epoch2.pt'), async ({ about, layout, notRun }) => {
      expect(layout).toBe('v3')
      expect(notRun).toEqual([])
      expect(about).toEqual({
        epoch: 1,
        phase: 'grpo',
        kl_beta: 0.1,
        metrics: { grpo_loss: 0.25, kl: 0.0811, mean_ratio: 1, val_loss: 'NaN' },
      })
    })
  })

  it('shows a config inside a Python object without making the object', async () => {
    await withWeights(fixture('every.pt'), async ({ about, notRun }) => {
      expect(notRun).toEqual(['argparse.Namespace'])
      expect(about).toEqual({
        extras: {
          args: { $class: 'argparse.Namespace', seed: 3, lr: 5e-6, layers: [1, 2] },
          size: [2, 3],
          type: 'torch.float32',
          device: 'cpu',
          big: '1180591620717411303424',
          count: 7,
          flag: true,
          set: [1],
        },
      })
    })
  })

  it('names what a hostile pickle would call, calls nothing, and still reads the tensors', async () => {
    await withWeights(fixture('evil.pt'), async ({ notRun, tensors }) => {
      expect(notRun).toEqual(['posix.system'])
      expect(tensors.map(({ name }) => name)).toEqual(['weight'])
      expect(await tensorValues(tensors[0])).toEqual(new Float64Array([1, 1, 1]))
    })
    expect(existsSync('/tmp/klens-was-run')).toBe(false)
  })

  it('finds the tensors of a pickled module', async () => {
    await withWeights(fixture('whole-module.pt'), async ({ tensors, notRun }) => {
      expect(tensors.map(({ name, shape }) => [name, shape])).toEqual([
        ['_parameters.weight', [2, 3]],
        ['_parameters.bias', [2]],
      ])
      expect(notRun).toEqual(['torch.nn.modules.linear.Linear'])
    })
  })
})

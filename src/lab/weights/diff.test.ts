import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import { seededRandom } from '../../stats/random.js'
import { diffWeights, type WeightsDifference } from './diff.js'
import type { Dtype } from './dtype.js'
import { withWeights } from './open.js'
import { writeSafetensors } from './safetensors.js'
import type { Tensor } from './tensor.js'

function floats(name: string, values: Float32Array | Float64Array, shape = [values.length]): Tensor {
  const dtype: Dtype = values instanceof Float32Array ? 'F32' : 'F64'
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(values.buffer)
  }
  return { name, dtype, shape, part: 'model', bytes }
}

async function diffOf(first: readonly Tensor[], second: readonly Tensor[]): Promise<WeightsDifference> {
  const folder = temporaryFolder()
  const paths = [join(folder, 'a.safetensors'), join(folder, 'b.safetensors')]
  await writeSafetensors(paths[0], first, {})
  await writeSafetensors(paths[1], second, {})
  return withWeights(paths[0], a => withWeights(paths[1], b => diffWeights(a, b)))
}

/** The static selector at its real size: width 512, hidden 256, one layer. */
const SELECTOR: { readonly [name: string]: readonly number[] } = {
  'input_proj.weight': [256, 512],
  'cross_attn_layers.0.in_proj_weight': [768, 256],
  'cross_attn_layers.0.in_proj_bias': [768],
  'cross_attn_layers.0.out_proj.weight': [256, 256],
  'cross_attn_layers.0.out_proj.bias': [256],
  'attn_norms.0.weight': [256],
  'attn_norms.0.bias': [256],
  'query_proj.weight': [256, 256],
  'cand_proj.weight': [256, 256],
}
const FROZEN = ['input_proj.weight', 'query_proj.weight', 'cand_proj.weight']

describe('diff', () => {
  it('shows the "50.15 % differ" of a report as what it is: the tensors that were trained', async () => {
    const random = seededRandom(5)
    const tensors = Object.entries(SELECTOR).map(([name, shape]) => {
      const before = Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => 0.05 * random.normal())
      const after = before.map(value => value + (FROZEN.includes(name) ? 0 : 1e-4 + 1e-4 * random.next()))
      return [floats(name, before, [...shape]), floats(name, after, [...shape])] as const
    })
    const difference = await diffOf(
      tensors.map(([before]) => before),
      tensors.map(([, after]) => after),
    )
    expect(difference.total).toMatchObject({ parameters: 525_824, differing: 263_680 })
    expect((100 * difference.total.share).toFixed(2)).toBe('50.15')
    expect(difference.touched).toBe(263_680)
    expect(difference.notAtAll.toSorted()).toEqual(FROZEN.toSorted())
    expect(difference.entirely).toHaveLength(6)
    expect(difference.partly).toEqual([])
  })

  it('measures mean, maximum and relative difference over all parameters of a tensor', async () => {
    const { tensors, total } = await diffOf(
      [floats('a', new Float64Array([3, 4, 0, 0])), floats('b', new Float64Array([1]))],
      [floats('a', new Float64Array([3, 4, 0, 1])), floats('b', new Float64Array([1]))],
    )
    expect(tensors.find(({ name }) => name === 'a')).toMatchObject({
      differing: 1,
      share: 0.25,
      meanDifference: 0.25,
      maximumDifference: 1,
      relativeDifference: 0.2,
    })
    expect(total).toMatchObject({ parameters: 5, differing: 1, meanDifference: 0.2, maximumDifference: 1 })
  })

  it('compares across element types, and takes NaN for equal to NaN but not to a number', async () => {
    const { tensors } = await diffOf(
      [floats('a', new Float32Array([0.5, Number.NaN, 2])), floats('b', new Float64Array([Number.NaN]))],
      [floats('a', new Float64Array([0.5, Number.NaN, 3])), floats('b', new Float64Array([1]))],
    )
    const [a, b] = ['a', 'b'].map(name => tensors.find(tensor => tensor.name === name))
    expect(a).toMatchObject({ dtypes: ['F32', 'F64'], differing: 1, maximumDifference: 1 })
    expect(b).toMatchObject({ differing: 1, maximumDifference: Number.NaN })
  })

  it('names tensors that only one has, and those of another shape, and compares the rest', async () => {
    const difference = await diffOf(
      [
        floats('same', new Float64Array([1])),
        floats('first', new Float64Array([1])),
        floats('w', new Float64Array(4), [4]),
      ],
      [
        floats('same', new Float64Array([1])),
        floats('second', new Float64Array([1])),
        floats('w', new Float64Array(4), [2, 2]),
      ],
    )
    expect(difference).toMatchObject({
      onlyInFirst: ['first'],
      onlyInSecond: ['second'],
      otherShape: [{ name: 'w', shapes: [[4], [2, 2]] }],
      notAtAll: ['same'],
    })
  })
})

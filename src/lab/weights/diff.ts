import { decode, type Numbers } from './dtype.js'
import { plainName } from './lever-plus.js'
import { elementCount, type Tensor } from './tensor.js'
import type { WeightsFile } from './weights-file.js'

/** How two sets of weights differ, tensor by tensor, read side by side in pieces. */

interface TensorDifference {
  readonly name: string
  readonly shape: readonly number[]
  readonly dtypes: readonly [string, string]
  readonly parameters: number
  /** Parameters whose values are not equal. Two NaN are equal here: neither says anything else than the other. */
  readonly differing: number
  readonly share: number
  /** Over all parameters of the tensor, the equal ones included. */
  readonly meanDifference: number
  readonly maximumDifference: number
  /** Length of the difference against the length of the first, both as vectors: how far apart, in units of the weights. */
  readonly relativeDifference: number
}

export type Totals = Omit<TensorDifference, 'name' | 'shape' | 'dtypes'>

export interface WeightsDifference {
  readonly total: Totals
  readonly tensors: readonly TensorDifference[]
  readonly onlyInFirst: readonly string[]
  readonly onlyInSecond: readonly string[]
  readonly otherShape: readonly { readonly name: string; readonly shapes: readonly (readonly number[])[] }[]
  /** Names of tensors of which every parameter differs, some do, none does. */
  readonly entirely: readonly string[]
  readonly partly: readonly string[]
  readonly notAtAll: readonly string[]
  /** Parameters in tensors of which at least one parameter differs: what was trained, when the rest was frozen. */
  readonly touched: number
}

interface Sums {
  parameters: number
  differing: number
  absolute: number
  maximum: number
  squared: number
  squaredFirst: number
}

/** Only the model counts. Names are the trainer's, so that its file for inference can be compared with the one it came from. */
export async function diffWeights(first: WeightsFile, second: WeightsFile): Promise<WeightsDifference> {
  const [a, b] = [modelTensors(first), modelTensors(second)]
  const total = noSums()
  const tensors: TensorDifference[] = []
  const otherShape: { name: string; shapes: (readonly number[])[] }[] = []
  for (const [name, one] of a) {
    const other = b.get(name)
    if (other === undefined) continue
    if (one.shape.join() !== other.shape.join()) {
      otherShape.push({ name, shapes: [one.shape, other.shape] })
      continue
    }
    const sums = await diffTensors(one, other)
    add(total, sums)
    tensors.push({ name, shape: one.shape, dtypes: [one.dtype, other.dtype], ...figures(sums) })
  }
  const named = (wanted: (tensor: TensorDifference) => boolean): string[] =>
    tensors.filter(wanted).map(({ name }) => name)
  return {
    total: figures(total),
    tensors,
    onlyInFirst: [...a.keys()].filter(name => !b.has(name)),
    onlyInSecond: [...b.keys()].filter(name => !a.has(name)),
    otherShape,
    entirely: named(({ differing, parameters }) => differing > 0 && differing === parameters),
    partly: named(({ differing, parameters }) => differing > 0 && differing < parameters),
    notAtAll: named(({ differing }) => differing === 0),
    touched: tensors.reduce((sum, { differing, parameters }) => sum + (differing > 0 ? parameters : 0), 0),
  }
}

function modelTensors({ tensors }: WeightsFile): Map<string, Tensor> {
  return new Map(tensors.filter(({ part }) => part === 'model').map(tensor => [plainName(tensor.name), tensor]))
}

/** Pieces need not be of one length: element types differ, and a transposed tensor comes in pieces of its own. */
async function diffTensors(first: Tensor, second: Tensor): Promise<Sums> {
  const sums = { ...noSums(), parameters: elementCount(first.shape) }
  const others = numbersOf(second)
  let right: Numbers = new Float64Array()
  for await (const piece of numbersOf(first)) {
    for (let left: Numbers = piece; left.length > 0; ) {
      if (right.length === 0) {
        const next = await others.next()
        if (next.done === true) return sums
        right = next.value
      }
      const length = Math.min(left.length, right.length)
      count(sums, left, right, length)
      left = left.subarray(length)
      right = right.subarray(length)
    }
  }
  return sums
}

async function* numbersOf(tensor: Tensor): AsyncGenerator<Numbers> {
  for await (const piece of tensor.bytes()) yield decode(tensor.dtype, piece)
}

function count(sums: Sums, left: Numbers, right: Numbers, length: number): void {
  // Locals, because this runs once per parameter.
  let { differing, absolute, maximum, squared, squaredFirst } = sums
  for (let i = 0; i < length; i += 1) {
    const first = left[i]
    const second = right[i]
    squaredFirst += first * first
    if (first === second || (Number.isNaN(first) && Number.isNaN(second))) continue
    const difference = Math.abs(second - first)
    differing += 1
    absolute += difference
    squared += difference * difference
    // A NaN on one side only must not hide behind a comparison that is always false.
    if (difference > maximum || Number.isNaN(difference)) maximum = difference
  }
  Object.assign(sums, { differing, absolute, maximum, squared, squaredFirst })
}

function noSums(): Sums {
  return { parameters: 0, differing: 0, absolute: 0, maximum: 0, squared: 0, squaredFirst: 0 }
}

function add(total: Sums, sums: Sums): void {
  total.parameters += sums.parameters
  total.differing += sums.differing
  total.absolute += sums.absolute
  total.squared += sums.squared
  total.squaredFirst += sums.squaredFirst
  total.maximum = Number.isNaN(total.maximum)
    ? total.maximum
    : Number.isNaN(sums.maximum)
      ? sums.maximum
      : Math.max(total.maximum, sums.maximum)
}

function figures({ parameters, differing, absolute, maximum, squared, squaredFirst }: Sums): Totals {
  return {
    parameters,
    differing,
    share: parameters === 0 ? 0 : differing / parameters,
    meanDifference: parameters === 0 ? 0 : absolute / parameters,
    maximumDifference: maximum,
    relativeDifference: squared === 0 ? 0 : Math.sqrt(squared / squaredFirst),
  }
}

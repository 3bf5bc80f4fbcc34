import type { Engine } from '../kernels/engine.js'
import { type Matrix, type MatrixKernels, numbersIn, type Scratch } from '../matrix/matrix.js'
import type { ParameterSet, TensorShape } from '../matrix/parameters.js'

/**
 * The pointer selector: a query and K candidates, both embeddings of d numbers, are projected to `hidden`; the query
 * attends to the candidates; a pointer then picks `shots` candidates, one after the other and none twice, by cosine
 * similarity over a temperature. Two forms, both of Lever-Plus:
 *   static  every pick uses the same query (commit 496ce11, the one behind the published figures)
 *   gated   after each pick a gate mixes the picked candidate into the query (commit c228df3)
 * Names and layouts of parameters are the original's, so that its checkpoints can be read.
 */
export type PolicyForm = 'static' | 'gated'

export interface PolicyShape {
  readonly form: PolicyForm
  /** Width d of an embedding. When it equals `hidden` there is no input projection, as in the original. */
  readonly width: number
  readonly hidden: number
  readonly heads: number
  readonly layers: number
  /** How many candidates are picked unless a call says otherwise. */
  readonly shots: number
  readonly temperature: number
}

export const DEFAULT_SHAPE: PolicyShape = {
  form: 'static',
  width: 512,
  hidden: 256,
  heads: 1,
  layers: 1,
  shots: 2,
  temperature: 0.1,
}

/** What the original freezes when it "freezes the backbone": 263,680 of 525,824 parameters of the default are left. */
export const BACKBONE: readonly string[] = ['input_proj', 'query_proj', 'cand_proj']

export const LAYER_NORM_EPSILON = 1e-5

export const layerNames = (layer: number) =>
  ({
    attention: `cross_attn_layers.${layer}.in_proj_weight`,
    attentionBias: `cross_attn_layers.${layer}.in_proj_bias`,
    output: `cross_attn_layers.${layer}.out_proj.weight`,
    outputBias: `cross_attn_layers.${layer}.out_proj.bias`,
    norm: `attn_norms.${layer}.weight`,
    normBias: `attn_norms.${layer}.bias`,
  }) as const

export function tensorsOf(shape: PolicyShape): readonly TensorShape[] {
  const { form, width, hidden, heads, layers } = shape
  if (hidden % heads !== 0) throw new RangeError(`hidden size ${hidden} cannot be split into ${heads} heads`)
  const tensors: TensorShape[] = []
  const add = (name: string, ...dimensions: number[]): void => {
    tensors.push({ name, dimensions })
  }
  if (width !== hidden) add('input_proj.weight', hidden, width)
  for (let layer = 0; layer < layers; layer++) {
    const names = layerNames(layer)
    add(names.attention, 3 * hidden, hidden)
    add(names.attentionBias, 3 * hidden)
    add(names.output, hidden, hidden)
    add(names.outputBias, hidden)
    add(names.norm, hidden)
    add(names.normBias, hidden)
  }
  add('query_proj.weight', hidden, hidden)
  add('cand_proj.weight', hidden, hidden)
  if (form === 'gated') {
    add('query_update_gate.weight', hidden, 2 * hidden)
    add('query_update_gate.bias', hidden)
  }
  return tensors
}

/** What every part of a policy works with. */
export interface Model {
  readonly engine: Engine
  readonly kernels: MatrixKernels
  readonly shape: PolicyShape
  readonly parameters: ParameterSet
  readonly scratch: Scratch
}

/** x[i] *= factors[i] */
export function scaleBy(engine: Engine, x: Matrix, factors: Float32Array): void {
  const numbers = numbersIn(engine, x)
  for (let i = 0; i < factors.length; i++) numbers[i] *= factors[i]
}

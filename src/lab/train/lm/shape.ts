/**
 * A decoder in Qwen3's layout: tokens become vectors of `width`; each layer adds attention over the tokens before
 * (grouped: several query heads share a key head; queries and keys normalised by head, then turned by their position)
 * and a gated feed-forward of `inner` units; a last norm, and the embedding once more as the head. Names and layouts
 * of parameters are Hugging Face's, so that what is trained here loads there.
 */

import type { Random } from '../../../stats/random.js'
import type { ParameterSet, TensorShape } from '../matrix/parameters.js'

export interface DecoderShape {
  /** Tokens that there are. */
  readonly vocabulary: number
  readonly width: number
  readonly layers: number
  readonly heads: number
  readonly keyHeads: number
  /** Of one head; the heads together need not be as wide as the model. */
  readonly headWidth: number
  readonly inner: number
  /** The longest sequence. */
  readonly positions: number
  readonly ropeTheta: number
  /** Of the norms. */
  readonly epsilon: number
}

/** 202,752 parameters in the layers; the vocabulary adds 96 for each token (270,000 with 700). */
export const DEFAULT_DECODER: Omit<DecoderShape, 'vocabulary'> = {
  width: 96,
  layers: 2,
  heads: 4,
  keyHeads: 2,
  headWidth: 24,
  inner: 256,
  positions: 512,
  ropeTheta: 10_000,
  epsilon: 1e-6,
}

export const EMBEDDING = 'model.embed_tokens.weight'
export const LAST_NORM = 'model.norm.weight'

export const decoderLayerNames = (layer: number) =>
  ({
    attentionNorm: `model.layers.${layer}.input_layernorm.weight`,
    query: `model.layers.${layer}.self_attn.q_proj.weight`,
    key: `model.layers.${layer}.self_attn.k_proj.weight`,
    value: `model.layers.${layer}.self_attn.v_proj.weight`,
    output: `model.layers.${layer}.self_attn.o_proj.weight`,
    queryNorm: `model.layers.${layer}.self_attn.q_norm.weight`,
    keyNorm: `model.layers.${layer}.self_attn.k_norm.weight`,
    feedForwardNorm: `model.layers.${layer}.post_attention_layernorm.weight`,
    gate: `model.layers.${layer}.mlp.gate_proj.weight`,
    up: `model.layers.${layer}.mlp.up_proj.weight`,
    down: `model.layers.${layer}.mlp.down_proj.weight`,
  }) as const

export function decoderTensors(shape: DecoderShape): readonly TensorShape[] {
  const { vocabulary, width, layers, heads, keyHeads, headWidth, inner } = shape
  if (heads % keyHeads !== 0) throw new RangeError(`${heads} heads cannot share ${keyHeads} key heads evenly`)
  if (headWidth % 2 !== 0) throw new RangeError(`a head of ${headWidth} numbers cannot be turned in pairs`)
  const tensors: TensorShape[] = []
  const add = (name: string, ...dimensions: number[]): void => {
    tensors.push({ name, dimensions })
  }
  add(EMBEDDING, vocabulary, width)
  for (let layer = 0; layer < layers; layer++) {
    const names = decoderLayerNames(layer)
    add(names.attentionNorm, width)
    add(names.query, heads * headWidth, width)
    add(names.key, keyHeads * headWidth, width)
    add(names.value, keyHeads * headWidth, width)
    add(names.output, width, heads * headWidth)
    add(names.queryNorm, headWidth)
    add(names.keyNorm, headWidth)
    add(names.feedForwardNorm, width)
    add(names.gate, inner, width)
    add(names.up, inner, width)
    add(names.down, width, inner)
  }
  add(LAST_NORM, width)
  return tensors
}

/**
 * Fresh parameters: normal numbers whose spread keeps every layer's output at about the size of its input, smaller by
 * the root of their number for the matrices that add to the residual stream (Radford et al. 2019); norms start at 1.
 */

export function initialiseDecoder(parameters: ParameterSet, { width, layers }: DecoderShape, random: Random): void {
  const values = new Map<string, Float64Array>()
  const usual = 0.5 / Math.sqrt(width)
  for (const { name, dimensions, length } of parameters.all) {
    const isNorm = dimensions.length === 1
    const addsToStream = /\.(o_proj|down_proj)\.weight$/.test(name)
    const spread = addsToStream ? usual / Math.sqrt(2 * layers) : usual
    values.set(
      name,
      Float64Array.from({ length }, () => (isNorm ? 1 : spread * random.normal())),
    )
  }
  parameters.load(values)
}

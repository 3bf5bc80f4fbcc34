/** `config.json` of a Qwen3 model as Hugging Face writes it, and the shape that it tells. */
import { z } from 'zod'
import type { JsonObject } from '../../../model/json.js'
import type { DecoderShape } from '../shape.js'

/** Tokens that the library must know by number. */
export interface TokenIds {
  readonly end: number
  readonly padding: number
}

export function modelConfig(shape: DecoderShape, { end, padding }: TokenIds): JsonObject {
  return {
    architectures: ['Qwen3ForCausalLM'],
    model_type: 'qwen3',
    vocab_size: shape.vocabulary,
    hidden_size: shape.width,
    intermediate_size: shape.inner,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    num_key_value_heads: shape.keyHeads,
    head_dim: shape.headWidth,
    max_position_embeddings: shape.positions,
    rms_norm_eps: shape.epsilon,
    // transformers 4 reads the first, transformers 5 the second.
    rope_theta: shape.ropeTheta,
    rope_parameters: { rope_type: 'default', rope_theta: shape.ropeTheta },
    tie_word_embeddings: true,
    hidden_act: 'silu',
    attention_bias: false,
    attention_dropout: 0,
    use_sliding_window: false,
    use_cache: true,
    bos_token_id: null,
    eos_token_id: end,
    pad_token_id: padding,
    dtype: 'float32',
    torch_dtype: 'float32',
  }
}

const size = z.int().positive()
const schema = z.object({
  model_type: z.literal('qwen3'),
  vocab_size: size,
  hidden_size: size,
  intermediate_size: size,
  num_hidden_layers: size,
  num_attention_heads: size,
  num_key_value_heads: size,
  head_dim: size,
  max_position_embeddings: size,
  rms_norm_eps: z.number().positive(),
  rope_theta: z.number().positive().optional(),
  rope_parameters: z.object({ rope_type: z.literal('default'), rope_theta: z.number().positive() }).optional(),
  rope_scaling: z.null().optional(),
  tie_word_embeddings: z.literal(true),
  hidden_act: z.literal('silu'),
  attention_bias: z.literal(false).optional(),
  use_sliding_window: z.literal(false).optional(),
})

/** Null where the file is no Qwen3, or one of a kind that is computed otherwise (biases, an untied head, windows). */
export function shapeInConfig(config: unknown): DecoderShape | null {
  const parsed = schema.safeParse(config)
  if (!parsed.success) return null
  const { data } = parsed
  return {
    vocabulary: data.vocab_size,
    width: data.hidden_size,
    layers: data.num_hidden_layers,
    heads: data.num_attention_heads,
    keyHeads: data.num_key_value_heads,
    headWidth: data.head_dim,
    inner: data.intermediate_size,
    positions: data.max_position_embeddings,
    ropeTheta: data.rope_parameters?.rope_theta ?? data.rope_theta ?? 10_000,
    epsilon: data.rms_norm_eps,
  }
}

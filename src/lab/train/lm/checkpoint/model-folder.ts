/**
 * A language model on disk: a folder that Hugging Face's `from_pretrained` loads (weights, config, tokenizer, chat
 * template), and that is read here again. It appears under its name whole or not at all.
 */

import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../../../core/store/atomic.js'
import type { JsonObject } from '../../../../logs/model/json.js'
import { Problem } from '../../../../logs/model/problem.js'
import { sentences } from '../../../../text/sentences.js'
import { withWeights } from '../../../weights/open.js'
import { writeSafetensors } from '../../../weights/safetensors.js'
import { contentHash, tensorValues } from '../../../weights/tensor.js'
import { parseBoundedJson } from '../../../weights/weights-file.js'
import { tensorOf } from '../../checkpoint.js'
import type { ParameterSet } from '../../matrix/parameters.js'
import { CHAT_TEMPLATE, END, PADDING } from '../chat.js'
import { type DecoderShape, decoderTensors } from '../shape.js'
import type { Tokenizer } from '../tokenizer/tokenizer.js'
import { parseTokenizerJson, tokenizerJson } from '../tokenizer/tokenizer-json.js'

export interface SavedModel {
  readonly shape: DecoderShape
  readonly parameters: ParameterSet
  readonly tokenizer: Tokenizer
}

export interface LoadedModel {
  readonly shape: DecoderShape
  readonly values: ReadonlyMap<string, Float64Array>
  readonly tokenizer: Tokenizer
  /** What was said when it was saved. */
  readonly about: JsonObject
  readonly contentHash: string
}

const WEIGHTS = 'model.safetensors'
const CONFIG = 'config.json'
const TOKENIZER = 'tokenizer.json'

const say = sentences({
  'language-model.not-a-model': {
    en: '{path} is not a language model of klens: {file} is missing or invalid.',
    zh: '{path} 不是 klens 的语言模型：{file} 缺失，或其中并非 klens 写入的内容。',
  },
  'language-model.misshapen': {
    en: '{path}: tensor {tensor} does not have the shape {shape} of config.json.',
    zh: '{path}：张量 {tensor} 的形状不是 config.json 所要求的 {shape}。',
  },
  'language-model.damaged': {
    en: '{path} was damaged after it was written: its weights do not match its own hash.',
    zh: '{path} 写入后已损坏：其中的权重与文件所记不符。',
  },
})

/** `also` may put further files into the folder before it gets its name. Answers which weights these are. */
export async function saveModel(
  folder: string,
  { shape, parameters, tokenizer }: SavedModel,
  about: JsonObject,
  also: (folder: string) => Promise<void> = async () => {},
): Promise<string> {
  const beside = `${folder}.${process.pid}.tmp`
  const values = parameters.read()
  const tensors = parameters.all.map(each => tensorOf(each.name, 'model', each, values))
  const hash = await contentHash(tensors)
  const ids = { end: tokenizer.markId(END), padding: tokenizer.markId(PADDING) }
  const writeJson = (name: string, content: JsonObject): Promise<void> =>
    writeFileAtomically(join(beside, name), `${JSON.stringify(content, null, 2)}\n`)
  await rm(beside, { recursive: true, force: true })
  await mkdir(beside, { recursive: true })
  try {
    await writeSafetensors(join(beside, WEIGHTS), tensors, { ...about, contentHash: hash }, { format: 'pt' })
    await writeJson(CONFIG, modelConfig(shape, ids))
    await writeJson('generation_config.json', { do_sample: false, eos_token_id: ids.end, pad_token_id: ids.padding })
    await writeJson('tokenizer_config.json', {
      ...{ tokenizer_class: 'PreTrainedTokenizerFast', eos_token: END, pad_token: PADDING },
      ...{ model_max_length: shape.positions, clean_up_tokenization_spaces: false },
    })
    await writeFileAtomically(join(beside, TOKENIZER), tokenizerJson(tokenizer))
    await writeFileAtomically(join(beside, 'chat_template.jinja'), CHAT_TEMPLATE)
    await also(beside)
    await replaceFolder(folder, beside)
  } catch (error) {
    await rm(beside, { recursive: true, force: true })
    throw error
  }
  return hash
}

/** A folder cannot be renamed over another one: the old one steps aside first. */
async function replaceFolder(folder: string, by: string): Promise<void> {
  const old = `${by}.old`
  const wasThere = await rename(folder, old).then(
    () => true,
    () => false,
  )
  await rename(by, folder)
  if (wasThere) await rm(old, { recursive: true, force: true })
}

export async function loadModel(folder: string): Promise<LoadedModel> {
  const shape = shapeInConfig(parseBoundedJson(await textOf(folder, CONFIG)))
  if (shape === null) throw notAModel(folder, CONFIG)
  const tokenizer = parseTokenizerJson(await textOf(folder, TOKENIZER))
  if (tokenizer === null || tokenizer.size !== shape.vocabulary) throw notAModel(folder, TOKENIZER)
  const path = join(folder, WEIGHTS)
  return withWeights(path, async ({ tensors, about }) => {
    const byName = new Map(tensors.map(tensor => [tensor.name, tensor]))
    const values = new Map<string, Float64Array>()
    for (const { name, dimensions } of decoderTensors(shape)) {
      const tensor = byName.get(name)
      if (tensor?.shape.join() !== dimensions.join()) {
        const sentence = say('language-model.misshapen', { path, tensor: name, shape: dimensions.join(' × ') })
        throw new Problem('unreadable', sentence)
      }
      values.set(name, await tensorValues(tensor))
    }
    const hash = await contentHash(tensors)
    if (typeof about.contentHash === 'string' && about.contentHash !== hash) {
      throw new Problem('damaged', say('language-model.damaged', { path }))
    }
    return { shape, values, tokenizer, about, contentHash: hash }
  })
}

async function textOf(folder: string, file: string): Promise<string> {
  try {
    return await readFile(join(folder, file), 'utf8')
  } catch {
    throw notAModel(folder, file)
  }
}

function notAModel(path: string, file: string): Problem {
  return new Problem('unreadable', say('language-model.not-a-model', { path, file }))
}

/** `config.json` of a Qwen3 model as Hugging Face writes it, and the shape that it tells. */

/** Tokens that the library must know by number. */
interface TokenIds {
  readonly end: number
  readonly padding: number
}

function modelConfig(shape: DecoderShape, { end, padding }: TokenIds): JsonObject {
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
function shapeInConfig(config: unknown): DecoderShape | null {
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

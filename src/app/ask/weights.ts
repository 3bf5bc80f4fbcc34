import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { convertWeights } from '../../lab/weights/convert.js'
import { diffWeights } from '../../lab/weights/diff.js'
import { withWeights } from '../../lab/weights/open.js'
import { contentHash, elementCount } from '../../lab/weights/tensor.js'
import type { JsonObject } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import { flatten } from '../../logs/sources/python-json.js'
import { encode } from '../../text/encode.js'
import { message } from '../../text/say.js'
import { figure, json, list, pair, request } from './fields.js'
import { question } from './question.js'

/** What is in these weights, do two files differ and where, and the same weights in another format. */

/** What one must know to train the same again, and the members under which checkpoints keep it. */
const LINEAGE = {
  config: /^(?:config|cfg|args|hparams)\b|^hyper_parameters\.cfg\b/,
  seed: /(?:^|\.)seed$/,
  parent: /^parent/,
  data: /^data/,
} as const

const lineage = z.enum(['config', 'seed', 'parent', 'data'])

const weightsAnswer = z.object({
  path: z.string(),
  format: z.enum(['safetensors', 'npy', 'npz', 'pytorch', 'pytorch-legacy']),
  layout: z.enum(['v3', 'v2', 'lightning', 'state-dict', 'tensor', 'sharded', 'fsdp', 'adapter']),
  /** The files of a folder; one for a file. */
  files: list(z.string()),
  /** Of an adapter: the model that it belongs to, as its config names it. */
  base: z.string().nullable(),
  bytes: z.number(),
  /** Of the model; state beside it does not count. */
  parameters: z.number(),
  contentHash: z.string(),
  about: z.record(z.string(), json),
  /** What the file does not say of its training. */
  missing: list(lineage),
  /** What loading the file in Python would call. */
  notRun: list(z.string()),
  tensors: list(
    z.object({
      name: z.string(),
      part: z.enum(['model', 'state']),
      dtype: z.string(),
      shape: list(z.number()),
      /** Of one rank's part: the shape of the whole. */
      of: list(z.number()).nullable(),
      parameters: z.number(),
    }),
  ),
})

export type WeightsAnswer = z.infer<typeof weightsAnswer>

export const weights = question({
  request: request({ file: z.string() }),
  answer: weightsAnswer,
  ask: (_, { file: path }) =>
    withWeights(path, async ({ format, layout, files, base, bytes, tensors, about, notRun }) => {
      const listed = tensors.map(({ name, part, dtype, shape, shard }) => {
        return { name, part, dtype, shape, of: shard?.shape ?? null, parameters: elementCount(shape) }
      })
      return {
        path,
        format,
        layout,
        files,
        base,
        bytes,
        parameters: listed.reduce((sum, { part, parameters }) => sum + (part === 'model' ? parameters : 0), 0),
        contentHash: await contentHash(tensors),
        about,
        missing: missingLineage(about).filter(kind => kind !== 'parent' || base === null),
        notRun,
        tensors: listed,
      }
    }),
})

function missingLineage(about: JsonObject): WeightsAnswer['missing'] {
  const keys = [...flatten(about).leaves.keys()]
  return lineage.options.filter(kind => !keys.some(key => LINEAGE[kind].test(key)))
}

const totals = z.object({
  parameters: z.number(),
  differing: z.number(),
  share: figure,
  meanDifference: figure,
  maximumDifference: figure,
  relativeDifference: figure,
})

const differenceAnswer = z.object({
  files: pair(z.string()),
  /** Of adapters: the models that they belong to. */
  bases: pair(z.string().nullable()),
  total: totals,
  onlyInFirst: list(z.string()),
  onlyInSecond: list(z.string()),
  otherShape: list(z.object({ name: z.string(), shapes: list(list(z.number())) })),
  entirely: list(z.string()),
  partly: list(z.string()),
  notAtAll: list(z.string()),
  touched: z.number(),
  tensors: list(totals.extend({ name: z.string(), shape: list(z.number()), dtypes: pair(z.string()) })),
})

export type WeightsDifferenceAnswer = z.infer<typeof differenceAnswer>

export const weightsDiff = question({
  request: request({ first: z.string(), second: z.string() }),
  answer: differenceAnswer,
  ask: (_, { first, second, lang }) =>
    withWeights(first, one =>
      withWeights(second, async other => {
        const found = { files: [first, second] as const, bases: [one.base, other.base] as const }
        return encode({ ...found, ...(await diffWeights(one, other)) }, lang)
      }),
    ),
})

export const weightsConvert = question({
  request: request({ input: z.string(), output: z.string() }),
  answer: z.object({
    input: z.string(),
    output: z.string(),
    target: z.enum(['safetensors', 'v3', 'v2', 'tensor']),
    tensors: z.number(),
    /** State beside the model that the other format has no place for. */
    leftOut: list(z.string()),
  }),
  async ask(_, { input, output }) {
    const path = resolve(output)
    const folder = await stat(dirname(path)).catch(() => null)
    if (!folder?.isDirectory()) throw new Problem('not-found', message('weights.no-folder', { path: dirname(path) }))
    // A checkpoint may have cost a week; nothing here is worth that.
    if ((await stat(path).catch(() => null)) !== null) {
      throw new Problem('bad-request', message('weights.exists', { path }))
    }
    return withWeights(input, async file => ({ input, output: path, ...(await convertWeights(file, path)) }))
  },
})

export type WeightsConvertAnswer = z.infer<typeof weightsConvert.answer>

import { Problem } from '../../../../logs/model/problem.js'
import { sentences } from '../../../../text/sentences.js'
import type { Embed, EmbeddingInput } from '../../../endpoint/embeddings.js'
import { inParallel } from '../../../endpoint/in-parallel.js'
import { withWeights } from '../../../weights/open.js'
import { type Tensor, tensorValues } from '../../../weights/tensor.js'
import { NAMELESS } from '../../../weights/weights-file.js'
import { dataUrl, type Item } from './items.js'

/**
 * A row of embedding for each item, in the order of the file: what `data.query_embeddings` needs. A matrix with holes
 * would move all rows after them, so a vector that could not be had is an error; those that were had are kept, and the
 * same command asks for the rest only. They come from an endpoint, or from a file that somebody else made, by id.
 */
export const EMBEDDED_PARTS = ['text', 'image', 'image+text'] as const
export type EmbeddedPart = (typeof EMBEDDED_PARTS)[number]

const say = sentences({
  'embed.missing': {
    en: '{count} of {total} items have no embedding yet: {reason}; the same command continues with those',
    zh: '{total} 个样本中有 {count} 个尚无 embedding：{reason}；再次执行同一命令即可继续',
  },
  'embed.widths': {
    en: 'the endpoint returned vectors of several widths ({widths}) or too few of them: is it one model?',
    zh: '接口返回的向量维度不一致（{widths}）或数量不足：是否为同一个模型？',
  },
  'embed.no-image': { en: 'item {id} has no image', zh: '样本 {id} 没有图片' },
  'embed.no-rows': {
    en: '{file} has no rows by id: it needs a matrix and a list of as many whole numbers, or a vector named by each id',
    zh: '{file} 中没有按 id 的行：需要一个矩阵和同样长度的整数列表，或以每个 id 命名的向量',
  },
  'embed.not-in-file': {
    en: '{count} of {total} items are not in {file}, such as {id}; neither their id nor the number of their image is there',
    zh: '{total} 个样本中有 {count} 个不在 {file} 中，如 {id}；其 id 与图片编号都找不到',
  },
})

/** So many texts in one request; a picture goes alone, which every server can take. */
const TEXTS = 32

interface EmbedOptions {
  readonly part: EmbeddedPart
  readonly embed: Embed
  /** Requests at a time: no more pictures than these are in memory. */
  readonly concurrency: number
  readonly progress: (done: number, total: number) => void
}

export async function embedItems(items: readonly Item[], options: EmbedOptions): Promise<Tensor> {
  const { part, embed, concurrency, progress } = options
  const size = part === 'text' ? TEXTS : 1
  const batches = Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )
  let done = 0
  const replies = await inParallel(batches, concurrency, async batch => {
    const reply = await embed(await Promise.all(batch.map(item => inputOf(item, part))))
    done += batch.length
    progress(done, items.length)
    return reply
  })
  const missing = replies.flatMap((reply, at) =>
    reply.kind === 'missing' ? [{ count: batches[at].length, reason: reply.reason }] : [],
  )
  if (missing.length > 0) {
    const count = missing.reduce((sum, each) => sum + each.count, 0)
    throw new Problem('unreachable', say('embed.missing', { count, total: items.length, reason: missing[0].reason }))
  }
  const vectors = replies.flatMap(reply => (reply.kind === 'vectors' ? reply.vectors : []))
  const widths = [...new Set(vectors.map(({ length }) => length))]
  if (widths.length !== 1 || vectors.length !== items.length) {
    throw new Problem('unreadable', say('embed.widths', { widths: widths.join(', ') }))
  }
  return matrixOf(vectors, widths[0])
}

async function inputOf({ id, text, image }: Item, part: EmbeddedPart): Promise<EmbeddingInput> {
  if (part === 'text') return { text, image: null }
  if (image === null) throw new Problem('bad-request', say('embed.no-image', { id }))
  return { text: part === 'image' ? null : text, image: await dataUrl(image) }
}

function matrixOf(vectors: readonly ArrayLike<number>[], width: number): Tensor {
  const values = new Float32Array(vectors.length * width)
  for (const [row, vector] of vectors.entries()) values.set(vector, row * width)
  return {
    name: NAMELESS,
    dtype: 'F32',
    shape: [vectors.length, width],
    part: 'model',
    async *bytes() {
      yield Buffer.from(values.buffer)
    },
  }
}

/** Rows of a file that says whose they are: by the id of an item, else by the number of its image, as caches of CLIP have it. */
export async function rowsForItems(items: readonly Item[], file: string): Promise<Tensor> {
  const rows = await rowsById(file)
  const vectors = items.map(
    ({ id, image }) => rows.get(id) ?? (image === null ? undefined : rows.get(imageNumber(image.path))),
  )
  const absent = vectors.flatMap((vector, i) => (vector === undefined ? [items[i].id] : []))
  if (absent.length > 0) {
    const about = { count: absent.length, total: items.length, file, id: absent[0] }
    throw new Problem('not-found', say('embed.not-in-file', about))
  }
  const had = vectors.filter(vector => vector !== undefined)
  const widths = [...new Set(had.map(({ length }) => length))]
  if (widths.length !== 1) throw new Problem('unreadable', say('embed.widths', { widths: widths.join(', ') }))
  return matrixOf(had, widths[0])
}

/** `COCO_train2014_000000000042.jpg` is 42. */
function imageNumber(path: string): string {
  return String(Number(/(\d+)\.[a-z]+$/i.exec(path)?.[1] ?? Number.NaN))
}

async function rowsById(file: string): Promise<ReadonlyMap<string, ArrayLike<number>>> {
  return withWeights(file, async ({ tensors }) => {
    const matrix = tensors.find(({ shape, dtype }) => shape.length === 2 && isFloat(dtype))
    const ids = tensors.find(
      ({ shape, dtype }) => shape.length === 1 && !isFloat(dtype) && shape[0] === matrix?.shape[0],
    )
    if (matrix !== undefined && ids !== undefined) {
      const values = Float32Array.from(await tensorValues(matrix))
      const [, width] = matrix.shape
      const names = Array.from(await tensorValues(ids), String)
      return new Map(names.map((id, row) => [id, values.subarray(row * width, (row + 1) * width)]))
    }
    const named = tensors.filter(
      ({ name, shape, dtype }) => shape.length === 1 && isFloat(dtype) && idIn(name) !== null,
    )
    if (named.length === 0) throw new Problem('unreadable', say('embed.no-rows', { file }))
    const rows = new Map<string, ArrayLike<number>>()
    for (const tensor of named) rows.set(idIn(tensor.name) ?? '', await tensorValues(tensor))
    return rows
  })
}

/** The last word of a tensor's name, where it is a number. */
function idIn(name: string): string | null {
  return /(?:^|[./])0*(\d+)$/.exec(name)?.[1] ?? null
}

function isFloat(dtype: Tensor['dtype']): boolean {
  return dtype.startsWith('F') || dtype === 'BF16'
}

import { createHash } from 'node:crypto'
import { dirname, extname, resolve } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../../../logs/model/problem.js'
import { message } from '../../../../text/say.js'
import { sentences } from '../../../../text/sentences.js'
import type { Embed } from '../../../endpoint/endpoint.js'
import type { Tensor } from '../../../weights/tensor.js'
import { parseBoundedJson } from '../../../weights/weights-file.js'
import { readTaskFile, type Split, textOf } from '../task.js'

/**
 * Questions with their answers, one JSON object on each line, in the order of the embeddings' rows:
 *   {"id": "q1", "text": "What is on the table?", "image": "images/1.jpg", "answers": ["a cup", "cup"], "split": "test"}
 * `image` is a path beside the file. A query and an example look alike; which it is, the caller says.
 */
export interface Item {
  readonly id: string
  readonly text: string
  readonly image: Image | null
  /** All that count as right: ten annotators' words, or one. */
  readonly answers: readonly string[]
  readonly split: Split | null
}

export interface Image {
  readonly path: string
  readonly mediaType: string
}

interface ItemFile {
  readonly items: readonly Item[]
  /** SHA-256 over the file and its images. */
  readonly hash: string
}

const itemSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  text: z.string(),
  image: z.string().optional(),
  answers: z.array(z.string()).min(1),
  split: z.enum(['train', 'val', 'test']).optional(),
})

const MEDIA_TYPES: { readonly [extension: string]: string | undefined } = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}

/** Without images the items are plain questions, and the pictures are not even looked for. */
export async function readItems(file: string, { images }: { readonly images: boolean }): Promise<ItemFile> {
  const bytes = await readTaskFile(file)
  const hash = createHash('sha256').update(bytes)
  const items: Item[] = []
  const seen = new Set<string>()
  for (const [i, text] of textOf(file, bytes).split('\n').entries()) {
    if (text.trim() === '') continue
    const read = readItem(file, i + 1, text)
    const item = images ? read : { ...read, image: null }
    if (seen.has(item.id))
      throw new Problem('unreadable', message('llm.repeated-item', { file, line: i + 1, id: item.id }))
    seen.add(item.id)
    items.push(item)
    // Read now: a picture that is missing or changed must show before the first request is paid for.
    if (item.image !== null) hash.update(await readTaskFile(item.image.path))
  }
  if (items.length === 0) throw new Problem('not-enough', message('llm.no-items', { file }))
  return { items, hash: hash.digest('hex') }
}

function readItem(file: string, line: number, text: string): Item {
  const parsed = itemSchema.safeParse(parseBoundedJson(text))
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') || 'JSON'
    throw new Problem('unreadable', message('llm.bad-item', { file, line, field }))
  }
  const { image, split = null, ...rest } = parsed.data
  return { ...rest, split, image: image === undefined ? null : imageAt(file, line, image) }
}

function imageAt(file: string, line: number, image: string): Image {
  const mediaType = MEDIA_TYPES[extname(image).toLowerCase()]
  if (mediaType === undefined)
    throw new Problem('unreadable', message('llm.image-type', { file, line, image: extname(image) }))
  return { path: resolve(dirname(file), image), mediaType }
}

/**
 * A row of embedding for the text of each item, in the order of the file: what `data.query_embeddings` needs. A matrix
 * with holes would move all rows after them, so a vector that could not be had is an error; those that were had are
 * kept, and the same command asks for the rest only. Pictures are no part of the embeddings protocol.
 */
const say = sentences({
  'embed.missing': {
    en: '{count} of {total} texts have no embedding yet: {reason}; the same command continues with those',
    zh: '{total} 条文本中有 {count} 条尚无 embedding：{reason}；再次执行同一命令即可继续',
  },
  'embed.widths': {
    en: 'the endpoint returned vectors of several widths ({widths}) or too few of them: is it one model?',
    zh: '接口返回的向量维度不一致（{widths}）或数量不足：是否为同一个模型？',
  },
})

/** So many texts in one request. */
const BATCH = 32

export async function embedItems(
  file: string,
  embed: Embed,
  progress: (done: number, total: number) => void,
): Promise<Tensor> {
  const { items } = await readItems(file, { images: false })
  const batches = Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) =>
    items.slice(i * BATCH, (i + 1) * BATCH).map(({ text }) => text),
  )
  let done = 0
  const replies = await Promise.all(
    batches.map(async texts => {
      const reply = await embed(texts)
      done += texts.length
      progress(done, items.length)
      return { texts, reply }
    }),
  )
  const missing = replies.flatMap(({ texts, reply }) =>
    reply.kind === 'missing' ? [{ count: texts.length, reason: reply.reason }] : [],
  )
  if (missing.length > 0) {
    const count = missing.reduce((sum, each) => sum + each.count, 0)
    throw new Problem('unreachable', say('embed.missing', { count, total: items.length, reason: missing[0].reason }))
  }
  const vectors = replies.flatMap(({ reply }) => (reply.kind === 'vectors' ? reply.vectors : []))
  const widths = [...new Set(vectors.map(({ length }) => length))]
  if (widths.length !== 1 || vectors.length !== items.length) {
    throw new Problem('unreadable', say('embed.widths', { widths: widths.join(', ') }))
  }
  const values = Float32Array.from(vectors.flat())
  return {
    name: 'data',
    dtype: 'F32',
    shape: [items.length, widths[0]],
    part: 'model',
    async *bytes() {
      yield Buffer.from(values.buffer)
    },
  }
}

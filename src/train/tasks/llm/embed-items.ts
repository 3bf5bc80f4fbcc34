import type { Embed } from '../../../endpoint/embeddings.js'
import { Problem } from '../../../model/problem.js'
import { sentences } from '../../../text/sentences.js'
import type { Tensor } from '../../../weights/tensor.js'
import { readItems } from './items.js'

/**
 * A row of embedding for the text of each item, in the order of the file: what `data.query_embeddings` needs. A matrix
 * with holes would move all rows after them, so a vector that could not be had is an error; those that were had are
 * kept, and the same command asks for the rest only. Pictures are no part of the embeddings protocol.
 */
const say = sentences({
  'embed.missing': {
    en: '{count} of {total} texts have no embedding yet: {reason}; the same command goes on with those',
    zh: '{total} 条文本中有 {count} 条尚无 embedding：{reason}；再次执行同一命令即可继续',
  },
  'embed.widths': {
    en: "the endpoint gave vectors of several widths ({widths}) or too few of them: are these one model's?",
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

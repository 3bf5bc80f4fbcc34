import { z } from 'zod'
import type { ResponseCache } from './cache.js'
import { type EndpointOptions, type EndpointReply, openPost } from './endpoint.js'

/** POST {url}/embeddings: texts in, a vector for each out, in their order. What was answered once is not asked again. */
export type Embed = (texts: readonly string[]) => Promise<EmbeddingReply>

export type EmbeddingReply =
  | { readonly kind: 'vectors'; readonly vectors: readonly (readonly number[])[] }
  | Extract<EndpointReply, { readonly kind: 'missing' }>

const vectors = z.array(z.array(z.number()).min(1))
const bodySchema = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })) })

export function openEmbeddings(
  options: Omit<EndpointOptions, 'temperature' | 'maxTokens'>,
  cache: ResponseCache,
): Embed {
  const post = openPost('/embeddings', readVectors, options, cache)
  return async input => {
    const reply = await post(JSON.stringify({ model: options.model, input }))
    return reply.kind === 'missing' ? reply : { kind: 'vectors', vectors: vectors.parse(JSON.parse(reply.text)) }
  }
}

/** As text, which is what the cache keeps. */
function readVectors(body: unknown): EndpointReply | null {
  const read = bodySchema.safeParse(body)
  if (!read.success) return null
  const inOrder = read.data.data.toSorted((a, b) => a.index - b.index)
  return { kind: 'answer', text: JSON.stringify(inOrder.map(({ embedding }) => embedding)) }
}

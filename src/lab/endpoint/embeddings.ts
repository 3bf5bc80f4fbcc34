import { z } from 'zod'
import type { ResponseCache } from './cache.js'
import { type ContentPart, type EndpointOptions, type EndpointReply, type MissingReply, openPost } from './endpoint.js'

/**
 * POST {url}/embeddings: things in, a vector for each out, in their order. What was answered once is not asked again.
 * OpenAI's protocol knows texts alone; servers of models that see pictures have two ways to send one, both as data URLs:
 *   messages   vLLM: one chat message a request, its content an `image_url`, a text, or both
 *   objects    SGLang, Jina: `input` is a list of `{"image": …}`, `{"text": …}`, or both in one
 */
export const EMBEDDING_FORMS = ['messages', 'objects'] as const
export type EmbeddingForm = (typeof EMBEDDING_FORMS)[number]

/** What is embedded; at least one of the two. */
export interface EmbeddingInput {
  readonly text: string | null
  /** A data URL. */
  readonly image: string | null
}

export type Embed = (inputs: readonly EmbeddingInput[]) => Promise<EmbeddingReply>

type EmbeddingReply = { readonly kind: 'vectors'; readonly vectors: readonly (readonly number[])[] } | MissingReply

const vectors = z.array(z.array(z.number()).min(1))
const bodySchema = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })) })

export function openEmbeddings(
  options: Omit<EndpointOptions, 'temperature' | 'maxTokens'>,
  cache: ResponseCache,
  form: EmbeddingForm = 'messages',
): Embed {
  const { model } = options
  const post = openPost('/embeddings', readVectors, options, cache)
  return async inputs => {
    const reply = await post(JSON.stringify({ model, ...bodyOf(inputs, form) }))
    return reply.kind === 'missing' ? reply : { kind: 'vectors', vectors: vectors.parse(JSON.parse(reply.text)) }
  }
}

function bodyOf(inputs: readonly EmbeddingInput[], form: EmbeddingForm) {
  const texts = inputs.flatMap(({ text, image }) => (text !== null && image === null ? [text] : []))
  if (texts.length === inputs.length) return { input: texts }
  if (form === 'objects') {
    return {
      input: inputs.map(({ text, image }) => ({ ...(text !== null && { text }), ...(image !== null && { image }) })),
    }
  }
  const content = inputs.flatMap(({ text, image }): ContentPart[] => [
    ...(image === null ? [] : [{ type: 'image_url', image_url: { url: image } } as const]),
    ...(text === null ? [] : [{ type: 'text', text } as const]),
  ])
  return { messages: [{ role: 'user', content }], encoding_format: 'float' }
}

/** As text, which is what the cache keeps. */
function readVectors(body: unknown): EndpointReply | null {
  const read = bodySchema.safeParse(body)
  if (!read.success) return null
  const inOrder = read.data.data.toSorted((a, b) => a.index - b.index)
  return { kind: 'answer', text: JSON.stringify(inOrder.map(({ embedding }) => embedding)) }
}

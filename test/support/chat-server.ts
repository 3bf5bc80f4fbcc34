import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/** A server that speaks OpenAI's chat protocol over real HTTP: what it answers, and how it fails, is up to the test. */
export interface ChatServer {
  /** As far as `/v1`. */
  readonly url: string
  readonly requests: readonly ChatRequest[]
}

export type ChatRequest = z.infer<typeof requestSchema> & { readonly authorization: string | undefined }

export type ChatReply =
  | { readonly answer: string | null; readonly finishReason?: string; readonly refusal?: string }
  | { readonly status: number; readonly body?: string; readonly headers?: { readonly [name: string]: string } }
  /** Never answers. */
  | 'silence'
  /** Cuts the connection, at once or in the middle of the body. */
  | 'hang-up'
  | 'truncate'

const requestSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(z.json())]) })),
  temperature: z.number(),
  max_tokens: z.number(),
})

const embeddingsSchema = z.object({ model: z.string(), input: z.array(z.string()) })

/** `embed`: a vector for a text; without it the server has no embeddings. */
export async function startChatServer(
  reply: (request: ChatRequest, count: number) => ChatReply,
  embed: ((text: string) => readonly number[] | 'fail') | null = null,
): Promise<ChatServer> {
  const requests: ChatRequest[] = []
  const server = createServer(async (incoming, response) => {
    if (embed !== null && incoming.url === '/v1/embeddings') {
      const { input } = embeddingsSchema.parse(JSON.parse(await bodyOf(incoming)))
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embed(text) }))
      const fails = data.some(({ embedding }) => embedding === 'fail')
      response.writeHead(fails ? 422 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(fails ? { error: {} } : { object: 'list', data: data.toReversed() }))
      return
    }
    if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions') {
      response.writeHead(404).end('no such path')
      return
    }
    const { authorization } = incoming.headers
    const request = { ...requestSchema.parse(JSON.parse(await bodyOf(incoming))), authorization }
    requests.push(request)
    send(response, reply(request, requests.length))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = z.custom<AddressInfo>().parse(server.address())
  return { url: `http://127.0.0.1:${port}/v1`, requests }
}

function send(response: ServerResponse, reply: ChatReply): void {
  if (reply === 'silence') return
  if (reply === 'hang-up') {
    response.socket?.destroy()
    return
  }
  if (reply === 'truncate') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
    response.write('{"id":"c","object":"chat.completion","choices":[{"index":0,"mess', () => response.socket?.destroy())
    return
  }
  if ('status' in reply) {
    response.writeHead(reply.status, reply.headers ?? {}).end(reply.body ?? '{"error":{"message":"no"}}')
    return
  }
  const refusal = reply.refusal ?? null
  const message = { role: 'assistant', content: reply.answer, refusal }
  const choice = { index: 0, message, finish_reason: reply.finishReason ?? 'stop' }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'c', object: 'chat.completion', choices: [choice] }))
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

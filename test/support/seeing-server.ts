import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/**
 * A server like vLLM's for a model that sees: embeddings of pictures sent as messages, and log-probabilities of the
 * prompt. What it finds likely is known: the answer's only token has −9 plus a tenth of each example's number.
 */
export interface SeeingServer {
  /** As far as `/v1`. */
  readonly url: string
  readonly bodies: readonly string[]
  /** Requests that hold this text are refused. */
  broken: string | null
}

const messages = z.array(z.object({ role: z.string(), content: z.json() }))
const bodySchema = z.object({ messages: messages.optional(), prompt: z.string().optional() })

export async function startSeeingServer(): Promise<SeeingServer> {
  const bodies: string[] = []
  const server = createServer(async (incoming, response) => {
    const text = await bodyOf(incoming)
    bodies.push(text)
    if (seeing.broken !== null && text.includes(seeing.broken)) return response.writeHead(422).end('{}')
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(reply(incoming.url, text)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = z.custom<AddressInfo>().parse(server.address())
  const seeing: SeeingServer = { url: `http://127.0.0.1:${port}/v1`, bodies, broken: null }
  return seeing
}

function reply(url: string | undefined, text: string): object {
  const { messages: said, prompt } = bodySchema.parse(JSON.parse(text))
  if (url === '/v1/embeddings') {
    const [, base64 = ''] = /base64,([^"]+)"/.exec(text) ?? []
    return { data: [{ index: 0, embedding: [...Buffer.from(base64, 'base64').subarray(-2)] }] }
  }
  const shown = [...(prompt ?? JSON.stringify(said)).matchAll(/what is (\d+)\?/g)].map(match => Number(match[1]))
  const logprob = shown.slice(0, -1).reduce((sum, number) => sum + number / 10, -9)
  if (url === '/v1/completions') {
    const word = prompt?.split(' ').at(-1) ?? ''
    const logprobs = { tokens: ['Answer', ':', ` ${word}`, 'more'], token_logprobs: [null, -1, logprob, -1] }
    return { choices: [{ text: '', logprobs }] }
  }
  const token = (decoded_token: string, value: number) => ({ 7: { logprob: value, rank: 1, decoded_token } })
  const prompted = [null, token('\n', -1), token(String(said?.at(-1)?.content), logprob)]
  return { choices: [{ message: { content: 'x' } }], prompt_logprobs: prompted }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

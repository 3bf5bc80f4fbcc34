import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { assistantServer } from './assistant-server.js'
import type { AssistantDoor } from './door.js'

/** One message of an assistant, by HTTP. Nothing is kept between two of them, so nothing is left behind when one goes away. */
export async function answerAssistant(door: AssistantDoor, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = assistantServer(door)
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

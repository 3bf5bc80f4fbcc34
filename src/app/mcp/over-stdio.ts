import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { assistantServer } from './assistant-server.js'
import type { AssistantDoor } from './door.js'

/** Answers an assistant on standard input and output until it is gone. */
export async function serveAssistant(door: AssistantDoor, gone: AbortSignal): Promise<void> {
  const server = assistantServer(door)
  const closed = new Promise<void>(resolve => {
    server.onclose = resolve
    gone.addEventListener('abort', () => void server.close(), { once: true })
  })
  await server.connect(new StdioServerTransport())
  await closed
}

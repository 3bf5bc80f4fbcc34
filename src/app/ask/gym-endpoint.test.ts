import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '../../../test/workspace.js'
import { loadRun } from '../../core/store/catalogue.js'
import { workspaceAt } from '../../core/store/workspace.js'
import { ownTasks } from '../../lab/gym/intention/own/tasks.js'
import { gymEval } from './gym-eval.js'
import { ask } from './question.js'

/**
 * A server with a model that knows every question, in the four ways in which servers speak: with a tool parser; without one,
 * refusing `tools`; with the template alone, handing the call on as text; and one that breaks down in the second turn.
 */
type Manner = 'tools' | 'no-tools' | 'unparsed' | 'broken'

const messageSchema = z.looseObject({
  role: z.string(),
  content: z.string().nullable(),
  tool_call_id: z.string().optional(),
  tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
})
const bodySchema = z.looseObject({ messages: z.array(messageSchema), tools: z.array(z.unknown()).optional() })

const tasks = ownTasks('test', 'en')
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function serve(manner: Manner) {
  const seen: z.infer<typeof bodySchema>[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body = bodySchema.parse(JSON.parse(Buffer.concat(chunks).toString()))
    seen.push(body)
    const { status, said } = answerTo(manner, body)
    response.writeHead(status).end(JSON.stringify(said))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#model`, seen }
}

function answerTo(manner: Manner, { messages, tools }: z.infer<typeof bodySchema>) {
  const refuse = (message: string) => ({ status: 400, said: { error: { message } } })
  if (manner === 'no-tools' && tools !== undefined) return refuse('"auto" tool choice requires --tool-call-parser')
  const turn = messages.filter(({ role }) => role === 'assistant').length
  if (manner === 'broken' && turn === 1) return refuse('the maximum context length is 2048')
  const called = messages.flatMap(({ tool_calls: calls }) => (calls ?? []).map(({ id }) => id))
  const answered = messages.flatMap(({ tool_call_id: id }) => id ?? [])
  if (called.join() !== answered.join()) return refuse('each call must be followed by its answer')
  const task = tasks.find(each => messages[1].content?.includes(each.task))
  const arguments_ = JSON.stringify({ choice: 'action', content: task?.missing_details[turn]?.inquiry })
  const isText = manner === 'unparsed' || manner === 'no-tools'
  const message = isText
    ? { content: `<tool_call>{"name": "interact_with_env", "arguments": ${arguments_}}</tool_call>` }
    : {
        content: null,
        reasoning_content: 'what else?',
        tool_calls: [
          { id: `a${turn}`, type: 'function', function: { name: 'interact_with_env', arguments: arguments_ } },
          ...(turn === 0
            ? [{ id: 'b0', type: 'function', function: { name: 'interact_with_env', arguments: '{"cho' } }]
            : []),
        ],
      }
  return { status: 200, said: { choices: [{ index: 0, message, finish_reason: 'stop' }] } }
}

async function evaluate(address: string) {
  const workspace = workspaceAt(join(temporaryFolder(), '.klens'))
  try {
    const answer = await ask(workspace, gymEval, { policies: [address], limit: 3 })
    const run = await loadRun(workspace, answer.policies[0].run)
    return { ...answer, protocol: run?.manifest.config.protocol }
  } finally {
    await workspace.close()
  }
}

test.each([
  ['with its own calls', 'tools', 'tools', 3],
  ['in the text, where the server takes no tools', 'no-tools', 'text', 0],
  ['in the text, where the server does not read the calls', 'unparsed', 'tools', 0],
] as const)('asks %s', async (_, manner, protocol, malformed) => {
  const { address, seen } = await serve(manner)
  const answer = await evaluate(address)
  expect(answer.policies[0]).toMatchObject({ n: 3, failed: 0, malformed, coverage: 1, ends: { solved: 3 } })
  expect(answer.policies[0].score).toBeCloseTo(answer.policies[0].ceiling ?? Number.NaN, 12)
  expect(answer.protocol).toBe(protocol)
  const refused = seen.filter(({ tools }) => (tools !== undefined) !== (protocol === 'tools'))
  expect(refused).toHaveLength(manner === 'no-tools' ? 1 : 0)
})

test('a server that breaks down in the middle leaves dialogues without a score', async () => {
  const { address } = await serve('broken')
  const answer = await evaluate(address)
  expect(answer.policies[0]).toMatchObject({ n: 0, failed: 3, score: null })
  expect(answer.reasons.join()).toContain('maximum context length')
  expect(answer.protocol).toBe('tools')
})

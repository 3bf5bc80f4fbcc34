import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { list, numberWithin, request } from '../ask/fields.js'
import { simulatorNamed, tasksFor } from '../ask/gym-request.js'
import { type Asking, question } from '../ask/question.js'
import { actionOf, type Episode, type Gym } from '../gym/gym.js'
import { answerUserRlPrompt } from '../gym/intention/embedded/embedded.js'
import { intentionGym } from '../gym/intention/intention.js'
import { KLENS_RULES } from '../gym/intention/rules.js'
import type { IntentionTask } from '../gym/intention/task.js'
import { Problem } from '../model/problem.js'
import { render } from '../text/sentences.js'
import { bodyWithin, LOOPBACK, newToken, refusalOf } from './guard.js'

/**
 * The gym for trainers in other languages: POST /envs, POST /envs/ID/step, DELETE /envs/ID, GET /tasks; and POST
 * /v1/chat/completions, which answers the prompts of UserRL's own gym. Many episodes at once; the actions of one episode
 * are taken in the order in which they come.
 */

/** The oldest episode goes when another would be too many. */
const MOST_EPISODES = 10_000

export const gymServe = question({
  request: request({
    simulator: z.string().default('embedded'),
    data: list(z.string()).default([]),
    split: z.enum(['train', 'test']).default('train'),
    language: z.enum(['en', 'zh']).default('en'),
    port: numberWithin({ above: -1, below: 65_536, whole: true }),
  }),
  answer: z.object({ url: z.string() }),
  /** Tells the address and the token, then serves until it is asked to stop. */
  async ask(workspace, asked, { signal, onProgress }: Asking<{ readonly url: string; readonly token: string }>) {
    const { tasks } = await tasksFor({ ...asked, limit: null })
    const simulator = simulatorNamed(workspace, asked.simulator)
    const gym = intentionGym({ simulator, rules: KLENS_RULES, language: asked.language })
    const token = newToken()
    const answer = answering(gym, tasks)
    const server = createServer((incoming, response) => void handle(incoming, response, token, answer))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(asked.port ?? 0, LOOPBACK, resolve)
    })
    const address = server.address()
    const url = `http://${LOOPBACK}:${typeof address === 'object' && address !== null ? address.port : 0}`
    onProgress?.({ url, token })
    await new Promise<void>(resolve => {
      if (signal?.aborted) resolve()
      signal?.addEventListener('abort', () => resolve(), { once: true })
    })
    server.closeAllConnections()
    server.close()
    return { url }
  },
})

interface Answer {
  readonly status: number
  readonly body: unknown
}

type Answering = (method: string, path: string, body: unknown) => Promise<Answer>

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  token: string,
  answer: Answering,
): Promise<void> {
  const { status, body } = await answerTo(incoming, token, answer)
  const closing = status < 400 ? {} : { connection: 'close' }
  response.writeHead(status, { 'content-type': 'application/json', ...closing }).end(JSON.stringify(body))
}

async function answerTo(incoming: IncomingMessage, token: string, answer: Answering): Promise<Answer> {
  const refusal = refusalOf(incoming, token)
  if (refusal !== null) return { status: refusal.status, body: { error: refusal.error } }
  try {
    const text = await bodyWithin(incoming)
    if (text === null) return { status: 413, body: { error: 'the body is too large' } }
    return await answer(incoming.method ?? '', incoming.url ?? '', text === '' ? {} : JSON.parse(text))
  } catch (error) {
    if (error instanceof Problem) return { status: 409, body: { error: render(error.sentence, 'en') } }
    return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } }
  }
}

const openSchema = z.object({ task: z.string().optional() })
const stepSchema = z.union([z.object({ action: z.string() }), z.object({ choice: z.string(), content: z.string() })])
const chatSchema = z.looseObject({
  model: z.string().default('klens'),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })).min(1),
})

function answering(gym: Gym<IntentionTask>, tasks: readonly IntentionTask[]): Answering {
  const episodes = new Map<string, { readonly episode: Episode; last: Promise<unknown> }>()
  let opened = 0

  function open(body: unknown): Answer {
    const { task: id } = openSchema.parse(body)
    const task = id === undefined ? tasks[opened++ % tasks.length] : tasks.find(each => each.id === id)
    if (task === undefined) return { status: 404, body: { error: `no task ${id}` } }
    const env = randomUUID()
    const [oldest] = episodes.keys()
    if (episodes.size >= MOST_EPISODES && oldest !== undefined) episodes.delete(oldest)
    episodes.set(env, { episode: gym.open(task), last: Promise.resolve() })
    return { status: 201, body: { env, task: task.id, prompts: gym.prompts(task), tool: gym.tool } }
  }

  async function step(env: string, body: unknown): Promise<Answer> {
    const held = episodes.get(env)
    if (held === undefined) return { status: 404, body: { error: `no episode ${env}` } }
    const given = stepSchema.parse(body)
    const action = 'action' in given ? given.action : actionOf(given.choice, given.content)
    const taken = held.last.then(() => held.episode.step(action))
    held.last = taken.catch(() => undefined)
    const { end, ...rest } = await taken
    const reason = end?.why === 'failed' ? render(end.reason, 'en') : null
    return { status: 200, body: { ...rest, done: end !== null, why: end?.why ?? null, reason } }
  }

  function chat(body: unknown): Answer {
    const { model, messages } = chatSchema.parse(body)
    const content = answerUserRlPrompt(messages[messages.length - 1].content, tasks)
    if (content === null)
      return { status: 400, body: { error: { message: 'this is no prompt of UserRL’s simulator' } } }
    const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    return {
      status: 200,
      body: { id: randomUUID(), object: 'chat.completion', created: 0, model, choices: [choice], usage },
    }
  }

  return async (method, path, body) => {
    const [, first, env, verb] = path.split('/')
    if (method === 'GET' && path === '/tasks') return { status: 200, body: { tasks: tasks.map(({ id }) => id) } }
    if (method === 'POST' && path === '/envs') return open(body)
    if (method === 'POST' && path === '/v1/chat/completions') return chat(body)
    if (method === 'POST' && first === 'envs' && verb === 'step') return step(env, body)
    if (method === 'DELETE' && first === 'envs' && verb === undefined) {
      return { status: episodes.delete(env) ? 200 : 404, body: {} }
    }
    return { status: 404, body: { error: `nothing at ${method} ${path}` } }
  }
}

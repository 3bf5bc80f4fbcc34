import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { actionOf, type Episode } from '../../lab/gym/gym.js'
import { TASK_SPLITS } from '../../lab/gym/intention/own/tasks.js'
import { GYM_NAMES } from '../../lab/gym/registry.js'
import type { Scene } from '../../lab/gym/scene.js'
import { Problem } from '../../logs/model/problem.js'
import { render } from '../../text/sentences.js'
import { list, numberWithin, request } from '../ask/fields.js'
import { unfitJudge } from '../ask/gym-judge.js'
import { PROMPTS, sceneFor } from '../ask/gym-request.js'
import { type Asking, question } from '../ask/question.js'
import { FEWEST_LETTERS, LOOPBACK, newToken, refusalOf } from './guard.js'
import { aborted, closeServer, listenAt } from './serve.js'
import { bytesWithin, languageOf } from './wire.js'

/**
 * The gym for trainers in other languages: POST /envs, POST /envs/ID/step, DELETE /envs/ID, GET /tasks; and POST
 * /v1/chat/completions, which answers the prompts of UserRL's own gym, by the same episodes. Many at once; the actions of
 * one episode are taken in the order in which they come.
 */

/** The oldest episode goes when another would be too many. */
const MOST_EPISODES = 10_000

interface GymServing {
  readonly url: string
  readonly token: string
}

export const gymServe = question({
  request: request({
    gym: z.enum(GYM_NAMES).default('intention'),
    simulator: z.string().default('embedded'),
    prompts: PROMPTS,
    data: list(z.string()).default([]),
    split: z.enum(TASK_SPLITS).default('train'),
    language: z.enum(['en', 'zh']).default('en'),
    port: numberWithin({ above: -1, below: 65_536, whole: true }),
    /** So that programs which are started beside it can know it: a study's service and its trials. */
    token: z.string().min(FEWEST_LETTERS, `${FEWEST_LETTERS} letters at least`).default(newToken),
  }),
  answer: z.object({ url: z.string() }),
  /** Tells the address and the token, then serves until it is asked to stop. */
  async ask(workspace, asked, { signal = new AbortController().signal, onProgress }: Asking<GymServing>) {
    const scene = await sceneFor(workspace, { ...asked, limit: null, maxTurns: null, quirk: [] })
    const unfit = await unfitJudge(asked.gym, scene)
    if (unfit !== null) throw new Problem('bad-request', unfit)
    const { token } = asked
    const server = createServer(getRequestListener(gymApp(scene, token).fetch, { hostname: LOOPBACK }))
    const url = `http://${LOOPBACK}:${await listenAt(server, LOOPBACK, asked.port ?? 0)}`
    onProgress?.({ url, token })
    await aborted(signal)
    void closeServer(server)
    return { url }
  },
})

const MOST_BODY = 1 << 20

const openSchema = z.object({ task: z.string().optional() })
const stepSchema = z.union([z.object({ action: z.string() }), z.object({ choice: z.string(), content: z.string() })])
const chatSchema = z.looseObject({
  model: z.string().default('klens'),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })).min(1),
})

type Environment = { Bindings: HttpBindings; Variables: { body: unknown } }

function gymApp({ gym, tasks, userRlUser }: Scene, token: string): Hono<Environment> {
  const episodes = new Map<string, { readonly episode: Episode; last: Promise<unknown> }>()
  let opened = 0
  const app = new Hono<Environment>()
  app.use(async (c, next) => {
    const refusal = refusalOf(c.req.raw, token)
    if (refusal !== null) return failed(c, refusal.status, render(refusal.sentence, languageOf(c)))
    const text = await bytesWithin(c.env.incoming, MOST_BODY)
    if (text === null) return failed(c, 413, 'the body is too large')
    c.set('body', text.length === 0 ? {} : JSON.parse(text.toString('utf8')))
    return next()
  })
  app.onError((error, c) => {
    if (!(error instanceof Problem)) return failed(c, 400, error.message)
    return failed(c, error.code === 'unreachable' ? 503 : 409, render(error.sentence, 'en'))
  })
  app.notFound(c => failed(c, 404, `nothing at ${c.req.method} ${c.req.path}`))

  app.get('/tasks', c => c.json({ tasks: tasks.map(({ id }) => id) }))

  app.post('/envs', c => {
    const { task: id } = openSchema.parse(c.get('body'))
    const task = id === undefined ? tasks[opened++ % tasks.length] : tasks.find(each => each.id === id)
    if (task === undefined) return failed(c, 404, `no task ${id}`)
    const env = randomUUID()
    const [oldest] = episodes.keys()
    if (episodes.size >= MOST_EPISODES && oldest !== undefined) episodes.delete(oldest)
    episodes.set(env, { episode: gym.open(task), last: Promise.resolve() })
    return c.json({ env, task: task.id, prompts: gym.prompts(task), tool: gym.tool }, 201)
  })

  app.post('/envs/:env/step', async c => {
    const env = c.req.param('env')
    const held = episodes.get(env)
    if (held === undefined) return failed(c, 404, `no episode ${env}`)
    const given = stepSchema.parse(c.get('body'))
    const action = 'action' in given ? given.action : actionOf(given.choice, given.content)
    const taken = held.last.then(() => held.episode.step(action))
    held.last = taken.catch(() => undefined)
    const { end, ...rest } = await taken
    const reason = end?.why === 'failed' ? render(end.reason, 'en') : null
    return c.json({ ...rest, done: end !== null, why: end?.why ?? null, reason })
  })

  app.delete('/envs/:env', c => c.json({}, episodes.delete(c.req.param('env')) ? 200 : 404))

  app.post('/v1/chat/completions', async c => {
    const { model, messages } = chatSchema.parse(c.get('body'))
    const content = (await userRlUser?.(messages[messages.length - 1].content)) ?? null
    if (content === null) return failed(c, 400, { message: 'this is no prompt of UserRL’s simulator nor of klens’s' })
    const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    return c.json({ id: randomUUID(), object: 'chat.completion', created: 0, model, choices: [choice], usage })
  })
  return app
}

/** What was refused may not have been read to its end. */
function failed(
  c: Context,
  status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 503,
  error: string | { readonly message: string },
): Response {
  c.header('connection', 'close')
  return c.json({ error }, status)
}

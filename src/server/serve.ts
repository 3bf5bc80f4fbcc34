import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { basename, dirname } from 'node:path'
import { z } from 'zod'
import type { WorkspaceChange } from '../ask/changes.js'
import { list, numberWithin, request } from '../ask/fields.js'
import { type Asking, ask, question } from '../ask/question.js'
import { QUESTIONS } from '../ask/questions.js'
import { version } from '../ask/version.js'
import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import type { Workspace } from '../store/workspace.js'
import { sentences } from '../text/sentences.js'
import { type Answered, problemAnswer } from './answer.js'
import { type Api, answerQuestion, languageOf, openApi } from './api.js'
import { type Files, readFiles, sendFile } from './files.js'
import {
  bodyWithin,
  bytesWithin,
  COOKIE,
  LOOPBACK,
  newToken,
  type Right,
  rightByToken,
  rightOf,
  type Tokens,
} from './guard.js'
import { Helper } from './helper.js'
import { Jobs } from './jobs.js'
import { LiveEvents } from './live.js'
import { sendJson } from './reply.js'
import { trailOf } from './trail.js'
import { importUpload, LARGEST_LOG } from './upload.js'

/**
 * The dashboard: its files, the questions of `ask` under /api, and what happens in the workspace as a stream of events.
 * It knows nothing of runs itself. On loopback everybody is at home; elsewhere tokens are needed, to read and to write.
 */

const USUAL_PORT = 7117
const PORTS_TRIED = 50
const MOST_CONNECTIONS = 1000

const say = sentences({
  'serve.port-taken': {
    en: 'port {port} is taken; name another with --port, or leave it out for the next free one',
    zh: '端口 {port} 已被占用；请用 --port 换一个，或省略它以自动选择',
  },
  'serve.no-host': { en: 'cannot listen on {host}: {reason}', zh: '无法监听 {host}：{reason}' },
})

export interface Serving {
  readonly url: string
  /** What a reader opens: beyond loopback the token stands behind #, which no browser sends and no server logs. */
  readonly page: string
  readonly tokens: Tokens | null
}

export const serve = question({
  request: request({
    /** Logs to import and to follow while serving. */
    paths: list(z.string()).default([]),
    port: numberWithin({ above: -1, below: 65_536, whole: true }),
    host: z.string().default(LOOPBACK),
    /** Beyond loopback; made anew where they are not given. */
    readToken: z.string().min(8).optional(),
    writeToken: z.string().min(8).optional(),
    /** The command that makes a process answer what takes long; without it this one does. */
    helper: list(z.string()).optional(),
  }),
  answer: z.object({ url: z.string() }),
  /** Tells where it listens, then serves until it is asked to stop. */
  async ask(workspace, asked, { signal = new AbortController().signal, onProgress, remark }: Asking<Serving>) {
    const { host, readToken = newToken(), writeToken = newToken() } = asked
    const tokens = isLoopback(host) ? null : { read: readToken, write: writeToken }
    const live = new LiveEvents()
    const jobs = new Jobs(job => live.tell('jobs', job))
    const helper = asked.helper === undefined ? null : new Helper(asked.helper)
    const served: Served = {
      workspace,
      jobs,
      helper,
      live,
      tokens,
      trail: trailOf(workspace),
      files: await readFiles(),
    }
    const server = createServer((incoming, response) => void handle(served, incoming, response))
    server.maxConnections = MOST_CONNECTIONS
    server.headersTimeout = 10_000
    const port = await listen(server, host, asked.port)
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    onProgress?.({ url, page: tokens === null ? url : `${url}/#token=${tokens.write}`, tokens })
    const told = (change: WorkspaceChange): void => live.tell('runs', change)
    const watching = ask(workspace, await QUESTIONS.changes(), {}, { signal, onProgress: told })
    const following = asked.paths.length === 0 ? null : followPaths(workspace, asked.paths, signal, remark)
    await aborted(signal)
    live.close()
    helper?.close()
    await jobs.stopAll()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await Promise.all([watching, following])
    return { url }
  },
})

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

/** Without a wish the usual port, or the next that is free. */
async function listen(server: Server, host: string, wanted: number | null): Promise<number> {
  const first = wanted ?? USUAL_PORT
  const last = wanted === null ? first + PORTS_TRIED : first
  for (let port = first; ; port += 1) {
    const error = await new Promise<NodeJS.ErrnoException | null>(resolve => {
      server.once('error', resolve)
      server.listen(port, host, () => {
        server.removeListener('error', resolve)
        resolve(null)
      })
    })
    if (error === null) break
    if (error.code !== 'EADDRINUSE') {
      throw new Problem('bad-request', say('serve.no-host', { host, reason: error.code ?? error.message }))
    }
    if (port === last) throw new Problem('busy', say('serve.port-taken', { port }))
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : first
}

/** Logs that cannot be read are remarked; the server goes on. */
async function followPaths(
  workspace: Workspace,
  paths: readonly string[],
  signal: AbortSignal,
  remark: ((remark: Message) => void) | undefined,
): Promise<void> {
  await ask(workspace, await QUESTIONS.follow(), { paths }, { signal }).catch(error => {
    if (error instanceof Problem) remark?.(error.sentence)
    else if (!signal.aborted) throw error
  })
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

interface Served extends Api {
  readonly live: LiveEvents
  readonly tokens: Tokens | null
  readonly files: Files
}

async function handle(served: Served, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  // A reader who leaves in the middle is no error of ours.
  response.on('error', () => {})
  try {
    const url = new URL(incoming.url ?? '/', 'http://klens')
    const right = rightOf(incoming, served.tokens)
    if (!url.pathname.startsWith('/api/')) {
      if (typeof right === 'object' && right.status !== 401)
        return await sendJson(incoming, response, 403, { error: right })
      return await sendFile(served.files, url.pathname, incoming, response)
    }
    const isKnocking = url.pathname === '/api/session' && (typeof right === 'string' || right.status === 401)
    if (isKnocking) return await session(served, incoming, response, right)
    if (typeof right === 'object') {
      const error = { code: 'forbidden', message: right.error }
      return await sendJson(incoming, response, right.status, { error })
    }
    if (url.pathname === '/api/events') return served.live.add(response)
    const { status, body } = await answerTo(served, incoming, response, { url, right })
    await sendJson(incoming, response, status, body)
  } catch (error) {
    const { status, body } = problemAnswer(error, languageOf(incoming))
    if (!response.headersSent) await sendJson(incoming, response, status, body)
  }
}

async function answerTo(
  served: Served,
  incoming: IncomingMessage,
  response: ServerResponse,
  { url, right }: { readonly url: URL; readonly right: Right },
): Promise<Answered> {
  const [, , name, id] = url.pathname.split('/')
  const isChange = incoming.method !== 'GET' && incoming.method !== 'HEAD'
  if (name === 'openapi.json') return { status: 200, body: await openApi() }
  if (name === 'jobs' && !isChange) return { status: 200, body: served.jobs.list() }
  if (name === 'jobs' || name === 'upload') {
    if (right !== 'write' || !isChange) return { status: 403, body: NEEDS_WRITE }
    if (name === 'upload') return upload(served, incoming, url)
    await served.trail.add(incoming, 'stop', { job: id })
    return { status: served.jobs.stop(id ?? '') ? 200 : 404, body: {} }
  }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return answerQuestion(served, name ?? '', incoming, { url, right, signal: gone.signal })
}

const NEEDS_WRITE = { error: { code: 'forbidden', message: 'this needs the write token, and POST or DELETE' } }

async function upload(served: Served, incoming: IncomingMessage, url: URL): Promise<Answered> {
  const bytes = await bytesWithin(incoming, LARGEST_LOG)
  if (bytes === null) return { status: 413, body: { error: { code: 'bad-request', message: '64 MB at most' } } }
  const name = url.searchParams.get('name') ?? ''
  await served.trail.add(incoming, 'upload', { name, bytes: bytes.length })
  const lang = url.searchParams.get('lang') === 'zh' ? 'zh' : 'en'
  return { status: 200, body: await importUpload(served.workspace, name, bytes, lang) }
}

const tokenSchema = z.object({ token: z.string() })

/** Who am I here? And, with a token, let me in: it becomes a cookie that scripts cannot read. */
async function session(
  { tokens, workspace }: Served,
  incoming: IncomingMessage,
  response: ServerResponse,
  right: ReturnType<typeof rightOf>,
): Promise<void> {
  const about = { version: version(), workspace: basename(dirname(workspace.root)) }
  if (incoming.method !== 'POST') {
    const isKnown = typeof right === 'string'
    return sendJson(incoming, response, isKnown ? 200 : 401, { right: isKnown ? right : null, ...about })
  }
  const given = tokenSchema.safeParse(JSON.parse((await bodyWithin(incoming)) ?? '{}'))
  const granted = !given.success || tokens === null ? null : rightByToken(given.data.token, tokens)
  if (granted === null || !given.success) return sendJson(incoming, response, 401, { right: null, ...about })
  response.setHeader('set-cookie', `${COOKIE}=${given.data.token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`)
  return sendJson(incoming, response, 200, { right: granted, ...about })
}

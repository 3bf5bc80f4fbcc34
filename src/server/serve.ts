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
import { type Answered, loadQuestion, problemAnswer, type Written, written } from './answer.js'
import { type Api, answerQuestion, languageOf, openApi } from './api.js'
import { type Files, readFiles, sendFile } from './files.js'
import {
  bodyWithin,
  bytesWithin,
  COOKIE,
  LOOPBACK,
  newToken,
  type Refusal,
  type Token,
  tokensIn,
  type Visitor,
  visitorByToken,
  visitorOf,
} from './guard.js'
import { Helper } from './helper.js'
import { Jobs } from './jobs.js'
import { LiveEvents } from './live.js'
import { announcedSchema, commitRun, PIECE_BYTES, takePiece, wantedOf } from './receive.js'
import { sendJson, sendText } from './reply.js'
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
  /** Of several, the first. */
  readonly tokens: { readonly read: string; readonly write: string } | null
}

const tokenList = z
  .string()
  .refine(text => tokensIn(text, 'read').every(({ token }) => token.length >= 8), { message: '8 letters at least' })

export const serve = question({
  request: request({
    /** Logs to import and to follow while serving. */
    paths: list(z.string()).default([]),
    port: numberWithin({ above: -1, below: 65_536, whole: true }),
    host: z.string().default(LOOPBACK),
    /** Beyond loopback, one or several as `NAME=TOKEN,NAME=TOKEN`; made anew where they are not given. */
    readToken: tokenList.optional(),
    writeToken: tokenList.optional(),
    /** The command that makes a process answer what takes long; without it this one does. */
    helper: list(z.string()).optional(),
  }),
  answer: z.object({ url: z.string() }),
  /** Tells where it listens, then serves until it is asked to stop. */
  async ask(workspace, asked, { signal = new AbortController().signal, onProgress, remark }: Asking<Serving>) {
    const { host, readToken = newToken(), writeToken = newToken() } = asked
    const [reading, writing] = [tokensIn(readToken, 'read'), tokensIn(writeToken, 'write')]
    const tokens = isLoopback(host) ? null : [...writing, ...reading]
    const live = new LiveEvents()
    const jobs = new Jobs(job => live.tell('jobs', job))
    const helper = asked.helper === undefined ? null : new Helper(asked.helper)
    const served: Served = {
      workspace,
      jobs,
      helper,
      live,
      tokens,
      isLocal: tokens === null,
      trail: trailOf(workspace),
      files: await readFiles(),
    }
    const server = createServer((incoming, response) => void handle(served, incoming, response))
    server.maxConnections = MOST_CONNECTIONS
    server.headersTimeout = 10_000
    const port = await listen(server, host, asked.port)
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    const shown = tokens === null ? null : { read: reading[0].token, write: writing[0].token }
    onProgress?.({ url, page: shown === null ? url : `${url}/#token=${shown.write}`, tokens: shown })
    const told = (change: WorkspaceChange): void => live.tell('runs', change)
    void warmUp(workspace)
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

/** What the first page will need and takes a third of a second to load; the browser that opens takes longer. */
async function warmUp(workspace: Workspace): Promise<void> {
  await Promise.all([loadQuestion('run-table'), loadQuestion('sides'), loadQuestion('series')])
  // Where this fails, so will what needs it, and say so.
  await workspace.duck.readTexts("SELECT 'ready'").catch(() => {})
}

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
  readonly tokens: readonly Token[] | null
  readonly files: Files
}

async function handle(served: Served, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  // A reader who leaves in the middle is no error of ours.
  response.on('error', () => {})
  try {
    const url = new URL(incoming.url ?? '/', 'http://klens')
    const visitor = visitorOf(incoming, served.tokens)
    if (!url.pathname.startsWith('/api/')) {
      if ('status' in visitor && visitor.status !== 401)
        return await sendJson(incoming, response, 403, { error: visitor })
      return await sendFile(served.files, url.pathname, incoming, response)
    }
    response.setHeader('klens-told', served.live.told)
    const isKnocking = url.pathname === '/api/session' && (!('status' in visitor) || visitor.status === 401)
    if (isKnocking) return await session(served, incoming, response, visitor)
    if ('status' in visitor) {
      const error = { code: 'forbidden', message: visitor.error }
      return await sendJson(incoming, response, visitor.status, { error })
    }
    if (url.pathname === '/api/events') return served.live.add(response)
    const answered = await answerTo(served, incoming, response, { url, visitor })
    await sendText(incoming, response, 'text' in answered ? answered : written(answered))
  } catch (error) {
    const { status, body } = problemAnswer(error, languageOf(incoming))
    if (!response.headersSent) await sendJson(incoming, response, status, body)
  }
}

async function answerTo(
  served: Served,
  incoming: IncomingMessage,
  response: ServerResponse,
  { url, visitor }: { readonly url: URL; readonly visitor: Visitor },
): Promise<Answered | Written> {
  const [, , name, id] = url.pathname.split('/')
  const isChange = incoming.method !== 'GET' && incoming.method !== 'HEAD'
  if (name === 'openapi.json') return { status: 200, body: await openApi() }
  if (name === 'jobs' && !isChange) return { status: 200, body: served.jobs.list() }
  if (name === 'jobs' || name === 'upload' || name === 'push') {
    if (visitor.right !== 'write' || !isChange) return { status: 403, body: NEEDS_WRITE }
    if (name === 'upload') return upload(served, incoming, url, visitor)
    if (name === 'push') return push(served, incoming, url, visitor)
    await served.trail.add(incoming, visitor.name, 'stop', { job: id })
    return { status: served.jobs.stop(id ?? '') ? 200 : 404, body: {} }
  }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return answerQuestion(served, name ?? '', incoming, { url, visitor, signal: gone.signal })
}

const NEEDS_WRITE = { error: { code: 'forbidden', message: 'this needs the write token, and POST or DELETE' } }

async function upload(served: Served, incoming: IncomingMessage, url: URL, { name: by }: Visitor): Promise<Answered> {
  const bytes = await bytesWithin(incoming, LARGEST_LOG)
  if (bytes === null) return { status: 413, body: { error: { code: 'bad-request', message: '64 MB at most' } } }
  const name = url.searchParams.get('name') ?? ''
  await served.trail.add(incoming, by, 'upload', { name, bytes: bytes.length })
  const lang = url.searchParams.get('lang') === 'zh' ? 'zh' : 'en'
  return { status: 200, body: await importUpload(served.workspace, name, bytes, lang) }
}

/** `plan` and `commit` with the files of a run; in between pieces of them, by hash. */
async function push(
  { workspace, trail }: Served,
  incoming: IncomingMessage,
  url: URL,
  { name: by }: Visitor,
): Promise<Answered> {
  const [, , , run = '', what = ''] = url.pathname.split('/')
  const bytes = await bytesWithin(incoming, what === 'plan' || what === 'commit' ? LARGEST_PLAN : PIECE_BYTES)
  if (bytes === null) return { status: 413, body: TOO_LARGE }
  if (what !== 'plan' && what !== 'commit') {
    const from = Number(url.searchParams.get('from') ?? 0)
    return { status: 200, body: { size: await takePiece(workspace, { run, hash: what, from, bytes }) } }
  }
  const announced = announcedSchema.safeParse(JSON.parse(bytes.toString('utf8')))
  if (!announced.success) return { status: 400, body: { error: { code: 'bad-request', message: 'no list of files' } } }
  const { files } = announced.data
  if (what === 'plan') return { status: 200, body: { wanted: await wantedOf(workspace, run, files) } }
  const committed = await commitRun(workspace, run, files)
  if (committed.changed) await trail.add(incoming, by, 'push', { run, files: files.length })
  return { status: 200, body: committed }
}

const LARGEST_PLAN = 16 << 20
const TOO_LARGE = { error: { code: 'bad-request', message: 'too large at once' } }

const tokenSchema = z.object({ token: z.string() })

/** Who am I here? And, with a token, let me in: it becomes a cookie that scripts cannot read. */
async function session(
  { tokens, workspace }: Served,
  incoming: IncomingMessage,
  response: ServerResponse,
  visitor: Visitor | Refusal,
): Promise<void> {
  const about = { version: version(), workspace: basename(dirname(workspace.root)) }
  if (incoming.method !== 'POST') {
    const right = 'status' in visitor ? null : visitor.right
    return sendJson(incoming, response, right === null ? 401 : 200, { right, ...about })
  }
  const given = tokenSchema.safeParse(JSON.parse((await bodyWithin(incoming)) ?? '{}'))
  const granted = !given.success || tokens === null ? null : visitorByToken(given.data.token, tokens)
  if (granted === null || !given.success) return sendJson(incoming, response, 401, { right: null, ...about })
  response.setHeader('set-cookie', `${COOKIE}=${given.data.token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`)
  return sendJson(incoming, response, 200, { right: granted.right, ...about })
}

import { appendFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, dirname, join } from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { secureHeaders } from 'hono/secure-headers'
import { z } from 'zod'
import type { Workspace } from '../../core/store/workspace.js'
import type { Language } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'
import { version } from '../ask/version.js'
import {
  type Answered,
  type AnyQuestion,
  answerHere,
  type ErrorAnswer,
  loadQuestion,
  problemAnswer,
  refused,
  type Written,
  written,
} from './answer.js'
import { type Exposed, exposedAs, openApi } from './exposed.js'
import { compressed, type Files, sendFile } from './files.js'
import { COOKIE, type Refusal, type Token, type Visitor, visitorByToken, visitorOf, WITHOUT_TOKEN } from './guard.js'
import type { Helper, Jobs } from './jobs.js'
import type { LiveEvents } from './live.js'
import { announcedSchema, commitRun, importUpload, PIECE_BYTES, planRun, takePiece } from './receive.js'

/**
 * What a server answers, by address: the dashboard's files, and below /api the questions of `ask`, what happens in the
 * workspace as a stream of events, jobs, and logs and runs that are sent. It knows nothing of runs itself.
 *
 * `POST /api/QUESTION` takes the request as JSON, or `GET /api/QUESTION?member=value` where nothing is changed; the answer
 * is what `--json` prints. A member that is a list may stand in an address several times.
 */

const say = sentences({
  'serve.no-question': {
    en: 'there is no question "{name}" here; docs/api.md lists them',
    zh: '这里没有“{name}”这个接口，全部接口见 docs/api.md',
  },
  'serve.withheld': {
    en: 'a server takes no "{member}": it would reach outside the workspace; the command line does',
    zh: '服务不接受“{member}”：它会触及工作区之外；请使用命令行',
  },
  'serve.needs-write': {
    en: 'this changes the workspace and needs the write token',
    zh: '该操作会改动工作区，需要写令牌',
  },
  'serve.needs-write-method': {
    en: 'this needs the write token, and POST or DELETE',
    zh: '该操作需要写令牌，且须用 POST 或 DELETE',
  },
  'serve.bad-json': { en: 'the body is no JSON object', zh: '请求正文不是 JSON 对象' },
  'serve.bad-files': { en: 'no list of files', zh: '缺少文件列表' },
  'serve.too-large': { en: 'the body is too large', zh: '请求正文过大' },
  'serve.log-too-large': { en: '64 MB at most', zh: '最多 64 MB' },
  'serve.piece-too-large': { en: 'too large at once', zh: '单次发送过大' },
  'serve.busy': {
    en: 'too much is being asked at once; try again in a moment',
    zh: '同时提出的请求过多，请稍后再试',
  },
  'serve.helper-died': {
    en: 'the process that worked on this died, perhaps for lack of memory; ask for less',
    zh: '处理该请求的进程意外退出，可能是内存不足；请缩小请求范围',
  },
  'serve.too-many-jobs': {
    en: '{n} trainings are running already; stop one first',
    zh: '已有 {n} 个训练在运行，请先停止其中一个',
  },
})

export interface Served {
  readonly workspace: Workspace
  readonly jobs: Jobs
  readonly live: LiveEvents
  /** For what takes long; null: this process answers everything itself. */
  readonly helper: Helper | null
  /** Null where only this machine can ask. */
  readonly tokens: readonly Token[] | null
  readonly files: Files
}

type Environment = { Bindings: HttpBindings; Variables: { visitor: Visitor } }
type Asked = Context<Environment>

/** A page may load nothing but its own files: no inline script or style, no other host, no frame around it. */
const PAGE_RIGHTS = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    // Pictures are made by the page itself.
    imgSrc: ["'self'", 'data:', 'blob:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  // There is no TLS here to insist on.
  strictTransportSecurity: false,
})

const MOST_BODY = 1 << 20
const MOST_LOG = 64 << 20
const MOST_PLAN = 16 << 20

export function dashboard(served: Served): Hono<Environment> {
  const { live, jobs, files, tokens } = served
  const app = new Hono<Environment>()
  app.onError((error, c) => send(c, problemAnswer(error, languageOf(c))))
  app.use(PAGE_RIGHTS)
  app.use(async (c, next) => {
    const visitor = visitorOf(c.req.raw.headers, tokens)
    if (!('status' in visitor)) c.set('visitor', visitor)
    // The page itself asks for the token, and the session takes it.
    else if (visitor.status !== 401) return refuse(c, visitor)
    return next()
  })
  app.use('/api/*', async (c, next) => {
    c.header('klens-events', String(live.count))
    if (c.get('visitor') !== undefined || c.req.path === '/api/session') return next()
    return refuse(c, WITHOUT_TOKEN)
  })
  app.all('/api/session', c => session(c, served))
  app.all('/api/events', c => {
    c.header('content-type', 'text/event-stream')
    c.header('cache-control', 'no-store')
    return c.body(live.stream(() => c.env.outgoing.destroy()))
  })
  app.all('/api/openapi.json', async c => send(c, { status: 200, body: await openApi() }))
  app.get('/api/jobs/:id?', c => send(c, { status: 200, body: jobs.list() }))
  for (const path of ['/api/jobs/*', '/api/upload', '/api/push/*']) {
    app.use(path, async (c, next) => {
      if (c.get('visitor').right === 'write' && !['GET', 'HEAD'].includes(c.req.method)) return next()
      return send(c, refused(403, 'forbidden', say('serve.needs-write-method', {}), languageOf(c)))
    })
  }
  app.all('/api/jobs/:id?', async c => {
    const job = c.req.param('id')
    await note(c, served, 'stop', { job })
    return send(c, { status: jobs.stop(job ?? '') ? 200 : 404, body: {} })
  })
  app.all('/api/upload', c => upload(c, served))
  app.all('/api/push/:run/:what', c => push(c, served))
  app.all('/api/*', async c => send(c, await answerQuestion(c, served)))
  app.all('*', c => sendFile(c, files))
  return app
}

export function languageOf(c: Context): Language {
  return /^\s*zh\b/i.test(c.req.header('accept-language') ?? '') ? 'zh' : 'en'
}

function refuse(c: Context, { status, sentence }: Refusal): Promise<Response> {
  return send(c, refused(status, 'forbidden', sentence, languageOf(c)))
}

async function send(c: Context, answered: Answered | Written): Promise<Response> {
  const { status, text } = 'text' in answered ? answered : written(answered)
  const { bytes, encoding } = await compressed(Buffer.from(text), c.req.header('accept-encoding') ?? '')
  c.header('content-type', 'application/json; charset=utf-8')
  c.header('cache-control', 'no-store')
  c.header('vary', 'accept-encoding')
  if (encoding !== null) c.header('content-encoding', encoding)
  // What was refused may not have been read to its end.
  if (status >= 400) c.header('connection', 'close')
  return c.newResponse(bytes, { status })
}

/**
 * The body; null where it is too large. The rest is then read and dropped: a connection that is torn down in between, as
 * Hono's own limit does, would not carry the answer.
 */
export async function bytesWithin(incoming: IncomingMessage, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size <= most) chunks.push(bytes)
  }
  return size <= most ? Buffer.concat(chunks) : null
}

/** Who changed what: a line in `trail.jsonl` of the workspace for everything that a server was asked to change, by the name of the token. */
async function note(c: Asked, { workspace }: Served, question: string, request: unknown): Promise<void> {
  const from = c.env.incoming.socket.remoteAddress ?? null
  const line = { time: new Date().toISOString(), by: c.get('visitor').name, from, question, request }
  // A workspace that may only be read cannot be changed either; the question itself will say so.
  await appendFile(join(workspace.root, 'trail.jsonl'), `${JSON.stringify(line)}\n`).catch(() => {})
}

const tokenSchema = z.object({ token: z.string() })

/** What the asker may do; and, with a token, the way in: it becomes a cookie that scripts cannot read. */
async function session(c: Asked, { tokens, workspace }: Served): Promise<Response> {
  const about = { version: version(), workspace: basename(dirname(workspace.root)) }
  if (c.req.method !== 'POST') {
    const right = c.get('visitor')?.right ?? null
    return send(c, { status: right === null ? 401 : 200, body: { right, ...about } })
  }
  const body = await bytesWithin(c.env.incoming, MOST_BODY)
  const given = tokenSchema.safeParse(JSON.parse(body?.toString('utf8') ?? '{}'))
  const granted = !given.success || tokens === null ? null : visitorByToken(given.data.token, tokens)
  if (granted === null || !given.success) return send(c, { status: 401, body: { right: null, ...about } })
  setCookie(c, COOKIE, given.data.token, { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 30 * 24 * 3600 })
  return send(c, { status: 200, body: { right: granted.right, ...about } })
}

async function upload(c: Asked, served: Served): Promise<Response> {
  const bytes = await bytesWithin(c.env.incoming, MOST_LOG)
  if (bytes === null) return send(c, refused(413, 'bad-request', say('serve.log-too-large', {}), languageOf(c)))
  const name = c.req.query('name') ?? ''
  await note(c, served, 'upload', { name, bytes: bytes.length })
  const lang = c.req.query('lang') === 'zh' ? 'zh' : 'en'
  return send(c, { status: 200, body: await importUpload(served.workspace, name, bytes, lang) })
}

/** `plan` and `commit` with the files of a run; in between pieces of them, by hash. */
async function push(c: Asked, served: Served): Promise<Response> {
  const { workspace } = served
  const { run = '', what = '' } = c.req.param()
  const isPiece = what !== 'plan' && what !== 'commit'
  const bytes = await bytesWithin(c.env.incoming, isPiece ? PIECE_BYTES : MOST_PLAN)
  if (bytes === null) return send(c, refused(413, 'bad-request', say('serve.piece-too-large', {}), languageOf(c)))
  if (isPiece) {
    const from = Number(c.req.query('from') ?? 0)
    return send(c, { status: 200, body: { size: await takePiece(workspace, run, { hash: what, from, bytes }) } })
  }
  const announced = announcedSchema.safeParse(JSON.parse(bytes.toString('utf8')))
  if (!announced.success) return send(c, refused(400, 'bad-request', say('serve.bad-files', {}), languageOf(c)))
  const { files } = announced.data
  if (what === 'plan') return send(c, { status: 200, body: { wanted: await planRun(workspace, run, files) } })
  const committed = await commitRun(workspace, run, files)
  if (committed.changed) await note(c, served, 'push', { run, files: files.length })
  return send(c, { status: 200, body: committed })
}

/** At once; further ones wait their turn, up to a limit. */
const MOST_AT_ONCE = 6
const MOST_WAITING = 400
const MOST_JOBS = 4

async function answerQuestion(c: Asked, served: Served): Promise<Answered | Written> {
  const { workspace, jobs, helper, tokens } = served
  const name = c.req.path.split('/')[2] ?? ''
  const exposed = exposedAs(name)
  if (exposed === undefined) return refused(404, 'not-found', say('serve.no-question', { name }), languageOf(c))
  if (exposed.right === 'write' && c.get('visitor').right !== 'write') {
    return refused(403, 'forbidden', say('serve.needs-write', {}), languageOf(c))
  }
  const given = await requestOf(c, await loadQuestion(name), exposed)
  if ('status' in given) return given
  const named = (exposed.withheld ?? []).find(member => Object.hasOwn(given.request, member))
  const withheld = named ?? exposed.refuses?.(given.request) ?? null
  const { lang } = given.request
  const language = lang === 'zh' || lang === 'en' ? lang : languageOf(c)
  if (withheld !== null) return refused(403, 'forbidden', say('serve.withheld', { member: withheld }), language)
  const beyond = tokens === null ? {} : exposed.fixedBeyond
  const request = { lang: language, ...exposed.usual, ...given.request, ...exposed.fixed, ...beyond }
  const died = (): ErrorAnswer => refused(500, 'unreachable', say('serve.helper-died', {}), language)
  if (exposed.right === 'write') await note(c, served, name, request)
  if (exposed.isLong === true) {
    const { running } = jobs
    if (running >= MOST_JOBS) return refused(409, 'busy', say('serve.too-many-jobs', { n: running }), language)
    const job = jobs.begin(name, request, async (stopping, onProgress) => {
      const answered =
        helper === null
          ? await answerHere(workspace, name, request, language, stopping, onProgress)
          : await helper.askApart(name, request, language, stopping, onProgress)
      return answered ?? died()
    })
    return { status: 202, body: { job: job.id } }
  }
  if (waiting.length >= MOST_WAITING) return refused(503, 'busy', say('serve.busy', {}), language)
  const { signal } = c.req.raw
  if (exposed.isHeavy === true && helper !== null) {
    await Promise.all(answering)
    return (signal.aborted ? null : await helper.ask(name, request, language, signal)) ?? died()
  }
  return inTurn(() => answerHere(workspace, name, request, language, signal))
}

/** A page that asks for a verdict asked for curves just before: those come first, for both would share the cores. */
const answering = new Set<Promise<unknown>>()
const waiting: (() => void)[] = []

async function inTurn(work: () => Promise<Answered>): Promise<Answered> {
  if (answering.size >= MOST_AT_ONCE) await new Promise<void>(resolve => waiting.push(resolve))
  const answered = work()
  answering.add(answered)
  try {
    return await answered
  } finally {
    answering.delete(answered)
    waiting.shift()?.()
  }
}

type Given = { readonly request: { readonly [member: string]: unknown } }

const objectSchema = z.record(z.string(), z.unknown())

async function requestOf(c: Asked, asked: AnyQuestion, { right, largestBody }: Exposed): Promise<Given | ErrorAnswer> {
  const language = languageOf(c)
  if (c.req.method === 'GET' && right === 'read') return { request: fromAddress(c.req.queries(), asked) }
  const isJson = /^application\/json\b/i.test(c.req.header('content-type') ?? '')
  if (c.req.method !== 'POST' || !isJson) return refused(415, 'bad-request', say('serve.bad-json', {}), language)
  const body = await bytesWithin(c.env.incoming, largestBody ?? MOST_BODY)
  if (body === null) return refused(413, 'bad-request', say('serve.too-large', {}), language)
  try {
    return { request: objectSchema.parse(JSON.parse(body.toString('utf8') || '{}')) }
  } catch {
    return refused(400, 'bad-request', say('serve.bad-json', {}), language)
  }
}

const propertiesSchema = z.object({ properties: z.record(z.string(), z.looseObject({ type: z.unknown().optional() })) })

/** An address has only texts; which members are lists or yes and no, the schema tells. */
function fromAddress(given: { readonly [member: string]: readonly string[] }, { request }: AnyQuestion) {
  const { properties } = propertiesSchema.parse(z.toJSONSchema(request, { io: 'input' }))
  return Object.fromEntries(
    Object.entries(given).map(([member, values]) => {
      const { type } = properties[member] ?? {}
      if (type === 'array') return [member, values]
      return [member, type === 'boolean' ? values[0] === 'true' : values[0]]
    }),
  )
}

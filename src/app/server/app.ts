import { basename, dirname } from 'node:path'
import { Hono, type Next } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import { secureHeaders } from 'hono/secure-headers'
import { z } from 'zod'
import { sentences } from '../../text/sentences.js'
import { version } from '../ask/version.js'
import { problemAnswer, refused } from './answer.js'
import { answerMcp } from './assistant-route.js'
import { askerAt, type Visitor } from './entrance.js'
import { openApi } from './exposed.js'
import { sendFile } from './files.js'
import { bearerOf, crossOriginRefusal, hostRefusal, LOOPBACK } from './guard.js'
import { answerQuestion } from './question-route.js'
import { announcedSchema, commitRun, PIECE_BYTES, planRun, takePiece } from './receive.js'
import { note, type RequestContext, type RequestEnvironment, type Served } from './served.js'
import { upload } from './upload.js'
import { badJson, bytesWithin, jsonIn, languageOf, refuse, send } from './wire.js'

/**
 * What a server answers, by address: the dashboard's files, and below /api the questions of `ask`, what happens in the
 * workspace as a stream of events, jobs, and logs and runs that are sent. It knows nothing of runs itself.
 *
 * `POST /api/QUESTION` takes the request as JSON, or `GET /api/QUESTION?member=value` where nothing is changed; the answer
 * is what `--json` prints. A member that is a list may stand in an address several times.
 */

const say = sentences({
  'serve.needs-write-method': {
    en: 'this needs the write token, and POST or DELETE',
    zh: '该操作需要写令牌，且须用 POST 或 DELETE',
  },
  'serve.bad-files': { en: 'not a list of files', zh: '缺少文件列表' },
  'serve.piece-too-large': { en: 'too large at once', zh: '单次发送过大' },
})

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

const ON_THIS_MACHINE: Visitor = { right: 'write', name: LOOPBACK }

function askerOf(c: RequestContext): string {
  return askerAt(c.env.incoming.socket.remoteAddress)
}

const MOST_TOKEN = 1 << 20
const MOST_PLAN = 16 << 20

export function dashboard(served: Served): Hono<RequestEnvironment> {
  const { live, jobs, files, entrance, shown } = served
  const app = new Hono<RequestEnvironment>()
  app.onError((error, c) => send(c, problemAnswer(error, languageOf(c)), shown))
  app.use(PAGE_RIGHTS)
  app.use(async (c, next) => {
    const refusal = crossOriginRefusal(c.req.raw) ?? (entrance === null ? hostRefusal(c.req.raw) : null)
    return refusal === null ? next() : refuse(c, refusal)
  })
  const letIn = async (c: RequestContext, next: Next): Promise<Response | undefined> => {
    const visitor = entrance === null ? ON_THIS_MACHINE : entrance.visitor(bearerOf(c.req.raw), askerOf(c))
    if ('status' in visitor) return refuse(c, visitor)
    c.set('visitor', visitor)
    await next()
    return undefined
  }
  app.post('/api/session', c => openSession(c, served))
  app.use('/api/*', (c, next) => {
    c.header('klens-events', String(live.count))
    return letIn(c, next)
  })
  // Below it lies /mcp itself, too.
  app.use('/mcp/*', letIn)
  app.get('/api/session', c =>
    send(c, { status: 200, body: { right: c.get('visitor').right, ...aboutServer(served) } }),
  )
  app.delete('/api/session', c => send(c, { status: 200, body: { ended: entrance?.end(bearerOf(c.req.raw)) ?? 0 } }))
  app.all('/api/events', c => {
    c.header('content-type', 'text/event-stream')
    c.header('cache-control', 'no-store')
    const mayHear = (): boolean => entrance?.holds(bearerOf(c.req.raw)) ?? true
    return c.body(live.stream({ cutOff: () => c.env.outgoing.destroy(), mayHear }))
  })
  app.all('/api/openapi.json', async c => send(c, { status: 200, body: await openApi() }))
  app.get('/api/jobs/:id?', c => send(c, { status: 200, body: jobs.list() }, shown))
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
  app.all('/mcp/:write?', c => answerMcp(c, served))
  app.all('/api/*', async c => send(c, await answerQuestion(c, served), shown))
  app.all('*', c => sendFile(c, files))
  return app
}

function aboutServer({ workspace }: Served) {
  return { version: version(), workspace: basename(dirname(workspace.root)) }
}

const tokenSchema = z.object({ token: z.string() })

/** Where a klens before this one kept the token itself. */
const FORMER_COOKIE = 'klens-token'

/** The way in for a page: a token for a session, which it shows from then on. */
async function openSession(c: RequestContext, served: Served): Promise<Response> {
  const given = tokenSchema.safeParse(jsonIn(await bytesWithin(c.env.incoming, MOST_TOKEN)))
  if (!given.success) throw badJson()
  if (getCookie(c, FORMER_COOKIE) !== undefined) deleteCookie(c, FORMER_COOKIE, { path: '/' })
  const opened = served.entrance?.open(given.data.token, askerOf(c)) ?? { session: null, right: 'write' }
  return 'status' in opened ? refuse(c, opened) : send(c, { status: 200, body: { ...opened, ...aboutServer(served) } })
}

/** `plan` and `commit` with the files of a run; in between pieces of them, by hash. */
async function push(c: RequestContext, served: Served): Promise<Response> {
  const { workspace } = served
  const { run = '', what = '' } = c.req.param()
  const isPiece = what !== 'plan' && what !== 'commit'
  const bytes = await bytesWithin(c.env.incoming, isPiece ? PIECE_BYTES : MOST_PLAN)
  if (bytes === null) return send(c, refused(413, 'bad-request', say('serve.piece-too-large', {}), languageOf(c)))
  if (isPiece) {
    const from = Number(c.req.query('from') ?? 0)
    return send(c, { status: 200, body: { size: await takePiece(workspace, run, { hash: what, from, bytes }) } })
  }
  const announced = announcedSchema.safeParse(jsonIn(bytes))
  if (!announced.success) return send(c, refused(400, 'bad-request', say('serve.bad-files', {}), languageOf(c)))
  const { files } = announced.data
  if (what === 'plan') return send(c, { status: 200, body: { wanted: await planRun(workspace, run, files) } })
  const committed = await commitRun(workspace, run, files)
  if (committed.changed) await note(c, served, 'push', { run, files: files.length })
  return send(c, { status: 200, body: committed })
}

import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { z } from 'zod'
import { listRuns } from '../../core/store/catalogue.js'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { sentences } from '../../text/sentences.js'
import type { WorkspaceChange } from '../ask/changes.js'
import { list, numberWithin, request } from '../ask/fields.js'
import { type Asking, ask, question } from '../ask/question.js'
import { QUESTIONS } from '../ask/questions.js'
import { questionNamed } from '../library/ask-named.js'
import { dashboard } from './app.js'
import { limitConnections } from './connections.js'
import { Entrance } from './entrance.js'
import { readFiles } from './files.js'
import { FEWEST_LETTERS, LOOPBACK, newToken, type Right, type Token, tokensIn } from './guard.js'
import { Helper, Jobs } from './jobs.js'
import { LiveEvents } from './live.js'
import { withoutFolders } from './private-paths.js'
import { tokensOfFile } from './token-file.js'

/**
 * `klens serve`: listens, follows logs, and stops when it is asked to. On loopback everything may be asked; elsewhere
 * tokens are needed, to read and to write.
 */

const USUAL_PORT = 7117
const PORTS_TRIED = 50

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
  /** To hand on, of several the first; null where there are none, and where they are in a file. */
  readonly tokens: { readonly read: string; readonly write: string } | null
}

const tokenList = z
  .string()
  .refine(text => tokensIn(text, 'read').every(({ token }) => token.length >= FEWEST_LETTERS), {
    message: `${FEWEST_LETTERS} letters at least`,
  })

export const serve = question({
  request: request({
    /** Logs to import and to follow while serving. */
    paths: list(z.string()).default([]),
    port: numberWithin({ above: -1, below: 65_536, whole: true }),
    host: z.string().default(LOOPBACK),
    /** Beyond loopback, one or several as `NAME=TOKEN,NAME=TOKEN`; made again where they are not given. */
    readToken: tokenList.optional(),
    writeToken: tokenList.optional(),
    /** A file of tokens instead, looked at again while serving; with it also this machine needs one. */
    tokens: z.string().nullable().default(null),
    /** The command that makes a process answer what takes long; without it this one does. */
    helper: list(z.string()).optional(),
  }),
  answer: z.object({ url: z.string() }),
  /** Tells where it listens, then serves until it is asked to stop. */
  async ask(workspace, asked, { signal = new AbortController().signal, onProgress, remark }: Asking<Serving>) {
    const { host } = asked
    const tokens = tokensFor(asked)
    const entrance = tokens === null ? null : new Entrance(tokens)
    const shown = entrance === null ? (json: string): string => json : withoutFolders(workspace)
    const live = new LiveEvents(shown)
    const jobs = new Jobs(job => live.send('jobs', job))
    const helper = asked.helper === undefined ? null : new Helper(asked.helper)
    const app = dashboard({ workspace, jobs, helper, live, entrance, shown, files: await readFiles() })
    const listener = getRequestListener(app.fetch, { hostname: LOOPBACK })
    const server = createServer({ headersTimeout: 10_000, connectionsCheckingInterval: 2000 }, listener)
    limitConnections(server)
    const port = await listen(server, host, asked.port)
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    const first = (right: Right): string => tokens?.().find(each => each.right === right)?.token ?? ''
    const [read, write] = [first('read'), first('write')]
    const page = tokens === null ? url : `${url}/#token=${write || read}`
    onProgress?.({ url, page, tokens: tokens === null || asked.tokens !== null ? null : { read, write } })
    const changed = (change: WorkspaceChange): void => live.send('runs', change)
    // Listed once before both: two that list for the first time at once have two objects of each run, and all seem changed.
    const listed = listRuns(workspace).catch(() => {})
    const watching = listed.then(async () =>
      ask(workspace, await QUESTIONS.changes(), {}, { signal, onProgress: changed }),
    )
    void listed.then(() => warmUp(workspace))
    const following = asked.paths.length === 0 ? null : followPaths(workspace, asked.paths, signal, remark)
    await aborted(signal)
    live.close()
    helper?.close()
    await jobs.stopAll()
    await closeServer(server)
    await Promise.all([watching, following])
    return { url }
  },
})

/**
 * What the first page will need and takes a third of a second to load, to compile and to list; the browser that opens takes
 * longer. Of one run as of twenty: their series are read when a page wants them.
 */
async function warmUp(workspace: Workspace): Promise<void> {
  try {
    const { drawn, metrics } = await ask(workspace, await QUESTIONS.overlay(), { draw: 1 }, {})
    const runs = drawn.map(({ id }) => id)
    const metric = metrics.slice(0, 1).map(each => each.metric)
    await ask(workspace, await QUESTIONS.series(), { runs, metric }, {})
    await ask(workspace, await QUESTIONS.sides(), { sides: runs }, {})
    await questionNamed('run-table')
    await workspace.duck.readTexts("SELECT 'ready'")
  } catch {
    // So will what needs it, and say so.
  }
}

/** Null where none is needed. */
function tokensFor(asked: {
  readonly host: string
  readonly tokens: string | null
  readonly readToken?: string | undefined
  readonly writeToken?: string | undefined
}): (() => readonly Token[]) | null {
  if (asked.tokens !== null) return tokensOfFile(asked.tokens)
  if (isLoopback(asked.host)) return null
  const { readToken = newToken(), writeToken = newToken() } = asked
  const tokens = [...tokensIn(writeToken, 'write'), ...tokensIn(readToken, 'read')]
  return () => tokens
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

/** Without a wish the usual port, or the next that is free. */
async function listen(server: Server, host: string, wanted: number | null): Promise<number> {
  const first = wanted ?? USUAL_PORT
  const last = wanted === null ? first + PORTS_TRIED : first
  for (let port = first; ; port += 1) {
    try {
      return await listenAt(server, host, port)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'EADDRINUSE')
        throw new Problem('bad-request', say('serve.no-host', { host, reason: code ?? message }))
      if (port === last) throw new Problem('busy', say('serve.port-taken', { port }))
    }
  }
}

/** The port, which the system chooses for 0. */
export async function listenAt(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

export function closeServer(server: Server): Promise<unknown> {
  server.closeAllConnections()
  return new Promise(resolve => server.close(resolve))
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

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

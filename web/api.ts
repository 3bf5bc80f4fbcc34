import type { ImportAnswer } from '../src/app/ask/import.js'
import type { ErrorAnswer } from '../src/app/server/answer.js'
import type { Answers } from '../src/app/server/exposed.js'
import type { Job } from '../src/app/server/jobs.js'
import type { SiteIndex } from '../src/app/server/site.js'
import { fetchOnce, keepSession, questionInit, type Reply } from './first-questions.js'
import { noteAnswer } from './live.js'
import { siteIndex, siteReply } from './site.js'

/** The server, as the page sees it: questions by name with typed answers, and what stands in the way as a sentence. */

export type { Answers }

export type Asked = { readonly [member: string]: unknown }

export class ServerProblem extends Error {
  readonly code: string
  readonly status: number

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Nothing came back: no server, or no way to it. */
export const UNREACHABLE = 0

export function askServer<Name extends keyof Answers>(
  name: Name,
  request: Asked,
  signal?: AbortSignal,
): Promise<Answers[Name]> {
  if (siteIndex !== null) return askSite(siteIndex, name, request)
  return fetchJson(`/api/${name}`, { ...questionInit(request), ...(signal && { signal }) })
}

/** What the scripts of a copy hold are answers of a server; here they get their type. */
async function askSite<Answer>(index: SiteIndex, name: string, request: Asked): Promise<Answer> {
  const reply = await siteReply(index, name, request)
  if (reply !== null && 'answer' in reply) return reply.answer as Answer
  if (reply !== null) throw new ServerProblem(reply.status, 'not-found', reply.message)
  throw new ServerProblem(NOT_IN_COPY, 'not-found', '')
}

/** A copy was made without what is asked. */
export const NOT_IN_COPY = -1

export function uploadLog(file: File, lang: string): Promise<ImportAnswer> {
  return fetchJson(`/api/upload?${new URLSearchParams({ name: file.name, lang })}`, { method: 'POST', body: file })
}

export function listJobs(): Promise<readonly Job[]> {
  return fetchJson('/api/jobs', {})
}

export function stopJob(id: string): Promise<unknown> {
  return fetchJson(`/api/jobs/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

export interface Session {
  readonly right: 'read' | 'write' | null
  readonly version: string
  readonly workspace: string
}

const OUTSIDE: Session = { right: null, version: '', workspace: '' }

/** With a token a new session, else the one that this browser has. */
export async function openSession(token: string | null): Promise<Session> {
  if (siteIndex !== null) return { right: 'read', version: siteIndex.version, workspace: siteIndex.workspace }
  try {
    if (token === null) return await fetchJson<Session>('/api/session', {})
    const init = { method: 'POST', body: JSON.stringify({ token }) }
    const { session, ...opened } = await fetchJson<Session & { readonly session: string | null }>('/api/session', init)
    keepSession(session)
    return opened
  } catch (error) {
    if (!(error instanceof ServerProblem && error.status === UNKNOWN_VISITOR)) throw error
    keepSession(null)
    return OUTSIDE
  }
}

/** One that has ended already is as good. */
export async function endSession(): Promise<void> {
  await fetchJson('/api/session', { method: 'DELETE' }).catch(() => {})
  keepSession(null)
}

const UNKNOWN_VISITOR = 401

/** What the server sends is what its schemas say; here it gets its type. */
async function fetchJson<Answer>(url: string, init: RequestInit): Promise<Answer> {
  let reply: Reply
  try {
    reply = await fetchOnce(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ServerProblem(UNREACHABLE, 'unreachable', '')
  }
  const { ok, status, events, body } = reply
  noteAnswer(events)
  if (ok) return body as Answer
  const { code = 'internal', message = `HTTP ${status}` } = (body as Partial<ErrorAnswer['body']> | null)?.error ?? {}
  throw new ServerProblem(status, code, message)
}

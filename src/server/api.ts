import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { ask, problemOf, type Question } from '../ask/question.js'
import { QUESTIONS } from '../ask/questions.js'
import { Problem, type ProblemCode, sentencesOf } from '../model/problem.js'
import type { Workspace } from '../store/workspace.js'
import type { Language } from '../text/language.js'
import { render, sentences } from '../text/sentences.js'
import { EXPOSED, type Exposed } from './exposed.js'
import { bodyWithin, type Right } from './guard.js'
import type { Jobs } from './jobs.js'
import type { Trail } from './trail.js'

/**
 * `POST /api/QUESTION` with the request as JSON, or `GET /api/QUESTION?member=value` where nothing is changed; the answer
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
  'serve.bad-json': { en: 'the body is no JSON object', zh: '请求正文不是 JSON 对象' },
  'serve.too-large': { en: 'the body is too large', zh: '请求正文过大' },
  'serve.busy': {
    en: 'too much is being asked at once; try again in a moment',
    zh: '同时提出的请求过多，请稍后再试',
  },
  'serve.too-many-jobs': {
    en: '{n} trainings are running already; stop one first',
    zh: '已有 {n} 个训练在运行，请先停止其中一个',
  },
  'serve.internal': { en: 'something in klens itself went wrong: {message}', zh: 'klens 内部出错：{message}' },
})

export interface Answered {
  readonly status: number
  readonly body: unknown
}

export interface Api {
  readonly workspace: Workspace
  readonly jobs: Jobs
  readonly trail: Trail
}

type AnyQuestion = Question<{ readonly lang?: unknown }, unknown, unknown, unknown>

/** At once; further ones wait their turn, up to a limit. */
const MOST_AT_ONCE = 6
const MOST_WAITING = 400
const MOST_JOBS = 4

export async function answerQuestion(
  { workspace, jobs, trail }: Api,
  name: string,
  incoming: IncomingMessage,
  { url, right, signal }: { readonly url: URL; readonly right: Right; readonly signal: AbortSignal },
): Promise<Answered> {
  const exposed = exposedAs(name)
  if (exposed === null) return refused(404, 'not-found', 'serve.no-question', languageOf(incoming), { name })
  const asked = await load(name)
  if (exposed.right === 'write' && right !== 'write') {
    return refused(403, 'forbidden', 'serve.needs-write', languageOf(incoming))
  }
  const given = await requestOf(incoming, url, asked, exposed)
  if ('status' in given) return given
  const named = (exposed.withheld ?? []).find(member => Object.hasOwn(given.request, member))
  const withheld = named ?? exposed.refuses?.(given.request) ?? null
  const language =
    given.request.lang === 'zh' || given.request.lang === 'en' ? given.request.lang : languageOf(incoming)
  if (withheld !== null) return refused(403, 'forbidden', 'serve.withheld', language, { member: withheld })
  const request = { lang: language, ...given.request, ...exposed.fixed }
  if (exposed.right === 'write') await trail.add(incoming, name, request)
  if (exposed.isLong === true) {
    if (jobs.running >= MOST_JOBS) return refused(409, 'busy', 'serve.too-many-jobs', language, { n: jobs.running })
    // A training computes without a pause: in processes of its own, the server goes on answering.
    const apart = { over: [], ...request }
    const job = jobs.begin(
      name,
      request,
      (stopping, tell) => ask(workspace, asked, apart, { signal: stopping, onProgress: tell, importPaths: false }),
      error => problemAnswer(error, language).body.error.message,
    )
    return { status: 202, body: { job: job.id } }
  }
  if (waiting.length >= MOST_WAITING) return refused(503, 'busy', 'serve.busy', language)
  try {
    const body = await inTurn(() => ask(workspace, asked, request, { signal, importPaths: false }))
    return { status: 200, body }
  } catch (error) {
    return problemAnswer(error, language)
  }
}

function exposedAs(name: string): Exposed | null {
  return Object.entries(EXPOSED).find(([each]) => each === name)?.[1] ?? null
}

async function load(name: string): Promise<AnyQuestion> {
  const [, loading] = Object.entries(QUESTIONS).find(([each]) => each === name) ?? []
  // Each question checks its request by its own schema; here they are all alike.
  return (await loading?.()) as unknown as AnyQuestion
}

let running = 0
const waiting: (() => void)[] = []

async function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  if (running >= MOST_AT_ONCE) await new Promise<void>(resolve => waiting.push(resolve))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

type Given = { readonly request: { readonly [member: string]: unknown } }

const objectSchema = z.record(z.string(), z.unknown())

async function requestOf(
  incoming: IncomingMessage,
  url: URL,
  asked: AnyQuestion,
  { right, largestBody }: Exposed,
): Promise<Given | Answered> {
  const language = languageOf(incoming)
  if (incoming.method === 'GET' && right === 'read') return { request: fromQuery(url, asked) }
  const isJson = /^application\/json\b/i.test(incoming.headers['content-type'] ?? '')
  if (incoming.method !== 'POST' || !isJson) return refused(415, 'bad-request', 'serve.bad-json', language)
  const text = await bodyWithin(incoming, largestBody)
  if (text === null) return refused(413, 'bad-request', 'serve.too-large', language)
  try {
    return { request: objectSchema.parse(JSON.parse(text || '{}')) }
  } catch {
    return refused(400, 'bad-request', 'serve.bad-json', language)
  }
}

const propertiesSchema = z.object({ properties: z.record(z.string(), z.looseObject({ type: z.unknown().optional() })) })

/** An address has only texts; which members are lists or yes and no, the schema tells. */
function fromQuery({ searchParams }: URL, { request }: AnyQuestion): { readonly [member: string]: unknown } {
  const { properties } = propertiesSchema.parse(z.toJSONSchema(request, { io: 'input' }))
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map(member => {
      const values = searchParams.getAll(member)
      const { type } = properties[member] ?? {}
      if (type === 'array') return [member, values]
      return [member, type === 'boolean' ? values[0] === 'true' : values[0]]
    }),
  )
}

type Refusals = 'serve.no-question' | 'serve.withheld' | 'serve.needs-write' | 'serve.bad-json' | 'serve.too-large'

function refused(
  status: number,
  code: ProblemCode | 'forbidden',
  key: Refusals | 'serve.busy' | 'serve.too-many-jobs',
  language: Language,
  params: { readonly [name: string]: string | number } = {},
): ErrorAnswer {
  return { status, body: { error: { code, message: render({ key, params }, language) } } }
}

interface ErrorAnswer extends Answered {
  readonly body: { readonly error: { readonly code: string; readonly message: string } }
}

const STATUSES: { readonly [code in ProblemCode]: number } = {
  'bad-request': 400,
  'not-found': 404,
  ambiguous: 409,
  unreadable: 422,
  'not-enough': 422,
  damaged: 500,
  unwritable: 507,
  busy: 409,
  unreachable: 502,
}

/** What stands in the way, in the reader's words; of a defect only its message, never where in the code it was. */
export function problemAnswer(error: unknown, language: Language): ErrorAnswer {
  const problem = problemOf(error)
  if (problem instanceof Problem) {
    const message = sentencesOf(problem)
      .map(sentence => render(sentence, language))
      .join(' ')
    return { status: STATUSES[problem.code], body: { error: { code: problem.code, message } } }
  }
  const said = say('serve.internal', { message: error instanceof Error ? error.message : String(error) })
  return { status: 500, body: { error: { code: 'internal', message: render(said, language) } } }
}

export function languageOf({ headers }: IncomingMessage): Language {
  return /^\s*zh\b/i.test(headers['accept-language'] ?? '') ? 'zh' : 'en'
}

/** The questions that can be asked, with their schemas, for whoever writes a client. */
export async function openApi(): Promise<unknown> {
  const paths: { [path: string]: unknown } = {}
  for (const [name, exposed] of Object.entries(EXPOSED)) {
    const { request, answer } = await load(name)
    const schema = z.toJSONSchema(request, { io: 'input' })
    const properties = Object.fromEntries(
      Object.entries(schema.properties ?? {}).filter(([member]) => !(exposed.withheld ?? []).includes(member)),
    )
    const answers = { '200': { description: 'the answer', content: json(z.toJSONSchema(answer)) } }
    const begun = { '202': { description: 'begun; watch it at /api/jobs', content: json(JOB) } }
    paths[`/api/${name}`] = {
      post: {
        operationId: name,
        'x-right': exposed.right,
        requestBody: { content: json({ ...schema, properties }) },
        responses: { ...(exposed.isLong === true ? begun : answers), default: PROBLEM },
      },
    }
  }
  return { openapi: '3.1.0', info: { title: 'klens', version: '1' }, paths }
}

function json(schema: unknown) {
  return { 'application/json': { schema } }
}

const TEXT = { type: 'string' }
const JOB = { type: 'object', properties: { job: TEXT }, required: ['job'] }
const PROBLEM = {
  description: 'what stands in the way, as a sentence',
  content: json({
    type: 'object',
    properties: { error: { type: 'object', properties: { code: TEXT, message: TEXT }, required: ['code', 'message'] } },
    required: ['error'],
  }),
}

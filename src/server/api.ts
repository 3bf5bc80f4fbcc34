import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { ProblemCode } from '../model/problem.js'
import type { Workspace } from '../store/workspace.js'
import type { Language } from '../text/language.js'
import { type Message, render, sentences } from '../text/sentences.js'
import { type Answered, type AnyQuestion, answerHere, type ErrorAnswer, loadQuestion, type Written } from './answer.js'
import { EXPOSED, type Exposed } from './exposed.js'
import { bodyWithin, type Visitor } from './guard.js'
import type { Helper } from './helper.js'
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
  'serve.helper-died': {
    en: 'the process that worked on this died, perhaps for lack of memory; ask for less',
    zh: '处理该请求的进程意外退出，可能是内存不足；请缩小请求范围',
  },
  'serve.too-many-jobs': {
    en: '{n} trainings are running already; stop one first',
    zh: '已有 {n} 个训练在运行，请先停止其中一个',
  },
})

export interface Api {
  readonly workspace: Workspace
  readonly jobs: Jobs
  readonly trail: Trail
  /** Whether only this machine can ask. */
  readonly isLocal: boolean
  /** For what takes long; null: this process answers everything itself. */
  readonly helper: Helper | null
}

/** At once; further ones wait their turn, up to a limit. */
const MOST_AT_ONCE = 6
const MOST_WAITING = 400
const MOST_JOBS = 4

export async function answerQuestion(
  { workspace, jobs, trail, helper, isLocal }: Api,
  name: string,
  incoming: IncomingMessage,
  { url, visitor, signal }: { readonly url: URL; readonly visitor: Visitor; readonly signal: AbortSignal },
): Promise<Answered | Written> {
  const exposed = exposedAs(name)
  if (exposed === null) return refused(404, 'not-found', say('serve.no-question', { name }), languageOf(incoming))
  const asked = await loadQuestion(name)
  if (exposed.right === 'write' && visitor.right !== 'write') {
    return refused(403, 'forbidden', say('serve.needs-write', {}), languageOf(incoming))
  }
  const given = await requestOf(incoming, url, asked, exposed)
  if ('status' in given) return given
  const named = (exposed.withheld ?? []).find(member => Object.hasOwn(given.request, member))
  const withheld = named ?? exposed.refuses?.(given.request) ?? null
  const language =
    given.request.lang === 'zh' || given.request.lang === 'en' ? given.request.lang : languageOf(incoming)
  if (withheld !== null) return refused(403, 'forbidden', say('serve.withheld', { member: withheld }), language)
  const beyond = isLocal ? {} : exposed.fixedBeyond
  const request = { lang: language, ...exposed.usual, ...given.request, ...exposed.fixed, ...beyond }
  if (exposed.right === 'write') await trail.add(incoming, visitor.name, name, request)
  if (exposed.isLong === true) {
    if (jobs.running >= MOST_JOBS)
      return refused(409, 'busy', say('serve.too-many-jobs', { n: jobs.running }), language)
    const job = jobs.begin(name, request, async (stopping, tell) => {
      const answered =
        helper === null
          ? await answerHere(workspace, name, request, language, stopping, tell)
          : await helper.askApart(name, request, language, stopping, tell)
      return answered ?? refused(500, 'unreachable', say('serve.helper-died', {}), language)
    })
    return { status: 202, body: { job: job.id } }
  }
  if (waiting.length >= MOST_WAITING) return refused(503, 'busy', say('serve.busy', {}), language)
  if (exposed.isHeavy === true && helper !== null) {
    await Promise.all(answering)
    const answered = signal.aborted ? null : await helper.ask(name, request, language, signal)
    return answered ?? refused(500, 'unreachable', say('serve.helper-died', {}), language)
  }
  return inTurn(() => answerHere(workspace, name, request, language, signal))
}

function exposedAs(name: string): Exposed | null {
  return Object.entries(EXPOSED).find(([each]) => each === name)?.[1] ?? null
}

/** Whoever asks for a verdict asked for curves just before: those come first, for both would share the cores. */
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

async function requestOf(
  incoming: IncomingMessage,
  url: URL,
  asked: AnyQuestion,
  { right, largestBody }: Exposed,
): Promise<Given | Answered> {
  const language = languageOf(incoming)
  if (incoming.method === 'GET' && right === 'read') return { request: fromQuery(url, asked) }
  const isJson = /^application\/json\b/i.test(incoming.headers['content-type'] ?? '')
  if (incoming.method !== 'POST' || !isJson) return refused(415, 'bad-request', say('serve.bad-json', {}), language)
  const text = await bodyWithin(incoming, largestBody)
  if (text === null) return refused(413, 'bad-request', say('serve.too-large', {}), language)
  try {
    return { request: objectSchema.parse(JSON.parse(text || '{}')) }
  } catch {
    return refused(400, 'bad-request', say('serve.bad-json', {}), language)
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

function refused(status: number, code: ProblemCode | 'forbidden', sentence: Message, language: Language): ErrorAnswer {
  return { status, body: { error: { code, message: render(sentence, language) } } }
}

export function languageOf({ headers }: IncomingMessage): Language {
  return /^\s*zh\b/i.test(headers['accept-language'] ?? '') ? 'zh' : 'en'
}

/** The questions that can be asked, with their schemas, for whoever writes a client. */
export async function openApi(): Promise<unknown> {
  const paths: { [path: string]: unknown } = {}
  for (const [name, exposed] of Object.entries(EXPOSED)) {
    const { request, answer } = await loadQuestion(name)
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

import { z } from 'zod'
import { sentences } from '../../text/sentences.js'
import { parseRequest } from '../ask/question.js'
import { type AnyQuestion, questionNamed } from '../library/ask-named.js'
import { type Answered, answerHere, type ErrorAnswer, helperDied, refused, type Written } from './answer.js'
import { type Exposed, exposedAs } from './exposed.js'
import { note, type RequestContext, type Served } from './served.js'
import { Turns } from './turns.js'
import { badJson, bytesWithin, jsonIn, languageOf } from './wire.js'

/**
 * `/api/QUESTION`: whether it may be asked, by whom and with which members; then it is answered here, by the helper, or as a
 * job.
 */

const say = sentences({
  'serve.no-question': {
    en: 'there is no question "{name}" here; docs/api.md lists them',
    zh: '这里没有“{name}”这个接口，全部接口见 docs/api.md',
  },
  'serve.withheld': {
    en: 'a server does not accept "{member}": it would reach outside the workspace; use the command line',
    zh: '服务不接受“{member}”：它会触及工作区之外；请使用命令行',
  },
  'serve.needs-write': {
    en: 'this changes the workspace and needs the write token',
    zh: '该操作会改动工作区，需要写令牌',
  },
  'serve.too-large': { en: 'the body is too large', zh: '请求正文过大' },
  'serve.busy': {
    en: 'too many requests at once; try again in a moment',
    zh: '同时提出的请求过多，请稍后再试',
  },
  'serve.too-many-jobs': {
    en: '{n} training{n||s} {n|is|are} running already; stop one first',
    zh: '已有 {n} 个训练在运行，请先停止其中一个',
  },
})

const MOST_BODY = 1 << 20

/** At once; further ones wait their turn, up to a limit. */
const answering = new Turns(6)
const MOST_WAITING = 400
const MOST_JOBS = 4

export async function answerQuestion(c: RequestContext, served: Served): Promise<Answered | Written> {
  const { workspace, jobs, helper, entrance } = served
  const name = c.req.path.split('/')[2] ?? ''
  const exposed = exposedAs(name)
  if (exposed === undefined) return refused(404, 'not-found', say('serve.no-question', { name }), languageOf(c))
  if (exposed.right === 'write' && c.get('visitor').right !== 'write') {
    return refused(403, 'forbidden', say('serve.needs-write', {}), languageOf(c))
  }
  const question = await questionNamed(name)
  const given = await requestOf(c, question, exposed)
  if ('status' in given) return given
  const named = (exposed.withheld ?? []).find(member => Object.hasOwn(given.request, member))
  const withheld = named ?? exposed.refuses?.(given.request) ?? null
  const { lang } = given.request
  const language = lang === 'zh' || lang === 'en' ? lang : languageOf(c)
  if (withheld !== null) return refused(403, 'forbidden', say('serve.withheld', { member: withheld }), language)
  const beyond = entrance === null ? {} : exposed.fixedBeyond
  const request = { lang: language, ...exposed.usual, ...given.request, ...exposed.fixed, ...beyond }
  if (exposed.isLong === true) {
    // A job would say what is wrong with its request only when it fails.
    parseRequest(question, request)
  }
  if (exposed.right === 'write') await note(c, served, name, request)
  if (exposed.isLong === true) {
    const { running } = jobs
    if (running >= MOST_JOBS) return refused(409, 'busy', say('serve.too-many-jobs', { n: running }), language)
    const job = jobs.begin(name, request, async (stopping, onProgress) => {
      const answered =
        helper === null
          ? await answerHere(workspace, name, request, language, { signal: stopping, onProgress })
          : await helper.askApart(name, request, language, { signal: stopping, onProgress })
      return answered ?? helperDied(language)
    })
    return { status: 202, body: { job: job.id } }
  }
  if (answering.waiting >= MOST_WAITING) return refused(503, 'busy', say('serve.busy', {}), language)
  const { signal } = c.req.raw
  if (exposed.isHeavy === true && helper !== null) {
    // A page that asks for a verdict asked for curves just before: those come first, for both would share the cores.
    await answering.current()
    return (signal.aborted ? null : await helper.ask(name, request, language, { signal })) ?? helperDied(language)
  }
  return answering.take(() => answerHere(workspace, name, request, language, { signal }))
}

type Given = { readonly request: { readonly [member: string]: unknown } }

const objectSchema = z.record(z.string(), z.unknown())

async function requestOf(
  c: RequestContext,
  asked: AnyQuestion,
  { right, largestBody }: Exposed,
): Promise<Given | ErrorAnswer> {
  const language = languageOf(c)
  if (c.req.method === 'GET' && right === 'read') return { request: fromAddress(c.req.queries(), asked) }
  const isJson = /^application\/json\b/i.test(c.req.header('content-type') ?? '')
  if (c.req.method !== 'POST' || !isJson) return refused(415, 'bad-request', badJson().sentence, language)
  const body = await bytesWithin(c.env.incoming, largestBody ?? MOST_BODY)
  if (body === null) return refused(413, 'bad-request', say('serve.too-large', {}), language)
  const read = objectSchema.safeParse(body.length === 0 ? {} : jsonIn(body))
  if (!read.success) throw badJson()
  return { request: read.data }
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

import { dirname } from 'node:path'
import { Problem } from '../../logs/model/problem.js'
import { sentences } from '../../text/sentences.js'
import type { AssistantDoor } from '../mcp/door.js'
import { answerHere, refused } from './answer.js'
import { exposedAs } from './exposed.js'
import type { Helper } from './jobs.js'
import { note, type RequestContext, type Served } from './served.js'
import { bytesWithin, jsonIn, languageOf, send } from './wire.js'

/**
 * Assistants at the same server, behind the same guard: `/mcp` to read, `/mcp/write` also to change. Which of the two is
 * meant is written in the assistant's own configuration, by a person.
 */

const say = sentences({
  'mcp.only-post': { en: 'assistants ask by POST', zh: '助手须用 POST 提问' },
  'mcp.needs-write': { en: '/mcp/write needs the write token; /mcp reads', zh: '/mcp/write 需要写令牌；/mcp 可读' },
  'mcp.too-large': { en: 'the message is too large', zh: '消息过大' },
})

const MOST_MESSAGE = 8 << 20

export async function answerMcp(c: RequestContext, served: Served): Promise<Response> {
  const { workspace, entrance } = served
  const language = languageOf(c)
  const write = c.req.param('write') === 'write'
  if (c.req.method !== 'POST') return send(c, refused(405, 'forbidden', say('mcp.only-post', {}), language))
  if (write && c.get('visitor').right !== 'write') {
    return send(c, refused(403, 'forbidden', say('mcp.needs-write', {}), language))
  }
  const body = await bytesWithin(c.env.incoming, MOST_MESSAGE)
  if (body === null) throw new Problem('bad-request', say('mcp.too-large', {}))
  const message = jsonIn(body)
  if (write) await note(c, served, 'mcp', message)
  const { answerAssistant } = await import('../mcp/over-http.js')
  const folder = entrance === null ? dirname(workspace.root) : null
  const door = { workspace, write, folder, language, carry: carrierOf(served) }
  return answerAssistant(door, c.req.raw, message)
}

/** Clients wait for a minute, and do not say what they waited for. */
const LONGEST_MS = 50_000

/** Of one that would fill thousands of pages not even the first is read. */
const LARGEST_ANSWER = 8e6

interface Carriers extends Pick<Served, 'workspace' | 'shown'> {
  readonly helper: Helper | null
  readonly entrance: object | null
  /** Ends what took too long, unless another session waits for it too. */
  readonly onGivenUp?: () => void
}

/** Carries questions to the process that computes, for so long as an assistant waits. */
export function carrierOf(carriers: Carriers): AssistantDoor['carry'] {
  return async (question, asked, cancelled) => {
    const { workspace, helper, entrance, shown, onGivenUp } = carriers
    const late = AbortSignal.timeout(LONGEST_MS)
    const signal = AbortSignal.any([cancelled, late])
    const request = entrance === null ? asked : { ...asked, ...exposedAs(question)?.fixedBeyond }
    const language = asked.lang === 'zh' ? 'zh' : 'en'
    const answering =
      helper === null
        ? answerHere(workspace, question, request, language, { signal })
        : helper.ask(question, request, language, { signal })
    const answered = await Promise.race([answering, givenUp(signal)])
    if (answered === null) {
      if (late.aborted) onGivenUp?.()
      return null
    }
    const text = 'text' in answered ? answered.text : JSON.stringify(answered.body)
    return text.length > LARGEST_ANSWER ? null : { status: answered.status, body: JSON.parse(shown(text)) }
  }
}

function givenUp(signal: AbortSignal): Promise<null> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(null), { once: true }))
}

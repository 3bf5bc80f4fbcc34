import type { ContentfulStatusCode as Status } from 'hono/utils/http-status'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem, type ProblemCode, sentencesOf } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import type { Language } from '../../text/language.js'
import { render, sentences } from '../../text/sentences.js'
import { problemOf } from '../ask/question.js'
import { type AnyRequest, askNamed } from '../library/ask-named.js'

/** A question by its name, asked in this process; what comes of it, as a status and a body. */

const say = sentences({
  'serve.helper-died': {
    en: 'the process that worked on this died, perhaps out of memory; ask for less',
    zh: '处理该请求的进程意外退出，可能是内存不足；请缩小请求范围',
  },
  'serve.internal': { en: 'internal error in klens: {message}', zh: 'klens 内部出错：{message}' },
})

export interface Answered {
  readonly status: Status
  readonly body: unknown
}

/** The same as it goes over the wire: what another process has written need not be read to be sent on. */
export interface Written {
  readonly status: Status
  readonly text: string
}

export function written({ status, body }: Answered): Written {
  return { status, text: JSON.stringify(body) }
}

export interface ErrorAnswer extends Answered {
  readonly body: { readonly error: { readonly code: string; readonly message: string } }
}

export function isError(answered: Answered): answered is ErrorAnswer {
  return answered.status >= 400
}

export function refused(
  status: Status,
  code: ProblemCode | 'forbidden' | 'internal',
  sentence: Message,
  language: Language,
): ErrorAnswer {
  return { status, body: { error: { code, message: render(sentence, language) } } }
}

/** How a question by its name is carried. A RUN is a path only for a user of this machine. */
export interface Carrying {
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: unknown) => void) | undefined
  readonly importPaths?: boolean
}

export async function answerHere(
  workspace: Workspace,
  name: string,
  request: AnyRequest,
  language: Language,
  { signal, onProgress, importPaths = false }: Carrying,
): Promise<Answered> {
  try {
    const asking = { signal, importPaths, ...(onProgress && { onProgress }) }
    return { status: 200, body: await askNamed(workspace, name, { lang: language, ...request }, asking) }
  } catch (error) {
    return problemAnswer(error, language)
  }
}

export function helperDied(language: Language): ErrorAnswer {
  return refused(500, 'unreachable', say('serve.helper-died', {}), language)
}

const STATUSES: { readonly [code in ProblemCode]: Status } = {
  'bad-request': 400,
  'not-found': 404,
  ambiguous: 409,
  unreadable: 422,
  'not-enough': 422,
  damaged: 500,
  unwritable: 507,
  busy: 409,
  unreachable: 502,
  'not-trusted': 403,
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
  const message = error instanceof Error ? error.message : String(error)
  return refused(500, 'internal', say('serve.internal', { message }), language)
}

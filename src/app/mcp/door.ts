import { z } from 'zod'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import type { Language } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'
import type { AnyRequest } from '../library/ask-named.js'

/** What an assistant stands before: a workspace, what may be done in it, and who carries its questions. */
export interface AssistantDoor {
  readonly workspace: Workspace
  /** Asks a question by its name: the answer as JSON, or what stands in the way; null where it took too long or died. */
  readonly carry: (question: string, request: AnyRequest, signal: AbortSignal) => Promise<Carried | null>
  /** Tools that change something are offered. */
  readonly write: boolean
  /** Files in it may be named; null: none. */
  readonly folder: string | null
  readonly language: Language
}

interface Carried {
  readonly status: number
  readonly body: unknown
}

const say = sentences({
  'mcp.too-long': {
    en: 'the answer took too long or is too large; name fewer runs, or narrow the question',
    zh: '答案耗时过长或过大；请减少 run 的数量，或缩小问题范围',
  },
})

export async function carriedAnswer(
  { carry }: AssistantDoor,
  question: string,
  request: AnyRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const carried = await carry(question, request, signal)
  if (carried === null) throw new Problem('busy', say('mcp.too-long', {}))
  if (carried.status < 400) return carried.body
  throw new Refused(refusalSchema.parse(carried.body).error.message)
}

const refusalSchema = z.object({ error: z.object({ message: z.string() }) })

/** What stood in the way, in words already. */
class Refused extends Error {}

import type { z } from 'zod'
import { problemOf } from '../../core/store/disk-problem.js'
import { keepUnkept, unkeptRuns } from '../../core/store/unkept.js'
import { openWorkspace, type Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { messageFrom, sentences } from '../../text/sentences.js'

export { problemOf }

/**
 * A question that a person may ask, whoever carries it: the command line, a server, a test. The request is plain data as
 * flags or HTTP give it, checked by its schema; the answer is plain data as `--json` prints it, with sentences in the
 * language of the request; what stands in the way is thrown as a `Problem`.
 */
export interface Question<Input, Request, Answer, Progress = never> {
  readonly request: z.ZodType<Request, Input>
  readonly answer: z.ZodType<Answer>
  readonly ask: (workspace: Workspace, request: Request, asking: Asking<Progress>) => Promise<Answer>
}

/** How a question is being asked, apart from what is asked. */
export interface Asking<Progress = never> {
  /** Asks a long answer to stop at the next clean point. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** Said beside the answer, and no part of it: a file passed over, a remark of a task. */
  readonly remark?: (remark: Message) => void
  /** A RUN may be a path, whose logs are then imported. Not so for a server that strangers can reach. */
  readonly importPaths?: boolean
  /** Runs that are read for the answer are kept after it. */
  readonly keepsLater?: boolean
}

/** Only so that the compiler reads the four types off the schemas. */
export function question<Input, Request, Answer, Progress = never>(
  asked: Question<Input, Request, Answer, Progress>,
): Question<Input, Request, Answer, Progress> {
  return asked
}

/** The members of a request, with whatever was typed or sent as their values. */
export type Unparsed<Input> = { readonly [Member in keyof Input]: unknown }

export async function ask<Input, Request, Answer, Progress>(
  workspace: Workspace,
  asked: Question<Input, Request, Answer, Progress>,
  input: Unparsed<Input>,
  asking: Asking<Progress> = {},
): Promise<Answer> {
  try {
    return await asked.ask(workspace, parseRequest(asked, input), asking)
  } catch (error) {
    throw problemOf(error) ?? error
  }
}

/**
 * Asks in the workspace in force, which the first run to be written makes where there is none. Given `afterwards`, runs
 * that were read for the answer are kept by what that is handed, when the answer has been printed.
 */
export async function askHere<Input, Request, Answer, Progress>(
  asked: Question<Input, Request, Answer, Progress>,
  input: Unparsed<Input>,
  asking: Asking<Progress>,
  afterwards?: (keep: () => Promise<void>) => void,
): Promise<Answer> {
  const workspace = await openWorkspace()
  const keep = () => keepUnkept(workspace).finally(() => workspace.close())
  try {
    const answer = await ask(workspace, asked, input, { keepsLater: afterwards !== undefined, ...asking })
    if (unkeptRuns(workspace).length === 0) await workspace.close()
    else afterwards?.(() => keep().catch(refuseToKeep))
    return answer
  } catch (error) {
    await keep().catch(() => {})
    throw error
  }
}

function refuseToKeep(error: unknown): never {
  const problem = problemOf(error)
  if (problem === null) throw error
  throw new Problem(problem.code, say('ask.not-kept', { reason: problem.sentence }), { remedy: problem.remedy })
}

const say = sentences({
  'ask.not-kept': {
    en: 'The answer stands, but its runs were not kept: {reason}',
    zh: '以上结果有效，但相关 run 未能保存：{reason}',
  },
  'ask.bad-member': {
    en: 'the request is invalid at "{member}": {reason}',
    zh: '请求中的“{member}”有误：{reason}',
  },
})

/** A schema carries the sentence for what is wrong, where it has one. */
export function parseRequest<Input, Request>(
  { request }: { readonly request: z.ZodType<Request, Input> },
  input: unknown,
): Request {
  const parsed = request.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const member = issue.path.join('.')
  const sentence = messageFrom(issue.message)
  if (sentence === null) {
    throw new Problem('bad-request', say('ask.bad-member', { member, reason: issue.message }))
  }
  const given = { option: optionOf(String(issue.path[0] ?? '')), value: String(issue.input) }
  const more = issue.code === 'custom' ? issue.params : {}
  throw new Problem('bad-request', { ...sentence, params: { ...given, ...more } })
}

/** Members of a request are called like the flags: `seedSd` is `--seed-sd`. */
function optionOf(member: string): string {
  return `--${member.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}

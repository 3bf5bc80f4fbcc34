import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import { sentences } from '../../text/sentences.js'
import { type Asking, ask, type Question } from '../ask/question.js'
import { QUESTIONS } from '../ask/questions.js'

/** A question by its name: the one way in of everybody who is not the command line, whether a program, a page, Python or an assistant. */

const say = sentences({
  'library.unknown-question': {
    en: 'klens has no question "{name}"; docs/library.md lists them',
    zh: 'klens 没有名为“{name}”的问题；docs/library.md 列有全部问题',
  },
})

/** Each question checks its request by its own schema; by name they are all alike. */
export type AnyQuestion = Question<{ readonly lang?: unknown }, unknown, unknown, unknown>

export type AnyRequest = { readonly [member: string]: unknown }

export async function questionNamed(name: string): Promise<AnyQuestion> {
  const [, load] = Object.entries(QUESTIONS).find(([each]) => each === name) ?? []
  if (load === undefined) throw new Problem('bad-request', say('library.unknown-question', { name }))
  return (await load()) as unknown as AnyQuestion
}

/** What stands in the way is thrown as a `Problem`. */
export async function askNamed(
  workspace: Workspace,
  name: string,
  request: AnyRequest,
  asking: Asking<unknown> = {},
): Promise<unknown> {
  return ask(workspace, await questionNamed(name), request, asking)
}

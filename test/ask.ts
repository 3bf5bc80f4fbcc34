import { expect } from 'vitest'
import { type Asking, ask, type Question, type Unparsed } from '../src/app/ask/question.js'
import type { Workspace } from '../src/core/store/workspace.js'

/** An answer as a script gets it: what JSON carries, and exactly what the schema promises. */
export async function answerTo<Input, Request, Answer, Progress>(
  workspace: Workspace,
  question: Question<Input, Request, Answer, Progress>,
  input: Unparsed<Input>,
  asking: Asking<Progress> = {},
): Promise<Answer> {
  const written = JSON.parse(JSON.stringify(await ask(workspace, question, input, asking)))
  const read = question.answer.parse(written)
  expect(read).toEqual(written)
  return read
}

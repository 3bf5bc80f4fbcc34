import { openWorkspace as workspaceInForce } from '../../core/store/workspace.js'
import { Problem, type ProblemCode, sentencesOf } from '../../logs/model/problem.js'
import type { Language } from '../../text/language.js'
import { type Message, render } from '../../text/sentences.js'
import { askNamed } from './ask-named.js'
import type { QuestionTypes } from './question-types.js'

export { type PresentableQuestion, type PresentOptions, present } from './present.js'
export type { Language, ProblemCode, QuestionTypes }

/** `klens`: opens a workspace and asks the questions of the command line (docs/library.md). */

export type QuestionName = keyof QuestionTypes

/** What is asked, as `klens VERB` takes it: flags in camel case, and the language of the sentences in `lang`. */
export type RequestOf<Name extends QuestionName> = QuestionTypes[Name]['request']

/** What is answered, as `klens VERB --json` prints it. */
export type AnswerOf<Name extends QuestionName> = QuestionTypes[Name]['answer']

export interface AskOptions {
  /** Ends a long answer at the next clean point. */
  readonly signal?: AbortSignal
  /** Takes what is said beside the answer: a file that was passed over, for example. */
  readonly onRemark?: (sentence: string) => void
  /** Whether a run may be named by a path, whose logs are then imported; true unless given. */
  readonly importPaths?: boolean
}

/** The runs that klens keeps in one `.klens` folder. */
export interface OpenWorkspace {
  /** The `.klens` folder, which is made when the first run is written. */
  readonly root: string
  ask<Name extends QuestionName>(name: Name, request: RequestOf<Name>, options?: AskOptions): Promise<AnswerOf<Name>>
  /** Frees what queries hold. */
  close(): Promise<void>
}

/** A mistake in the request, or something that a file, a run or a disk lacks; the message is a sentence in the language of the request. */
export class KlensError extends Error {
  readonly code: ProblemCode

  constructor(problem: Problem, language: Language) {
    const said = sentencesOf(problem).map(sentence => render(sentence, language))
    super(said.join(' '), { cause: problem })
    this.name = 'KlensError'
    this.code = problem.code
  }
}

/**
 * The workspace of a folder: its own `.klens`, or that of the nearest folder above. Without a folder, the one that the
 * command line would use here.
 */
export async function openWorkspace(folder?: string): Promise<OpenWorkspace> {
  const workspace = folder === undefined ? await workspaceInForce() : await workspaceInForce(folder, {})
  const { root } = workspace
  return {
    root,
    async ask<Name extends QuestionName>(
      name: Name,
      request: RequestOf<Name>,
      { onRemark, ...options }: AskOptions = {},
    ): Promise<AnswerOf<Name>> {
      const language = request.lang ?? 'en'
      const remark = onRemark && { remark: (said: Message) => onRemark(render(said, language)) }
      try {
        // The table gives each question its types, which the compiler does not follow through a name.
        return (await askNamed(workspace, name, request, { ...options, ...remark })) as AnswerOf<Name>
      } catch (error) {
        throw error instanceof Problem ? new KlensError(error, language) : error
      }
    },
    close: () => workspace.close(),
  }
}

import { blocksHtml } from '../../core/present/html.js'
import { blocksMarkdown } from '../../core/present/markdown.js'
import { blocksOf, plainText } from './answer-blocks.js'
import type { PresentableQuestion, PresentOptions } from './presentable.js'
import type { QuestionTypes } from './question-types.js'

/** Answers as the command line prints them, as reports write them, and as a notebook shows them. */

export type { PresentableQuestion, PresentOptions }

/** An answer in words: as plain text, as Markdown, or as a piece of HTML. */
export async function present<Name extends PresentableQuestion>(
  name: Name,
  answer: QuestionTypes[Name]['answer'],
  { as = 'text', lang = 'en', all = false }: PresentOptions = {},
): Promise<string> {
  const blocks = await blocksOf(name, answer, { lang, all, charts: as === 'html' })
  if (as === 'html') return blocksHtml(blocks)
  return as === 'markdown' ? blocksMarkdown(blocks, id => `${id}.svg`) : plainText(blocks, all)
}

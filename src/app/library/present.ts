import type { Block } from '../../core/present/blocks.js'
import { blocksMarkdown } from '../../core/present/markdown.js'
import { type Speaker, speakerIn } from '../../core/present/speaker.js'
import { terminalLines } from '../../core/present/terminal.js'
import type { Language } from '../../text/language.js'
import type { QuestionTypes } from './question-types.js'

/** Answers as the command line prints them and as reports write them. */

/** The questions whose answers can be presented. */
export type PresentableQuestion =
  | 'compare'
  | 'checkpoints'
  | 'diagnose'
  | 'decide'
  | 'sweep'
  | 'frontier'
  | 'forecast'
  | 'plan'

export interface PresentOptions {
  readonly as?: 'text' | 'markdown'
  /** Of the words around the answer; its own sentences have the language of the request. */
  readonly lang?: Language
  /** Everything that is folded otherwise. */
  readonly all?: boolean
}

type Presenters = {
  readonly [Name in PresentableQuestion]: () => Promise<
    (answer: QuestionTypes[Name]['answer'], speaker: Speaker, options: { readonly all: boolean }) => readonly Block[]
  >
}

const PRESENTERS: Presenters = {
  compare: async () => (await import('../../core/present/comparison.js')).comparisonBlocks,
  checkpoints: async () => (await import('../../core/present/checkpoints.js')).checkpointsBlocks,
  diagnose: async () => (await import('../../core/present/diagnosis.js')).diagnosisBlocks,
  decide: async () => (await import('../../core/present/decision.js')).decisionBlocks,
  sweep: async () => (await import('../../core/present/sweep.js')).sweepBlocks,
  frontier: async () => {
    const { frontierBlocks } = await import('../../core/present/frontier.js')
    return (answer, speaker) => frontierBlocks(answer, speaker)
  },
  forecast: async () => (await import('../../core/present/forecast.js')).forecastBlocks,
  plan: async () => (await import('../../core/present/plan.js')).planBlocks,
}

/** An answer in words: as plain text, or as Markdown. */
export async function present<Name extends PresentableQuestion>(
  name: Name,
  answer: QuestionTypes[Name]['answer'],
  { as = 'text', lang = 'en', all = false }: PresentOptions = {},
): Promise<string> {
  const presenter = await PRESENTERS[name]()
  const blocks = presenter(answer, speakerIn(lang), { all })
  if (as === 'markdown') return blocksMarkdown(blocks, id => `${id}.svg`)
  const notes = blocks.flatMap(block => (block.kind === 'note' ? [block.text] : []))
  return [...notes, ...terminalLines(blocks, { paint: (_, text) => text, width: null, all })].join('\n')
}

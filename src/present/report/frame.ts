import type { Language } from '../../text/language.js'
import { message as words } from '../../text/say.js'
import { type Block, paragraph } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import type { Provenance } from './evidence.js'
import type { Memory } from './memory.js'
import type { Recipe } from './recipe.js'

/** What every report has, whatever it is about. */
export interface Frame {
  readonly provenance: Provenance
  /** Null: the report has one of its own. */
  readonly title: string | null
  readonly date: string | null
  /** What an older report at the same place concluded. */
  readonly before: Memory | null
}

/** What a report says, and what a later one of the same runs is compared with. */
export interface ReportContent {
  readonly language: Language
  readonly title: string
  readonly blocks: readonly Block[]
  readonly memory: Memory
}

export interface Report extends ReportContent {
  /** How it can be made again. */
  readonly recipe: Recipe
}

interface Content {
  /** For a report that was given no other. */
  readonly title: string
  readonly blocks: readonly Block[]
  readonly memory: Memory
}

export function framed(
  speaker: Speaker,
  { title, date }: Pick<Frame, 'title' | 'date'>,
  content: Content,
): ReportContent {
  return {
    language: speaker.language,
    title: title ?? content.title,
    memory: content.memory,
    blocks: [...(date === null ? [] : [paragraph(speaker.say(words('report.date', { date })))]), ...content.blocks],
  }
}

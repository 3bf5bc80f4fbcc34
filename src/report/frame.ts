import { type Block, paragraph, type Told } from './blocks.js'
import type { Provenance } from './evidence.js'
import type { Memory } from './memory.js'
import type { Voice } from './voice.js'

/** What every report has, whatever it is about. */
export interface Frame {
  readonly provenance: Provenance
  /** Null: the report has one of its own. */
  readonly title: string | null
  readonly date: string | null
  /** What an older report at the same place concluded. */
  readonly before: Memory | null
}

interface Content {
  /** For a report that was given no other. */
  readonly title: string
  readonly blocks: readonly Block[]
  readonly memory: Memory
}

export function framed(voice: Voice, { title, date }: Pick<Frame, 'title' | 'date'>, content: Content): Told {
  return {
    language: voice.language,
    title: title ?? content.title,
    memory: content.memory,
    blocks: [...(date === null ? [] : [paragraph(voice.say('report.date', { date }))]), ...content.blocks],
  }
}

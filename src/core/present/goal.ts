import type { JudgedBy } from '../../logs/model/vocabulary/judged-by.js'
import { comparisonSentences } from '../../text/compare.js'
import type { Encoded } from '../../text/encode.js'
import { type Block, paragraph, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'

/** What an answer is judged by, in one line, and what that limits. */
export function goalBlocks(
  { judgedBy, tags }: { readonly judgedBy: Encoded<JudgedBy>; readonly tags: readonly string[] },
  speaker: Speaker,
): readonly Block[] {
  const limit = saying(speaker, comparisonSentences)('tag.optimised-reward', {})
  return [
    paragraph(speaker.sentence(judgedBy.sentence)),
    ...(tags.includes('optimised-reward') ? [paragraph(toned(speaker.sentence(limit), 'warning'))] : []),
  ]
}

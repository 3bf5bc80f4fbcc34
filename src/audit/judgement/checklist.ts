import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import { fault } from '../assertion.js'
import type { ReportEvidence } from '../evidence.js'
import type { Sense } from '../lexicon.js'
import { saidIn } from './hits.js'

/**
 * The checklist (`--checklist`): words that need a test or a criterion, with their lines, as one note a report. It does
 * not say that they are wrong: by hand, one such word in three was unsupported.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.checklist': { en: 'words that need a test or a criterion: {list}', zh: '需要检验或判据的用词：{list}' },
})

const SENSES = [
  'significant',
  'stable',
  'converged',
  'same',
  'faster',
  'causes',
  'overfit',
  'ready',
] as const satisfies readonly Sense[]
const MOST_LINES = 6

export function* checklist(evidence: ReportEvidence): Generator<Fault> {
  const { statements, placeOf } = evidence.document
  const hits = statements
    .filter(({ kind, isQuoted }) => kind !== 'code' && kind !== 'heading' && !isQuoted)
    .flatMap(statement =>
      SENSES.flatMap(sense => {
        const word = saidIn(statement, sense)
        return word === undefined ? [] : [{ sense, word: word.text, offset: statement.offsetOf(word.from) }]
      }),
    )
  const [first] = hits
  if (first === undefined) return
  const list = SENSES.flatMap(sense => {
    const own = hits.filter(hit => hit.sense === sense)
    const lines = [...new Set(own.map(({ offset }) => placeOf(offset).line))]
    const shown = lines.slice(0, MOST_LINES).join(', ') + (lines.length > MOST_LINES ? ', …' : '')
    return own[0] === undefined ? [] : [`“${own[0].word}” (${shown})`]
  }).join('; ')
  yield fault('untested-words', first.offset, say('audit.checklist', { list }), {
    found: list,
    also: hits.map(({ offset }) => offset),
  })
}

import type { FillAnswer } from '../../app/ask/fill.js'
import { message as words } from '../../text/say.js'
import { type Block, paragraph, section, type Tone, table, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'

/** What became of the references of a report: those that are new, changed or wrong, a line each. */

type State = FillAnswer['references'][number]['state']

const TONES: { readonly [state in State]: Tone } = {
  filled: 'good',
  same: 'neutral',
  changed: 'warning',
  turned: 'bad',
  edited: 'bad',
  failed: 'bad',
}

export function fillBlocks({ file, written, references }: FillAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const told = references.filter(({ state }) => state !== 'same')
  const rows = told.map(({ line, column, state, reference, before, after, reason }) => [
    `${line}:${column}`,
    toned(say(`fill.state.${state}`, {}), TONES[state]),
    reason ?? (before === null ? (after ?? '') : `${before} → ${after ?? ''}`),
    toned(reference, 'quiet'),
  ])
  const wrong = references.filter(({ state }) => TONES[state] === 'bad').length
  const counts = { total: references.length, changed: told.length - wrong, wrong }
  return [
    section(file, ...(rows.length === 0 ? [] : [table([], rows)])),
    paragraph(say(written ? 'fill.written' : 'fill.not-written', counts)),
  ]
}

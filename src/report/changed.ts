import { labelFor } from '../text/say.js'
import { type Block, heading, list } from './blocks.js'
import type { Memory } from './memory.js'
import type { Voice } from './voice.js'

/** What changed since an older report of the same runs, so that a sentence that was true then does not live on. */
export function changedBlocks(voice: Voice, before: Memory | null, now: Memory): readonly Block[] {
  if (before === null || !before.runs.every(run => now.runs.includes(run)) || before.metric !== now.metric) return []
  // A report of another version of klens may name an answer that this one has no word for.
  const label = (kind: 'question' | 'answer', name: string): string =>
    labelFor(`${kind}.${name}`, voice.language) ?? name
  const items = [
    ...(now.evaluations === before.evaluations
      ? []
      : [
          voice.say('report.changed.evaluations', {
            more: now.evaluations - before.evaluations,
            before: before.evaluations,
            now: now.evaluations,
          }),
        ]),
    ...now.verdicts.flatMap(verdict => {
      const old = before.verdicts.find(
        ({ question, other }) => question === verdict.question && other === verdict.other,
      )
      if (old === undefined || old.answer === verdict.answer) return []
      return [
        voice.say('report.changed.verdict', {
          question: label('question', verdict.question),
          other: verdict.other,
          before: label('answer', old.answer),
          now: label('answer', verdict.answer),
        }),
      ]
    }),
    ...now.findings
      .filter(f => !before.findings.includes(f))
      .map(finding => voice.say('report.changed.finding', { finding })),
    ...before.findings
      .filter(f => !now.findings.includes(f))
      .map(finding => voice.say('report.changed.gone', { finding })),
  ]
  return items.length === 0 ? [] : [heading(voice.say('report.head.changed', {})), list(items.map(item => [item]))]
}

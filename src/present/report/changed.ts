import { labelFor, message as words } from '../../text/say.js'
import { type Block, heading, list } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import type { Memory } from './memory.js'

/** What changed since an older report of the same runs, so that a sentence that was true then does not live on. */
export function changedBlocks(speaker: Speaker, before: Memory | null, now: Memory): readonly Block[] {
  if (before === null || !before.runs.every(run => now.runs.includes(run)) || before.metric !== now.metric) return []
  // A report of another version of klens may name an answer that this one has no word for.
  const label = (kind: 'question' | 'answer', name: string): string =>
    labelFor(`${kind}.${name}`, speaker.language) ?? name
  const items = [
    ...(now.evaluations === before.evaluations
      ? []
      : [
          speaker.say(
            words('report.changed.evaluations', {
              more: now.evaluations - before.evaluations,
              before: before.evaluations,
              now: now.evaluations,
            }),
          ),
        ]),
    ...now.verdicts.flatMap(verdict => {
      const old = before.verdicts.find(
        ({ question, other }) => question === verdict.question && other === verdict.other,
      )
      if (old === undefined || old.answer === verdict.answer) return []
      return [
        speaker.say(
          words('report.changed.verdict', {
            question: label('question', verdict.question),
            other: verdict.other,
            before: label('answer', old.answer),
            now: label('answer', verdict.answer),
          }),
        ),
      ]
    }),
    ...now.findings
      .filter(f => !before.findings.includes(f))
      .map(finding => speaker.say(words('report.changed.finding', { finding }))),
    ...before.findings
      .filter(f => !now.findings.includes(f))
      .map(finding => speaker.say(words('report.changed.gone', { finding }))),
  ]
  return items.length === 0
    ? []
    : [heading(speaker.say(words('report.head.changed', {}))), list(items.map(item => [item]))]
}

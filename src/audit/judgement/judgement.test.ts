import { expect, test } from 'vitest'
import { auditReports } from '../audit.js'

/** Which rules speak, and on which lines. */
function notesOn(text: string): Readonly<Record<string, readonly number[]>> {
  const [audited] = auditReports([{ file: 'report.md', text }])
  return Object.fromEntries(audited?.findings.map(({ rule, lines }) => [rule, lines]) ?? [])
}

test('a sampling setting is no test of significance', () => {
  expect(notesOn('Sampling: top_p = 0.95.\n\nThe new prompt is significantly better.')).toHaveProperty(
    'significance-untested',
  )
  expect(notesOn('Paired test, p = 0.03.\n\nThe new prompt is significantly better.')).not.toHaveProperty(
    'significance-untested',
  )
})

test('a test of the scores supports no cause', () => {
  expect(notesOn('Paired test, p = 0.03.\n\nThe drop in accuracy is caused by the longer prompts.')).toHaveProperty(
    'cause-untested',
  )
})

test('a conclusion is one beside next steps too', () => {
  const said = 'Accuracy fell, indicating that the penalty is too strong.'
  expect(notesOn(`# Report\n\n## Observations and next steps\n\n${said}`)).toHaveProperty('cause-untested')
  expect(notesOn(`# Report\n\n## Next steps\n\n${said}`)).not.toHaveProperty('cause-untested')
})

test('a verdict on single runs is told once, and not where seeds are', () => {
  const text = 'Arm B, which has the\nlarger batch, scores 0.61 and is best.'
  expect(notesOn(text)['one-run']).toEqual([2])
  expect(notesOn(`${text}\n\nAll arms were run over 4 seeds.`)).not.toHaveProperty('one-run')
})

test('a checkpoint may be chosen by the validation loss', () => {
  const curve = '| Epoch | Accuracy |\n|---|---|\n| 1 | 61.2 |\n| 2 | 62.8 |\n| 3 | 62.1 |\n\n'
  expect(notesOn(`${curve}Epoch 2 is the best checkpoint.`)['chosen-on-test']).toEqual([7])
  expect(notesOn(`${curve}Epoch 2 is the best checkpoint by validation loss.`)).not.toHaveProperty('chosen-on-test')
})

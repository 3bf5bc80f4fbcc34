import { describe, expect, it } from 'vitest'
import { auditReports } from './audit.js'

/** What names or figures of a sentence decide: whether a table may be held against it, and which two figures are meant. */
function rulesIn(text: string): readonly string[] {
  const [file] = auditReports([{ file: 'r.md', text }])
  return (file?.findings ?? []).filter(({ severity }) => severity !== 'note').map(({ rule }) => rule)
}

const TABLE = '| Model | Accuracy |\n|---|---|\n| alpha | 41.0% |\n| bravo | 47.5% |\n| carol | 52.5% |\n\n'
const SWEEP = '| β | Score (%) |\n|---|---|\n| 0.1 | 61.0 |\n| 0.2 | 64.5 |\n| 0.4 | 59.0 |\n\n'

describe('a clause that names what the table does not know', () => {
  it.each([
    ['nothing else', `${TABLE}alpha is higher than carol.`],
    ['nothing else, in Chinese', `${TABLE}alpha 高于 carol。`],
  ])('is held against its author where it names %s', (_, text) => {
    expect(rulesIn(text)).toEqual(['named-comparison'])
  })

  it.each([
    ['another data set', `${TABLE}On SQuAD2 alpha is higher than carol.`],
    ['another data set, in Chinese', `${TABLE}在 SQuAD2 上 alpha 高于 carol。`],
    ['another split', `## Validation\n\n${TABLE}On the test set alpha is higher than carol.`],
    ['a part of the rows', `${TABLE}小模型里 bravo 的 Accuracy 最高。`],
    ['a setting that was not tried', `${SWEEP}Last week β=0.3 had a higher Score than 0.2.`],
  ])('is not held against its author where it names %s', (_, text) => {
    expect(rulesIn(text)).toEqual([])
  })
})

describe('two levels and what became of them, wherever they stand', () => {
  it.each([
    [
      'apart',
      'The old build takes 12.5 s, the new one 10.0 s: 20 % less.',
      'The old build takes 12.5 s, the new one 10.0 s: 30 % less.',
    ],
    ['百分比', '改造前 80 秒，改造后 60 秒，缩短 25%。', '改造前 80 秒，改造后 60 秒，缩短 35%。'],
    [
      'multiple',
      'One worker needs 90 s, eight need 15 s, a 6x speed-up.',
      'One worker needs 90 s, eight need 15 s, a 9x speed-up.',
    ],
    ['percent', 'The build went from 12.5 s to 10.0 s: 20 % less.', 'The build went from 12.5 s to 10.0 s: 30 % less.'],
    ['difference', '压缩前后 71.4 → 70.6，损失 0.8。', '压缩前后 71.4 → 70.6，损失 1.8。'],
    ['share', 'Of the 250 answers, 40 were cut off (16 %).', 'Of the 250 answers, 40 were cut off (26 %).'],
    ['占比', '250 条回答里有 40 条被截断，占 16%。', '250 条回答里有 40 条被截断，占 26%。'],
  ])('are reckoned with: %s', (_, right, wrong) => {
    expect(rulesIn(right)).toEqual([])
    expect(rulesIn(wrong)).toHaveLength(1)
  })

  it.each([
    ['what it is measured against is only named', 'Precision is 71.5 and recall 64.0, up 12 % over the last release.'],
    ['a figure is a level', 'The share rose from 31.2% to 38.6%, that of the rest fell from 0.7% to 0.2%.'],
    ['a third figure is printed alike', 'It took 12.5 s, then 11.0 s, then 10.0 s: 30 % less.'],
    ['a key is set to it', 'gain=3.187, malus=-0.746, sum=2.441'],
    ['it stands in another sentence', 'Training took 11 h. Accuracy rose by 13 points. The whole cost 44 h.'],
  ])('are left alone where %s', (_, text) => {
    expect(rulesIn(text)).toEqual([])
  })
})

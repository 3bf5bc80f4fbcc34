import { describe, expect, test } from 'vitest'
import { auditReports } from '../audit.js'

/** What one sentence or one table proves, and its neighbours that prove nothing. */
const findingsIn = (text: string) => auditReports([{ file: 'report.md', text }])[0]?.findings ?? []
const rulesIn = (text: string) => findingsIn(text).map(({ rule }) => rule)

describe('a sentence refutes itself', () => {
  test.each([
    ['Reward 0.41 ± 0.02 → 0.52 ± 0.03 (+17%).', 'percent-change', '+27%'],
    ['The 58 % drop (0.83 → 0.52) was fast.', 'percent-change', '37%'],
    ['Overall: +78.5 from +40.0 = +76.3% improvement', 'percent-change', '+96.3%'],
    ['从 1894 queries 增加到 2809 queries（+38%）', 'percent-change', '+48%'],
    ['准确率从 52.2% 提高到 85.0%，提高了 35.8 个百分点。', 'stated-difference', '32.8'],
    ['奖励 0.520 → 0.610（Δ +0.080）。', 'stated-difference', '+0.090'],
    ['Throughput: 1200 vs 300 tokens = 6x faster.', 'wrong-multiple', '4.0'],
    ['Latency doubled: 10.0 ms → 31.0 ms.', 'wrong-multiple', '3.10'],
    ['显存减半：80.0 → 60.0。', 'wrong-multiple', '0.75'],
    ['Solved 34 of 53 (74 %) at once.', 'wrong-share', '64%'],
    ['| run | solved |\n|---|---|\n| a | 61 % (34/53) |', 'wrong-share', '64%'],
    ['Score 52 %, up from 60 %.', 'sign-contradicted', 'down'],
    ['Step time fell sharply from 12.0 to 15.0 s.', 'sign-contradicted', 'up'],
    ['从 Beam 1 的 9.29 下降到 Beam 5 的 11.8。', 'sign-contradicted', 'up'],
    ['Rollouts: 4 GPUs × 8 = 36.', 'wrong-equation', '32'],
    ['The mean is (57.0 + 56.1) / 2 = 56.75.', 'wrong-equation', '56.55'],
    ['The gap is 0.61 - 0.52 = 0.19.', 'wrong-equation', '0.09'],
    ['Second run (10:15-10:47): runtime 52 minutes.', 'timeline', '32 minutes'],
  ])('%s', (text, rule, expected) => {
    expect(findingsIn(text).map(one => [one.rule, one.expected])).toEqual([[rule, expected]])
  })
})

describe('nothing is said of what may be something else', () => {
  test.each([
    ['a block quote', '> 40.0% → 50.0% (+15%)'],
    ['quoted words', 'They wrote “40.0% → 50.0% (+15%)” in May.'],
    ['code', '```\nreward 40.0 -> 50.0 (+15%)\n```'],
    ['a case', 'If it went from 40.0 to 50.0 (+15%), we would stop.'],
    ['a question', 'Did it go from 40.0 to 50.0 (+15%)?'],
    ['advice', 'We should go from 40.0 to 50.0 (+15%).'],
    ['a plan', '## Next steps\n\n- Reach 40.0 → 50.0 (+15%)'],
    ['a setting and its effect', 'Batch 32 → 64 (+3.2%), resolution 448 → 672 (+12%), rate 1e-5 → 3e-5 (+30%).'],
    ['another base that is named', 'Score 40.0 → 50.0 (+15% vs the tuned baseline).'],
    ['one more word', 'Score 40.0 → 50.0 (+15% on the test set).'],
    ['a share of something else', 'Solved 45 → 52 (86%).'],
    ['a chain', 'Loss 4.0 → 3.0 → 2.0 (+15%).'],
    ['ranges', 'Step time went from 193–205 s to 205–220 s (+40%).'],
    ['a speed', 'Time 10.0 s → 5.0 s (100% faster).'],
    ['the rest of a whole', '4/80 (95 %) passed.'],
    ['a name before a verb', 'Run 2 falls from 3.2 to 2.1.'],
    ['a comparative', 'The lower bound from 0.3 to 0.9 was tried.'],
    ['a denial', 'It did not fall from 0.3 to 0.9.'],
    ['another unit', 'In all 4 clips × 9 rooms = 30 s.'],
    ['two days', 'From 22:10 to 01:40 (27.5 h).'],
  ])('%s', (_, text) => {
    expect(rulesIn(text)).toEqual([])
  })
})

const CHANGES = (last: string) =>
  `| task | before | after | change |\n|---|---|---|---|\n| a | 10.0 | 12.5 | +2.5 |\n| b | 20.0 | 21.0 | +1.0 |\n| c | 18.0 | 17.2 | -0.8 |\n| d | 22.0 | 25.1 | +3.1 |\n${last}`

describe('a column of differences', () => {
  test('is wrong where four others obey one formula', () => {
    expect(rulesIn(CHANGES('| e | 30.0 | 34.0 | +5.0 |'))).toEqual(['difference-column'])
  })

  test.each([
    ['a cell that is right', '| e | 30.0 | 34.0 | +4.0 |'],
    ['a cell with a base of its own', '| e | 30.0 | 34.0 | +5.0 vs b |'],
    ['a cell of another unit', '| e | 30.0 | 34.0 | +5.0% |'],
    ['a cell with two figures', '| e | 30.0 | 34.0 | +5.0 (12%) |'],
    ['a sign that an improvement may have', '| e | 30.0 | 34.0 | -4.0 |'],
  ])('is left alone for %s', (_, row) => {
    expect(rulesIn(CHANGES(row))).toEqual([])
  })

  test('says nothing where three rows obey', () => {
    const table =
      '| task | a | b | gain |\n|---|---|---|---|\n| x | 1.0 | 2.0 | 1.0 |\n| y | 1.0 | 3.0 | 2.0 |\n| z | 2.0 | 5.0 | 3.0 |\n| w | 2.0 | 5.0 | 4.0 |'
    expect(rulesIn(table)).toEqual([])
  })
})

describe('a row of means', () => {
  const table = (mean: string) =>
    `| task | A | B | n |\n|---|---|---|---|\n| x | 10.0 | 20.0 | 50 |\n| y | 20.0 | 40.0 | 70 |\n${mean}`

  test('is wrong where another of its cells is right', () => {
    expect(rulesIn(table('| mean | 15.0 | 35.0 | |'))).toEqual(['wrong-mean'])
  })

  test.each([
    ['weighted means', '| mean | 15.8 | 31.7 | |'],
    ['a median', '| median | 15.0 | 35.0 | |'],
    ['right ones', '| mean | 15.0 | 30.0 | 60 |'],
  ])('is left alone with %s', (_, row) => {
    expect(rulesIn(table(row))).toEqual([])
  })
})

describe('rows of one sweep with identical results', () => {
  const table = (first: string, head = 'KL beta') =>
    `| ${head} | a | b | c |\n|---|---|---|---|\n| 0.1 | 57.0% | 56.1% | 55.1% |\n${first}`

  test('are pointed at', () => {
    expect(rulesIn(table('| 0.2 | 57.0% | 56.1% | 55.1% |'))).toEqual(['identical-rows'])
  })

  test.each([
    ['steps', table('| 20 | 57.0% | 56.1% | 55.1% |', 'step')],
    ['rows that say so', table('| 0.2 | 57.0% | 56.1% | 55.1% (same checkpoint) |')],
    ['rows that differ once', table('| 0.2 | 57.0% | 56.1% | 55.2% |')],
    [
      'settings',
      '| parameter | a | b | c |\n|---|---|---|---|\n| 0.1 | 57.0 | 56.1 | 55.1 |\n| 0.2 | 57.0 | 56.1 | 55.1 |',
    ],
    ['methods', '| sampler | a | b | c |\n|---|---|---|---|\n| x | 57.0 | 56.1 | 55.1 |\n| y | 57.0 | 56.1 | 55.1 |'],
  ])('not %s', (_, text) => {
    expect(rulesIn(text)).toEqual([])
  })
})

describe('a gain that so many samples cannot show', () => {
  const messageOf = (text: string) => findingsIn(text).map(({ rule, message: { key } }) => [rule, key])

  test('is certain where it is a handful of answers, however they are paired', () => {
    expect(messageOf('On 200 questions the accuracy is better (+1.5%).')).toEqual([
      ['sampling-error', 'audit.sampling-paired'],
    ])
  })

  test('is called unpaired above that', () => {
    expect(messageOf('On 200 questions the accuracy is better (+6.5%).')).toEqual([
      ['sampling-error', 'audit.sampling-unpaired'],
    ])
  })

  test.each([
    ['beyond both bounds', 'On 200 questions the accuracy is better (+14.5%).'],
    ['with an interval', 'On 200 questions the accuracy is better (+1.5%). The bootstrap interval is −1 to 4.'],
    ['of a loss', 'On 200 questions the loss is better (-1.5%).'],
    ['in advice', 'On 200 questions accuracy should get better (+1.5%).'],
    ['on training samples', 'Trained on 200 samples, accuracy is better (+1.5%).'],
  ])('is not said %s', (_, text) => {
    expect(rulesIn(text)).toEqual([])
  })
})

import { expect, test } from 'vitest'
import { auditReports } from '../audit.js'
import { NAMED_RULES } from './named.js'

const GRID = `## Results

| Run | lr | beta | Reward | KL |
|---|---|---|---|---|
| s1 | 5e-7 | 0.02 | 0.611 | 4.12 |
| s2 | 5e-7 | 0.05 | 0.602 | 2.87 |
| s3 | 1e-6 | 0.02 | 0.658 | 6.90 |
| s4 | 1e-6 | 0.05 | 0.649 | 4.71 |
`
const CURVE = `## 记录

| step | 奖励 | 熵 |
|---|---|---|
| 30 | 0.412 | 0.538 |
| 60 | 0.447 | 0.511 |
| 90 | 0.463 | 0.474 |
| 120 | 0.455 | 0.481 |
`

function rulesIn(table: string, sentence: string): readonly string[] {
  const [{ findings }] = auditReports([{ file: 'x.md', text: `${table}\n${sentence}\n` }], NAMED_RULES)
  return findings.map(({ rule }) => rule)
}

test.each([
  [GRID, 's1 has the highest reward.', 'named-extremum'],
  [GRID, 'The lowest KL is that of s4.', 'named-extremum'],
  [CURVE, '奖励在 step 120 达到最高值。', 'named-extremum'],
  [GRID, 's4 beats s3 on reward.', 'named-comparison'],
  [GRID, 's1 的 Reward 比 s2 低。', 'named-comparison'],
  [GRID, 'The reward of s3 is 0.061 above that of s1.', 'named-difference'],
  [GRID, 'By reward: s4 > s3 > s1.', 'named-order'],
  [GRID, 'All runs keep the KL below 5.', 'bound-exceeded'],
  [CURVE, '熵全程低于 0.5。', 'bound-exceeded'],
  [CURVE, '熵单调下降。', 'not-monotone'],
  [CURVE, '奖励从未下降。', 'not-monotone'],
])('%#: finds the fault in a sentence about named rows', (table, sentence, rule) => {
  expect(rulesIn(table, sentence)).toEqual([rule])
})

test.each([
  [GRID, 's3 has the highest reward.'],
  [GRID, 'At lr 5e-7, s1 has the highest reward.'],
  [GRID, 'For beta = 0.05 the highest reward is that of s4.'],
  [GRID, 's1 may have the highest reward.'],
  [GRID, 'One of the highest rewards is that of s4.'],
  [CURVE, '奖励在 step 90 达到最高值。'],
  [CURVE, 'step 90 之前熵单调下降。'],
  [CURVE, '熵整体下降，但并非单调下降。'],
  [GRID, 's3 beats s4 on reward.'],
  [GRID, 'If s4 beats s3 on reward, we keep it.'],
  [GRID, 'The reward of s3 is 0.047 above that of s1.'],
  [GRID, 'By reward: s3 > s4 > s1.'],
  [GRID, 'All runs keep the KL below 7.'],
  [GRID, 'All runs with lr 5e-7 keep the KL below 5.'],
  [CURVE, '熵全程低于 0.54。'],
])('%#: says nothing where the table agrees, or another part of it is meant', (table, sentence) => {
  expect(rulesIn(table, sentence)).toEqual([])
})

test('a product is looked for among the rows, not in their mean', () => {
  const rows = '| a | 16 | 11.5 | 184 |\n| b | 8 | 17.0 | 136 |\n| c | 16 | 16.5 | 264 |'
  const table = `| run | GPUs | hours | GPU-hours |\n|---|---|---|---|\n${rows}\n| mean | 13.3 | 15.0 | 194.7 |`
  expect(rulesIn(table, '')).toEqual([])
})

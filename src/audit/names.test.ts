import { expect, test } from 'vitest'
import { namedIn } from './names.js'

test.each([
  ['KL版本更快', ['无KL约束', '有KL约束'], 1],
  ['无KL版本波动大', ['无KL约束', '有KL约束'], 0],
  ['KL版本与无KL版本', ['无KL约束', '有KL约束'], null],
  ['the run without KL', ['no KL', 'KL 0.01'], 0],
  ['新', ['之前的实验', '新实验'], 1],
  ['the baseline', ['baseline', 'penalised'], 0],
  ['both', ['baseline', 'penalised'], null],
] as const)('“%s” among %j', (text, names, expected) => {
  expect(namedIn(text, names)).toBe(expected)
})

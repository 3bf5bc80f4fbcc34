import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditReports } from './audit.js'

/**
 * Random tables, and sentences about them in many wordings of both languages, true and false. A true one is never held
 * against its author; a false one is found in most wordings. Nothing here was taken from a report.
 */
interface Sample {
  readonly low: number
  readonly high: number
  readonly middle: number
}

const sample: fc.Arbitrary<Sample> = fc
  .tuple(fc.integer({ min: 200, max: 450 }), fc.integer({ min: 30, max: 90 }), fc.integer({ min: 30, max: 90 }))
  .map(([low, first, second]) => ({ low: low / 10, middle: (low + first) / 10, high: (low + first + second) / 10 }))

const table = ({ low, middle, high }: Sample): string =>
  `| Model | Accuracy |\n|---|---|\n| alpha | ${low.toFixed(1)}% |\n| bravo | ${middle.toFixed(1)}% |\n| carol | ${high.toFixed(1)}% |\n\n`
const transposed = ({ low, middle, high }: Sample): string =>
  `| Metric | alpha | bravo | carol |\n|---|---|---|---|\n| Accuracy | ${low.toFixed(1)}% | ${middle.toFixed(1)}% | ${high.toFixed(1)}% |\n\n`

const points = (value: number): string => value.toFixed(1)

interface Wording {
  readonly name: string
  readonly right: (sample: Sample) => string
  readonly wrong: (sample: Sample) => string
}

const WORDINGS: readonly Wording[] = [
  { name: 'higher than', right: () => 'carol is higher than alpha.', wrong: () => 'alpha is higher than carol.' },
  { name: '高于', right: () => 'carol 高于 alpha。', wrong: () => 'alpha 高于 carol。' },
  { name: '不如', right: () => 'alpha 不如 bravo。', wrong: () => 'bravo 不如 alpha。' },
  { name: 'best', right: () => 'carol has the best Accuracy.', wrong: () => 'bravo has the best Accuracy.' },
  { name: '最高', right: () => 'carol 的 Accuracy 最高。', wrong: () => 'bravo 的 Accuracy 最高。' },
  {
    name: 'points over',
    right: ({ low, high }) => `carol gains ${points(high - low)} points over alpha.`,
    wrong: ({ low, high }) => `carol gains ${points(high - low + 2.7)} points over alpha.`,
  },
  {
    name: '百分点',
    right: ({ low, middle }) => `bravo 比 alpha 高 ${points(middle - low)} 个百分点。`,
    wrong: ({ low, middle }) => `bravo 比 alpha 高 ${points(middle - low + 2.7)} 个百分点。`,
  },
  {
    name: 'from to',
    right: ({ low, high }) => `Accuracy rises from ${points(low)}% to ${points(high)}%.`,
    wrong: ({ low, high }) => `Accuracy falls from ${points(low)}% to ${points(high)}%.`,
  },
  {
    name: '从 到',
    right: ({ low, high }) => `Accuracy 从 ${points(low)}% 升到 ${points(high)}%。`,
    wrong: ({ low, high }) => `Accuracy 从 ${points(low)}% 降到 ${points(high)}%。`,
  },
  { name: 'chain', right: () => 'Accuracy: carol > bravo > alpha.', wrong: () => 'Accuracy: carol > alpha > bravo.' },
  {
    name: 'highest figure',
    right: ({ high }) => `The highest Accuracy is ${points(high)}%.`,
    wrong: ({ middle }) => `The highest Accuracy is ${points(middle)}%.`,
  },
  {
    name: '平均',
    right: ({ low, middle, high }) => `- 平均 Accuracy: ${points((low + middle + high) / 3)}%`,
    wrong: ({ low, middle, high }) => `- 平均 Accuracy: ${points((low + middle + high) / 3 + 3.1)}%`,
  },
  {
    name: 'bound',
    right: ({ low }) => `All models have an Accuracy above ${points(low - 1)}%.`,
    wrong: ({ low }) => `All models have an Accuracy above ${points(low + 1)}%.`,
  },
]

const isAttacked = (text: string): boolean =>
  (auditReports([{ file: 'report.md', text }])[0]?.findings ?? []).some(
    ({ severity, kind }) => severity !== 'note' && kind !== 'untested' && kind !== 'resolution',
  )

describe.each([
  { layout: 'rows', write: table },
  { layout: 'columns', write: transposed },
])('things as $layout', ({ layout, write }) => {
  test.each(WORDINGS)('“$name” is left alone where it is true', ({ right }) => {
    fc.assert(
      fc.property(sample, one => !isAttacked(write(one) + right(one))),
      { numRuns: 12 },
    )
  })

  test('most wordings are found where they are false', () => {
    const found = WORDINGS.filter(({ wrong }) =>
      fc.sample(sample, { numRuns: 5, seed: 7 }).every(one => isAttacked(write(one) + wrong(one))),
    ).map(({ name }) => name)
    expect(found.length, found.join(', ')).toBeGreaterThanOrEqual(layout === 'rows' ? 10 : 9)
  })
})

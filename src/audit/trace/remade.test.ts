import { expect, test } from 'vitest'
import { reproduce } from './remade.js'

const MADE = `# a against b

**9 evaluations** cannot tell them apart: 0.031 below (−1.6 %).

| step | a | b |
| --- | --- | --- |
| 5 | 1.818 | 1.695 |
| 10 | 2.140 | 1.992 |
| 15 | 1.840 | 1.768 |

<!-- klens-report {} -->
`

const against = (text: string, isSame = true) => {
  const { differing, isReproduced } = reproduce(text, { text: MADE, command: 'klens report a b', isSame })
  return {
    differing: differing.map(({ offset, found, expected }) => [
      text.slice(0, offset).split('\n').length,
      found,
      expected,
    ]),
    isReproduced: (words: string) => isReproduced(text.indexOf(words)),
  }
}

test('an untouched report is reproduced from its first line to its last', () => {
  const { differing, isReproduced } = against(MADE.replace('{}', '{"other": 1}'))
  expect(differing).toEqual([])
  expect(['9 evaluations', '1.695', '1.768'].every(isReproduced)).toBe(true)
})

test.each([
  ['a figure in a sentence', ['0.031', '0.013'], [[3, '0.013', '0.031']]],
  ['a count', ['**9 ', '**99 '], [[3, '99', '9']]],
  ['a sign', ['−1.6', '+1.6'], [[3, '+1.6', '−1.6']]],
  ['a cell', ['1.992', '1.929'], [[8, '1.929', '1.992']]],
  [
    'a row copied over another',
    ['| 10 | 2.140 | 1.992 |', '| 15 | 1.840 | 1.768 |'],
    [
      [8, '15', '10'],
      [8, '1.840', '2.140'],
      [8, '1.768', '1.992'],
    ],
  ],
] as const)('%s that was changed is known with its right value', (_, [from, to], expected) => {
  expect(against(MADE.replace(from, to)).differing).toEqual(expected)
})

test('what a person adds or rewords is neither reproduced nor wrong, and hides nothing around it', () => {
  const text = MADE.replace('# a against b', '# Our report\n\nWe saw 0.777.').replace('1.695', '1.659')
  const { differing, isReproduced } = against(text)
  expect(differing).toEqual([[9, '1.659', '1.695']])
  expect(isReproduced('0.777')).toBe(false)
  expect(isReproduced('0.031')).toBe(true)
})

test('a log that has grown since, or another klens, makes a figure older and not wrong', () => {
  const { differing, isReproduced } = against(MADE.replace('0.031', '0.013'), false)
  expect(differing).toEqual([])
  expect([isReproduced('0.013'), isReproduced('1.818')]).toEqual([false, true])
})

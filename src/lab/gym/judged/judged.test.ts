import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testMessage } from '../../../../test/support/message.js'
import { openScene } from '../registry.js'
import { type TelepathyTask, telepathyGym } from '../telepathy/telepathy.js'
import { type InstantJudge, KLENS_JUDGED, readJudged, USERRL_JUDGED } from './judge.js'
import { jsonOf, literalEval } from './literal.js'
import { isFit, measureJudge } from './probes.js'

const request = { ask: null, prompts: null, data: [], split: 'test', limit: null, maxTurns: null, quirk: [] } as const

test.each([
  ["{'a': 'b' \"c\", 'd': (1, 2,), }  # said", { a: 'bc', d: [1, 2] }],
  ['{"a": 0x1f, "b": 1_000.5, "c": None, "d": \'\'\'x\ny\'\'\'}', { a: 31, b: 1000.5, c: null, d: 'x\ny' }],
  ["{'a': '\\x41\\u00e9\\101\\q'}", { a: 'AéA\\q' }],
  ['{"a": true}', undefined],
  ['{"a": null}', undefined],
  ["{'a': f'x'}", undefined],
  ["{'a': 012}", undefined],
  ['{"a": 1} and more', undefined],
  ['\n  {"a": 1}', undefined],
  ['{[1]: 2}', undefined],
])('%j is a literal to Python or not', (text, expected) => {
  const value = literalEval(text)
  expect(value === undefined ? undefined : jsonOf(value)).toEqual(expected)
})

test('no answer of a judge breaks the reader, nor takes it long', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => void readJudged(text, 'json')))
  const start = performance.now()
  for (const text of ['['.repeat(1e5), '{"a": "'.repeat(2e4), `{}${'\n'.repeat(1e5)}x`, '1_'.repeat(5e4)])
    literalEval(text)
  expect(performance.now() - start).toBeLessThan(2000)
})

test('UserRL pays nothing for JSON with true in it; klens reads it, and what cannot be read has no score', () => {
  const judged =
    (text: string): InstantJudge<TelepathyTask> =>
    () =>
      readJudged(text, 'python')
  expect(readJudged('So: {"judgment": "Yes", "sure": true, "feedback": ""}', 'json').kind).toBe('judged')
  const task = { id: 'x', title: 'Sun', category: '', target_entity: 'Sun', names: [] }
  const play = (judge: InstantJudge<TelepathyTask>, rules = USERRL_JUDGED) =>
    telepathyGym({ judge, rules, language: 'en' }).open(task).step('[answer] the sun')
  expect(play(judged('{"judgment": "Yes", "sure": true, "feedback": ""}'))).toMatchObject({ reward: 0, end: null })
  expect(play(judged('nonsense'), KLENS_JUDGED)).toMatchObject({ reward: null, end: { why: 'failed' } })
  const failing: InstantJudge<TelepathyTask> = () => ({ kind: 'missing', reason: testMessage('gym.over') })
  expect(play(failing)).toMatchObject({ reward: 0 })
  expect(play(failing, KLENS_JUDGED)).toMatchObject({ reward: null, truncated: true })
})

/** The figures of docs/gym.md. A judge that becomes better may be trained on: then change both. */
test.each([
  ['telepathy', 'en', { answeredRight: 0.33, answeredWrong: 0.04, paid: 0.67, paidWrongly: 0 }],
  ['telepathy', 'zh', { answeredRight: 0.63, answeredWrong: 0.04, paid: 0.75, paidWrongly: 0 }],
  ['turtle', 'en', { answeredRight: 0.55, answeredWrong: 0.02, paid: 0.67, paidWrongly: 0.47 }],
  ['turtle', 'zh', { answeredRight: 0.58, answeredWrong: 0, paid: 0.4, paidWrongly: 0.4 }],
  ['persuade', 'en', { answeredRight: null, answeredWrong: null, paid: 0.51, paidWrongly: 0.33 }],
  ['persuade', 'zh', { answeredRight: null, answeredWrong: null, paid: 0.46, paidWrongly: 0.27 }],
] as const)(
  'the offline judge of %s (%s) is as wrong as the page says, and not fit',
  async (gym, language, figures) => {
    const { gym: played, judgeCheck } = await openScene(gym, { ...request, language })
    const measured = await measureJudge(played, judgeCheck?.tasks ?? [], judgeCheck?.probes ?? [])
    for (const [name, value] of Object.entries(figures)) {
      const found = measured[name as keyof typeof figures]
      expect(found === null ? null : Math.round(found * 100) / 100, name).toBe(value)
    }
    expect(isFit(measured)).toBe(false)
  },
)

test('what is measured as right often enough and hardly ever wrong is fit, given enough of each kind', () => {
  const figures = { probes: 40, fewest: 12, answeredRight: 0.8, answeredWrong: 0.02, paid: 0.9, paidWrongly: 0.05 }
  expect(isFit({ ...figures, failures: 0, latency: 0 })).toBe(true)
  expect(isFit({ ...figures, fewest: 9, failures: 0, latency: 0 })).toBe(false)
  expect(isFit({ ...figures, paidWrongly: 0.06, failures: 0, latency: 0 })).toBe(false)
})

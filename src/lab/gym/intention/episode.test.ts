import { expect, test } from 'vitest'
import { testMessage } from '../../../../test/support/message.js'
import { Problem } from '../../../logs/model/problem.js'
import { readJudgement, readReply } from './answers.js'
import { openIntention } from './intention.js'
import { ceilingOf, type IntentionQuirks, KLENS_RULES, USERRL_RULES } from './rules.js'
import type { InstantSimulator, Judgement } from './simulator.js'
import { taskSchema } from './task.js'

const task = taskSchema.parse({
  id: 't',
  category: 'Travel',
  task: 'I want to go somewhere.',
  missing_details: [
    { description: 'when', importance: '3' },
    { description: 'how long', importance: '2' },
    { description: 'with whom', importance: '1' },
  ],
})

function judged(...answers: readonly string[]): InstantSimulator {
  const left = [...answers]
  return {
    reply: () => ({ kind: 'said', feedback: 'Well.' }),
    judge: () => readJudgement(left.shift() ?? ''),
  }
}

const covering = (indices: string): string => `{"covered_detail_indices": ${indices}}`

function userRl(simulator: InstantSimulator, quirks: Partial<IntentionQuirks> = {}, options = {}) {
  return openIntention(task, simulator, {
    ...USERRL_RULES,
    ...options,
    quirks: { ...USERRL_RULES.quirks, ...quirks },
  })
}

test('pays for the most important new detail, less for each further one, by positions among those that are left', () => {
  const episode = userRl(judged(covering('[0]'), covering('[0, "1", 7]')))
  expect(episode.step('[action] When?')).toMatchObject({ reward: 1, gained: 1, end: null })
  const last = episode.step('[action] How long, and with whom?')
  expect(last).toMatchObject({ gained: 2, end: { why: 'solved' }, terminated: true, truncated: false })
  expect(last.reward).toBeCloseTo(0.5, 12)
  expect(() => episode.step('[action] More?')).toThrow(Problem)
})

test.each([
  ['[1.0, 1e0, true, null, " 1", -1, [1]]', []],
  ['["01", "²"]', 'unreadable'],
  ['["٢", -0, 12]', [2, 0, 12]],
  ['3', 'unreadable'],
])('reads the indices %s as Python does', (given, indices) => {
  const expected: Judgement = typeof indices === 'string' ? { kind: 'unreadable' } : { kind: 'covered', indices }
  expect(readJudgement(`So: ${covering(given)}!`)).toEqual(expected)
})

test.each([
  ['0.0', 0],
  ['""', 0],
  ['[]', 0],
  ['{}', 0],
  ['null', 0],
  ['"false"', 1],
  ['0.5', 1],
  ['NaN', 1],
])('takes is_task_related %s for as true as Python does', (given, count) => {
  const judgement = readJudgement(`{"is_task_related": ${given}, "covered_detail_indices": [0]}`)
  expect(judgement.kind === 'covered' && judgement.indices.length).toBe(count)
})

test('a reply is what stands under "response", whatever it is, or else the whole text', () => {
  const feedback = (text: string) => readReply(text)
  expect(feedback('<think>hm</think> {"response": [1, null]} done')).toEqual({ kind: 'said', feedback: [1, null] })
  expect(feedback('{"thought": ""}')).toEqual({ kind: 'said', feedback: '' })
  expect(feedback(' {broken} \u001c')).toEqual({ kind: 'said', feedback: '{broken}' })
})

test('each quirk can be switched off by its name', () => {
  const twice = covering('[0, 0]')
  expect(userRl(judged(twice)).step('a').reward).toBeCloseTo(0.8, 12)
  expect(userRl(judged(twice), { repeatedIndex: 'once' }).step('a').reward).toBe(1)

  const atLimit = { maxSteps: 1 }
  expect(userRl(judged(''), {}, atLimit).step('a')).toMatchObject({ terminated: true, truncated: true })
  expect(userRl(judged(''), { limitTerminates: false }, atLimit).step('a')).toMatchObject({
    terminated: false,
    truncated: true,
  })

  const asked: string[] = []
  const listening: InstantSimulator = {
    reply: ({ question, history }) => {
      asked.push(question, ...history.map(exchange => exchange.question))
      return { kind: 'said', feedback: '' }
    },
    judge: () => ({ kind: 'covered', indices: [] }),
  }
  const faithful = userRl(listening)
  faithful.step('[search] Where?')
  faithful.step('[action] When?')
  const plain = userRl(listening, { searchPrefix: 'cut', historyPrefix: 'cut' })
  plain.step('[search] Where?')
  plain.step('[action] When?')
  expect(asked).toEqual(['[search] Where?', 'When?', '[search] Where?', 'Where?', 'When?', 'Where?'])
})

test('a simulator that fails ends the episode without a score; to the letter of UserRL it is a zero', () => {
  const reason = testMessage('gym.over')
  const failing: InstantSimulator = {
    reply: () => ({ kind: 'missing', reason }),
    judge: () => ({ kind: 'missing', reason }),
  }
  expect(userRl(failing).step('a')).toMatchObject({ reward: 0, end: null })
  const ours = openIntention(task, failing, KLENS_RULES).step('a')
  expect(ours).toMatchObject({ reward: null, end: { why: 'failed', reason } })
  expect(openIntention(task, judged('no JSON'), KLENS_RULES).step('a')).toMatchObject({ reward: null })
})

test('an answer that comes later gives the same step', async () => {
  const later = {
    reply: async () => ({ kind: 'said', feedback: 'x' }) as const,
    judge: async () => readJudgement(covering('[2]')),
  }
  expect(await openIntention(task, later, KLENS_RULES).step('a')).toMatchObject({ reward: 0.4, gained: 1 })
})

test('finishing pays nothing and costs nothing', () => {
  const episode = userRl(judged(covering('[0]')), {}, { stepPenalty: 0.1 })
  episode.step('[action] When?')
  expect(episode.step(' [FINISH] now')).toMatchObject({
    feedback: 'Session ended. You covered 1/3 missing details.',
    reward: 0,
    end: { why: 'finished' },
  })
})

test('the ceiling is each detail asked alone, as far as the questions go', () => {
  expect(ceilingOf(task.missing_details, 5, USERRL_RULES)).toBeCloseTo(2.1, 12)
  expect(ceilingOf(task.missing_details, 2, USERRL_RULES)).toBeCloseTo(1.7, 12)
})

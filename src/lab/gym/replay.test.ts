import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { replay } from './replay.js'

/** Recorded from klens's own tasks when the gym agreed with UserRL's on 1,243 recorded transitions. */
const text = readFileSync(new URL('./fixtures/own-transitions.jsonl', import.meta.url), 'utf8')

test('what was recorded comes out again, step by step', () => {
  const { episodes, transitions, differences } = replay('own', text)
  expect(episodes).toBe(24)
  expect(transitions).toBeGreaterThan(80)
  expect(differences).toEqual([])
})

/** Recorded from UserRL's Python gyms as they are, on klens's own tasks; what the simulator answered is scripted. */
test.each([
  ['telepathy', 138],
  ['turtle', 126],
  ['persuade', 149],
  ['function', 119],
])('%s does what its original did, step by step', (gym, transitions) => {
  const recorded = readFileSync(new URL(`./fixtures/${gym}-transitions.jsonl`, import.meta.url), 'utf8')
  expect(replay(gym, recorded)).toMatchObject({ transitions, differences: [] })
  const changed = recorded.replace('"terminated": false', '"terminated": true')
  expect(replay(gym, changed).differences).toMatchObject([{ member: 'terminated' }])
})

test('every difference is named by episode, step and member', () => {
  const changed = text.replace('"reward":1,', '"reward":0.9,')
  expect(replay('own', changed).differences).toMatchObject([{ member: 'reward', recorded: 0.9, replayed: 1 }])
})

test('what is no recording is said to be none', () => {
  expect(() => replay('x.jsonl', '{"step": 1}\n')).toThrow('gym.replay.no-transitions')
  expect(() => replay('x.jsonl', `${text.split('\n')[0]}\n{"episode": 1}`)).toThrow('gym.replay.bad-episode')
})

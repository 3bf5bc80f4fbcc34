import { expect, test } from 'vitest'
import { askedFor } from '../embedded/matching.js'
import { type IntentionTask, taskSchema } from '../task.js'
import { CATEGORIES } from './categories.js'
import { KINDS } from './kinds.js'
import { ownTasks, TASK_SPLITS } from './tasks.js'

const LANGUAGES = ['en', 'zh'] as const
const all = LANGUAGES.flatMap(language => TASK_SPLITS.flatMap(split => ownTasks(split, language)))

function askedOf(question: string, details: IntentionTask['missing_details']): readonly number[] {
  return askedFor(question, { id: 'any', category: 'Any', task: '', missing_details: details })
}

test('there are 240 tasks to train on and 60 to test on, in 24 categories, a quarter of those tested being new', () => {
  expect(CATEGORIES).toHaveLength(24)
  for (const language of LANGUAGES) {
    const [train, tested] = [ownTasks('train', language), ownTasks('test', language)]
    expect([train.length, tested.length]).toEqual([240, 60])
    const known = new Set(train.map(({ category }) => category))
    const categories = [...new Set(tested.map(({ category }) => category))]
    expect(categories.filter(category => !known.has(category))).toHaveLength(categories.length / 4)
    expect(new Set([...train, ...tested].map(({ task }) => task)).size).toBe(300)
    expect(new Set([...train, ...tested].map(({ id }) => id)).size).toBe(300)
  }
})

test('40 fresh tasks lie in categories of which nothing else is', () => {
  for (const language of LANGUAGES) {
    const fresh = ownTasks('fresh', language)
    expect(new Set(fresh.map(({ task }) => task)).size).toBe(40)
    const known = new Set(
      [...ownTasks('train', language), ...ownTasks('test', language)].map(({ category }) => category),
    )
    expect(fresh.filter(({ category }) => known.has(category))).toEqual([])
  }
})

test('every task is a record as the gym reads it, with three to six details of known kinds', () => {
  for (const task of all) {
    expect(taskSchema.parse(JSON.parse(JSON.stringify(task)))).toEqual(task)
    expect(task.missing_details.length).toBeGreaterThanOrEqual(3)
    expect(task.missing_details.length).toBeLessThanOrEqual(6)
  }
})

test('no two tasks of a category leave out the same details at the same importance for the same wish', () => {
  const seen = new Set(ownTasks('train', 'en').map(({ category, task }) => category + task.split('. ')[1]))
  expect(seen.size).toBeGreaterThan(200)
})

test('every phrasing of every kind is understood, and seldom as another kind', () => {
  let alarms = 0
  let questions = 0
  for (const language of LANGUAGES) {
    const details = [...KINDS].map(
      ([
        kind,
        {
          [language]: { name, options },
        },
      ]) => ({
        kind,
        description: name,
        importance: 1 as const,
        inquiry: '',
        options,
      }),
    )
    for (const [position, [, kind]] of [...KINDS].entries()) {
      for (const question of kind[language].questions) {
        expect([question, ...askedOf(question, [details[position]])]).toEqual([question, 0])
        questions += 1
        alarms += details.filter((detail, i) => i !== position && askedOf(question, [detail]).length > 0).length
      }
    }
  }
  expect(alarms / (questions * (KINDS.size - 1))).toBeLessThan(0.002)
})

test('words without a sentence are not understood; a compound question asks for several things, but not for all', () => {
  const [budget, deadline, place, style] = ['budget', 'deadline', 'place', 'style'].map(kind => ({
    kind,
    description: kind,
    importance: 2 as const,
    inquiry: '',
    options: [],
  }))
  const details = [budget, deadline, place, style]
  for (const list of [
    'budget deadline place style',
    'Budget, deadline, town, style?',
    'what budget deadline town style',
  ]) {
    expect(askedOf(list, details)).toEqual([])
  }
  expect(askedOf('预算、截止、地点、风格？', details)).toEqual([])
  expect(askedOf('What is your budget, and when do you need it?', details)).toEqual([0, 1])
  expect(askedOf('您的预算是多少，什么时候要？', details)).toEqual([0, 1])
  expect(askedOf('What is the budget, the deadline, the town, the style?', details)).toHaveLength(3)
})

import { createHash } from 'node:crypto'
import { type Random, seededRandom, shuffled } from '../../../../stats/random.js'
import type { Importance, IntentionTask } from '../task.js'
import { CATEGORIES, type Category, CIRCUMSTANCES, FRESH_CATEGORIES, type Wish } from './categories.js'
import { KINDS } from './kinds.js'

/**
 * klens's own tasks: a wish, and one or two things that people let slip about their situation. Both leave details out, and
 * how important these are; nothing else in a request tells what to ask. No two tasks of a category are alike. The same
 * tasks exist in both languages under the same ids.
 */

export type TaskLanguage = 'en' | 'zh'
/**
 * `fresh`: in categories of their own, set aside for looking once at what was chosen by the others. `practice`: for the
 * supervised start of a model.
 */
export const TASK_SPLITS = ['train', 'test', 'fresh', 'practice'] as const
export type TaskSplit = (typeof TASK_SPLITS)[number]

/** Tasks of a category by its place: 20 × 12 to train on, 12 × 4 and 4 × 3 (in new categories) to test on, 8 × 5 fresh. */
const COUNTS = {
  both: { train: 12, test: 4 },
  train: { train: 12, test: 0 },
  test: { train: 0, test: 3 },
  fresh: { train: 0, test: 5 },
} as const

/** As many as a model of some ten million parameters needs to learn the language of requests, not the tasks by heart. */
const PRACTICE = 6000

/** One request in so many mentions a single circumstance. */
const SINGLE_EVERY = 3

export function ownTasks(split: TaskSplit, language: TaskLanguage): readonly IntentionTask[] {
  if (split === 'practice') return practiceTasks(PRACTICE, language, seededRandom(1))
  const categories = split === 'fresh' ? FRESH_CATEGORIES : CATEGORIES
  return categories.flatMap(category => tasksOf(category, split, language))
}

function tasksOf(
  category: Category,
  split: Exclude<TaskSplit, 'practice'>,
  language: TaskLanguage,
): readonly IntentionTask[] {
  const { train, test } = COUNTS[category.split]
  const random = seededRandom(seedOf(category.en))
  const all = combinations(category, random).slice(0, train + test)
  // Both splits are made whole, so that neither depends on which of them is wanted.
  const tasks = all.map((combination, i) =>
    taskFrom(category, combination, seededRandom(seedOf(`${category.en} ${i}`)), i, language),
  )
  return split === 'train' ? tasks.slice(0, train) : tasks.slice(train)
}

/**
 * Further requests in the training categories, to learn the language of requests from: wishes and circumstances as in the
 * tasks above, in combinations that the test does not have. Which ones, the generator decides.
 */
export function practiceTasks(count: number, language: TaskLanguage, random: Random): readonly IntentionTask[] {
  const known = CATEGORIES.filter(({ split }) => split !== 'test')
  const tested = new Set(known.flatMap(category => testedCombinations(category).map(keyOf)))
  const tasks: IntentionTask[] = []
  while (tasks.length < count) {
    const category = known[random.below(known.length)]
    const wish = category.wishes[random.below(category.wishes.length)]
    const circumstances = shuffled(category.circumstances, random).slice(0, random.below(SINGLE_EVERY) === 0 ? 1 : 2)
    const combination = { wish, circumstances }
    if (!tellsMore(wish, circumstances) || tested.has(keyOf(combination))) continue
    const task = taskFrom(category, combination, random, tasks.length, language)
    tasks.push({ ...task, id: `practice-${tasks.length + 1}` })
  }
  return tasks
}

function testedCombinations(category: Category): readonly Combination[] {
  const { train, test } = COUNTS[category.split]
  return combinations(category, seededRandom(seedOf(category.en))).slice(train, train + test)
}

function keyOf({ wish, circumstances }: Combination): string {
  return [wish.en, ...circumstances.toSorted()].join('\n')
}

interface Combination {
  readonly wish: Wish
  readonly circumstances: readonly string[]
}

/** Every wish in turn with another one or two circumstances; what adds nothing to the wish is left out. */
function combinations({ wishes, circumstances }: Category, random: Random): readonly Combination[] {
  const pairs = circumstances.flatMap((one, i) => circumstances.slice(i + 1).map(other => [one, other]))
  const rows = wishes.map(wish => {
    const tells = (chosen: readonly string[]): boolean => tellsMore(wish, chosen)
    const two = shuffled(pairs.filter(tells), random)
    const one = shuffled(circumstances.map(name => [name]).filter(tells), random)
    return two.flatMap((pair, i): Combination[] => {
      const single = i % SINGLE_EVERY === 0 ? one.slice(i / SINGLE_EVERY, i / SINGLE_EVERY + 1) : []
      return [...single, pair].map(chosen => ({ wish, circumstances: chosen }))
    })
  })
  return pairs.flatMap((_, i) => rows.flatMap(row => row.slice(i, i + 1)))
}

/** Whether each circumstance leaves something out that the wish alone does not. */
function tellsMore({ details }: Wish, circumstances: readonly string[]): boolean {
  return circumstances.every(name =>
    Object.keys(CIRCUMSTANCES[name].details).some(kind => details.every(([own]) => own !== kind)),
  )
}

const OPENINGS = {
  en: ['I want to', 'I would like to', 'Help me to'],
  zh: ['我想', '我打算', '请帮我'],
} as const

function taskFrom(
  category: Category,
  { wish, circumstances }: Combination,
  random: Random,
  index: number,
  language: TaskLanguage,
): IntentionTask {
  const importances = new Map<string, Importance>(wish.details)
  for (const name of circumstances) {
    for (const [kind, importance] of Object.entries(CIRCUMSTANCES[name].details)) {
      if ((importances.get(kind) ?? 0) < importance) importances.set(kind, importance)
    }
  }
  const pick = random.below(OPENINGS.en.length)
  const slips = circumstances.map(name => CIRCUMSTANCES[name][language][random.below(CIRCUMSTANCES[name].en.length)])
  const opening = OPENINGS[language][pick]
  const missing = [...importances].map(([kind, importance]) => {
    const wording = KINDS.get(kind)?.[language]
    if (wording === undefined) throw new Error(`"${kind}" is no kind of detail`)
    const inquiry = wording.questions[random.below(wording.questions.length)]
    return { kind, importance, description: wording.name, inquiry, options: wording.options }
  })
  return {
    id: `${category.en.toLowerCase().replaceAll(' ', '-')}-${index + 1}`,
    category: category[language],
    task:
      language === 'en'
        ? `${opening} ${wish.en}. ${capital(slips.join(', and '))}.`
        : `${opening}${wish.zh}。${slips.join('，')}。`,
    missing_details: missing,
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function seedOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0)
}

import { expect } from 'vitest'
import { embeddedSimulator } from '../../src/lab/gym/intention/embedded/embedded.js'
import { intentionGym } from '../../src/lab/gym/intention/intention.js'
import { ownTasks, type TaskLanguage } from '../../src/lab/gym/intention/own/tasks.js'
import { ceilingOf, KLENS_RULES } from '../../src/lab/gym/intention/rules.js'
import { scriptedPolicy } from '../../src/lab/gym/policies/scripted.js'
import { figuresOf, playDialogue, USERRL_ROLLOUT } from '../../src/lab/gym/rollout.js'

/** What the scripts earn of the most that can be earned, on every `each`-th of the test tasks. */

export async function expectCeiling(language: TaskLanguage, each: number): Promise<void> {
  const tasks = ownTasks('test', language).filter((_, i) => i % each === 0)

  const shareOfCeiling = async (name: string, maxTurns = USERRL_ROLLOUT.maxTurns): Promise<number> => {
    const questions = maxTurns - 1
    const gym = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language })
    const policy = scriptedPolicy(name, { language, questions })
    let earned = 0
    let ceiling = 0
    for (const task of tasks) {
      const dialogue = await playDialogue(gym, policy, { task, repeat: 0 }, { ...USERRL_ROLLOUT, maxTurns })
      earned += figuresOf(dialogue).score ?? Number.NaN
      ceiling += ceilingOf(task.missing_details, questions, KLENS_RULES)
    }
    return earned / ceiling
  }

  expect(await shareOfCeiling('oracle')).toBeCloseTo(1, 12)
  expect(await shareOfCeiling('silent')).toBe(0)
  expect(await shareOfCeiling('random')).toBeLessThan(0.2)
  expect(await shareOfCeiling('keywords')).toBeLessThan(0.4)
  for (const maxTurns of [5, 6, 16]) expect(await shareOfCeiling('fixed-list', maxTurns)).toBeLessThan(0.7)
  const asker = await shareOfCeiling('asker')
  expect(asker).toBeGreaterThan(0.55)
  expect(asker).toBeLessThan(0.7)
}

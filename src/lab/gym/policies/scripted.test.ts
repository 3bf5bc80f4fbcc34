import { expect, test } from 'vitest'
import { embeddedSimulator } from '../intention/embedded/embedded.js'
import { intentionGym } from '../intention/intention.js'
import { ownTasks, type TaskLanguage } from '../intention/own/tasks.js'
import { ceilingOf, KLENS_RULES } from '../intention/rules.js'
import { figuresOf, playDialogue, USERRL_ROLLOUT } from '../rollout.js'
import { scriptedPolicy } from './scripted.js'

async function shareOfCeiling(
  name: string,
  language: TaskLanguage,
  maxTurns = USERRL_ROLLOUT.maxTurns,
): Promise<number> {
  const questions = maxTurns - 1
  const gym = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language })
  const policy = scriptedPolicy(name, { language, questions })
  let earned = 0
  let ceiling = 0
  for (const task of ownTasks('test', language)) {
    const dialogue = await playDialogue(gym, policy, { task, repeat: 0 }, { ...USERRL_ROLLOUT, maxTurns })
    earned += figuresOf(dialogue).score ?? Number.NaN
    ceiling += ceilingOf(task.missing_details, questions, KLENS_RULES)
  }
  return earned / ceiling
}

test.each(['en', 'zh'] as const)(
  'on the test tasks (%s) the ceiling can be reached, and not cheaply',
  async language => {
    expect(await shareOfCeiling('oracle', language)).toBeCloseTo(1, 12)
    expect(await shareOfCeiling('silent', language)).toBe(0)
    expect(await shareOfCeiling('random', language)).toBeLessThan(0.2)
    expect(await shareOfCeiling('keywords', language)).toBeLessThan(0.4)
    for (const maxTurns of [5, 6, 16]) expect(await shareOfCeiling('fixed-list', language, maxTurns)).toBeLessThan(0.7)
    const asker = await shareOfCeiling('asker', language)
    expect(asker).toBeGreaterThan(0.55)
    expect(asker).toBeLessThan(0.7)
  },
)

test('a script says the same twice, and something else in the next repeat', async () => {
  const gym = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language: 'en' })
  const policy = scriptedPolicy('asker', { language: 'en', questions: 15 })
  const [task] = ownTasks('test', 'en')
  const play = (repeat: number) => playDialogue(gym, policy, { task, repeat }, USERRL_ROLLOUT)
  expect(await play(0)).toEqual(await play(0))
  expect(await play(1)).not.toEqual(await play(0))
})

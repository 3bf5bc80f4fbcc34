import { expect, test } from 'vitest'
import { expectCeiling } from '../../../../test/support/gym-ceiling.js'
import { embeddedSimulator } from '../intention/embedded/embedded.js'
import { intentionGym } from '../intention/intention.js'
import { ownTasks } from '../intention/own/tasks.js'
import { KLENS_RULES } from '../intention/rules.js'
import { playDialogue, USERRL_ROLLOUT } from '../rollout.js'
import { scriptedPolicy } from './scripted.js'

// All of them: test/long/gym-ceiling.test.ts.
test.each(['en', 'zh'] as const)(
  'on every fourth of the test tasks (%s) the ceiling can be reached, and not cheaply',
  language => expectCeiling(language, 4),
)

test('a script says the same twice, and something else in the next repeat', async () => {
  const gym = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language: 'en' })
  const policy = scriptedPolicy('asker', { language: 'en', questions: 15 })
  const [task] = ownTasks('test', 'en')
  const play = (repeat: number) => playDialogue(gym, policy, { task, repeat }, USERRL_ROLLOUT)
  expect(await play(0)).toEqual(await play(0))
  expect(await play(1)).not.toEqual(await play(0))
})

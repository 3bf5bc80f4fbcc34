import { expect, test } from 'vitest'
import { embeddedSimulator } from './intention/embedded/embedded.js'
import { intentionGym } from './intention/intention.js'
import { ownTasks } from './intention/own/tasks.js'
import { KLENS_RULES } from './intention/rules.js'
import type { IntentionTask } from './intention/task.js'
import { callText, type Policy, saidBy } from './policy.js'
import { figuresOf, playDialogue, type RolloutRules, USERRL_ROLLOUT } from './rollout.js'

const gym = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language: 'en' })
const [task] = ownTasks('test', 'en')
const [first, second] = task.missing_details

function saying(...texts: readonly string[]): Policy<IntentionTask> & { readonly heard: string[] } {
  const heard: string[] = []
  const open = () => {
    const left = [...texts]
    return {
      next(answers: readonly string[]) {
        heard.push(...answers)
        return saidBy(left.shift() ?? '')
      },
    }
  }
  return { label: 'test', settings: {}, heard, open }
}

const call = (content: string): string =>
  callText({ name: 'interact_with_env', arguments: { choice: 'action', content } })

async function play(policy: Policy<IntentionTask>, rules: Partial<RolloutRules> = {}) {
  return figuresOf(await playDialogue(gym, policy, { task, repeat: 0 }, { ...USERRL_ROLLOUT, ...rules }))
}

test('a message without a call ends the dialogue and counts as a turn; one that cannot be read too', async () => {
  expect(await play(saying(call(first.inquiry), 'Thank you.'))).toMatchObject({ turns: 2, wasted: 1, why: 'stopped' })
  expect(await play(saying('<tool_call>{"name": </tool_call>'))).toMatchObject({
    score: 0,
    malformed: 1,
    why: 'stopped',
  })
})

test('to the letter the last call at the limit is not carried out', async () => {
  const policy = saying(call(first.inquiry), call(second.inquiry))
  const [faithful, whole] = [
    await play(policy, { maxTurns: 2 }),
    await play(policy, { maxTurns: 2, limitSkipsLastCall: false }),
  ]
  expect([faithful.gained, faithful.turns, faithful.why]).toEqual([1, 2, 'limit'])
  expect([whole.gained, whole.turns]).toEqual([2, 2])
})

test('of several calls in one message the last one pays, or all', async () => {
  const both = saying(call(first.inquiry) + call('Do you like it?'))
  expect((await play(both)).score).toBe(0)
  expect((await play(both, { parallelCalls: 'sum' })).score).toBeGreaterThan(0)
})

test('the reward is shown only where training shows it', async () => {
  const [plain, shown] = [saying(call(first.inquiry)), saying(call(first.inquiry))]
  await play(plain)
  await play(shown, { showReward: true })
  expect(plain.heard[0]).not.toContain('Reward')
  expect(shown.heard[0]).toMatch(/\nReward: [\d.]+$/)
})

test('thoughts are no calls, and arguments may come as text', () => {
  const said = saidBy(
    '<think><tool_call>{}</tool_call></think><tool_call>{"name": "x", "arguments": "{\\"a\\": 1}"}</tool_call>',
  )
  expect(said).toMatchObject({ calls: [{ name: 'x', arguments: { a: 1 } }], malformed: 0 })
})

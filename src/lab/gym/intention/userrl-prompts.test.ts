import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/workspace.js'
import { ownTasks } from './own/tasks.js'
import type { Situation } from './simulator.js'
import { promptsNamed } from './userrl-prompts.js'

/** In the form of UserRL's file, in other words. */
const FILE = `
RESPONSE_GENERATION_PROMPT = """
REQUEST: {task}
HEADING {category} / {question} / {conversation_history}
{{"response": "x"}}
"""

EVALUATION_PROMPT = """
TASK: {task} / {details_list} / {conversation_history} / {question}
"""
        conversation_history=context if context.strip() else "nothing said"
            details_list += f"   like: {detail['inquiry']}\\n"
        details_list=details_list if details_list.strip() else "all done",
        conversation_history=context if context.strip() else "no history"
                {"role": "system", "content": "be a person"},
                {"role": "system", "content": "be a judge"},
`

test('UserRL’s prompts are read out of its checkout, where the tasks lie or where they are said to be', async () => {
  const checkout = await temporaryFolder()
  const gym = join(checkout, 'gyms', 'IntentionGym', 'intentiongym')
  const prompts = join(gym, 'env', 'prompts.py')
  mkdirSync(dirname(prompts), { recursive: true })
  writeFileSync(prompts, FILE)
  const data = [join(gym, 'data', 'tasks.json')]
  expect(promptsNamed('klens', data)).toBeNull()
  expect(promptsNamed(null, ['elsewhere/tasks.json'])).toBeNull()
  expect(() => promptsNamed('userrl', ['elsewhere/tasks.json'])).toThrow()
  expect(() => promptsNamed(join(checkout, 'nowhere'), [])).toThrow()
  for (const [name, from] of [
    [null, data],
    ['userrl', data],
    [checkout, []],
    [prompts, []],
  ] as const) {
    const read = promptsNamed(name, from)
    const [system, { content }] = read?.judge(situation) ?? []
    expect(system.content).toBe('be a judge')
    expect(content).toContain(`0. [`)
    expect(content).toContain(`like: ${task.missing_details[0].inquiry}\n`)
    expect(content).toContain(`\n\nPrevious conversation:\nQ1: [action] Hm?\nA1: Yes.\n`)
    const [, reply] = read?.reply({ ...situation, history: [] }) ?? []
    expect(reply.content).toContain(`{"response": "x"}`)
    expect(reply.content).toContain(`nothing said`)
    expect(reply.content).toContain(`REQUEST: {'id': '${task.id}', 'category': '${task.category}', `)
    expect(reply.content).toContain(`'importance': '${task.missing_details[0].importance}'`)
  }
})

const [task] = ownTasks('train', 'en')
const situation: Situation = {
  task,
  question: 'What is it?',
  history: [{ question: '[action] Hm?', feedback: 'Yes.' }],
  misses: 0,
  remaining: task.missing_details,
  replySeesDetails: true,
}

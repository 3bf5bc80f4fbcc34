import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixture, readEvents, readInTwoSteps, withFolder } from '../../../../test/support/reading.js'
import { importFile, importText, warningsIn } from '../../../../test/support/tables.js'
import type { RunEvent } from '../../model/events.js'
import { discover } from '../discover.js'
import { completions } from '../samples/completions.js'
import { verlConsole } from '../verl/console.js'
import { dialogueIn } from './dialogue-output.js'
import { userrlResults, userrlRewardCache } from './evaluation.js'

const samplesIn = (events: readonly RunEvent[], metric: string) =>
  events.flatMap(event => (event.type === 'samples' && event.samples.metric === metric ? [event.samples] : []))
const textsIn = (events: readonly RunEvent[]) => events.flatMap(event => (event.type === 'texts' ? [event.texts] : []))

async function cacheEvents(name: string) {
  const { recognised, runs } = await importFile(userrlRewardCache, fixture(`userrl/${name}_reward_cache.json`))
  expect(recognised).toBe(true)
  return runs[0].events
}

describe('a reward cache', () => {
  it('holds scores, turns and dialogues by task and rollout', async () => {
    const events = await cacheEvents('thorough-step_5')
    const [scores] = samplesIn(events, 'eval.score')
    expect(scores).toEqual({
      metric: 'eval.score',
      step: 5,
      condition: { dataset: 'intention' },
      ids: ['trip-1', 'trip-1', 'cake-1', 'cake-1', 'desk-1', 'desk-1'],
      scores: [2.4, 1, 1.7, 1, 2.4, 1],
      repeats: [0, 1, 0, 1, 0, 1],
    })
    expect(samplesIn(events, 'eval.turns')[0].scores).toEqual([3, 2, 2, 2, 3, 2])
    expect(samplesIn(events, 'eval.coverage')[0]).toMatchObject({ scores: [1 / 3, 1 / 2, 1 / 3], repeats: [1, 1, 1] })
    const [{ inputs, outputs }] = textsIn(events)
    expect(inputs[0]).toBe('The vague request: Plan a weekend trip.')
    expect(outputs[1]).toBe(
      [
        '1. [action] Where do you want to go?\n   → Let me think: yes.  (1)',
        '2. [finish]\n   → Session ended. You covered 1/3 missing details.  (0)',
        '— finished',
      ].join('\n'),
    )
  })

  it('counts a dialogue without a turn as UserRL does, and says that nobody can tell why', async () => {
    const events = await cacheEvents('curt')
    expect(samplesIn(events, 'eval.score')[0].scores).toEqual([1, 0, 1.7])
    expect(warningsIn(events)).toMatchObject([{ key: 'userrl.mute', params: { count: 1 } }])
  })

  it('leaves out entries that are no task', async () => {
    const events = await cacheEvents('several')
    expect(samplesIn(events, 'eval.score')[0].ids).toHaveLength(3)
    expect(warningsIn(events)).toMatchObject([{ key: 'userrl.strays', params: { count: 3 } }])
  })

  it('is one run with its averages, and with the other steps of its name; others are others', async () => {
    const { runs, skipped } = await discover([fixture('userrl')])
    expect(skipped).toEqual([])
    expect(runs.map(({ name, source, logs }) => [name, source.id, logs.length]).sort()).toEqual([
      ['curt', 'userrl', 2],
      ['several', 'userrl', 2],
      ['thorough', 'userrl', 4],
      ['userrl', 'verl', 1],
    ])
  })

  it('survives any text', async () => {
    const words = [
      '{"a":{',
      `"${'0'.repeat(64)}":{`,
      '"history":[',
      '"reward":[',
      '[0]',
      '"data":["x"]',
      ']',
      '}',
      ',',
      '1',
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 20 }), async pieces => {
        const { runs } = await importText(userrlRewardCache, pieces.join(''), { name: 'x_reward_cache.json' })
        expect(
          samplesIn(
            runs.flatMap(({ events }) => events),
            'eval.score',
          ).every(({ ids }) => ids.length > 0),
        ).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})

describe('the averages', () => {
  it('say nothing where the dialogues beside them agree, and are named where they do not', async () => {
    expect(warningsIn(await readEvents(userrlResults, fixture('userrl/curt_results.json')))).toEqual([])
    const events = await readEvents(userrlResults, fixture('userrl/several_results.json'))
    expect(warningsIn(events)).toMatchObject([{ key: 'userrl.disagrees', params: { count: 2 } }])
    expect(events.filter(({ type }) => type === 'evaluation')).toEqual([])
  })

  it('are all there is without the dialogues', () =>
    withFolder(async folder => {
      const path = join(folder, 'thorough-step_5_results.json')
      copyFileSync(fixture('userrl/thorough-step_5_results.json'), path)
      const { recognised, runs } = await importFile(userrlResults, path)
      expect(recognised).toBe(true)
      const evaluations = runs[0].events.flatMap(event => (event.type === 'evaluation' ? [event.evaluation] : []))
      expect(evaluations.map(({ step, condition, value }) => [step, condition.aggregate, value.toFixed(4)])).toEqual([
        [5, 'mean@2', '1.5833'],
        [5, 'best@2', '2.1667'],
      ])
    }))
})

describe('the lines of a console', () => {
  const console = fixture('userrl/console.log')

  it('are dialogues of the step that is logged after their last turn', async () => {
    const events = await readEvents(verlConsole, console)
    expect(samplesIn(events, 'dialogue/score').map(({ step, ids, scores }) => [step, ids, scores])).toEqual([
      [1, ['aa'], [1.7]],
      [1, ['bb'], [0.7]],
      [3, ['cc'], [1.7]],
    ])
    const texts = textsIn(events).flatMap(({ ids, outputs }) => ids.map((id, i) => [id, outputs[i]]))
    expect(Object.fromEntries(texts).cc).toContain('Either lemon,\nor orange, reward: high  (0.7)')
    expect(Object.fromEntries(texts).cc).toMatch(/— finished$/)
  })

  it('of which some are missing make a text without a score', async () => {
    const events = await readEvents(verlConsole, console)
    expect(textsIn(events).flatMap(({ ids }) => ids)).toContain('dd')
    expect(samplesIn(events, 'dialogue/score').flatMap(({ ids }) => ids)).not.toContain('dd')
    expect(warningsIn(events)).toMatchObject([{ key: 'userrl.gaps', params: { count: 1 } }])
  })

  it('say the same when the log is read in two parts', async () => {
    const bytes = readFileSync(console)
    const said = (events: readonly RunEvent[]) =>
      JSON.stringify(events.filter(({ type }) => type === 'samples' || type === 'texts'))
    const whole = said(await readEvents(verlConsole, console))
    for (let cut = 100; cut < bytes.length; cut += 211) {
      expect(said(await readInTwoSteps(verlConsole, bytes, cut))).toBe(whole)
    }
  })
})

describe('an output of several turns', () => {
  const call = (content: string) =>
    `<tool_call>\n{"name": "interact_with_env", "arguments": {"choice": "action", "content": "${content}"}}\n</tool_call>`
  const answered = (text: string) => `\nuser\n<tool_response>\n${text}\n</tool_response>\nassistant\n`

  it('is told turn by turn, with what was thought, heard and earned', () => {
    const output = `<think>hm</think>${call('Where?')}${answered('At sea.\nReward: 0.7')}${call('Who?')}${answered('You.\nReward: 0.0')}Thanks.`
    expect(dialogueIn(output)).toEqual({
      text: '1. <think>hm</think>[action] Where?\n   → At sea.  (0.7)\n2. [action] Who?\n   → You.  (0)\n3. Thanks.\n   → –  (0)\n— stopped',
      turns: 3,
      malformed: 0,
      wasted: 2,
    })
  })

  it.each([
    ['limit', `${call('Where?')}${answered('At sea.')}${call('Who?')}`],
    ['finished', `${call('Where?')}${answered('Session ended. You covered 1/4 missing details.')}`],
    [
      'stopped',
      `<|im_start|>assistant\n${call('Where?')}<|im_end|>\n<|im_start|>user\n<tool_response>\nAt sea.\n</tool_response><|im_end|>\n<|im_start|>assistant\n<tool_call>{"na</tool_call><|im_end|>`,
    ],
  ])('ended by %s', (why, output) => {
    expect(dialogueIn(output)?.text).toMatch(new RegExp(`— ${why}$`))
  })

  it('counts calls that cannot be read, and what the end says was covered', () => {
    const output = `${call('Where?')}<tool_call>{"na</tool_call>${answered('Session ended. You covered 1/4 missing details.')}`
    expect(dialogueIn(output)).toMatchObject({ turns: 1, malformed: 1, coverage: 0.25 })
  })

  it('stands in a dump as a text and as parts of its score', async () => {
    const output = `${call('Where?')}${answered('At sea.\nReward: 0.7')}Thanks.`
    const line = `${JSON.stringify({ input: 'A trip.', output, score: 0.7, step: 5 })}\n`
    const { runs } = await importText(completions, line, { name: 'val_5.jsonl' })
    expect(samplesIn(runs[0].events, 'val/turns')).toMatchObject([{ step: 5, scores: [2] }])
    expect(textsIn(runs[0].events)[0].outputs[0]).toMatch(/^1\. \[action\] Where\?/)
  })

  it('is read from messages too, as TRL keeps them', async () => {
    const called = { name: 'interact_with_env', arguments: { choice: 'action', content: 'Where?' } }
    const completion = [
      { role: 'assistant', content: '', tool_calls: [{ type: 'function', function: called }] },
      { role: 'tool', content: 'At sea.', tool_calls: null },
      { role: 'assistant', content: 'Thanks.', tool_calls: null },
    ]
    const line = `${JSON.stringify({ prompt: [{ role: 'user', content: 'A trip.' }], completion, score: 1, step: 2 })}\n`
    const { runs } = await importText(completions, line, { name: 'completions_2.jsonl' })
    expect(textsIn(runs[0].events)[0].outputs[0]).toBe(
      '1. [action] Where?\n   → At sea.  (?)\n2. Thanks.\n   → –  (0)\n— stopped',
    )
  })

  it('is any other text where no tool answered', () => {
    expect(dialogueIn('just an answer')).toBeNull()
  })
})

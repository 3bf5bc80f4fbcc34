import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { klensInside } from '../cli-inside.js'
import { type ChatReply, startChatServer } from '../support/chat-server.js'
import { answer, asked, embed, questionsFolder, selectorSettings } from '../support/questions.js'

/** A trained selector from questions alone, through a real server that fails in every way it can: most of its time is waiting. */

const COUNT = 40

const questions = (): string => questionsFolder(COUNT)

describe('an endpoint that fails in every way it can', () => {
  it('costs attempts, not rewards: what stays unanswered is missing, and the run says how many', async () => {
    const folder = questions()
    const attempts = new Map<string, number>()
    const faults: readonly ChatReply[] = [
      'silence',
      { status: 429, headers: { 'retry-after': '0.1' } },
      'truncate',
      { status: 200, body: '<html>starting up</html>' },
      { status: 200, body: '{"object":"chat.completion","choices":"soon"}' },
      'hang-up',
    ]
    const served = new Set<ChatReply>()
    // Question 3 is never answered; one request in twenty fails once, each time in another way.
    const server = await startChatServer((request, count) => {
      const numbers = asked(request)
      if (numbers.at(-1) === 3 || numbers.at(-1) === 36) return { status: 500 }
      const key = JSON.stringify(request.messages)
      const tried = attempts.get(key) ?? 0
      attempts.set(key, tried + 1)
      if (count % 20 !== 0 || tried > 0) return answer(request)
      const fault = faults[served.size % faults.length]
      served.add(fault)
      return fault
    }, embed)
    mkdirSync(join(folder, 'out'))
    const output = join(folder, 'items.safetensors')
    const items = join(folder, 'items.jsonl')
    await klensInside(folder, ['data', 'embed', items, '-o', output, '--url', server.url, '--model', 'tiny'])
    const config = selectorSettings(folder, server.url)
    const { code, out } = await klensInside(folder, ['train', config, '--out', join(folder, 'out')])
    expect(code).toBe(0)
    expect(served.size).toBe(faults.length)
    // Eight samples for the one question of the training part that is never answered.
    expect(out).toMatch(/8 of 240 choices could not be scored in this epoch: they are left out, not counted as 0/)
    const words = [
      'eval',
      join(folder, 'out/grpo_epoch1.pt'),
      '--config',
      config,
      '--shots',
      '2',
      '--split',
      'val',
      '--baselines',
    ]
    const evaluated = await klensInside(folder, [...words, '--json'])
    const last = JSON.parse(evaluated.out.trim().split('\n').at(-1) ?? '')
    expect(last.evaluations[0]).toMatchObject({ asked: 10, n: 9, missing: 1 })
    expect(
      last.baselines.map(({ name, n, missing }: { name: string; n: number; missing: number }) => [name, n, missing]),
    ).toEqual([
      ['zero-shot', 9, 1],
      ['random', 9, 1],
      ['nearest', 9, 1],
    ])
    expect((await klensInside(folder, words)).out).toMatch(/\(9\)[\s\S]*how many could be scored.*status 500/)
  }, 60_000)
})

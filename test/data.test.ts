import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { startChatServer } from './support/chat-server.js'
import { answer, embed, questionsFolder, selectorSettings } from './support/questions.js'

/** From questions alone to a trained and evaluated selector, through a real server. */

const COUNT = 40

const questions = (): string => questionsFolder(COUNT)

describe('klens data', () => {
  it('embeds texts, and goes on with what failed instead of leaving a hole', async () => {
    const folder = questions()
    let broken = true
    const seen: string[] = []
    const server = await startChatServer(answer, text => {
      seen.push(text)
      return broken && text === 'what is 35?' ? 'fail' : embed(text)
    })
    const output = join(folder, 'items.safetensors')
    const words = ['data', 'embed', join(folder, 'items.jsonl'), '-o', output, '--url', server.url, '--model', 'tiny']
    const first = await klensInside(folder, words)
    expect(first).toMatchObject({
      code: 2,
      error: expect.stringMatching(/8 of 40 items have no embedding yet: .*status 422/),
    })
    broken = false
    seen.length = 0
    expect(await klensInside(folder, words)).toMatchObject({
      code: 0,
      out: expect.stringContaining('wrote 40 embeddings of width 3'),
    })
    expect(seen).toHaveLength(8)
  })

  it('generates groups by similarity and by a policy, which the trainer reads back', async () => {
    const folder = questions()
    const server = await startChatServer(answer, embed)
    const at = (name: string): string => join(folder, name)
    const output = at('items.safetensors')
    await klensInside(folder, [
      'data',
      'embed',
      at('items.jsonl'),
      '-o',
      output,
      '--url',
      server.url,
      '--model',
      'tiny',
    ])
    const config = selectorSettings(folder, server.url)
    const made = await klensInside(folder, ['data', 'generate', config, '-o', at('rl_data.json'), '--json'])
    const { queries, leftOut, missing } = JSON.parse(made.out)
    expect([queries + leftOut, missing, queries > COUNT / 2]).toEqual([COUNT, 0, true])
    const lever = [
      '--task',
      'lever',
      '--set',
      `data.train=${at('rl_data.json')}`,
      '--set',
      `data.query_embeddings=${output}`,
    ]
    const small = ['--set', 'policy.hidden=4', '--set', 'epochs.rce=1', '--set', 'epochs.grpo=1']
    const trained = await klensInside(folder, ['train', ...lever, ...small, '--out', at('out'), '--json'])
    expect(trained.code).toBe(0)
    expect(JSON.parse(trained.out.split('\n')[1]).metrics).toMatchObject({ 'val.loss': expect.any(Number) })
    const before = server.requests.length
    const again = await klensInside(folder, ['data', 'generate', config, '-o', at('again.json'), '--json'])
    expect([again.code, server.requests.length]).toEqual([0, before])
    expect(readFileSync(at('again.json'))).toEqual(readFileSync(at('rl_data.json')))
    const policy = ['--policy', at('out/grpo_epoch1.pt')]
    expect((await klensInside(folder, ['data', 'generate', config, ...policy, '-o', at('by-policy.json')])).code).toBe(
      0,
    )
    expect(readFileSync(at('by-policy.json'))).not.toEqual(readFileSync(at('rl_data.json')))
    expect(await klensInside(folder, ['data', 'generate', config, '-o', at('again.json')])).toMatchObject({ code: 2 })
  })
})

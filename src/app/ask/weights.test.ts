import { copyFileSync, existsSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import type { Question, Unparsed } from './question.js'
import { weights, weightsConvert, weightsDiff } from './weights.js'

const FIXTURES = fileURLToPath(new URL('../../lab/weights/fixtures', import.meta.url))
const [FIRST, SECOND] = ['grpo_epoch1.pt', 'grpo_epoch2.pt'].map(name => join(FIXTURES, name))

async function told<Input, Request, Answer>(question: Question<Input, Request, Answer>, input: Unparsed<Input>) {
  return answerTo(await temporaryWorkspace(), question, input)
}

describe('weights', () => {
  it('tells what is in a file, and what the file does not say', async () => {
    expect(await told(weights, { file: SECOND })).toMatchObject({
      format: 'pytorch',
      layout: 'v3',
      parameters: 560,
      about: { kl_beta: 0.1 },
      missing: ['config', 'seed', 'parent', 'data'],
      notRun: [],
    })
  })

  it('says what a hostile file would call, and calls nothing', async () => {
    expect((await told(weights, { file: join(FIXTURES, 'evil.pt') })).notRun).toEqual(['posix.system'])
    expect(existsSync('/tmp/klens-was-run')).toBe(false)
  })

  it('refuses a file that is cut short', async () => {
    const cut = join(temporaryFolder(), 'cut.pt')
    copyFileSync(SECOND, cut)
    truncateSync(cut, 3000)
    await expect(told(weights, { file: cut })).rejects.toMatchObject({ sentence: { params: { path: cut } } })
  })
})

describe('weights-diff', () => {
  it('tells which tensors differ, and how much of the whole', async () => {
    expect(await told(weightsDiff, { first: FIRST, second: SECOND })).toMatchObject({
      total: { parameters: 560, differing: 304 },
      touched: 304,
      notAtAll: ['input_proj.weight', 'query_proj.weight', 'cand_proj.weight'],
    })
  })

  it('finds a checkpoint identical to its converted file', async () => {
    const { total } = await told(weightsDiff, { first: SECOND, second: join(FIXTURES, 'grpo_epoch2_v2format.ckpt') })
    expect(total).toMatchObject({ parameters: 560, differing: 0, share: 0 })
  })
})

describe('weights-convert', () => {
  it('writes another format and overwrites nothing', async () => {
    const output = join(temporaryFolder(), 'made.safetensors')
    const made = await told(weightsConvert, { input: SECOND, output })
    expect(made).toMatchObject({ output, target: 'safetensors', tensors: 9, leftOut: [] })
    expect((await told(weightsDiff, { first: SECOND, second: output })).total.differing).toBe(0)
    const again = told(weightsConvert, { input: SECOND, output })
    await expect(again).rejects.toMatchObject({ sentence: { key: 'weights.exists' } })
  })
})

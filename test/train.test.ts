import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonInside, klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

/** `klens train` as a user meets it: the run is in the store, and its weights say what they are. */

const QUICK = [
  '--set',
  'epochs.rce=1',
  '--set',
  'epochs.grpo=2',
  '--set',
  'policy.hidden=32',
  '--set',
  'data.width=24',
  '--set',
  'data.candidates=24',
]

describe('klens eval', () => {
  it('scores checkpoints at several shots, keeps scores and choices with their run, and says how far choices agree', async () => {
    const folder = temporaryFolder()
    const { out } = await klensInside(folder, ['train', ...QUICK, '--json'])
    const { run } = JSON.parse(out.trim().split('\n').at(-1) ?? '')
    const file = (epoch: number): string => join('.klens', 'runs', run, 'checkpoints', `epoch${epoch}.safetensors`)
    const words = ['eval', file(1), file(3), '--shots', '1,2', '--samples', '50']
    const lines = (await klensInside(folder, [...words, '--json'])).out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.slice(0, 4).map(({ shots, n }) => [shots, n])).toEqual([
      [1, 50],
      [2, 50],
      [1, 50],
      [2, 50],
    ])
    for (const { share, n } of lines[4].agreements) expect([n, share >= 0 && share <= 1]).toEqual([50, true])
    const [listed] = await jsonInside<{ evaluations: number }[]>(folder, ['runs'])
    expect(listed.evaluations).toBe(3 + 4)
    expect((await klensInside(folder, words)).out).toMatch(/2 shots: the very same choice on [\d.]+ % of 50 queries/)

    const elsewhere = temporaryFolder()
    const moved = await klensInside(elsewhere, [
      'eval',
      join(folder, file(3)),
      '--shots',
      '2',
      '--samples',
      '50',
      '--json',
    ])
    expect(JSON.parse(moved.out.split('\n')[0]).metrics).toEqual(lines[3].metrics)
    expect(await jsonInside<object[]>(elsewhere, ['runs'])).toMatchObject([{ source: 'checkpoint', evaluations: 1 }])

    const damaged = readFileSync(join(folder, file(3)))
    damaged[8 + Number(damaged.readBigUInt64LE()) + 3] ^= 1
    writeFileSync(join(folder, 'damaged.safetensors'), damaged)
    expect(await klensInside(folder, ['eval', 'damaged.safetensors'])).toMatchObject({
      code: 2,
      error: expect.stringMatching(/damaged\.safetensors was damaged after it was written/),
    })
  })

  it('refuses what is no selector, and shots that are none', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'x.safetensors'), 'nothing')
    expect(await klensInside(folder, ['eval', 'x.safetensors'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('x.safetensors'),
    })
    expect((await klensInside(folder, ['eval', 'x.safetensors', '--shots', 'many'])).error).toContain(
      '--shots is "many"',
    )
  })
})

describe('klens train', () => {
  it('needs no config, puts the run into the store like an imported one, and keeps checkpoints that carry their config', async () => {
    const folder = temporaryFolder()
    const { code, out } = await klensInside(folder, ['train', '--name', 'mine', '--seed', '5', ...QUICK, '--json'])
    expect(code).toBe(0)
    const lines = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.slice(0, 3).map(({ epoch, phase }) => [epoch, phase])).toEqual([
      [1, 'rce'],
      [2, 'grpo'],
      [3, 'grpo'],
    ])
    const { run, checkpoints, evaluations } = lines[3]
    expect(checkpoints).toEqual(['epoch1.safetensors', 'epoch2.safetensors', 'epoch3.safetensors'])
    expect(evaluations).toHaveLength(3)
    const [listed] = await jsonInside<
      { id: string; name: string; status: string; config: { [key: string]: unknown } }[]
    >(folder, ['runs'])
    expect(listed).toMatchObject({ id: run, name: 'mine', status: 'finished' })
    expect(listed.config).toMatchObject({ seed: 5, 'kl.loss.coef': 0.1 })
    const bytes = readFileSync(join(folder, '.klens', 'runs', run, 'checkpoints', 'epoch3.safetensors'))
    const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())).toString())
    expect(Object.keys(header)).toContain('query_proj.weight')
    expect(JSON.parse(header.__metadata__.klens)).toMatchObject({
      run,
      epoch: 3,
      seed: 5,
      config: { 'kl.loss.coef': 0.1 },
    })
    expect((await jsonInside<{ findings: object[] }>(folder, ['diagnose', 'mine'])).findings).toBeDefined()
    const ranked = await jsonInside<{ ranking: object[]; best: { heldOut: number } }>(folder, ['checkpoints', 'mine'])
    expect(ranked.ranking).toHaveLength(3)
    expect(ranked.best.heldOut).toBeGreaterThan(0)
  })

  it('refuses settings that do not exist or do not hold, with a suggestion', async () => {
    const folder = temporaryFolder()
    const sentence = async (...words: string[]) => (await klensInside(folder, ['train', ...words])).error
    expect(await sentence('--set', 'kl.los.coef=1')).toContain('Did you mean "kl.loss.coef"?')
    expect(await sentence('--set', 'kl.loss.coef=-1')).toContain('kl.loss.coef')
    expect(await sentence('nope.yaml')).toContain('there is no config file nope.yaml')
    expect(await sentence('--task', 'lever')).toContain('lever')
  })
})

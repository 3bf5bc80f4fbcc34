import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { klens, klensJson } from './cli.js'
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

interface Ranked {
  readonly metric: string
  readonly ranking: readonly { readonly step: number }[]
}

interface Compared {
  readonly verdicts: readonly {
    readonly estimate: number
    readonly method: { readonly numbers: { readonly prompts: number } }
  }[]
}

describe('klens eval', () => {
  it('scores checkpoints at several shots, keeps scores and choices with their run, and says how far choices agree', () => {
    const folder = temporaryFolder()
    const { out } = klens(folder, ['train', ...QUICK, '--json'])
    const { run } = JSON.parse(out.trim().split('\n').at(-1) ?? '')
    const file = (epoch: number): string => join('.klens', 'runs', run, 'checkpoints', `epoch${epoch}.safetensors`)
    const words = ['eval', file(1), file(3), '--shots', '1,2', '--samples', '50']
    const lines = klens(folder, [...words, '--json'])
      .out.trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.slice(0, 4).map(({ shots, n }) => [shots, n])).toEqual([
      [1, 50],
      [2, 50],
      [1, 50],
      [2, 50],
    ])
    for (const { share, n } of lines[4].agreements) expect([n, share >= 0 && share <= 1]).toEqual([50, true])
    const [listed] = klensJson<{ evaluations: number }[]>(folder, ['runs'])
    expect(listed.evaluations).toBe(3 + 4)
    expect(klens(folder, words).out).toMatch(/2 shots: the very same choice on [\d.]+ % of 50 queries/)

    // Scores that klens eval made are series like those of a log, with the scores of single prompts behind them.
    const { metric, ranking } = klensJson<Ranked>(folder, ['checkpoints', run, '--metric', 'eval.score'])
    expect(metric).toMatch(/^eval\.score\/dataset=digits-[0-9a-f]{8}\/split=test\/shots=1$/)
    expect(ranking.map(({ step }) => step).sort()).toEqual([1, 3])
    const sides = ['compare', `${run}@1`, `${run}@3`, '--metric', 'eval.score/shots=2']
    const [verdict] = klensJson<Compared>(folder, sides).verdicts
    expect(verdict).toMatchObject({ question: 'checkpoint', metric: metric.replace('shots=1', 'shots=2') })
    expect(verdict.estimate).toBeCloseTo(lines[3].metrics['eval.score'] - lines[1].metrics['eval.score'], 12)
    expect(verdict.method.numbers.prompts).toBe(50)

    const elsewhere = temporaryFolder()
    const moved = klens(elsewhere, ['eval', join(folder, file(3)), '--shots', '2', '--samples', '50', '--json'])
    expect(JSON.parse(moved.out.split('\n')[0]).metrics).toEqual(lines[3].metrics)
    expect(klensJson<object[]>(elsewhere, ['runs'])).toMatchObject([{ source: 'checkpoint', evaluations: 1 }])

    const damaged = readFileSync(join(folder, file(3)))
    damaged[8 + Number(damaged.readBigUInt64LE()) + 3] ^= 1
    writeFileSync(join(folder, 'damaged.safetensors'), damaged)
    expect(klens(folder, ['eval', 'damaged.safetensors'])).toMatchObject({
      code: 2,
      error: expect.stringMatching(/damaged\.safetensors was damaged after it was written/),
    })
  })

  it('refuses what is no selector, and shots that are none', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'x.safetensors'), 'nothing')
    expect(klens(folder, ['eval', 'x.safetensors'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('x.safetensors'),
    })
    expect(klens(folder, ['eval', 'x.safetensors', '--shots', 'many']).error).toContain('--shots is "many"')
  })
})

describe('klens train', () => {
  it('needs no config, puts the run into the store like an imported one, and keeps checkpoints that carry their config', () => {
    const folder = temporaryFolder()
    const { code, out } = klens(folder, ['train', '--name', 'mine', '--seed', '5', ...QUICK, '--json'])
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
    const [listed] = klensJson<{ id: string; name: string; status: string; config: { [key: string]: unknown } }[]>(
      folder,
      ['runs'],
    )
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
    expect(klensJson<{ findings: object[] }>(folder, ['diagnose', 'mine']).findings).toBeDefined()
    const ranked = klensJson<{ ranking: object[]; best: { heldOut: number } }>(folder, ['checkpoints', 'mine'])
    expect(ranked.ranking).toHaveLength(3)
    expect(ranked.best.heldOut).toBeGreaterThan(0)
  })

  it('refuses settings that do not exist or do not hold, with a suggestion', () => {
    const folder = temporaryFolder()
    const sentence = (words: readonly string[]): string => klens(folder, ['train', ...words]).error
    expect(sentence(['--set', 'kl.los.coef=1'])).toContain('Did you mean "kl.loss.coef"?')
    expect(sentence(['--set', 'kl.loss.coef=-1'])).toContain('kl.loss.coef')
    expect(sentence(['nope.yaml'])).toContain('there is no config file nope.yaml')
    expect(sentence(['--task', 'lever'])).toContain('lever')
  })
})

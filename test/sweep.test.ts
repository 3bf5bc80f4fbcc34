import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { klens, klensJson } from './cli.js'

/** `klens sweep` and `klens plan` as a person or a script meets them. */

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'klens-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  klensJson(folder, [
    'import',
    join(EXAMPLES, 'kl-beta-sweep'),
    join(EXAMPLES, 'plan-six'),
    join(EXAMPLES, 'grpo-addition'),
  ])
})

const BETAS = ['kl-0.12', 'kl-0.145', 'kl-0.15', 'kl-0.155', 'kl-0.18']

interface SweepJson {
  readonly over: readonly string[]
  readonly matters: boolean | null
  readonly cells: readonly { readonly values: object; readonly runs: readonly string[]; readonly metrics: object }[]
  readonly missing: readonly object[]
  readonly identical: readonly (readonly object[])[]
  readonly verdicts: readonly {
    readonly question: string
    readonly answer: string
    readonly reasons: readonly string[]
  }[]
  readonly problems: readonly string[]
}

describe('klens sweep', () => {
  it('answers a script in the shape that is promised, by raw or canonical key', () => {
    const [raw, canonical] = ['KL_BETA', 'kl.loss.coef'].map(key =>
      klensJson<SweepJson>(folder, ['sweep', ...BETAS, '--over', key]),
    )
    expect(raw).toEqual(canonical)
    expect(raw.over).toEqual(['kl.loss.coef'])
    expect(raw.cells).toHaveLength(5)
    expect(raw.cells[2]).toMatchObject({
      values: { 'kl.loss.coef': 0.15 },
      metrics: { 'shot_num=1': 58.8, 'shot_num=2': 56.6, 'shot_num=3': 53.9, 'shot_num=4': 55.2 },
    })
    expect(raw.matters).toBeNull()
    expect(raw.identical).toHaveLength(2)
    expect(raw.missing.length).toBeGreaterThanOrEqual(7)
    expect(raw.verdicts.map(({ question }) => question)).toEqual(['trend', 'level', 'level', 'level', 'level'])
  })

  it('puts the answer first, then the matrix, then what is wrong, then what would settle it', () => {
    const { out, code } = klens(folder, ['sweep', ...BETAS, '--over', 'KL_BETA'])
    expect(code).toBe(0)
    const places = ['UNDETERMINED', '1 shot', 'a row was copied', '±6.8 points at', 'about 52,000 paired prompts'].map(
      words => (words === '±6.8 points at' ? out.indexOf('±6.8 points') : out.indexOf(words)),
    )
    expect(places.every(place => place >= 0)).toBe(true)
    expect([...places].sort((a, b) => a - b)).toEqual(places)
    expect(out).toContain('57=')
    expect(out).toContain('it belongs to 0.145')
  })

  it('speaks Chinese', () => {
    const { out } = klens(folder, ['sweep', ...BETAS, '--over', 'KL_BETA', '--lang', 'zh'])
    expect(out).toContain('无法判定')
    expect(out).toContain('±6.8 个百分点')
    expect(out).toContain('52,000 个配对样本')
  })

  it('compares with the setting of the run that --baseline names', () => {
    const { verdicts } = klensJson<{ verdicts: { baseline: string; question: string }[] }>(folder, [
      'sweep',
      'kl-0.0/*',
      'kl-0.1/*',
      'kl-0.3/*',
      '--over',
      'kl.loss.coef',
      '--baseline',
      'kl-0.3/seed0',
    ])
    const baselines = verdicts.filter(({ question }) => question !== 'trend').map(({ baseline }) => baseline)
    expect(baselines).toEqual(['kl.loss.coef=0.3', 'kl.loss.coef=0.3'])
  })

  it.each([
    ['one run', ['kl-0.12', '--over', 'KL_BETA'], 'a sweep needs at least two runs; 1 was named'],
    ['no key', BETAS, 'say with --over which config key is swept; these differ between the runs: kl.loss.coef'],
    ['a key nobody has', [...BETAS, '--over', 'nix'], 'none of the runs has a setting "nix"'],
    ['a key that is the same everywhere', [...BETAS, '--over', 'lr'], 'all 5 runs have the same lr: 0.000005'],
    ['a metric nobody has', [...BETAS, '--over', 'KL_BETA', '-m', 'nix'], 'no run has a finite value of "nix"'],
    ['a margin that is none', [...BETAS, '--over', 'KL_BETA', '--margin', '-1'], '--margin is "-1"'],
    [
      'a baseline outside',
      [...BETAS, '--over', 'KL_BETA', '--baseline', 'plan-six'],
      'the baseline "plan-six" is none of the runs',
    ],
  ])('says in one sentence what is wrong with %s', (_, words, sentence) => {
    const { code, out, error } = klens(folder, ['sweep', ...words])
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(error).toContain(sentence)
    expect(error.trim().split('\n')).toHaveLength(1)
  })
})

describe('klens plan', () => {
  it('plans from the noise of runs: prompts for checkpoints, evaluations for runs, seeds for settings', () => {
    const plan = (difference: string) =>
      klensJson<{ [name: string]: unknown }>(folder, [
        'plan',
        'kl-0.0/*',
        'kl-0.1/*',
        '--difference',
        difference,
        '--margin',
        '0.03',
      ])
    const found = plan('10%')
    expect(found).toMatchObject({ power: 0.8, margin: 0.03 })
    for (const kind of ['prompts', 'evals', 'seeds', 'difference']) expect(found[kind]).toBeGreaterThan(0)
    expect(found.assumptions).toHaveLength(7)
    // Two hundred prompts differ by more than 2 % by luck alone.
    const small = plan('2%')
    expect(small.evals).toBeNull()
    expect(small.promptsPerEvaluation).toBeGreaterThan(200)
  })

  it('plans from given numbers', () => {
    const given = ['plan', '--difference', '0.079', '--sd', '0.13', '--prompts', '100', '--seed-sd', '0.05']
    expect(klensJson(folder, given)).toMatchObject({
      prompts: 2126,
      unpairedPrompts: 4251,
      seeds: 8,
      difference: 0.079,
      margin: null,
    })
    const accuracy = klensJson(folder, ['plan', '--difference', '0.00275', '--p', '0.56', '--discordance', '0.05'])
    expect(accuracy).toMatchObject({ prompts: 51886 })
  })

  it('splits a budget between seeds and prompts', () => {
    const words = [
      'plan',
      '--difference',
      '0.02',
      '--p',
      '0.6',
      '--seed-sd',
      '0.012',
      '--budget',
      '100',
      '--cost-run',
      '3',
      '--cost-prompt',
      '0.001',
    ]
    const { budget } = klensJson<{ budget: { seeds: number; prompts: number; spent: number } }>(folder, words)
    expect(budget.seeds).toBeGreaterThan(3)
    expect(budget.prompts).toBeGreaterThan(200)
    expect(budget.spent).toBeLessThanOrEqual(100)
    expect(klens(folder, [...words, '--lang', 'zh']).out).toContain('个种子')
  })

  it.each([
    ['nothing to plan for', [], 'say what to plan for: --difference'],
    ['no noise', ['--difference', '0.02'], 'nothing is known about the noise'],
    ['a share of nothing', ['--difference', '2%', '--sd', '1'], 'a percentage needs a baseline'],
    ['a difference of zero', ['--difference', '0', '--p', '0.5'], '--difference is "0"'],
    ['a budget without costs', ['--difference', '0.1', '--p', '0.5', '--budget', '3'], '--budget needs --cost-run'],
    ['a run without the metric', ['plan-six', '--difference', '0.1'], 'has no finite value of "val.score"'],
    ['three sides', ['kl-0.12', 'kl-0.15', 'kl-0.18', '--difference', '1'], 'at most two sides'],
  ])('says in one sentence what is wrong with %s', (_, words, sentence) => {
    const { code, error } = klens(folder, ['plan', ...words])
    expect(code).toBe(2)
    expect(error).toContain(sentence)
    expect(error.trim().split('\n')).toHaveLength(1)
  })
})

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace } from '../../../test/workspace.js'
import { sweep } from './sweep.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))
const BETAS = ['kl-0.12', 'kl-0.145', 'kl-0.15', 'kl-0.155', 'kl-0.18']

describe('sweep', () => {
  const workspace = sharedWorkspace(
    ...['kl-beta-sweep', 'plan-six', 'grpo-addition'].map(name => `${EXAMPLES}/${name}`),
  )

  it('is asked by raw or canonical key', async () => {
    const [raw, canonical] = await Promise.all(
      ['KL_BETA', 'kl.loss.coef'].map(key => answerTo(workspace(), sweep, { runs: BETAS, over: [key] })),
    )
    expect(raw).toEqual(canonical)
    expect(raw.over).toEqual(['kl.loss.coef'])
    expect(raw.tried).toEqual([[0.12, 0.145, 0.15, 0.155, 0.18]])
    expect(raw.cells).toHaveLength(5)
    expect(raw.cells[2]).toMatchObject({
      values: { 'kl.loss.coef': 0.15 },
      metrics: { 'shot_num=1': 58.8, 'shot_num=2': 56.6, 'shot_num=3': 53.9, 'shot_num=4': 55.2 },
      identical: false,
    })
    expect(raw.cells.filter(({ identical }) => identical).length).toBeGreaterThan(1)
    expect(raw.matters).toBeNull()
    expect(raw.identical).toHaveLength(2)
    expect(raw.missing.length).toBeGreaterThanOrEqual(7)
    expect(raw.verdicts.map(({ question }) => question)).toEqual(['trend', 'level', 'level', 'level', 'level'])
  })

  it('says what is wrong with the data and what would settle it, in the language of the request', async () => {
    const english = await answerTo(workspace(), sweep, { runs: BETAS, over: ['KL_BETA'] })
    expect(english.sentence).toContain('nothing can be said about')
    expect(english.problems.join()).toMatch(/a row was copied.*it belongs to 0\.145/)
    expect(english.settling.join()).toContain('about 52,000 paired prompts')
    const chinese = await answerTo(workspace(), sweep, { runs: BETAS, over: ['KL_BETA'], lang: 'zh' })
    expect(chinese.settling.join()).toContain('52,000 个配对样本')
    expect(chinese.problems).toHaveLength(english.problems.length)
  })

  it('compares with the setting of the run that the baseline names', async () => {
    const { verdicts } = await answerTo(workspace(), sweep, {
      runs: ['kl-0.0/*', 'kl-0.1/*', 'kl-0.3/*'],
      over: ['kl.loss.coef'],
      baseline: 'kl-0.3/seed0',
    })
    const baselines = verdicts.filter(({ question }) => question !== 'trend').map(({ baseline }) => baseline)
    expect(baselines).toEqual(['kl.loss.coef=0.3', 'kl.loss.coef=0.3'])
  })

  it.each([
    ['one run', { runs: ['kl-0.12'], over: ['KL_BETA'] }, { key: 'sweep.one-run', params: { count: 1 } }],
    [
      'no key',
      { runs: BETAS },
      { key: 'sweep.needs-over', params: { keys: expect.stringMatching(/^kl\.loss\.coef/) } },
    ],
    ['a key nobody has', { runs: BETAS, over: ['nix'] }, { key: 'sweep.no-key' }],
    [
      'a key that is the same everywhere',
      { runs: BETAS, over: ['lr'] },
      { key: 'sweep.one-value', params: { key: 'lr', value: '0.000005', count: 5 } },
    ],
    ['a metric nobody has', { runs: BETAS, over: ['KL_BETA'], metric: 'nix' }, { key: 'sweep.no-metric' }],
    ['a margin that is none', { runs: BETAS, over: ['KL_BETA'], margin: '-1' }, { key: 'plan.bad-size' }],
    [
      'a baseline outside',
      { runs: BETAS, over: ['KL_BETA'], baseline: 'plan-six' },
      { key: 'sweep.baseline-outside', params: { run: 'plan-six' } },
    ],
  ])('refuses %s', async (_, input, sentence) => {
    await expect(answerTo(workspace(), sweep, input)).rejects.toMatchObject({ sentence })
  })
})

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace } from '../../../test/workspace.js'
import { plan } from './plan.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

describe('plan', () => {
  const workspace = sharedWorkspace(
    ...['kl-beta-sweep', 'plan-six', 'grpo-addition'].map(name => `${EXAMPLES}/${name}`),
  )

  it('plans from the noise of runs: prompts for checkpoints, evaluations for runs, seeds for settings', async () => {
    const sides = ['kl-0.0/*', 'kl-0.1/*']
    const answer = await answerTo(workspace(), plan, { sides, difference: '10%', margin: '0.03' })
    expect(answer).toMatchObject({ power: 0.8, margin: 0.03 })
    for (const kind of ['prompts', 'evals', 'seeds', 'difference'] as const) expect(answer[kind]).toBeGreaterThan(0)
    expect(answer.forMargin?.seeds).toBeGreaterThan(0)
    expect(answer.assumptions.length).toBeGreaterThan(4)
    // Two hundred prompts differ by more than 2 % by luck alone.
    const small = await answerTo(workspace(), plan, { sides, difference: '2%', margin: '0.03' })
    expect(small.evals).toBeNull()
    expect(small.promptsPerEvaluation).toBeGreaterThan(200)
  })

  it('plans from given numbers, typed or not', async () => {
    const given = { difference: '0.079', sd: '0.13', prompts: '100', seedSd: 0.05 }
    const answer = await answerTo(workspace(), plan, given)
    const amounts = { prompts: 2126, unpairedPrompts: 4251, seeds: 8 }
    expect(answer).toMatchObject({ ...amounts, difference: 0.079, margin: null })
    const accuracy = await answerTo(workspace(), plan, { difference: '0.00275', p: '0.56', discordance: '0.05' })
    expect(accuracy).toMatchObject({ prompts: 51886 })
  })

  it('splits a budget between seeds and prompts', async () => {
    const costs = { budget: '100', costRun: '3', costPrompt: '0.001' }
    const { budget } = await answerTo(workspace(), plan, { difference: '0.02', p: '0.6', seedSd: '0.012', ...costs })
    expect(budget?.seeds).toBeGreaterThan(3)
    expect(budget?.prompts).toBeGreaterThan(200)
    expect(budget?.spent).toBeLessThanOrEqual(100)
  })

  it.each([
    ['nothing to plan for', {}, { key: 'plan.needs-size' }],
    ['no noise', { difference: '0.02' }, { key: 'plan.nothing-known' }],
    ['a share of nothing', { difference: '2%', sd: '1' }, { key: 'plan.share-of-nothing' }],
    [
      'a difference of zero',
      { difference: '0', p: '0.5' },
      { key: 'plan.bad-size', params: { option: '--difference', value: '0' } },
    ],
    ['a budget without costs', { difference: '0.1', p: '0.5', budget: '3' }, { key: 'plan.needs-costs' }],
    [
      'a run without the metric',
      { sides: ['plan-six'], metric: 'policy.entropy', difference: '0.1' },
      { key: 'plan.no-metric', params: { run: 'plan-six', metric: 'policy.entropy' } },
    ],
    ['three sides', { sides: ['kl-0.12', 'kl-0.15', 'kl-0.18'], difference: '1' }, { key: 'plan.two-sides' }],
    ['runs that are no replicates', { sides: ['kl-*'], difference: '1' }, { key: 'compare.not-replicates' }],
  ])('refuses %s', async (_, input, sentence) => {
    await expect(answerTo(workspace(), plan, input)).rejects.toMatchObject({ sentence })
  })
})

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../test/ask.js'
import { sharedWorkspace } from '../../test/workspace.js'
import { checkpoints } from './checkpoints.js'

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))

describe('checkpoints', () => {
  const workspace = sharedWorkspace(`${EXAMPLES}/grpo-addition/kl-0.1`, `${EXAMPLES}/plan-six/plan-six`)

  it('ranks by the validation score where no metric is named, with what is weighed beside it', async () => {
    const answer = await answerTo(workspace(), checkpoints, { run: 'kl-0.1/seed0' })
    const { ranking, best, indistinguishable, beside } = answer
    expect(answer).toMatchObject({ goal: 'max', metric: expect.stringContaining('val-core') })
    expect(ranking[0]).toMatchObject({ step: best.step, value: best.value })
    expect(indistinguishable).toContain(best.step)
    expect(Object.keys(ranking[0].others)).toEqual(beside)
  })

  it.each([
    ['a metric that it lacks', { run: 'kl-0.1/seed0', metric: 'nope' }, { key: 'show.no-metric' }],
    ['a metric without a direction', { run: 'kl-0.1/seed0', metric: 'actor/entropy' }, { key: 'checkpoints.no-goal' }],
    ['a name of several runs', { run: 'kl-0.1/*' }, { key: 'run.ambiguous' }],
    ['a name of none', { run: 'nobody' }, { key: 'run.unknown' }],
  ])('refuses %s', async (_, input, sentence) => {
    await expect(answerTo(workspace(), checkpoints, input)).rejects.toMatchObject({ sentence })
  })
})

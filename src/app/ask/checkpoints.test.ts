import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace } from '../../../test/workspace.js'
import { RunWriter } from '../../core/store/run-writer.js'
import { checkpoints } from './checkpoints.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

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

  it('ranks a run of Lever-Plus by its validation loss, and says why', async () => {
    const answer = await answerTo(workspace(), checkpoints, { run: 'plan-six' })
    expect(answer).toMatchObject({ metric: 'Val Loss', goal: 'min', best: { step: 2, value: 5.15152 } })
    expect(answer.judgedBy.sentence).toContain('because no validation score was logged')
  })

  it('takes a step within a KL where one is given, and ranks no other', async () => {
    const whole = await answerTo(workspace(), checkpoints, { run: 'kl-0.1/seed0' })
    const [kl = ''] = whole.beside.filter(name => name.includes('kl'))
    const budget = await answerTo(workspace(), checkpoints, { run: 'kl-0.1/seed0', maxKl: 0.15 })
    expect(budget.ranking.length).toBeLessThan(whole.ranking.length)
    expect(budget.ranking.map(({ step }) => step)).toContain(budget.take.step)
    const levels = budget.ranking.flatMap(({ others }) => (others[kl] === undefined ? [] : [Number(others[kl])]))
    expect(levels.reduce((sum, level) => sum + level, 0) / levels.length).toBeLessThan(0.16)
    expect(budget.reasons[0]).toContain('within a KL of 0.15')
  })

  it.each([
    ['a KL that no step keeps', { run: 'kl-0.1/seed0', maxKl: 1e-6 }, { key: 'budget.none' }],
    ['a metric that it lacks', { run: 'kl-0.1/seed0', metric: 'nope' }, { key: 'show.no-metric' }],
    ['a metric without a direction', { run: 'kl-0.1/seed0', metric: 'actor/entropy' }, { key: 'checkpoints.no-goal' }],
    ['a name of several runs', { run: 'kl-0.1/*' }, { key: 'run.ambiguous' }],
    ['a name of none', { run: 'nobody' }, { key: 'run.unknown' }],
  ])('refuses %s', async (_, input, sentence) => {
    await expect(answerTo(workspace(), checkpoints, input)).rejects.toMatchObject({ sentence })
  })
})

describe('checkpoints of a training on logged data', () => {
  const workspace = sharedWorkspace()

  it('are ranked by the loss over all queries, unless the score of the easy part is asked for; either way both are told', async () => {
    const writer = await RunWriter.open(workspace(), { id: 'k-logged', name: 'logged', source: 'klens' }, 'train')
    for (const [step, loss, score, n] of [
      [1, 5.5, 0.9, 12],
      [2, 5.3, 0.8, 14],
      [3, 5.4, 1, 9],
    ]) {
      const about = { step, condition: {}, quality: 'measured' } as const
      await writer.write(
        [
          { type: 'row', step, time: null, metrics: ['val.loss', 'val.score'], values: [loss, score] },
          { type: 'evaluation', evaluation: { ...about, metric: 'val.loss', value: loss, n: 24 } },
          { type: 'evaluation', evaluation: { ...about, metric: 'val.score', value: score, n } },
        ],
        null,
      )
    }
    await writer.close()
    const byDefault = await answerTo(workspace(), checkpoints, { run: 'logged' })
    expect(byDefault).toMatchObject({ metric: 'val.loss', goal: 'min', best: { step: 2 } })
    const byScore = await answerTo(workspace(), checkpoints, { run: 'logged', metric: 'val.score' })
    expect(byScore).toMatchObject({ metric: 'val.score', best: { step: 3 } })
    for (const { reasons } of [byDefault, byScore]) {
      expect(reasons.join('\n')).toMatch(/val\.score covers 9 to 14 of 24 queries.*val\.loss covers all 24/)
    }
  })
})

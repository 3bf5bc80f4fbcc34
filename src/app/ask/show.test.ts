import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace, temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { type SeriesAnswer, show } from './show.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))
const REWARD = 'val-core/interact_intention/reward/mean@1'

describe('show', () => {
  const workspace = sharedWorkspace(join(EXAMPLES, 'userrl-intentiongym'))

  it('gives every point of a metric, by its raw or its canonical name', async () => {
    const { series } = await answerTo(workspace(), show, { run: 'no-kl', metric: [REWARD] })
    expect(series).toEqual([
      {
        metric: REWARD,
        canonical: 'val.score',
        unit: null,
        goal: 'max',
        points: [
          [5, 1.818],
          [10, 2.14],
          [15, 1.84],
          [20, 1.83],
          [25, 1.75],
          [30, 1.788],
          [35, 2.04],
          [40, 2.003],
          [45, 2.202],
        ],
      },
    ])
    const canonical = await answerTo(workspace(), show, { run: 'no-kl', metric: ['val.score'] })
    expect(canonical.series).toEqual(series)
  })

  it('tells each series as it is read where that is asked for', async () => {
    const told: SeriesAnswer[] = []
    const input = { run: 'no-kl', points: 'streamed' }
    const { series, metrics } = await answerTo(workspace(), show, input, { onProgress: one => told.push(one) })
    expect(series).toEqual([])
    expect(told.map(({ metric }) => metric)).toEqual(metrics.map(({ metric }) => metric))
    expect(told).toEqual((await answerTo(workspace(), show, { run: 'no-kl' })).series)
  })

  it('has the objective card of a run whose config tells it, in the reader’s language', async () => {
    const { objective } = await answerTo(workspace(), show, { run: 'kl', lang: 'zh' })
    // The log keeps the coefficient alone; which gradient it has, nothing there tells.
    expect(objective?.kl).toMatchObject([{ place: 'loss', coefficient: 0.01, estimator: null, gradient: null }])
    expect(objective?.unknown).toContain('KL 的估计器')
  })

  it('has the telling curves first', async () => {
    const { series, metrics } = await answerTo(workspace(), show, { run: 'no-kl', points: 'telling' })
    expect(series[0].canonical).toBe('val.score')
    expect(series.length).toBeLessThanOrEqual(4)
    expect(metrics.length).toBeGreaterThanOrEqual(series.length)
  })

  it('says which settings take effect', async () => {
    const { settings } = await answerTo(workspace(), show, { run: 'no-kl' })
    expect(settings.find(({ key }) => key === 'kl.loss.on')).toMatchObject({ effective: false })
  })

  it('keeps estimates out of the points and shows them as estimates', async () => {
    const { series, integrity } = await answerTo(workspace(), show, { run: 'no-kl, partly estimated' })
    const estimated = series.find(({ estimates }) => estimates !== undefined && estimates.length > 1)
    expect(estimated?.estimates?.[0]).toEqual([10, 1.85])
    expect(estimated?.points).toHaveLength(2)
    expect(integrity.join()).toContain('marked as estimates')
  })

  it('imports a path on the fly', async () => {
    const { run } = await answerTo(workspace(), show, { run: join(EXAMPLES, 'plan-six', 'plan-six') })
    expect(run).toMatchObject({ name: 'plan-six', source: 'csv', steps: [1, 50] })
  })

  it('refuses a metric that the run lacks', async () => {
    const asked = answerTo(workspace(), show, { run: 'kl', metric: ['nope'] })
    await expect(asked).rejects.toMatchObject({ code: 'not-found', sentence: { key: 'show.no-metric' } })
  })

  it('says what each metric is to the training, and what to write down of those that it does not know', async () => {
    const own = await temporaryWorkspace()
    const log = join(temporaryFolder(), 'metrics.jsonl')
    const row = { 'rewards/a/mean': 1, 'rewards/b/mean': 1, reward: 2, "my/o'dd": 3, entropy: 1 }
    const validated = { eval_reward: 2, 'eval_rewards/a/mean': 1, 'eval_rewards/gold/mean': 0.5, 'val/strange': 7 }
    const rows = [1, 2, 3].map(step => JSON.stringify({ step, ...row, ...validated }))
    writeFileSync(log, `${rows.join('\n')}\n`)
    const shown = async () => (await answerTo(own, show, { run: log })).metrics
    const byName = new Map((await shown()).map(each => [each.metric, each]))
    const roles = Object.fromEntries([...byName].map(([name, { role }]) => [name, role]))
    expect(roles).toEqual({
      entropy: 'training',
      eval_reward: 'optimised',
      'eval_rewards/a/mean': 'part',
      'eval_rewards/gold/mean': 'independent',
      "my/o'dd": 'unknown',
      reward: 'training-reward',
      'rewards/a/mean': 'reward-part',
      'rewards/b/mean': 'reward-part',
      'val/strange': 'unknown',
    })
    expect([...byName.values()].filter(each => each.isYardstick)).toMatchObject([{ metric: 'eval_rewards/gold/mean' }])
    expect(byName.get("my/o'dd")).toMatchObject({ canonical: null, vocabulary: "NAME: ['my/o''dd']" })
    const line = byName.get('val/strange')?.vocabulary
    expect(line).toBe("val.score: ['val/strange']")
    // The line does what it says.
    writeFileSync(join(own.root, 'vocabulary.yaml'), `metrics:\n  ${line}\n  agent.calls: ["my/o'dd"]\n`)
    expect(await shown()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ metric: 'val/strange', canonical: 'val.score', isYardstick: true, vocabulary: null }),
        expect.objectContaining({
          metric: "my/o'dd",
          role: 'training',
          reason: 'vocabulary.yaml calls it agent.calls',
        }),
      ]),
    )
  })
})

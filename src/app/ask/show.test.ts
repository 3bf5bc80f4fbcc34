import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace } from '../../../test/workspace.js'
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
})

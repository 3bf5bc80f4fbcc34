import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeLab } from '../support/labs.js'
import { HEALTHY } from '../support/real-runs.js'
import { sweepIn } from '../support/sweep.js'
import { sharedFolder } from '../workspace.js'

describe('real runs with eight seeds each', () => {
  const home = sharedFolder()
  const sweepOf = sweepIn(home)
  const folder = join(home, 'addition')
  beforeAll(() => writeLab(folder, 'addition', ({ group }) => HEALTHY.includes(group)))
  const groups = (...names: readonly string[]): string[] => names.map(name => join(folder, name))

  it('show that the KL coefficient matters, and that it is 0.3 that costs', async () => {
    const { matters, verdicts } = await sweepOf(groups('kl-0.0', 'kl-0.01', 'kl-0.1', 'kl-0.3'))
    expect(matters).toBe(true)
    expect(verdicts.map(({ question, answer, scope }) => [question, answer, scope])).toEqual([
      ['trend', 'worse', 'configs'],
      ['final', 'undetermined', 'configs'],
      ['final', 'undetermined', 'configs'],
      ['final', 'worse', 'configs'],
    ])
  })

  it('show for none of the three settings of the confounded treatment that it does anything', async () => {
    const { matters, verdicts } = await sweepOf(
      groups('kl-0.0', 'kl-0.01', 'ent-only', 'cosine-only', 'kl-ent-cosine'),
      { over: ['kl.loss.coef', 'entropy.coef', 'lr.schedule'] },
    )
    expect(matters).toBeNull()
    const effects = verdicts.filter(({ question }) => question === 'trend')
    expect(effects.map(({ other, scope }) => [other, scope])).toEqual([
      ['kl.loss.coef=0.01', 'configs'],
      ['entropy.coef=0.01', 'configs'],
      ['lr.schedule=cosine', 'configs'],
    ])
    for (const { answer, interval } of effects) {
      expect(answer).toBe('undetermined')
      expect(Math.max(...(interval ?? [1]).map(Math.abs))).toBeLessThan(0.02)
    }
  })
})

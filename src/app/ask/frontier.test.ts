import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { type Dialect, writeLearnedLab } from '../../../test/support/labs.js'
import { sharedWorkspace } from '../../../test/workspace.js'
import { forecast } from './forecast.js'
import { frontier } from './frontier.js'
import { importRuns } from './import.js'

/** Runs that chase a learned reward: true score falls without a penalty, is best at 0.3 and lower at 1. */
describe.each(['trl', 'renamed', 'verl'] as const)('a learned reward, logged as %s', (dialect: Dialect) => {
  const workspace = sharedWorkspace()
  const folder = mkdtempSync(join(tmpdir(), 'klens-frontier-'))

  beforeAll(async () => {
    writeLearnedLab(folder, 'letters', dialect, ({ group }) => group.startsWith('beta-'))
    await answerTo(workspace(), importRuns, { paths: [folder] })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is best at the coefficient that is best in truth, and overoptimised settings are beyond the peak', async () => {
    const answer = await answerTo(workspace(), frontier, { runs: ['beta-*'], maxKl: 0.05 })
    const [coefficient] = answer.over
    expect(answer.peak?.setting).toBe(`${coefficient}=0.3`)
    expect(answer.peak?.candidates).toEqual([`${coefficient}=0.3`])
    expect(answer.peak?.beyond.map(({ setting }) => setting)).toContain(`${coefficient}=0`)
    expect(answer.settings.find(({ label }) => label.endsWith('=0'))?.dominated).toBe(true)
    expect(answer.pairs.every(({ score }) => score.answer === 'better')).toBe(true)
    expect(answer.pairs.every(({ equalKl }) => equalKl === null || equalKl.difference === null)).toBe(true)
    expect(answer.within).toMatchObject({ best: `${coefficient}=1`, candidates: [`${coefficient}=1`] })
    expect(answer.judgedBy.role).toBe('independent')
  })

  it('is forecast from other runs, with an interval only where they vouch for it', async () => {
    const seen = await answerTo(workspace(), forecast, { run: 'beta-0.3/seed0', at: 200, until: 400, target: 0.2 })
    expect(seen.history.runs).toBe(24)
    if (seen.final === null) expect(seen.reasons[0]).toContain('finished runs')
    else {
      const [low, high] = seen.final.interval
      expect(low).toBeLessThan(high)
      expect(seen.passes?.probability).toBeGreaterThan(0.5)
    }
    const ended = await answerTo(workspace(), forecast, { run: 'beta-0.3/seed0', until: 400 })
    expect(ended).toMatchObject({ final: null, passes: null, gain: null })
  })
})

describe('runs whose KL cannot be put on one axis', () => {
  const workspace = sharedWorkspace()
  const folder = mkdtempSync(join(tmpdir(), 'klens-frontier-'))

  beforeAll(async () => {
    writeLearnedLab(join(folder, 'a'), 'letters', 'trl', ({ group }) => group === 'beta-0.0')
    writeLearnedLab(join(folder, 'b'), 'letters', 'verl', ({ group }) => group === 'beta-0.3')
    await answerTo(workspace(), importRuns, { paths: [folder] })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('are refused by name', async () => {
    const asked = answerTo(workspace(), frontier, { runs: ['*beta-*'], metric: 'val.score' })
    await expect(asked).rejects.toMatchObject({ sentence: { key: 'frontier.mixed' } })
  })
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../stats/random.js'
import { loadRun } from '../../store/catalogue.js'
import { importLogs } from '../../store/ingest.js'
import { openWorkspace } from '../../store/workspace.js'
import { viewRun } from '../run-view.js'
import { compareRuns } from './compare-runs.js'
import { sideOf } from './evidence.js'
import type { ComparisonResult } from './result.js'

/** Better on short problems, worse on long ones, and sixty training metrics in which nothing differs. */
describe('two runs with three validation sets and many metrics', () => {
  const home = mkdtempSync(join(tmpdir(), 'klens-test-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const GAINS = { short: 0.06, medium: 0, long: -0.05 }
  const NULLS = 60
  let comparison: ComparisonResult | null = null

  beforeAll(async () => {
    const random = seededRandom(11)
    const sticky = Array.from({ length: NULLS }, random.normal)
    for (const name of ['a', 'b']) {
      mkdirSync(join(home, name))
      const header = ['step', ...Object.keys(GAINS).map(set => `val-core/${set}/acc/mean@1`), 'moved']
      const nulls = Array.from({ length: NULLS }, (_, i) => `other/${i}`)
      const rows = Array.from({ length: 60 }, (_, i) => {
        const scores = Object.values(GAINS).map(gain => 0.6 + (name === 'b' ? gain : 0) + 0.02 * random.normal())
        const moved = (name === 'b' ? 1 : 0) + random.normal()
        return [
          i + 1,
          ...scores,
          moved,
          ...nulls.map((_, k) => {
            sticky[k] = 0.5 * sticky[k] + random.normal()
            return sticky[k]
          }),
        ].join()
      })
      writeFileSync(join(home, name, 'metrics.csv'), [[...header, ...nulls].join(), ...rows].join('\n'))
      writeFileSync(join(home, name, 'config.json'), JSON.stringify({ name }))
    }
    const workspace = await openWorkspace(home, {})
    const { runs } = await importLogs(workspace, [join(home, 'a'), join(home, 'b')])
    const words = { user: undefined, problems: [] }
    const sides = await Promise.all(
      runs.map(async ({ id, name }) => {
        const run = await loadRun(workspace, id)
        return sideOf(name, run === null ? [] : [viewRun(run, words)], null)
      }),
    )
    const wanted = { metric: 'val.score', goal: null, margin: null, seedSd: null, all: true }
    comparison = await compareRuns(workspace, words, sides, wanted)
  })

  it('are judged on every set, and the headline says where the sets disagree', () => {
    const { verdicts = [], others: [other] = [] } = comparison ?? {}
    const headline = verdicts[other.headline]
    expect(other.sets.map(({ answer }) => answer)).toEqual(['better', 'undetermined', 'worse'])
    expect(headline).toMatchObject({ metric: 'val-core/short/acc/mean@1', answer: 'better' })
    expect(headline.reasonKeys.slice(0, 3)).toEqual(['sets.differ', 'sets.undetermined', 'sets.worse'])
    const first = other.verdicts.slice(0, 5).map(at => verdicts[at])
    expect(first.every(({ metric, question }) => metric === headline.metric || question === 'cost')).toBe(true)
    expect(headline.reasonKeys).toContain('adjusted.holm')
  })

  it('show three phases without a verdict on them', () => {
    const phases = comparison?.others[0].phases ?? []
    expect(phases.map(({ from, to }) => [from, to])).toEqual([
      [1, 20],
      [21, 40],
      [41, 60],
    ])
    for (const { baseline, other } of phases) expect(other - baseline).toBeCloseTo(0.06, 1)
  })

  it('show a q for every metric: what is called by chance is not called after correction', () => {
    const differences = comparison?.differences ?? []
    const ofNulls = differences.filter(({ metric }) => metric.startsWith('other/'))
    expect(ofNulls).toHaveLength(NULLS)
    expect(ofNulls.some(({ p }) => p < 0.05)).toBe(true)
    expect(ofNulls.every(({ q }) => q > 0.05)).toBe(true)
    expect(differences.find(({ metric }) => metric === 'val-core/short/acc/mean@1')?.q).toBeLessThan(0.05)
  })
})

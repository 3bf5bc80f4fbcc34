import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRun } from '../store/catalogue.js'
import { importLogs } from '../store/ingest.js'
import { loadVocabulary, type WorkspaceVocabulary } from '../store/vocabulary.js'
import { openWorkspace, type Workspace } from '../store/workspace.js'
import { compareRuns } from './compare/compare-runs.js'
import { sideOf } from './compare/evidence.js'
import { withoutCopies } from './conventions.js'
import { type RunView, viewRun } from './run-view.js'
import { loadSweep } from './sweep/load.js'
import { sweepOver } from './sweep/sweep.js'

/** Two runs whose KL coefficient only the user's own vocabulary knows, and whose difference hangs together. */
describe('a run as every question sees it', () => {
  const home = mkdtempSync(join(tmpdir(), 'klens-test-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  let workspace: Workspace
  let words: WorkspaceVocabulary
  let runs: readonly RunView[]

  beforeAll(async () => {
    mkdirSync(join(home, '.klens'))
    writeFileSync(join(home, '.klens', 'vocabulary.yaml'), 'config:\n  kl.loss.coef: [my_kl_knob]\n')
    for (const [name, coefficient] of Object.entries({ a: 0.1, b: 0.2, c: 0.2 })) {
      mkdirSync(join(home, name))
      writeFileSync(join(home, name, 'config.json'), JSON.stringify({ my_kl_knob: coefficient }))
      writeFileSync(join(home, name, 'metrics.csv'), tableOf(name))
    }
    workspace = await openWorkspace(home, {})
    words = await loadVocabulary(workspace)
    const { runs: imported } = await importLogs(workspace, [join(home, 'a'), join(home, 'b'), join(home, 'c')])
    const loaded = await Promise.all(imported.map(({ id }) => loadRun(workspace, id)))
    runs = loaded.filter(run => run !== null).map(run => viewRun(run, words))
  })

  /** The third log is the second one again. */
  function tableOf(name: string): string {
    const rows = Array.from({ length: 60 }, (_, i) => {
      const wander = 0.02 * Math.sin(i / 3)
      return `${5 * (i + 1)},${(0.5 + (name === 'a' ? 0 : 0.05 + wander) + 0.001 * ((i * 7) % 5)).toFixed(6)}`
    })
    return ['step,val/test_score/math', ...rows].join('\n')
  }

  const wanted = { metric: 'val.score', goal: null, margin: null, seedSd: null }

  it('knows an alias of vocabulary.yaml in a comparison and in a sweep', async () => {
    const sides = runs.slice(0, 2).map((run, i) => sideOf(`side ${i}`, [run], null))
    const comparison = await compareRuns(workspace, words, sides, wanted)
    expect(comparison?.confounds).toEqual([{ key: 'kl.loss.coef', values: [0.1, 0.2], knob: 'kl' }])
    const { keys, blocks } = await loadSweep(runs.slice(0, 2), ['kl.loss.coef'], 'val.score')
    expect(keys).toEqual(['kl.loss.coef'])
    expect(blocks.unknown).toEqual([])
  })

  it('gets the same tags and the same interval from a comparison as from a sweep', async () => {
    const pair = runs.slice(0, 2)
    const sides = pair.map((run, i) => sideOf(`side ${i}`, [run], null))
    const result = await compareRuns(workspace, words, sides, wanted)
    const compared = result?.verdicts[result.headline.verdict]
    const loaded = await loadSweep(pair, ['kl.loss.coef'], 'val.score')
    const request = { keys: loaded.keys, metric: 'val.score', goal: 'max', margin: null, baseline: null, others: [] }
    const [swept] = sweepOver(loaded.runs, { ...request, goal: 'max' as const }).verdicts
    expect(swept).toMatchObject({ question: compared?.question, answer: compared?.answer, tags: compared?.tags })
    expect(swept.interval).toEqual(compared?.interval)
    expect(swept.method).toEqual(compared?.method)
  })

  it('is not counted twice where it was copied', () => {
    const { runs: kept, copies } = withoutCopies(runs)
    expect(kept.map(({ manifest }) => manifest.name)).toEqual(['a', 'b'])
    expect(copies.map(({ manifest }) => manifest.name)).toEqual(['c'])
    expect(withoutCopies(copies).runs).toEqual(copies)
  })

  it('is left out of a comparison when it is a copy, and the answer says so', async () => {
    const sides = [sideOf('first', runs.slice(0, 1), null), sideOf('second', runs.slice(1), null)]
    expect(sides[1].runs).toHaveLength(1)
    const comparison = await compareRuns(workspace, words, sides, wanted)
    expect(comparison?.warnings.map(({ key }) => key)).toEqual(['copies.left-out'])
    expect(comparison?.verdicts[comparison.headline.verdict].reasonKeys).toContain('compare.one-seed')
  })
})

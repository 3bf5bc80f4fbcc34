import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../stats/random.js'
import { emptyManifest, type Manifest } from '../store/manifest.js'
import { workspaceAt } from '../store/workspace.js'
import { compareSides, headline } from './compare/judge-sides.js'
import { growthOf, standingOf } from './growing.js'
import { viewRun } from './run-view.js'

const NOW = 1_800_000_000_000

function run(config: Manifest['config'], status: Manifest['status'], last: number, minutesAgo = 1) {
  const files = [{ path: 'metrics.jsonl', role: 'log', modifiedMs: NOW - 60_000 * minutesAgo }]
  const metrics = new Map([['loss', { firstStep: 1, lastStep: last, axis: null }]])
  // Only what is looked at: a whole record would say nothing more here.
  const manifest = { ...emptyManifest('id', 'run', 'verl'), config, status, files, metrics } as unknown as Manifest
  return viewRun(
    { workspace: workspaceAt('nowhere'), folder: 'run', manifest, live: null },
    { user: undefined, problems: [] },
  )
}

const PLAN = { 'trainer.total_training_steps': 400 }

describe('a run that still grows', () => {
  it('is told by its status, or by a young log that falls short of its plan', () => {
    expect(growthOf([run(PLAN, 'running', 100)], NOW)).toEqual({ planned: 400 })
    expect(growthOf([run({}, 'running', 100)], NOW)).toEqual({ planned: null })
    expect(growthOf([run(PLAN, 'unknown', 100)], NOW)).toEqual({ planned: 400 })
    expect(growthOf([run(PLAN, 'unknown', 100, 600)], NOW)).toBeNull()
    expect(growthOf([run(PLAN, 'unknown', 400)], NOW)).toBeNull()
    expect(growthOf([run({}, 'unknown', 100)], NOW)).toBeNull()
    expect(growthOf([run(PLAN, 'finished', 100), run(PLAN, 'running', 50)], NOW)).toEqual({ planned: 100 })
  })

  it('is judged at looks only: between two of them nothing changes', () => {
    expect(standingOf({ planned: 400 }, 40).level).toBe(0)
    expect(standingOf({ planned: 400 }, 55)).toEqual(standingOf({ planned: 400 }, 95))
    expect(standingOf({ planned: 400 }, 110)).toMatchObject({ until: 100, level: 0.0026 })
    expect(standingOf({ planned: null }, 110).level).toBe(0)
  })

  it('gets the same verdict whatever was evaluated since the last look', () => {
    const random = seededRandom(4)
    const steps = Array.from({ length: 80 }, (_, i) => 5 * (i + 1))
    const values = [0, 0.2].map(gap => steps.map(() => 0.5 + gap + 0.05 * random.normal()))
    const at = (n: number) => {
      const unknown = new Float64Array(n).fill(Number.NaN)
      const sides = values.map((all, i) => ({
        label: `side ${i}`,
        series: [
          {
            steps: Float64Array.from(steps.slice(0, n)),
            values: Float64Array.from(all.slice(0, n)),
            times: unknown,
            segments: unknown,
          },
        ],
      }))
      const request = { metric: 'val.score', goal: 'max', margin: null, growing: { planned: 400 } } as const
      return headline(compareSides(sides, request).verdicts)
    }
    expect(at(8)).toMatchObject({ answer: 'undetermined' })
    expect(at(45)).toEqual(at(40))
    expect(at(60)).toEqual(at(40))
    expect(at(60).answer).toBe('better')
  })
})

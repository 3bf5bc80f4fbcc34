import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../stats/random.js'
import type { Look } from '../store/looks.js'
import { emptyManifest, type Manifest } from '../store/manifest.js'
import { workspaceAt } from '../store/workspace.js'
import { compareSides, headline } from './compare/judge-sides.js'
import { growthOf, levelOfLook, standingOf } from './growing.js'
import { viewRun } from './run-view.js'

function run(config: Manifest['config'], status: Manifest['status'], last: number, statusTold?: Manifest['status']) {
  const metrics = new Map([['loss', { firstStep: 1, lastStep: last, axis: null }]])
  const known = { ...emptyManifest('id', 'run', 'verl'), config, status, metrics }
  // Only what is looked at: a whole record would say nothing more here.
  const manifest = { ...known, ...(statusTold !== undefined && { statusTold }) } as unknown as Manifest
  return viewRun(
    { workspace: workspaceAt('nowhere'), folder: 'run', manifest, live: null },
    { user: undefined, problems: [] },
  )
}

const PLAN = { 'trainer.total_training_steps': 400 }

describe('a run that may still grow', () => {
  it.each(['running', 'unknown', 'killed', 'failed'] as const)(
    'is one that falls short of its plan, whatever its status: %s',
    status => {
      expect(growthOf([run(PLAN, status, 100)])).toEqual({ planned: 400 })
      expect(growthOf([run(PLAN, status, 400)])).toBeNull()
      expect(growthOf([run(PLAN, status, 399)])).toBeNull()
      expect(growthOf([run(PLAN, status, 100)], { ended: true })).toBeNull()
    },
  )

  it('is one without a plan, unless its log says that it finished: an old file says nothing', () => {
    expect(growthOf([run({}, 'running', 100)])).toEqual({ planned: null })
    expect(growthOf([run({}, 'unknown', 100)])).toEqual({ planned: null })
    expect(growthOf([run({}, 'finished', 100, 'unknown')])).toEqual({ planned: null })
    expect(growthOf([run({}, 'finished', 100)])).toBeNull()
    expect(growthOf([run(PLAN, 'finished', 100, 'finished')])).toBeNull()
    expect(growthOf([run(PLAN, 'finished', 100), run(PLAN, 'running', 50)])).toEqual({ planned: 100 })
    expect(growthOf([run({}, 'unknown', 100), run(PLAN, 'running', 50)])).toEqual({ planned: null })
  })

  it('is judged at planned looks only: between two of them nothing changes', () => {
    expect(standingOf({ planned: 400 }, 40).level).toBe(0)
    expect(standingOf({ planned: 400 }, 55)).toEqual(standingOf({ planned: 400 }, 95))
    expect(standingOf({ planned: 400 }, 110)).toMatchObject({ until: 100, level: 0.0026 })
  })

  it('is judged at the looks that were made where there is no plan, and all looks share one level', () => {
    const at = (reached: number, ...looks: readonly Look[]) => standingOf({ planned: null, looks: [looks] }, reached)
    const [first, second] = [
      { n: 20, until: 100 },
      { n: 40, until: 200 },
    ]
    expect(at(100)).toMatchObject({ level: 0.038, tags: ['looked-once'], reason: null })
    expect(at(100, first)).toMatchObject({ until: 100, level: 0.038, tags: ['looked-once'] })
    expect(at(150, first)).toMatchObject({ until: 100, level: 0.038, reason: { params: { look: 1, next: 40 } } })
    expect(at(200, first, second)).toMatchObject({ until: 200, level: 0.0094, reason: { params: { look: 2 } } })
    expect(at(90, first, second)).toMatchObject({ level: 0.038 })
    const spent = Array.from({ length: 50 }, (_, look) => levelOfLook(look)).reduce((sum, level) => sum + level)
    expect(spent).toBeCloseTo(0.05, 9)
    expect(levelOfLook(0) + levelOfLook(1, { last: true })).toBeCloseTo(0.05, 9)
  })

  it('has after its end what the looks before have left', () => {
    const ended = (looks: readonly Look[]) => standingOf({ planned: null, looks: [looks], ended: true }, 400)
    expect(ended([])).toMatchObject({ level: 0.05, reason: null, tags: [] })
    expect(ended([{ n: 20, until: 100 }])).toMatchObject({ level: 0.013, reason: { params: { looks: 1 } } })
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

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { intervalOf, welch } from '../../../stats/student-estimate.js'
import { legsOf } from './legs.js'
import { equalKlAt, klLevel, type PathPoint, pathOf } from './paths.js'

const lab = z.object({
  every: z.number(),
  settings: z.record(z.string(), z.array(z.object({ kl: z.array(z.number()), score: z.array(z.number()) }))),
})
const labs = z
  .record(z.string(), lab)
  .parse(JSON.parse(readFileSync(new URL('../../../../test/data/labs/kl-paths.json', import.meta.url), 'utf8')))

/** KL is averaged over so many steps, as a chart smooths it: early on it overshoots and falls back. */
const SMOOTHED = 40

function settingOf(name: string, group: string) {
  const { every, settings } = labs[name]
  const size = SMOOTHED / every
  const paths = settings[group].map(({ kl, score }) =>
    score.slice(size - 1).map((value, i): PathPoint => {
      const level = kl.slice(i, i + size).reduce((sum, each) => sum + each / size, 0)
      return { step: (i + size) * every, kl: level, score: value, optimised: null }
    }),
  )
  return { label: group, paths }
}

/** What a reader of the picture does: the scores at equal KL, whatever the steps. */
function naive(first: ReturnType<typeof settingOf>, second: ReturnType<typeof settingOf>, kl: number) {
  const [a, b] = [first, second].map(({ paths }) =>
    paths.flatMap(path => path.find(point => point.kl >= kl)?.score ?? []),
  )
  return a.length < 2 || b.length < 2 ? null : intervalOf(welch(a, b))
}

const CELLS = [
  { name: 'addition', baseline: 'kl-0.0', other: 'kl-0.1', kl: 0.2 },
  { name: 'addition', baseline: 'kl-0.0', other: 'kl-0.1', kl: 0.25 },
  { name: 'addition', baseline: 'cosine-only', other: 'kl-ent-cosine', kl: 0.2 },
  { name: 'sorting', baseline: 'lr-x3', other: 'lr-x3-kl-0.1', kl: 0.15 },
  { name: 'sorting', baseline: 'kl-0.0', other: 'kl-0.1', kl: 0.1 },
  { name: 'sorting', baseline: 'other-start', other: 'other-start-kl-0.1', kl: 0.1 },
] as const

describe('scores at equal KL', () => {
  it.each(CELLS)('claim nothing on the labs: $name, $other against $baseline at $kl', cell => {
    const [first, second] = [cell.baseline, cell.other].map(group => settingOf(cell.name, group))
    const found = equalKlAt(first, second, cell.kl)
    const [low, high] = found?.difference?.interval ?? [-1, 1]
    expect(low <= 0 && high >= 0).toBe(true)
  })

  it.each([CELLS[0], CELLS[3]])(
    'would favour the penalty in a plain picture, which had trained longer: $name',
    cell => {
      const [first, second] = [cell.baseline, cell.other].map(group => settingOf(cell.name, group))
      expect(naive(first, second, cell.kl)?.low).toBeGreaterThan(0)
      const found = equalKlAt(first, second, cell.kl)
      expect(found?.difference).toBeNull()
      expect(found?.other.step).toBeGreaterThan(1.5 * (found?.baseline.step ?? Number.NaN))
    },
  )

  it('are compared where both got there at the same time', () => {
    const path = (score: number) => [10, 20, 30].map(step => ({ step, kl: step / 100, score, optimised: null }))
    const [a, b] = [
      { label: 'a', paths: [0.4, 0.41, 0.42].map(path) },
      { label: 'b', paths: [0.5, 0.51, 0.52].map(path) },
    ]
    expect(equalKlAt(a, b, 0.2)).toMatchObject({
      baseline: { step: 20, runs: 3 },
      difference: { estimate: expect.closeTo(0.1) },
    })
    expect(equalKlAt(a, { ...b, paths: b.paths.slice(1) }, 0.2)?.difference).toBeNull()
    expect(equalKlAt(a, b, 0.9)).toBeNull()
  })
})

const RISE = Array.from({ length: 20 }, (_, i) => 0.02 * (i + 1))
const TWO_LEGS = [...RISE, 0.004, ...RISE].map((kl, i) => ({ step: i + 1, kl }))
const UNKNOWN = { told: [], every: null, isMoving: false }

describe('legs of a reference that is reset', () => {
  it('are seen where KL falls to nothing within a step, and added up', () => {
    const { points, resets } = legsOf(TWO_LEGS, UNKNOWN)
    expect(resets).toEqual([21])
    expect(points[20].kl).toBeCloseTo(0.404)
    expect(points.at(-1)?.kl).toBeCloseTo(0.8)
  })

  it('are taken from the log where it counts them, and from the settings where these say how often', () => {
    const told = TWO_LEGS.map(({ step }) => ({ step, kl: step > 15 ? 1 : 0 }))
    expect(legsOf(TWO_LEGS, { ...UNKNOWN, told }).resets).toEqual([16])
    expect(legsOf(TWO_LEGS, { ...UNKNOWN, every: 20, isMoving: true }).resets).toEqual([21, 41])
  })

  it('are not seen where a penalty pulls KL down, or the reference only drifts', () => {
    const pulled = [...RISE, 0.2, 0.1, 0.05, 0.02, 0.01, 0.01, 0.01].map((kl, i) => ({ step: i + 1, kl }))
    expect(legsOf(pulled, UNKNOWN).resets).toEqual([])
    expect(legsOf(TWO_LEGS, { ...UNKNOWN, isMoving: true }).resets).toEqual([])
  })
})

describe('the path of a run', () => {
  it('takes the mean KL since the evaluation before, and none from before a reset', () => {
    const { points, resets } = legsOf(TWO_LEGS, UNKNOWN)
    const scores = new Map([
      [10, 0.5],
      [22, 0.6],
      [41, 0.7],
    ])
    const path = pathOf(scores, points, { resets, optimised: new Map([[22, 0.9]]) })
    expect(path.map(({ step, optimised }) => [step, optimised])).toEqual([
      [10, null],
      [22, 0.9],
      [41, null],
    ])
    expect(path[0].kl).toBeCloseTo(0.11)
    expect(path[1].kl).toBeCloseTo(0.4 + (0.004 + 0.02) / 2)
  })

  it('has no level where nothing was logged, or only zeros', () => {
    expect(klLevel([], [10, 20])).toBeNull()
    expect(klLevel([{ step: 10, kl: 0 }], [10])).toBeNull()
    expect(klLevel(TWO_LEGS, [11, 20])).toBeCloseTo(0.31)
  })
})

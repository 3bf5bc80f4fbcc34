import { compareStability } from '../../src/core/analysis/compare/stability.js'
import type { Verdict } from '../../src/logs/model/verdict.js'
import { lagOne, standardDeviation } from '../../src/stats/descriptive.js'
import type { Random } from '../../src/stats/random.js'
import { fasterCourse, kindOf, noise, SPREAD, saturating } from '../noise.js'
import { fCdf } from '../rivals.js'
import { at, type Cell, grid, type Study } from '../study.js'
import { answerTo, compareCurves, measuredSide } from '../verdicts.js'

/** As the share of the run after which most is learnt: a first and a second run that learns as fast, or three times slower. */
const PACES = { alike: [0.15, 0.15], unlike: [0.15, 0.45] } as const

/** Equal noise of every shape that the method was not made for, and of the simplest one with unequal spreads. */
const SHAPES = [
  't3',
  't2',
  'skewed',
  'lognormal',
  'outliers',
  'outliers-5',
  'outliers-1',
  'shrinking-5',
  'shrinking-20',
  'growing-10',
  'burst',
  'ties',
  'slow-half',
  'smoothed-5',
  'phases',
]

/** Which of two runs wobbles less? The ratio of their true spreads is `ratio`, that of one evaluation `sd`. */
export const stability: Study = {
  name: 'stability',
  cells: [
    ...grid({ kind: ['normal'], T: [9, 20, 50, 100], rho: [0, 0.3, 0.6], ratio: [1, 1.5, 2, 3] }),
    ...grid({ kind: SHAPES, T: [9, 20, 50, 100, 200], rho: [0.3], ratio: [1] }),
    ...grid({ kind: SHAPES, T: [50], rho: [0.3], ratio: [2] }),
    ...grid({
      course: ['unlike'],
      sd: [0.01, 0.03],
      kind: ['normal'],
      T: [9, 20, 50, 100],
      rho: [0, 0.3, 0.6],
      ratio: [1],
    }),
  ],
  share: () => 0.2,
  once: (cell, random) => {
    const ratio = at(cell, 'ratio')
    const [first, second] = coursesOf(cell, random, 1)
    const { answer, interval, tags } = steadier(first, second)
    const claimed = answer !== 'undetermined'
    const [a, b] = [first[0], second[0]]
    const raw = standardDeviation(b) / standardDeviation(a)
    const tail = fCdf(raw ** 2, a.length - 1, b.length - 1)
    return {
      claimed: Number(claimed),
      firm: Number(claimed && !tags.includes('fragile')),
      wrong: Number(answer === 'better' || answer === 'lower'),
      covered: interval === null ? Number.NaN : Number(interval[0] <= ratio && ratio <= interval[1]),
      plainF: Number(2 * Math.min(tail, 1 - tail) < 0.05),
      rawBeyond124: Number(raw > 1.24 || raw < 1 / 1.24),
      lagOne: lagOne(a),
    }
  },
}

/** The same with several runs a side, which would see the least bend of a curve as noise. */
export const stabilityOfRuns: Study = {
  name: 'stability-runs',
  cells: [
    ...grid({
      course: ['unlike'],
      sd: [0.003, 0.01, 0.03],
      kind: ['normal'],
      K: [3, 10],
      T: [9, 20, 50],
      rho: [0, 0.6],
      ratio: [1],
    }),
    ...grid({ kind: ['t2', 'lognormal', 'phases'], K: [3, 10], T: [9, 20, 50], rho: [0.3], ratio: [1] }),
    ...grid({ kind: ['normal'], K: [3, 5, 10], T: [9, 20, 50], rho: [0.3], ratio: [1.5, 2] }),
  ],
  share: () => 0.2,
  once: (cell, random) => {
    const [first, second] = coursesOf(cell, random, at(cell, 'K'))
    return { claimed: Number(steadier(first, second).answer !== 'undetermined') }
  },
}

function coursesOf(cell: Cell, random: Random, runs: number): readonly (readonly Float64Array[])[] {
  const n = at(cell, 'T')
  const paces = PACES[cell.course === 'unlike' ? 'unlike' : 'alike']
  const spreads = [1, at(cell, 'ratio')].map(factor => factor * (cell.sd === undefined ? 0.03 : at(cell, 'sd')))
  return paces.map((pace, side) =>
    Array.from({ length: runs }, () =>
      noise(random, n, at(cell, 'rho'), kindOf(cell)).map((value, i) => saturating(i, n, pace) + spreads[side] * value),
    ),
  )
}

function steadier(first: readonly Float64Array[], second: readonly Float64Array[]): Verdict {
  const asked = { question: 'stability', metric: 'score', goal: null, baseline: 'a', other: 'b', margin: null } as const
  return compareStability(asked, measuredSide('a', first).series, measuredSide('b', second).series, null)
}

/** Who reaches a common level sooner? At `speed` 1 nobody does. */
export const speed: Study = {
  name: 'speed',
  cells: grid({ T: [9, 20, 50], rho: [0, 0.3, 0.6], speed: [1, 2, 4] }),
  share: ({ speed }) => (speed === 1 ? 0.1 : 0.05),
  once: (cell, random) => {
    const n = at(cell, 'T')
    const run = (factor: number): Float64Array =>
      noise(random, n, at(cell, 'rho')).map((value, i) => fasterCourse(i, n, factor) + SPREAD * value)
    const first = run(1)
    const second = run(at(cell, 'speed'))
    const { answer } = answerTo('speed', compareCurves([first], [second], { goal: 'max' }))
    return {
      claimed: Number(answer !== 'undetermined'),
      wrong: Number(answer === 'worse'),
      argmaxDiffers: Number(first.indexOf(Math.max(...first)) !== second.indexOf(Math.max(...second))),
    }
  },
}

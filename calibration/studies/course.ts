import { lagOne, standardDeviation } from '../../src/stats/descriptive.js'
import { course, fasterCourse, kindOf, noise, SPREAD } from '../noise.js'
import { fCdf } from '../rivals.js'
import { at, grid, type Study } from '../study.js'
import { answerTo, compareCurves } from '../verdicts.js'

/** Which of two runs wobbles less? The ratio of their true spreads is `ratio`. */
export const stability: Study = {
  name: 'stability',
  cells: [
    ...grid({ kind: ['normal'], T: [9, 20, 50, 93], rho: [0, 0.3, 0.6], ratio: [1, 1.5, 2, 3] }),
    ...grid({
      kind: ['t3', 'skewed', 'outliers', 'shrinking-5', 'shrinking-20', 'slow-half', 'smoothed-5'],
      T: [9, 20, 50, 93],
      rho: [0.3],
      ratio: [1, 2],
    }),
  ],
  share: ({ ratio }) => (ratio === 1 ? 0.5 : 0.2),
  once: (cell, random) => {
    const n = at(cell, 'T')
    const run = (factor: number): Float64Array =>
      noise(random, n, at(cell, 'rho'), kindOf(cell)).map((value, i) => course(i, n) + factor * SPREAD * value)
    const first = run(1)
    const second = run(at(cell, 'ratio'))
    const { answer, interval } = answerTo('stability', compareCurves([first], [second]))
    const raw = standardDeviation(second) / standardDeviation(first)
    const tail = fCdf(raw ** 2, n - 1, n - 1)
    return {
      claimed: Number(answer !== 'undetermined'),
      wrong: Number(answer === 'better' || answer === 'lower'),
      covered:
        interval === null ? Number.NaN : Number(interval[0] <= at(cell, 'ratio') && at(cell, 'ratio') <= interval[1]),
      plainF: Number(2 * Math.min(tail, 1 - tail) < 0.05),
      rawBeyond124: Number(raw > 1.24 || raw < 1 / 1.24),
      lagOne: lagOne(first),
    }
  },
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

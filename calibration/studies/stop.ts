import { decideStop, stopRules } from '../../src/lab/study/stop-rules.js'
import { course, kindOf, noise } from '../noise.js'
import { at, grid, type Study } from '../study.js'

/**
 * A run that is watched, asked after every evaluation whether it has collapsed. `noise` is the spread of one evaluation
 * as a share of the level, which rises from 0.92 to 1.07; a score cannot be below nothing.
 */

const RULES = stopRules('collapse')

/** How many evaluations it was let go on for; null where it was never stopped. */
function stoppedAt(values: readonly number[]): number | null {
  for (let seen = 1; seen <= values.length; seen += 1) {
    const known = values.slice(0, seen)
    const score = {
      metric: 'val.score',
      goal: 'max',
      steps: known.map((_, i) => i),
      values: known,
      prompts: null,
    } as const
    if (decideStop(RULES, { step: seen, hours: null, score, findings: [] }) !== null) return seen
  }
  return null
}

/** Nothing ever happens to these. */
export const falseStops: Study = {
  name: 'false-stops',
  cells: [
    ...grid({ kind: ['normal'], noise: [0.03, 0.1, 0.2, 0.33], rho: [0, 0.3, 0.6, 0.8, 0.9], T: [20, 93, 300] }),
    ...grid({ kind: ['t3', 'skewed', 'outliers', 'growing'], noise: [0.1, 0.33], rho: [0.3, 0.6], T: [20, 93, 300] }),
    ...grid({ kind: ['slow-half', 'slow-quarter'], noise: [0.1, 0.33], rho: [0], T: [20, 93, 300] }),
  ],
  share: ({ T }) => (T === 300 ? 0.15 : 0.3),
  once: (cell, random) => {
    const T = at(cell, 'T')
    const wobble = noise(random, T, at(cell, 'rho'), kindOf(cell))
    const values = Array.from(wobble, (value, i) => Math.max(0, course(i, T) / 1.9 + at(cell, 'noise') * value))
    return { stopped: Number(stoppedAt(values) !== null) }
  },
}

/** These fall at six tenths of 93 evaluations, within two of them, to `left` of their level, and stay there. */
export const trueStops: Study = {
  name: 'true-stops',
  cells: grid({ kind: ['normal'], noise: [0.03, 0.07, 0.1, 0.2], rho: [0.3, 0.6, 0.8], left: [0, 0.4], T: [93] }),
  share: () => 0.15,
  once: (cell, random) => {
    const T = at(cell, 'T')
    const from = Math.round(0.6 * T)
    const values = Array.from(noise(random, T, at(cell, 'rho')), (value, i) => {
      const level = course(i, T) / 1.9
      const left = i < from ? 1 : i === from ? (1 + at(cell, 'left')) / 2 : at(cell, 'left')
      return Math.max(0, left * (level + at(cell, 'noise') * value))
    })
    const seen = stoppedAt(values)
    const within = (count: number): number => Number(seen !== null && seen > from && seen <= from + count)
    return { soon: within(3), later: within(15), ever: Number(seen !== null) }
  },
}

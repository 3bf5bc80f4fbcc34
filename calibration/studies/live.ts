import { compareSides, headline } from '../../src/core/analysis/compare/judge-sides.js'
import { GROWTH_OF_LOOKS, type Growing } from '../../src/core/analysis/growing.js'
import { FEWEST_EVALUATIONS } from '../../src/stats/paired-mean.js'
import { kindOf, noise, SPREAD } from '../noise.js'
import { at, grid, type Study } from '../study.js'
import { claims, measuredSide, OUT_OF_REACH, STEP } from '../verdicts.js'

/**
 * Two equal runs of 93 evaluations, compared after every one of them from the sixth on: was a difference ever claimed?
 * With a plan klens claims at its looks only (`ever`), without one at looks that the workspace remembers and at the end
 * (`remembered`), so no more than those are made; `naive` is what comes of the verdict of ended runs at every evaluation,
 * of which every eighth is tried here.
 */
export const peeking: Study = {
  name: 'peeking',
  cells: [
    ...grid({ kind: ['normal'], T: [93], rho: [0, 0.3, 0.5, 0.6], gap: [0] }),
    ...grid({ kind: ['normal'], T: [93], rho: [0, 0.3, 0.5], gap: [0.0967] }),
    ...grid({ kind: ['slow-half', 'slow-quarter'], T: [93], rho: [0], gap: [0] }),
  ],
  share: ({ gap }) => (gap === 0 ? 0.2 : 0.05),
  once: (cell, random) => {
    const T = at(cell, 'T')
    const run = (gap: number): Float64Array =>
      noise(random, T, at(cell, 'rho'), kindOf(cell)).map(value => 1.9 + gap + SPREAD * value)
    const [first, second] = [run(0), run(at(cell, 'gap'))]
    const claimed = (n: number, growing: Growing | null): boolean => {
      const sides = [measuredSide('a', [first.slice(0, n)]), measuredSide('b', [second.slice(0, n)])]
      const request = { metric: 'val.score', goal: null, margin: OUT_OF_REACH }
      return claims(headline(compareSides(sides, { ...request, growing }).verdicts))
    }
    const planned = [1 / 8, 1 / 4, 1 / 2].map(share => Math.ceil(share * T))
    const looks = doubling(FEWEST_EVALUATIONS, T).map(n => ({ n, until: STEP * n }))
    const every = Array.from({ length: Math.floor((T - 6) / 8) + 1 }, (_, i) => 6 + 8 * i)
    const atEnd = claimed(T, null)
    return {
      ever: Number(planned.some(n => claimed(n, { planned: STEP * T })) || atEnd),
      remembered: Number(
        looks.some(({ n }, i) => claimed(n, { planned: null, looks: [looks.slice(0, i + 1)] })) ||
          claimed(T, { planned: null, looks: [looks], ended: true }),
      ),
      naive: Number(every.some(n => claimed(n, null))),
      fixed: Number(atEnd),
    }
  },
}

/** Evaluations at which somebody who looks all the time makes a look, before the end. */
function doubling(first: number, end: number): readonly number[] {
  return first >= end ? [] : [first, ...doubling(GROWTH_OF_LOOKS * first, end)]
}

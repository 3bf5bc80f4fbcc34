import { compareSides, headline } from '../../src/core/analysis/compare/judge-sides.js'
import { noise, SPREAD } from '../noise.js'
import { at, grid, type Study } from '../study.js'
import { claims, measuredSide, OUT_OF_REACH, STEP } from '../verdicts.js'

/**
 * Two equal runs of 93 planned evaluations, compared after every one of them from the sixth on: was a difference ever
 * claimed? klens claims at its looks only, so no more than those are made; `naive` is what comes of the verdict of ended
 * runs at every evaluation, of which every fourth is tried here.
 */
export const peeking: Study = {
  name: 'peeking',
  cells: grid({ T: [93], rho: [0, 0.3, 0.5], gap: [0, 0.0967] }),
  share: () => 0.05,
  once: (cell, random) => {
    const T = at(cell, 'T')
    const run = (gap: number): Float64Array =>
      noise(random, T, at(cell, 'rho')).map(value => 1.9 + gap + SPREAD * value)
    const [first, second] = [run(0), run(at(cell, 'gap'))]
    const claimed = (n: number, growing: boolean): boolean => {
      const sides = [measuredSide('a', [first.slice(0, n)]), measuredSide('b', [second.slice(0, n)])]
      const request = { metric: 'val.score', goal: null, margin: OUT_OF_REACH }
      const { verdicts } = compareSides(sides, { ...request, growing: growing ? { planned: STEP * T } : null })
      return claims(headline(verdicts))
    }
    const looks = [1 / 8, 1 / 4, 1 / 2].map(share => Math.ceil(share * T))
    const every = Array.from({ length: Math.floor((T - 6) / 4) + 1 }, (_, i) => 6 + 4 * i)
    return {
      ever: Number(looks.some(n => claimed(n, true)) || claimed(T, false)),
      naive: Number(every.some(n => claimed(n, false))),
      fixed: Number(claimed(T, false)),
    }
  },
}

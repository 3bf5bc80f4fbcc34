import { compareSides, headline } from '../../src/analysis/compare/questions.js'
import { cosineMean } from '../../src/stats/cosine-mean.js'
import { intervalOf } from '../../src/stats/paired-mean.js'
import { noise, SPREAD } from '../noise.js'
import { at, grid, type Study } from '../study.js'
import { claims, measuredSide, OUT_OF_REACH, STEP } from '../verdicts.js'

/**
 * Two equal runs of 93 planned evaluations, compared after every one of them from the sixth on: was a difference ever
 * claimed? klens claims at its looks only, so no more than those are made; `naive` is what comes of the verdict of ended
 * runs at every evaluation, of which every eighth is tried here.
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
    const every = Array.from({ length: Math.floor((T - 6) / 8) + 1 }, (_, i) => 6 + 8 * i)
    return {
      ever: Number(looks.some(n => claimed(n, true)) || claimed(T, false)),
      naive: Number(every.some(n => claimed(n, false))),
      fixed: Number(claimed(T, false)),
    }
  },
}

/** The interval without a model of the autocorrelation, for long runs that wander. */
export const cosine: Study = {
  name: 'cosine',
  cells: grid({ T: [50, 93], rho: [0, 0.3, 0.5, 0.6, 0.8] }),
  share: () => 1,
  once: (cell, random) => {
    const { low, high } = intervalOf(cosineMean(noise(random, at(cell, 'T'), at(cell, 'rho'))))
    return { claimed: Number(low > 0 || high < 0) }
  },
}

import { finalCount } from '../../src/core/analysis/conventions.js'
import { mean } from '../../src/stats/descriptive.js'
import { gapMean, pairedMean } from '../../src/stats/paired-mean.js'
import type { Random } from '../../src/stats/random.js'
import { intervalOf } from '../../src/stats/student-estimate.js'
import { course, kindOf, type NoiseKind, noise, SPREAD } from '../noise.js'
import { gapOfMaxima, lagOneClaims, oracleClaims, pairedTClaims } from '../rivals.js'
import { at, grid, type Observation, type Study } from '../study.js'
import { answerTo, compareCurves, headlineOf, judged, named } from '../verdicts.js'

/** Two runs, one metric: how often does `klens compare` claim a difference, and how often wrongly? */

const LENGTHS = [9, 20, 50, 93]
/** A wander that sampling noise hides, and logs that print a moving mean. */
const SLOW = ['slow-half', 'slow-quarter', 'smoothed-5', 'smoothed-10']
const GAPS = [0.05, 0.0967, 0.15, 0.2, 0.3]

/** Two runs that differ by `gap` all along. */
export const level: Study = {
  name: 'level',
  cells: [
    ...grid({ T: LENGTHS, rho: [0, 0.2, 0.3, 0.5, 0.6, 0.8], gap: [0] }),
    ...grid({ T: LENGTHS, rho: [0, 0.2, 0.3, 0.5, 0.6], gap: GAPS }),
  ],
  share: ({ gap }) => (gap === 0 ? 1 : gap === 0.0967 ? 0.5 : 0.1),
  once: (cell, random) => {
    const gap = at(cell, 'gap')
    return onePair(random, at(cell, 'T'), at(cell, 'rho'), 'normal', () => gap)
  },
}

/** Noise that the method was not made for, and gaps that move; in all of them the mean gap over the run is zero. */
export const robustness: Study = {
  name: 'robustness',
  cells: [
    ...grid({
      kind: ['t3', 'white-part', 'growing', 'unequal-spread', 'unequal-rho', 'moving-gap'],
      T: LENGTHS,
      rho: [0, 0.3, 0.5, 0.6],
    }),
    ...grid({ kind: ['skewed', 'outliers', 'shrinking-20'], T: LENGTHS, rho: [0.3] }),
    ...grid({ kind: SLOW, T: [...LENGTHS, 200, 400], rho: [0] }),
  ],
  share: () => 0.3,
  once: (cell, random) => {
    const n = at(cell, 'T')
    const rho = at(cell, 'rho')
    switch (cell.kind) {
      case 'unequal-spread':
        return onePair(random, n, rho, 'normal', () => 0, { otherSpread: 3 })
      case 'unequal-rho':
        return onePair(random, n, rho, 'normal', () => 0, { otherRho: 0 })
      case 'moving-gap':
        return onePair(random, n, rho, 'normal', i => 0.4 * (i / (n - 1)) - 0.2)
      default:
        return onePair(random, n, rho, kindOf(cell), () => 0)
    }
  },
}

/**
 * Gaps that keep their sign while they grow from a tenth to all of `grows`, in spreads of one evaluation, straight or
 * levelling off; at 0 the runs are equal. Beside klens the interval around the mean alone.
 */
export const growingGap: Study = {
  name: 'growing-gap',
  cells: [
    ...grid({ T: [9, 16, 20, 50, 93], rho: [0, 0.3, 0.5, 0.6, 0.8], grows: [0], course: ['straight'] }),
    ...grid({ T: [9, 16, 20, 50, 93], rho: [0.3, 0.6], grows: [5, 10], course: ['straight', 'saturating'] }),
  ],
  share: () => 0.2,
  once: (cell, random) => {
    const n = at(cell, 'T')
    const grows = at(cell, 'grows')
    const gap = Float64Array.from({ length: n }, (_, i) => {
      const part = i / (n - 1)
      return grows * (0.1 + 0.9 * (cell.course === 'straight' ? part : 1 - Math.exp(-4 * part)))
    })
    // The difference of two runs with noise of spread one.
    const seen = noise(random, n, at(cell, 'rho')).map((value, i) => gap[i] + Math.SQRT2 * value)
    const truth = mean(gap)
    const [line, plain] = [gapMean(seen), pairedMean(seen)].map(estimate => intervalOf(estimate))
    return {
      claimed: Number(line.low > 0 || line.high < 0),
      covered: Number(line.low <= truth && truth <= line.high),
      plain: Number(plain.low > 0 || plain.high < 0),
    }
  },
}

/** The two runs come from one setting, but seeds scatter by tau: a claim about the runs is right, one about the setting wrong. */
export const scatter: Study = {
  name: 'scatter',
  cells: grid({ T: LENGTHS, rho: [0.3], tau: [0, 0.05, 0.1] }),
  share: () => 0.2,
  once: (cell, random) => {
    const offset = at(cell, 'tau') * (random.normal() - random.normal())
    return onePair(random, at(cell, 'T'), at(cell, 'rho'), 'normal', () => offset)
  },
}

function onePair(
  random: Random,
  n: number,
  rho: number,
  kind: NoiseKind,
  gap: (i: number) => number,
  { otherSpread = 1, otherRho = rho }: { readonly otherSpread?: number; readonly otherRho?: number } = {},
): Observation {
  const wobble = (r: number, factor: number): Float64Array =>
    noise(random, n, r, kind).map((value, i) => course(i, n) + factor * SPREAD * value)
  const first = wobble(rho, 1)
  const second = wobble(otherRho, otherSpread).map((value, i) => value + gap(i))
  const comparison = compareCurves([first], [second])
  const gaps = Float64Array.from(first, (_, i) => gap(i))
  const overAll = tidy(mean(gaps))
  const inTheEnd = tidy(mean(gaps.slice(-finalCount(n))))
  const head = headlineOf(comparison)
  const differences = second.map((value, i) => value - first[i])
  const maxima = gapOfMaxima(first, second)
  return {
    ...named('level', judged(answerTo('level', comparison), overAll)),
    ...named('final', judged(answerTo('final', comparison), inTheEnd)),
    ...named('headline', judged(head, head.question === 'final' ? inTheEnd : overAll)),
    aboutSettings: Number(comparison.verdicts.some(({ scope }) => scope === 'configs')),
    stability: Number(['better', 'worse', 'higher', 'lower'].includes(answerTo('stability', comparison).answer)),
    oracle: Number(oracleClaims(differences, rho)),
    lagOneOnly: Number(lagOneClaims(differences)),
    pairedT: Number(pairedTClaims(differences)),
    maximaBeyond3: Number(Math.abs(maxima) > 0.03),
    maximaBeyond5: Number(Math.abs(maxima) > 0.05),
    maximaWithin5: Number(Math.abs(maxima) <= 0.05),
    maximaWrong: Number(Math.abs(maxima) > 0.05 && Math.sign(maxima) !== Math.sign(overAll)),
    argmaxDiffers: Number(first.indexOf(Math.max(...first)) !== second.indexOf(Math.max(...second))),
  }
}

/** A mean gap of 1e-17 is a gap of zero. */
function tidy(gap: number): number {
  return Math.abs(gap) < 1e-12 ? 0 : gap
}

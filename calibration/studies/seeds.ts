import { mean } from '../../src/stats/descriptive.js'
import type { Random } from '../../src/stats/random.js'
import { pValueOf, welch } from '../../src/stats/student-estimate.js'
import { course, noise, SPREAD } from '../noise.js'
import { moderatedWelch, stratifiedBootstrap } from '../rivals.js'
import { at, grid, type Study } from '../study.js'
import { answerTo, claims, compareCurves, judged, named } from '../verdicts.js'

/** Two settings, K runs each, whose levels scatter by tau: what `klens compare` then says about the settings. */
export const seeds: Study = {
  name: 'seeds',
  cells: grid({ K: [3, 5, 10], tau: [0, 0.05, 0.1], gap: [0, 0.0967] }),
  share: () => 0.25,
  once: (cell, random) => {
    const n = 20
    const tau = at(cell, 'tau')
    const run = (gap: number): Float64Array => {
      const own = gap + tau * random.normal()
      return noise(random, n, 0.3).map((value, i) => course(i, n) + own + SPREAD * value)
    }
    const gap = at(cell, 'gap')
    const first = Array.from({ length: at(cell, 'K') }, () => run(0))
    const second = Array.from({ length: at(cell, 'K') }, () => run(gap))
    const verdict = answerTo('level', compareCurves(first, second))
    return { ...named('level', judged(verdict, gap)), aboutSettings: Number(verdict.scope === 'configs') }
  },
}

/** How the level of a run scatters: normally, with a long tail, or because some runs collapse. */
const SCATTER: Readonly<Record<string, (random: Random) => number>> = {
  normal: random => random.normal(),
  lognormal: random => Math.exp(random.normal()) - Math.exp(0.5),
  'collapse-20': random => (random.next() < 0.2 ? -5 : 0) + 0.3 * random.normal(),
  'collapse-50': random => (random.next() < 0.5 ? -5 : 0) + 0.3 * random.normal(),
}

/** Equal settings with unequal numbers of runs: a pilot of three against a baseline of ten. */
export const unequalSeeds: Study = {
  name: 'unequal-seeds',
  cells: grid({ kind: Object.keys(SCATTER), first: [3], second: [5, 10], gap: [0, 2] }),
  share: () => 0.1,
  once: (cell, random) => {
    const n = 20
    const run = (gap: number): Float64Array => {
      const own = gap + SCATTER[String(cell.kind)](random)
      return noise(random, n, 0.3).map(value => own + 0.1 * value)
    }
    const first = Array.from({ length: at(cell, 'first') }, () => run(0))
    const second = Array.from({ length: at(cell, 'second') }, () => run(at(cell, 'gap')))
    return { claimed: Number(claims(answerTo('level', compareCurves(first, second)))) }
  },
}

/** The percentile bootstrap that many reports use, on the means of K runs. */
export const bootstrapSeeds: Study = {
  name: 'bootstrap-seeds',
  cells: grid({ K: [3, 5, 10, 20] }),
  share: () => 0.1,
  once: (cell, random) => {
    const draw = (): number[] => Array.from({ length: at(cell, 'K') }, random.normal)
    const { low, high } = stratifiedBootstrap([draw(), draw()], ([a, b]) => mean(b) - mean(a), { resamples: 1_000 })
    return { covered: Number(low <= 0 && 0 <= high) }
  },
}

/** How settings of one workspace differ in their scatter; the first two are compared. */
const SCATTERS: Readonly<Record<string, (random: Random, setting: number) => number>> = {
  equal: () => 1,
  'by a factor of 2': random => Math.exp(0.7 * random.normal()),
  'one of the two is three times as loud': (_, setting) => (setting === 0 ? 3 : 1),
  'both are twice as loud': (_, setting) => (setting < 2 ? 2 : 1),
  'both are a third as loud': (_, setting) => (setting < 2 ? 1 / 3 : 1),
}

/** Three runs against three: Welch as klens uses it, and with the scatter that other settings lend (`moderatedWelch`). */
export const lentScatter: Study = {
  name: 'lent-scatter',
  cells: [
    ...grid({ scatter: Object.keys(SCATTERS), seeds: ['normal'], settings: [4, 8, 12], gap: [0, 3] }),
    ...grid({ scatter: ['equal'], seeds: ['lognormal', 'collapse-20', 'collapse-50'], settings: [8], gap: [0, 3] }),
  ],
  share: () => 0.2,
  once: (cell, random) => {
    const groups = Array.from({ length: at(cell, 'settings') }, (_, setting) => {
      const scatter = SCATTERS[String(cell.scatter)](random, setting)
      return {
        scatter,
        values: Array.from({ length: 3 }, () => scatter * SCATTER[String(cell.seeds)](random)),
      }
    })
    const [first, second, ...others] = groups
    const gap = at(cell, 'gap') * Math.hypot(first.scatter, second.scatter) * Math.SQRT1_2
    const moved = second.values.map(value => value + gap)
    const lent = others.map(({ values }) => values)
    return {
      welch: Number(pValueOf(welch(first.values, moved)) < 0.05),
      lent: Number(pValueOf(moderatedWelch(first.values, moved, lent)) < 0.05),
    }
  },
}

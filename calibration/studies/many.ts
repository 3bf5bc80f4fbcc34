import { compareSets, headline } from '../../src/core/analysis/compare/judge-sides.js'
import { noise, SPREAD } from '../noise.js'
import { at, grid, type Study } from '../study.js'
import { claims, measuredSide, OUT_OF_REACH } from '../verdicts.js'

/** Many equal sides, or many validation sets, judged at once: how often is anything claimed at all? */

/** A baseline and several others, one run each, none of which differs. */
export const severalOthers: Study = {
  name: 'several-others',
  cells: grid({ others: [1, 3, 8], T: [20, 50], rho: [0.3] }),
  share: () => 0.1,
  once: (cell, random) => {
    const run = (): Float64Array => noise(random, at(cell, 'T'), at(cell, 'rho')).map(value => 1.9 + SPREAD * value)
    const sides = Array.from({ length: at(cell, 'others') + 1 }, (_, i) => measuredSide(`side ${i}`, [run()]))
    const { others } = compareSets([{ metric: 'val.score', sides }], {
      metric: 'val.score',
      goal: null,
      margin: OUT_OF_REACH,
    })
    return {
      anyHeadline: Number(others.some(({ verdicts }) => claims(headline(verdicts)))),
      anyLevel: Number(
        others.some(({ verdicts }) => verdicts.some(verdict => verdict.question === 'level' && claims(verdict))),
      ),
    }
  },
}

/** Two equal runs on several validation sets. */
export const severalSets: Study = {
  name: 'several-sets',
  cells: grid({ sets: [1, 3, 10], T: [20, 50], rho: [0.3] }),
  share: () => 0.1,
  once: (cell, random) => {
    const run = (): Float64Array => noise(random, at(cell, 'T'), at(cell, 'rho')).map(value => 1.9 + SPREAD * value)
    const sets = Array.from({ length: at(cell, 'sets') }, (_, i) => ({
      metric: `set ${i}`,
      sides: [measuredSide('baseline', [run()]), measuredSide('other', [run()])],
    }))
    const { verdicts } = compareSets(sets, { metric: 'set 0', goal: null, margin: OUT_OF_REACH })
    const asked = (question: string) => verdicts.filter(verdict => verdict.question === question)
    return {
      anyLevel: Number(asked('level').some(claims)),
      anyFinal: Number(asked('final').some(claims)),
    }
  },
}

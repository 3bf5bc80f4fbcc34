import { choose } from '../../src/core/analysis/compare/choose.js'
import { compareSides, headline } from '../../src/core/analysis/compare/judge-sides.js'
import { noise } from '../noise.js'
import { at, grid, type Study } from '../study.js'
import { measuredSide, OUT_OF_REACH } from '../verdicts.js'

/**
 * Two single runs of two settings whose true difference is drawn anew each time, with spread `gaps` seed scatters: of
 * the choices that klens calls at least 90 % sure, how many are right? And is the loss of a wrong one as large as stated?
 */
export const choices: Study = {
  name: 'choices',
  cells: grid({ gaps: [0.25, 1, 3], T: [20, 80] }),
  share: () => 0.1,
  once: (cell, random) => {
    const gap = at(cell, 'gaps') * SCATTER * random.normal()
    const run = (level: number): Float64Array => {
      const own = level + SCATTER * random.normal()
      return noise(random, at(cell, 'T'), 0.3).map(value => own + WOBBLE * value)
    }
    const sides = [measuredSide('a', [run(0.8)]), measuredSide('b', [run(0.8 + gap)])]
    const verdict = headline(compareSides(sides, { metric: 'm', goal: 'max', margin: OUT_OF_REACH }).verdicts)
    const choice = choose(verdict, 'max', [1, 1], { size: SCATTER, source: 'workspace' })
    if (choice === null) throw new Error('nothing was chosen')
    const right = (choice.side === 'b') === gap > 0
    const sure = choice.probability >= 0.9
    return {
      right: Number(right),
      stated: choice.probability,
      sure: Number(sure),
      sureStated: sure ? choice.probability : Number.NaN,
      sureRight: sure ? Number(right) : Number.NaN,
      brier: (choice.probability - Number(right)) ** 2,
      lossStated: right ? Number.NaN : choice.lossIfWrong,
      lossTrue: right ? Number.NaN : Math.abs(gap),
    }
  },
}

/** Between seeds and within one evaluation, as in the lab's runs. */
const SCATTER = 0.0125
const WOBBLE = 0.03

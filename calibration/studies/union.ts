import { course, noise, SPREAD } from '../noise.js'
import { at, grid, type Study } from '../study.js'
import { answerTo, askAtOnce, claims } from '../verdicts.js'

/** Two equal runs and all questions at once: is anything at all said to differ? The rules of thumb are asked just as much. */
export const union: Study = {
  name: 'union',
  cells: grid({ T: [9, 20, 50, 93], rho: [0, 0.3, 0.6] }),
  share: () => 0.2,
  once: (cell, random) => {
    const n = at(cell, 'T')
    const run = (): Float64Array => noise(random, n, at(cell, 'rho')).map((value, i) => course(i, n) + SPREAD * value)
    const [first, second] = [run(), run()]
    const compared = askAtOnce(first, second, { goal: 'max' })
    const asked = (['level', 'final', 'speed', 'stability'] as const).map(question =>
      claims(answerTo(question, compared)),
    )
    const best = [first, second].map(values => Math.max(...values))
    const spread = [first, second].map(values => Math.max(...values) - Math.min(...values))
    return {
      any: Number(asked.some(Boolean)),
      naive: Number(
        Math.abs(best[1] / best[0] - 1) > 0.03 ||
          first.indexOf(best[0]) !== second.indexOf(best[1]) ||
          Math.abs(spread[1] / spread[0] - 1) > 0.24,
      ),
    }
  },
}

import { bestOf } from '../../src/stats/best-of-several.js'
import { at, grid, type Study } from '../study.js'

/** k checkpoints, each measured once with an error of one: what the best is worth, and which cannot be told from it. */
export const best: Study = {
  name: 'best',
  cells: grid({ k: [3, 5, 9, 20, 50], truth: ['equal', 'scattered', 'one-ahead', 'rising'] }),
  share: () => 1,
  once: (cell, random) => {
    const k = at(cell, 'k')
    const truth = Array.from({ length: k }, (_, i) => {
      switch (cell.truth) {
        case 'equal':
          return 0
        case 'scattered':
          return random.normal()
        case 'one-ahead':
          return i === 0 ? 1 : 0
        default:
          return (3 * (1 - Math.exp((-3 * i) / k))) / (1 - Math.exp(-3))
      }
    })
    const found = bestOf(
      truth.map(value => value + random.normal()),
      1,
    )
    const chosen = truth[found.index]
    const trulyBest = truth.indexOf(Math.max(...truth))
    return {
      missed: Number(!found.indistinguishable.includes(trulyBest)),
      setSize: found.indistinguishable.length,
      biasReported: found.reported - chosen,
      biasShrunken: found.shrunken - chosen,
      errorReported: Math.abs(found.reported - chosen),
      errorShrunken: Math.abs(found.shrunken - chosen),
      covered: Number(found.interval.low <= chosen && chosen <= found.interval.high),
      coveredNaively: Number(Math.abs(found.reported - chosen) <= 1.96),
      argmaxRight: Number(found.index === trulyBest),
    }
  },
}

import { GROWTH_OF_LOOKS, levelOfLook } from '../../src/core/analysis/growing.js'
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

/**
 * Eighty equal checkpoints of a run that grows, ranked after every evaluation from the third on: was the best ever left out
 * of the set of those that cannot be told from it? As for a run that has ended (`naive`), with the bound for all that are
 * planned, and with that of looks that are remembered.
 */
export const bestWatched: Study = {
  name: 'best-watched',
  cells: grid({ T: [20, 80], truth: ['equal', 'rising'] }),
  share: () => 0.2,
  once: (cell, random) => {
    const T = at(cell, 'T')
    const truth = Array.from({ length: T }, (_, i) => (cell.truth === 'equal' ? 0 : (2 * i) / T))
    const scores = truth.map(value => value + random.normal())
    const missed = (n: number, options: { readonly level?: number; readonly among?: number }): boolean => {
      const best = cell.truth === 'equal' ? 0 : n - 1
      return !bestOf(scores.slice(0, n), 1, options).indistinguishable.includes(best)
    }
    const counts = Array.from({ length: T - 2 }, (_, i) => i + 3)
    const bound = (n: number) => {
      const look = Math.floor(Math.log(n / 3) / Math.log(GROWTH_OF_LOOKS))
      return { level: 1 - levelOfLook(look), among: 3 * GROWTH_OF_LOOKS ** (look + 1) }
    }
    return {
      naive: Number(counts.some(n => missed(n, {}))),
      planned: Number(counts.some(n => missed(n, { among: T }))),
      remembered: Number(counts.some(n => missed(n, bound(n)))),
      once: Number(missed(T, {})),
    }
  },
}

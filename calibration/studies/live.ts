import { cosineMean } from '../../src/stats/cosine-mean.js'
import { intervalOf } from '../../src/stats/paired-mean.js'
import { bettingProcess, confidenceSequence } from '../../src/stats/sequential.js'
import { noise } from '../noise.js'
import { at, grid, type Study } from '../study.js'

/** Looking at every evaluation while it runs: was the bound ever wrong? */
export const live: Study = {
  name: 'live',
  cells: grid({ looks: [9, 50, 93], rho: [0, 0.3] }),
  share: () => 1,
  once: (cell, random) => {
    const looks = at(cell, 'looks')
    let sum = 0
    let everOutside = 0
    let everBeyond = 0
    noise(random, looks, at(cell, 'rho')).forEach((value, i) => {
      const n = i + 1
      sum += value
      if (Math.abs(sum / n) > confidenceSequence(n, 1, { tuned: looks / 2 })) everOutside = 1
      if (Math.abs(sum) / Math.sqrt(n) > 1.96) everBeyond = 1
    })
    return { everWrong: everOutside, naive: everBeyond }
  },
}

/** A bet against equality, prompt by prompt: differences in −1 … 1, moved to 0 … 1. */
export const betting: Study = {
  name: 'betting',
  cells: grid({ n: [100, 300, 800], discordance: [0.1, 0.3], gap: [0, 0.06] }),
  share: () => 0.5,
  once: (cell, random) => {
    const up = (at(cell, 'discordance') + at(cell, 'gap')) / 2
    const down = (at(cell, 'discordance') - at(cell, 'gap')) / 2
    const scores = Array.from({ length: at(cell, 'n') }, () => {
      const luck = random.next()
      return luck < up ? 1 : luck < up + down ? 0 : 0.5
    })
    return { everClaimed: Number(bettingProcess(scores, 0.5).some(capital => capital >= 20)) }
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

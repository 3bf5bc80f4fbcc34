import { changePoint, type LevelShift, type SlopeChange, slopeChange } from '../../src/stats/change-point.js'
import { normalCdf } from '../../src/stats/distributions.js'
import { trend } from '../../src/stats/trend.js'
import { noise } from '../noise.js'
import { bicSplits } from '../rivals.js'
import { at, grid, type Observation, type Study } from '../study.js'

/** Redrawn curves per p-value, where klens uses 1,000: p < 0.05 then means 10 of 201, a level of 4.98 % as with 1,000. */
const DRAWS = 200

/** A level that falls by two spreads at six tenths of the run, or nothing. */
export const levelOnset: Study = {
  name: 'onset-level',
  cells: [
    ...grid({ T: [12, 20, 50, 93], rho: [0, 0.3, 0.6], fall: [0] }),
    ...grid({ T: [12, 20, 50, 93], rho: [0, 0.3, 0.6], fall: [2, 4] }),
  ],
  share: ({ fall }) => (fall === 0 ? 0.2 : 0.05),
  once: (cell, random) => {
    const n = at(cell, 'T')
    const from = Math.round(0.6 * n)
    const fall = at(cell, 'fall')
    const values = noise(random, n, at(cell, 'rho')).map((value, i) => value - (i >= from ? fall : 0))
    return { ...alarms(changePoint(values, { draws: DRAWS }), from), bic: Number(bicSplits(values)) }
  },
}

/** A rise of one spread per tenth of the run that goes on, or turns into a fall as steep at six tenths. */
export const slopeOnset: Study = {
  name: 'onset-slope',
  cells: [
    ...grid({ T: [12, 20, 50, 93], rho: [0, 0.3, 0.6], turn: [0] }),
    ...grid({ T: [12, 20, 50, 93], rho: [0, 0.3, 0.6], turn: [1, 2] }),
  ],
  share: ({ turn }) => (turn === 0 ? 0.2 : 0.05),
  once: (cell, random) => {
    const n = at(cell, 'T')
    const corner = Math.round(0.6 * n)
    const perPoint = 10 / n
    const values = noise(random, n, at(cell, 'rho')).map(
      (value, i) => value + perPoint * (i - at(cell, 'turn') * Math.max(0, i - corner)),
    )
    return alarms(slopeChange(values, { draws: DRAWS }), corner)
  },
}

function alarms(change: LevelShift | SlopeChange | null, truth: number): Observation {
  if (change === null) return { possible: 0, headline: 0, conservative: 0, located: Number.NaN, width: Number.NaN }
  const { p, conservativeP, location } = change
  const shown = p < 0.05 && location !== null
  return {
    possible: Number(p < 0.05),
    conservative: Number(conservativeP < 0.05),
    headline: Number(p < 0.05 && conservativeP < 0.05),
    located: shown ? Number(location.first <= truth && truth <= location.last) : Number.NaN,
    width: shown ? location.last - location.first + 1 : Number.NaN,
  }
}

/** Curves without a trend, and with one of `rise` spreads from first to last. */
export const trends: Study = {
  name: 'trend',
  cells: grid({ T: [9, 20, 50, 93], rho: [0, 0.3, 0.6], rise: [0, 2] }),
  share: ({ T, rise }) => (T === 93 ? 0.25 : 0.5) * (rise === 0 ? 1 : 0.2),
  once: (cell, random) => {
    const n = at(cell, 'T')
    const rise = at(cell, 'rise')
    const steps = Float64Array.from({ length: n }, (_, i) => i)
    const values = noise(random, n, at(cell, 'rho')).map((value, i) => value + (rise * i) / (n - 1))
    const { p, tau, slopeInterval } = trend(steps, values)
    const slope = rise / (n - 1)
    return {
      claimed: Number(p < 0.05),
      plain: Number(plainMannKendall(tau, n) < 0.05),
      covered: Number(slopeInterval.low <= slope && slope <= slopeInterval.high),
    }
  },
}

function plainMannKendall(tau: number, n: number): number {
  const concordance = (tau * n * (n - 1)) / 2
  const spread = Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)
  return 2 * normalCdf(-Math.max(0, Math.abs(concordance) - 1) / spread)
}

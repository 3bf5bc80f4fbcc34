import { normalCdf } from './distributions.js'

/**
 * What another measurement is worth to somebody who will take the better of two things afterwards. The difference is
 * known to a spread s; after the measurement it will be known to a smaller one, s'. Seen from today, the estimate will
 * move by √(s² − s'²), and only a move across zero changes what is taken (Raiffa and Schlaifer 1961):
 *
 *   worth = s̃ · (φ(z) − z Φ(−z)),  s̃ = √(s² − s'²),  z = |difference| / s̃
 */
export function valueOfInformation(difference: number, now: number, after: number): number {
  const moves = Math.sqrt(Math.max(0, now ** 2 - after ** 2))
  return expectedOpportunityLoss(difference, moves)
}

/** What is given away on average by taking the side that looks better, when the difference is known to this spread. */
function expectedOpportunityLoss(difference: number, spread: number): number {
  if (!(spread > 0)) return 0
  const z = Math.abs(difference) / spread
  return spread * (Math.exp(-0.5 * z ** 2) / Math.sqrt(2 * Math.PI) - z * normalCdf(-z))
}

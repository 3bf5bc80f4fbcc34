/** Looking while it runs: bounds that hold at every look at once (facts 1.12). */

/**
 * Half-width of the normal-mixture confidence sequence after n observations of known spread (Robbins 1970):
 * σ √((n + 1/ρ²)(2 ln(1/α) + ln(1 + n ρ²)))/n, ρ² chosen to be tightest near `tuned`.
 */
export function confidenceSequence(
  n: number,
  spread: number,
  { alpha = 0.05, tuned }: { readonly alpha?: number; readonly tuned: number },
): number {
  const logTerm = 2 * Math.log(1 / alpha)
  const mixture = (logTerm + Math.log(logTerm) + 1) / tuned
  return (spread * Math.sqrt((n + 1 / mixture) * (logTerm + Math.log(1 + n * mixture)))) / n
}

/**
 * E-process by betting (Waudby-Smith and Ramdas 2024) for scores in [0, 1] against a mean of at most `null`:
 * E_n = Π (1 + λ_i (x_i − m)), λ_i from what was seen before i. E ≥ 1/α at any time refutes the null at level α.
 */
export function bettingProcess(scores: readonly number[], nullMean: number): Float64Array {
  const capital = new Float64Array(scores.length)
  let wealth = 1
  let sum = 0.5
  let squares = 0.25
  scores.forEach((score, i) => {
    const seen = i + 1
    const centre = sum / seen
    const bet = Math.min(Math.max((centre - nullMean) / (squares / seen + (centre - nullMean) ** 2), 0), 0.5 / nullMean)
    wealth *= 1 + bet * (score - nullMean)
    capital[i] = wealth
    sum += score
    squares += (score - sum / (seen + 1)) ** 2
  })
  return capital
}

import { mean } from './descriptive.js'
import type { StudentEstimate } from './paired-mean.js'

/**
 * The mean of a long autocorrelated series without a model of the autocorrelation: its long-run variance is the mean
 * square of the first B cosine-weighted sums, and the error follows t with B degrees of freedom (Lazarus, Lewis, Stock
 * and Watson 2018, "equal-weighted cosine").
 *
 *   Λ_j = √(2/T) Σ_t d_t cos(π j (t − ½)/T),  SE² = Σ_j Λ_j²/(B T),  B = 0.4 T^⅔ as they recommend
 *
 * The fallback from 40 points on when the autocorrelation is strong, where AR(1) promises too much (facts 1.3).
 */
export function cosineMean(
  differences: ArrayLike<number>,
  { terms = Math.max(3, Math.floor(0.4 * differences.length ** (2 / 3))) }: { readonly terms?: number } = {},
): StudentEstimate {
  const n = differences.length
  let squares = 0
  for (let j = 1; j <= terms; j += 1) {
    let sum = 0
    for (let t = 0; t < n; t += 1) sum += differences[t] * Math.cos((Math.PI * j * (t + 0.5)) / n)
    squares += (2 / n) * sum ** 2
  }
  return { mean: mean(differences), standardError: Math.sqrt(squares / terms / n), degreesOfFreedom: terms }
}

import { mean } from './descriptive.js'

/**
 * The mean of a long autocorrelated series without a model of the autocorrelation: its long-run variance is the mean
 * square of the first B cosine-weighted sums, and the error follows t with B degrees of freedom (Müller 2004; Lazarus,
 * Lewis, Stock and Watson 2018, "equal-weighted cosine").
 *
 *   Λ_j = √(2/T) Σ_t d_t cos(π j (t − ½)/T),  SE² = Σ_j Λ_j²/(B T)
 *
 * Few terms look at the slowest movements only: they see a wander that hides under sampling noise, where the first few
 * autocorrelations show next to nothing.
 */
export function cosineMean(
  differences: ArrayLike<number>,
  { terms }: { readonly terms: number },
): { readonly mean: number; readonly standardError: number; readonly degreesOfFreedom: number } {
  const n = differences.length
  const centre = mean(differences)
  let squares = 0
  for (let j = 1; j <= terms; j += 1) {
    // cos of equally spaced angles by rotation: a call for each would take longer than all the rest.
    const turn = (Math.PI * j) / n
    const [c, s] = [Math.cos(turn), Math.sin(turn)]
    let [x, y] = [Math.cos(turn / 2), Math.sin(turn / 2)]
    let sum = 0
    for (let t = 0; t < n; t += 1) {
      sum += (differences[t] - centre) * x
      ;[x, y] = [x * c - y * s, x * s + y * c]
    }
    squares += (2 / n) * sum ** 2
  }
  return { mean: centre, standardError: Math.sqrt(squares / terms / n), degreesOfFreedom: terms }
}

/**
 * Ranks spread over [−1, 1]: 1 − 2·rank/(n − 1), where rank 0 is the best. Equal values share the mean of their ranks,
 * so that equal rewards never differ by the order in which they were stored (the original breaks ties by that order).
 */
export function rankScores(values: ArrayLike<number>): Float64Array {
  const n = values.length
  const scores = new Float64Array(n)
  if (n < 2) return scores
  for (let i = 0; i < n; i += 1) {
    let better = 0
    let equal = 0
    for (let j = 0; j < n; j += 1) {
      if (values[j] > values[i]) better += 1
      else if (values[j] === values[i]) equal += 1
    }
    const rank = better + (equal - 1) / 2
    scores[i] = 1 - (2 * rank) / (n - 1)
  }
  return scores
}

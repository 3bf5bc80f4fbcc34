import { binomialCdf } from './distributions.js'

/** Right or wrong on the same prompts: only prompts on which the two differ say anything (McNemar 1947, exact). */
export interface McNemar {
  /** Prompts that only the first got right, and only the second. */
  readonly onlyFirst: number
  readonly onlySecond: number
  readonly p: number
  /** Less conservative: half of the observed outcome's own probability. */
  readonly midP: number
}

export function mcnemar(first: readonly number[], second: readonly number[]): McNemar {
  let onlyFirst = 0
  let onlySecond = 0
  first.forEach((score, i) => {
    if (score > second[i]) onlyFirst += 1
    else if (score < second[i]) onlySecond += 1
  })
  const differing = onlyFirst + onlySecond
  if (differing === 0) return { onlyFirst, onlySecond, p: 1, midP: 1 }
  const fewer = Math.min(onlyFirst, onlySecond)
  const tail = binomialCdf(fewer, differing, 0.5)
  const itself = tail - binomialCdf(fewer - 1, differing, 0.5)
  return { onlyFirst, onlySecond, p: Math.min(1, 2 * tail), midP: Math.min(1, 2 * (tail - itself / 2)) }
}

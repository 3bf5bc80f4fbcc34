import { mean } from './descriptive.js'

/** How much scores that share something (a prompt, a passage, a template) resemble each other (facts 1.1). */
export interface ClusterEffect {
  /** Share of the variance that lies between clusters; may be negative when clusters differ less than chance would. */
  readonly intraclassCorrelation: number
  /** By how much the variance of the mean grows over that of as many independent scores. */
  readonly designEffect: number
}

/**
 * One-way analysis of variance (Fisher 1925; Donner 1986): ICC = (MSB − MSW)/(MSB + (m₀ − 1) MSW) with
 * m₀ = (N − Σm²/N)/(G − 1); design effect 1 + (m − 1) ICC with m = Σm²/N, the size of the cluster that a score is in on
 * average (Kish 1965).
 */
export function clusterEffect(scores: readonly number[], clusterOf: readonly (string | number)[]): ClusterEffect {
  const members = new Map<string | number, number[]>()
  scores.forEach((score, i) => {
    const group = members.get(clusterOf[i])
    if (group === undefined) members.set(clusterOf[i], [score])
    else group.push(score)
  })
  const centre = mean(scores)
  let between = 0
  let within = 0
  let squaredSizes = 0
  for (const group of members.values()) {
    const level = mean(group)
    between += group.length * (level - centre) ** 2
    for (const score of group) within += (score - level) ** 2
    squaredSizes += group.length ** 2
  }
  const n = scores.length
  const meanBetween = between / (members.size - 1)
  const meanWithin = within / (n - members.size)
  const typicalSize = (n - squaredSizes / n) / (members.size - 1)
  const intraclassCorrelation = (meanBetween - meanWithin) / (meanBetween + (typicalSize - 1) * meanWithin)
  return { intraclassCorrelation, designEffect: 1 + (squaredSizes / n - 1) * intraclassCorrelation }
}

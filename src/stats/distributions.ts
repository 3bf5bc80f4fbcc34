import jstat from 'jstat'

/**
 * Distribution functions. From jStat: one small package that loads in ten milliseconds, where the alternative brings 230.
 * Quantiles get a Newton step on its distribution functions. Against scipy all agree to seven
 * digits or more, which is far beyond what any verdict prints.
 */
const { jStat } = jstat

interface Distribution<Parameters extends readonly number[]> {
  pdf(x: number, ...parameters: Parameters): number
  cdf(x: number, ...parameters: Parameters): number
  inv(p: number, ...parameters: Parameters): number
}

export function normalCdf(x: number): number {
  return jStat.normal.cdf(x, 0, 1)
}

export function normalQuantile(p: number): number {
  return polished(jStat.normal, p, [0, 1])
}

export function studentCdf(x: number, degreesOfFreedom: number): number {
  return jStat.studentt.cdf(x, degreesOfFreedom)
}

export function studentQuantile(p: number, degreesOfFreedom: number): number {
  if (p !== last.p || last.found.size > 1_000) last = { p, found: new Map() }
  const quantile = last.found.get(degreesOfFreedom) ?? polished(jStat.studentt, p, [degreesOfFreedom])
  last.found.set(degreesOfFreedom, quantile)
  return quantile
}

/** Simulations ask for the same ones thousands of times. */
let last = { p: Number.NaN, found: new Map<number, number>() }

export function chiSquareQuantile(p: number, degreesOfFreedom: number): number {
  return polished(jStat.chisquare, p, [degreesOfFreedom])
}

/** Chance of at most k successes; summed, because n is the number of differing prompts and small. */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0
  let sum = 0
  for (let i = 0; i <= Math.min(k, n); i += 1) {
    const logChoose = jStat.gammaln(n + 1) - jStat.gammaln(i + 1) - jStat.gammaln(n - i + 1)
    sum += Math.exp(logChoose + i * Math.log(p) + (n - i) * Math.log1p(-p))
  }
  return Math.min(1, sum)
}

function polished<Parameters extends readonly number[]>(
  distribution: Distribution<Parameters>,
  p: number,
  parameters: Parameters,
): number {
  const start = distribution.inv(p, ...parameters)
  if (!Number.isFinite(start)) return start
  const density = distribution.pdf(start, ...parameters)
  if (!(density > 0)) return start
  return start - (distribution.cdf(start, ...parameters) - p) / density
}

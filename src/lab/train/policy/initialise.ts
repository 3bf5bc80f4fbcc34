/** Fresh parameters, drawn as the original draws them (its own rules, and torch's defaults where it has none). */
import type { Random } from '../../../stats/random.js'
import type { ParameterSet } from '../matrix/parameters.js'

/** How far query_proj and cand_proj start from the identity. */
const PROJECTION_NOISE = 0.01

export function initialise(parameters: ParameterSet, random: Random): void {
  const values = new Map<string, Float64Array>()
  for (const { name, dimensions, length } of parameters.all) {
    const [rows, columns = 0] = dimensions
    const uniform = (bound: number): Float64Array =>
      Float64Array.from({ length }, () => bound * (2 * random.next() - 1))
    if (name === 'query_proj.weight' || name === 'cand_proj.weight') {
      const identity = (i: number): number => (Math.floor(i / columns) === i % columns ? 1 : 0)
      values.set(
        name,
        Float64Array.from({ length }, (_, i) => identity(i) + PROJECTION_NOISE * random.normal()),
      )
    } else if (name.endsWith('out_proj.weight')) {
      // torch: kaiming_uniform with a = sqrt(5), which is 1 / sqrt(inputs)
      values.set(name, uniform(1 / Math.sqrt(columns)))
    } else if (dimensions.length === 2) {
      // Xavier; for in_proj_weight over the three stacked matrices together, as torch does
      values.set(name, uniform(Math.sqrt(6 / (rows + columns))))
    } else {
      values.set(name, new Float64Array(length).fill(/^attn_norms\.\d+\.weight$/.test(name) ? 1 : 0))
    }
  }
  parameters.load(values)
}

/**
 * Fresh parameters: normal numbers whose spread keeps every layer's output at about the size of its input, smaller by
 * the root of their number for the matrices that add to the residual stream (Radford et al. 2019); norms start at 1.
 */
import type { Random } from '../../stats/random.js'
import type { ParameterSet } from '../policy/parameters.js'
import type { DecoderShape } from './shape.js'

export function initialiseDecoder(parameters: ParameterSet, { width, layers }: DecoderShape, random: Random): void {
  const values = new Map<string, Float64Array>()
  const usual = 0.5 / Math.sqrt(width)
  for (const { name, dimensions, length } of parameters.all) {
    const isNorm = dimensions.length === 1
    const addsToStream = /\.(o_proj|down_proj)\.weight$/.test(name)
    const spread = addsToStream ? usual / Math.sqrt(2 * layers) : usual
    values.set(
      name,
      Float64Array.from({ length }, () => (isNorm ? 1 : spread * random.normal())),
    )
  }
  parameters.load(values)
}

/**
 * The body of the language model, from tokens to the states that the head reads:
 *   x = embedding[token];  for each layer  x += attention(norm(x)),  x += feedForward(norm(x));  state = norm(x)
 */
import { denseGradient } from '../policy/parameters.js'
import { createAttention } from './attention.js'
import { createFeedForward } from './feed-forward.js'
import type { Matrix } from './matrix.js'
import { normOf, type Parts, type Passage, type TrainedPassage } from './parts.js'
import { decoderLayerNames, EMBEDDING, LAST_NORM } from './shape.js'

export interface Decoder {
  /** A state for each row of the passage. They stay until the next passage. */
  forward(passage: Passage): Matrix
  /** Of the last forward: from the slopes of the states to those of all parameters. Overwrites `dStates`. */
  backward(passage: TrainedPassage, dStates: Matrix): void
}

export function createDecoder(parts: Parts): Decoder {
  const { engine, scratch, shape, parameters } = parts
  const { kernels } = engine
  const { width, layers } = shape
  const embedding = parameters.get(EMBEDDING)
  const lastNorm = normOf(parts, LAST_NORM)
  const stack = Array.from({ length: layers }, (_, layer) => ({
    attentionNorm: normOf(parts, decoderLayerNames(layer).attentionNorm),
    attention: createAttention(parts, layer),
    feedForwardNorm: normOf(parts, decoderLayerNames(layer).feedForwardNorm),
    feedForward: createFeedForward(parts, layer),
  }))

  /** The stream before and after a layer's attention, and both normalised. */
  function trace(passage: Passage, layer: number) {
    const prefix = passage.traceOf(layer)
    const matrix = (name: string, columns = width): Matrix => scratch(`${prefix} ${name}`, passage.rows, columns)
    return {
      entering: matrix('entering'),
      enteringScales: matrix('entering scales', 1).start,
      normalised: matrix('normalised'),
      between: matrix('between'),
      betweenScales: matrix('between scales', 1).start,
      betweenNormalised: matrix('between normalised'),
    }
  }
  const endOf = (passage: Passage): Matrix => scratch('end of stream', passage.rows, width)
  const endScales = (passage: Passage): number => scratch('end scales', passage.rows, 1).start

  function addTo(target: Matrix, source: Matrix): void {
    kernels.add(target.start, source.start, source.rows * source.columns)
  }

  return {
    forward(passage) {
      const { rows } = passage
      const first = trace(passage, 0).entering
      kernels.gatherRows(first.start, embedding.start, passage.tokens, rows, width)
      stack.forEach(({ attentionNorm, attention, feedForwardNorm, feedForward }, layer) => {
        const { entering, enteringScales, normalised, between, betweenScales, betweenNormalised } = trace(
          passage,
          layer,
        )
        attentionNorm.forward(normalised, enteringScales, entering)
        attention.forward(passage, between, normalised)
        addTo(between, entering)
        feedForwardNorm.forward(betweenNormalised, betweenScales, between)
        const leaving = layer + 1 < layers ? trace(passage, layer + 1).entering : endOf(passage)
        feedForward.forward(passage, leaving, betweenNormalised)
        addTo(leaving, between)
      })
      const states = scratch('states', rows, width)
      lastNorm.forward(states, endScales(passage), endOf(passage))
      return states
    },

    backward(passage, dStates) {
      const { rows } = passage
      const dStream = scratch('d stream', rows, width)
      const dNormalised = scratch('d normalised', rows, width)
      lastNorm.backward(dStream, dStates, endScales(passage), endOf(passage))
      for (let layer = layers - 1; layer >= 0; layer--) {
        const { attentionNorm, attention, feedForwardNorm, feedForward } = stack[layer]
        const { entering, enteringScales, normalised, between, betweenScales, betweenNormalised } = trace(
          passage,
          layer,
        )
        // The stream goes past a block unchanged, so a block's slope is added to the stream's.
        feedForward.backward(passage, dNormalised, dStream, betweenNormalised)
        feedForwardNorm.backward(dStream, dNormalised, betweenScales, between, true)
        attention.backward(passage, dNormalised, dStream, normalised)
        attentionNorm.backward(dStream, dNormalised, enteringScales, entering, true)
      }
      kernels.addToRows(denseGradient(engine, embedding), passage.tokens, dStream.start, rows, width)
    },
  }
}

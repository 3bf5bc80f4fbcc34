/**
 * The body of the language model, from tokens to the states that the head reads:
 *   x = embedding[token];  for each layer  x += attention(norm(x)),  x += feedForward(norm(x));  state = norm(x)
 * In the last layer the rows that are not asked about leave the stream: they still give keys and values, and nothing else.
 */

import { type Matrix, zero } from '../matrix/matrix.js'
import { denseGradient } from '../matrix/parameters.js'
import { createAttention } from './attention.js'
import { linearOf, normOf, type Parts, type Passage, type RowSet, type TrainedPassage } from './parts.js'
import { decoderLayerNames, EMBEDDING, LAST_NORM } from './shape.js'

interface Decoder {
  /** A state for each row that is asked about. They stay until the next passage. */
  forward(passage: Passage): Matrix
  /** Of the last forward: from the slopes of the states to those of all parameters. */
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
  const askingIn = (passage: Passage, layer: number): RowSet => (layer < layers - 1 ? passage.all : passage.asked)

  /** The stream as it comes in, and as it goes on with the rows that are asked about; each of them normalised as well. */
  function trace(passage: Passage, layer: number) {
    const prefix = passage.traceOf(layer)
    const { all } = passage
    const asking = askingIn(passage, layer)
    const matrix = (name: string, { count }: RowSet, columns = width): Matrix =>
      scratch(`${prefix} ${name}`, count, columns)
    const entering = matrix('entering', all)
    const normalised = matrix('normalised', all)
    return {
      asking,
      entering,
      enteringScales: matrix('entering scales', all, 1).start,
      normalised,
      askingNormalised: asking.indices === null ? normalised : matrix('asking normalised', asking),
      between: matrix('between', asking),
      betweenScales: matrix('between scales', asking, 1).start,
      betweenNormalised: matrix('between normalised', asking),
    }
  }
  const endOf = ({ asked }: Passage): Matrix => scratch('end of stream', asked.count, width)
  const endScales = ({ asked }: Passage): number => scratch('end scales', asked.count, 1).start

  function addTo(target: Matrix, source: Matrix): void {
    kernels.add(target.start, source.start, source.rows * source.columns)
  }

  /** The given rows of x; x itself when they are all. */
  function rowsOf(x: Matrix, { indices, count }: RowSet, into: Matrix): Matrix {
    if (indices === null) return x
    kernels.gatherRows(into.start, x.start, indices, count, x.columns)
    return into
  }

  /** The reverse: adds to the given rows of dx. */
  function addToRowsOf(dx: Matrix, { indices, count }: RowSet, slopes: Matrix): void {
    if (indices === null) addTo(dx, slopes)
    else kernels.addToRows(dx.start, indices, slopes.start, count, dx.columns)
  }

  return {
    forward(passage) {
      const first = trace(passage, 0).entering
      kernels.gatherRows(first.start, embedding.start, passage.tokens, passage.all.count, width)
      stack.forEach(({ attentionNorm, attention, feedForwardNorm, feedForward }, layer) => {
        const of = trace(passage, layer)
        const { asking, entering, normalised, between, betweenNormalised } = of
        attentionNorm.forward(normalised, of.enteringScales, entering)
        const askingNormalised = rowsOf(normalised, asking, of.askingNormalised)
        attention.forward(passage, asking, between, normalised, askingNormalised)
        addTo(between, rowsOf(entering, asking, scratch('asking entering', asking.count, width)))
        feedForwardNorm.forward(betweenNormalised, of.betweenScales, between)
        const leaving = layer + 1 < layers ? trace(passage, layer + 1).entering : endOf(passage)
        feedForward.forward(passage, leaving, betweenNormalised)
        addTo(leaving, between)
      })
      const states = scratch('states', passage.asked.count, width)
      lastNorm.forward(states, endScales(passage), endOf(passage))
      return states
    },

    backward(passage, dStates) {
      const { all, asked } = passage
      let dStream = scratch('d asked stream', asked.count, width)
      lastNorm.backward(dStream, dStates, endScales(passage), endOf(passage))
      for (let layer = layers - 1; layer >= 0; layer--) {
        const { attentionNorm, attention, feedForwardNorm, feedForward } = stack[layer]
        const of = trace(passage, layer)
        const { asking } = of
        const dNormalised = scratch('d normalised', all.count, width)
        const dAskingNormalised = scratch('d asking normalised', asking.count, width)
        // The stream goes past a block unchanged, so a block's slope is added to the stream's.
        feedForward.backward(passage, dAskingNormalised, dStream, of.betweenNormalised)
        feedForwardNorm.backward(dStream, dAskingNormalised, of.betweenScales, of.between, true)
        const slopes = { dx: dNormalised, dAskingX: dAskingNormalised }
        attention.backward(passage, asking, slopes, dStream, of.normalised, of.askingNormalised)
        addToRowsOf(dNormalised, asking, dAskingNormalised)
        if (asking.indices !== null) {
          const dAsked = dStream
          dStream = scratch('d stream', all.count, width)
          zero(engine, dStream)
          addToRowsOf(dStream, asking, dAsked)
        }
        attentionNorm.backward(dStream, dNormalised, of.enteringScales, of.entering, true)
      }
      kernels.addToRows(denseGradient(engine, embedding), passage.tokens, dStream.start, all.count, width)
    },
  }
}

/** The gated feed-forward of one layer (SwiGLU, Shazeer 2020): y = (silu(x Wg^T) x Wu^T) Wd^T. */

interface FeedForward {
  forward(passage: Passage, y: Matrix, x: Matrix): void
  backward(passage: Passage, dx: Matrix, dy: Matrix, x: Matrix): void
}

function createFeedForward(parts: Parts, layer: number): FeedForward {
  const { kernels } = parts.engine
  const { scratch } = parts
  const { inner } = parts.shape
  const names = decoderLayerNames(layer)
  const toGate = linearOf(parts, names.gate)
  const toUp = linearOf(parts, names.up)
  const down = linearOf(parts, names.down)

  function trace(passage: Passage, rows: number) {
    const prefix = passage.traceOf(layer)
    const matrix = (name: string): Matrix => scratch(`${prefix} ${name}`, rows, inner)
    return { gate: matrix('gate'), up: matrix('up'), gated: matrix('gated') }
  }

  return {
    forward(passage, y, x) {
      const { gate, up, gated } = trace(passage, x.rows)
      toGate.forward(gate, x)
      toUp.forward(up, x)
      kernels.gated(gated.start, gate.start, up.start, x.rows * inner)
      down.forward(y, gated)
    },

    backward(passage, dx, dy, x) {
      const { gate, up, gated } = trace(passage, x.rows)
      const dGated = scratch('d gated', x.rows, inner)
      const dGate = scratch('d gate', x.rows, inner)
      const dUp = scratch('d up', x.rows, inner)
      down.addWeightGradient(dy, gated)
      down.inputGradient(dGated, dy)
      kernels.gatedBackward(dGate.start, dUp.start, dGated.start, gate.start, up.start, x.rows * inner)
      toGate.addWeightGradient(dGate, x)
      toUp.addWeightGradient(dUp, x)
      toGate.inputGradient(dx, dGate)
      toUp.inputGradient(dx, dUp, true)
    },
  }
}

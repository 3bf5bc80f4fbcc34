/** The gated feed-forward of one layer (SwiGLU, Shazeer 2020): y = (silu(x Wg^T) x Wu^T) Wd^T. */
import type { Matrix } from './matrix.js'
import { linearOf, type Parts, type Passage } from './parts.js'
import { decoderLayerNames } from './shape.js'

export interface FeedForward {
  forward(passage: Passage, y: Matrix, x: Matrix): void
  backward(passage: Passage, dx: Matrix, dy: Matrix, x: Matrix): void
}

export function createFeedForward(parts: Parts, layer: number): FeedForward {
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

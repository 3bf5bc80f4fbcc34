/**
 * Rotary positions (Su et al. 2021): pair i of a head is turned by position x theta^(-2i / headWidth). The tables are
 * made once, in float64.
 */
import type { Engine } from '../kernels/engine.js'
import type { Matrix } from './matrix.js'
import type { DecoderShape } from './shape.js'

export interface Rotation {
  turn(x: Matrix, positions: number): void
  turnBack(x: Matrix, positions: number): void
}

export interface RotationTables {
  readonly cosines: number
  readonly sines: number
}

export function createRotationTables(engine: Engine, shape: DecoderShape): RotationTables {
  const { positions, headWidth, ropeTheta } = shape
  const half = headWidth / 2
  const cosines = engine.allocate(positions * half)
  const sines = engine.allocate(positions * half)
  const numbers = engine.numbers()
  for (let position = 0; position < positions; position++) {
    for (let pair = 0; pair < half; pair++) {
      const angle = position * ropeTheta ** ((-2 * pair) / headWidth)
      numbers[cosines + position * half + pair] = Math.cos(angle)
      numbers[sines + position * half + pair] = Math.sin(angle)
    }
  }
  return { cosines, sines }
}

interface RotationParts {
  readonly engine: Engine
  readonly shape: DecoderShape
  readonly rotationTables: RotationTables
}

export function createRotation({ engine, shape, rotationTables }: RotationParts): Rotation {
  const { headWidth } = shape
  const { cosines, sines } = rotationTables
  const turned = ({ start, rows, columns }: Matrix, positions: number, direction: 1 | -1): void =>
    engine.kernels.rotate(start, positions, cosines, sines, rows, columns / headWidth, headWidth, direction)
  return {
    turn: (x, positions) => turned(x, positions, 1),
    turnBack: (x, positions) => turned(x, positions, -1),
  }
}

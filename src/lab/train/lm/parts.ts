import type { Engine } from '../kernels/engine.js'
import { createLinear, createNorm, type Linear, type Matrix, type Norm, type Scratch } from '../matrix/matrix.js'
import type { ParameterSet } from '../matrix/parameters.js'
import type { DecoderShape } from './shape.js'

/** Where the cosines and sines of rotary positions lie. */
export interface RotationTables {
  readonly cosines: number
  readonly sines: number
}

/** What the parts of one decoder share. */
export interface Parts {
  readonly engine: Engine
  readonly shape: DecoderShape
  readonly parameters: ParameterSet
  readonly scratch: Scratch
  readonly rotationTables: RotationTables
}

export function linearOf({ engine, parameters }: Parts, name: string): Linear {
  return createLinear(engine, parameters.get(name))
}

export function normOf({ engine, parameters, shape }: Parts, name: string): Norm {
  return createNorm(engine, parameters.get(name), shape.epsilon)
}

/** A list of numbers, in the engine under a name; answers where it begins. */
export function writeList({ engine, scratch }: Parts, name: string, values: ArrayLike<number>): number {
  const { start } = scratch(name, values.length, 1)
  engine.numbers().set(values, start)
  return start
}

/**
 * Tokens on their way through the decoder, some rows of one matrix after the other: a whole batch that is trained on, or
 * the newest tokens of sequences whose keys and values are in a cache. Every layer but the last computes all rows; of the
 * last one only those rows are computed whose states are asked for, since the others are not used.
 */
export interface Passage {
  readonly all: RowSet
  readonly asked: RowSet
  /** Where the token of each row lies, as a whole number. */
  readonly tokens: number
  /**
   * Names the scratch memory of a layer. A training pass has its own for each, because the way back needs them all;
   * generation uses the same for every layer.
   */
  traceOf(layer: number): string
  /**
   * Lets rows look at the keys of their own sequences, up to their own. There are keys and values of all rows, queries of
   * those that the layer computes.
   */
  attend(layer: number, out: Matrix, queries: Matrix, keys: Matrix, values: Matrix): void
}

export interface RowSet {
  readonly count: number
  /** Where the numbers of these rows lie; null when they are all rows in their order. */
  readonly indices: number | null
  /** Where the position of each in its sequence lies. */
  readonly positions: number
}

/** The way back, from the slopes of what `attend` gave to those of what it took. */
export interface TrainedPassage extends Passage {
  attendBackward(layer: number, slopes: AttentionSlopes, queries: Matrix, keys: Matrix, values: Matrix): void
}

interface AttentionSlopes {
  readonly dOut: Matrix
  readonly dQueries: Matrix
  readonly dKeys: Matrix
  readonly dValues: Matrix
}

/**
 * AdamW (Loshchilov and Hutter 2019: weight decay apart from the gradient) with the gradient clipped by its global norm.
 * Norm, decay and moments concern the trainable parameters only; the original lets the stale gradients of frozen ones
 * into the norm. A parameter without a gradient is left alone, as in torch. The learning rate comes with each step, since
 * the schedule is the trainer's.
 */
import type { AdamRates, FloatArray } from '../kernels/kernels.js'
import type { Parameter, ParameterSet } from '../matrix/parameters.js'

export interface AdamWSettings {
  readonly beta1: number
  readonly beta2: number
  readonly epsilon: number
  readonly weightDecay: number
  /** Infinity: no clipping. */
  readonly clipNorm: number
}

export const DEFAULT_ADAMW: AdamWSettings = {
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  clipNorm: 1,
}

/** torch adds this to the norm before dividing by it. */
const CLIP_EPSILON = 1e-6

/** A gradient shorter than this is the round-off of a gradient of zero; its squares would be subnormal in float32. */
const NO_GRADIENT = 1e-14

/** Keeps moments out of the subnormal numbers of float32, which begin at 1.2e-38 and are 25 times as slow. */
const MOMENT_FLOOR = 1e-28
/** In so many steps a moment falls by a factor of 1e3 at most (beta1 0.9), so it need not be looked at in each. */
const STEPS_BETWEEN_FLOORS = 64

export interface OptimiserStep {
  /** Before clipping. */
  readonly gradientNorm: number
  /** What the gradient was multiplied by. */
  readonly clipScale: number
  /** False when the norm is not finite: nothing was changed then. */
  readonly applied: boolean
}

export interface OptimiserState {
  readonly step: number
  /** Copies, by parameter name. */
  readonly first: ReadonlyMap<string, FloatArray>
  readonly second: ReadonlyMap<string, FloatArray>
}

export interface Optimiser {
  step(learningRate: number): OptimiserStep
  state(): OptimiserState
  restore(state: OptimiserState): void
}

export function createAdamW(parameters: ParameterSet, settings: AdamWSettings = DEFAULT_ADAMW): Optimiser {
  const { engine, trainable } = parameters
  const { kernels } = engine
  const { beta1, beta2, epsilon, weightDecay, clipNorm } = settings
  const moments = trainable.map(parameter => ({
    parameter,
    first: engine.allocate(parameter.length),
    second: engine.allocate(parameter.length),
  }))
  let steps = 0

  function squaredNorm({ gradient, length, dimensions }: Parameter): number {
    if (gradient.state === 'none') return 0
    if (gradient.state === 'dense') return kernels.sumOfSquares(gradient.dense, length)
    return gradient.blocks.reduce(
      (sum, { left, rows, right }) =>
        sum + kernels.sumOfSquares(left, rows) * kernels.sumOfSquares(right, dimensions[1] ?? 1),
      0,
    )
  }

  function step(learningRate: number): OptimiserStep {
    const gradientNorm = Math.sqrt(trainable.reduce((sum, parameter) => sum + squaredNorm(parameter), 0))
    const clipScale = Math.min(1, clipNorm / (gradientNorm + CLIP_EPSILON))
    if (!Number.isFinite(gradientNorm)) return { gradientNorm, clipScale, applied: false }
    steps++
    const correction = Math.sqrt(1 - beta2 ** steps)
    const rates: AdamRates = [
      gradientNorm < NO_GRADIENT ? 0 : clipScale,
      1 - beta1,
      1 - beta2,
      (learningRate * correction) / (1 - beta1 ** steps),
      epsilon * correction,
      learningRate * weightDecay,
    ]
    for (const { parameter, first, second } of moments) {
      const { start, length, gradient, dimensions } = parameter
      if (gradient.state === 'dense') kernels.adamw(start, first, second, gradient.dense, length, ...rates)
      if (gradient.state !== 'outer') continue
      const columns = dimensions[1] ?? 1
      for (const { row, rows, left, right } of gradient.blocks) {
        const at = row * columns
        kernels.adamwOuter(start + at, first + at, second + at, left, right, rows, columns, ...rates)
      }
    }
    if (engine.precision === 'float32' && steps % STEPS_BETWEEN_FLOORS === 1) {
      for (const { parameter, first, second } of moments) {
        kernels.floorMoments(first, second, parameter.length, MOMENT_FLOOR)
      }
    }
    return { gradientNorm, clipScale, applied: true }
  }

  const copies = (which: 'first' | 'second'): Map<string, FloatArray> =>
    new Map(
      moments.map(moment => [
        moment.parameter.name,
        engine.numbers().slice(moment[which], moment[which] + moment.parameter.length),
      ]),
    )

  return {
    step,
    state: () => ({ step: steps, first: copies('first'), second: copies('second') }),
    restore(state) {
      for (const moment of moments) {
        const { name, length } = moment.parameter
        for (const which of ['first', 'second'] as const) {
          const values = state[which].get(name)
          if (values?.length !== length) {
            throw new RangeError(
              `the optimiser state has ${values?.length ?? 'no'} numbers for "${name}", not ${length}`,
            )
          }
          engine.numbers().set(values, moment[which])
        }
      }
      steps = state.step
    },
  }
}

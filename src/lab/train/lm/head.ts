/**
 * The head: logits = state embedding^T (the embedding is tied), and what is asked of the distributions that they make.
 * Only rows that are scored get logits: with a vocabulary of 700 a row of them costs a quarter of the model.
 */
import { type Matrix, zero } from '../matrix/matrix.js'
import { linearOf, type Parts, writeList } from './parts.js'
import { EMBEDDING } from './shape.js'

/** Of a loss, with respect to what TokenScores hold. */
export interface TokenSlopes {
  readonly logProbs: Float64Array
  readonly entropies?: Float64Array
  readonly divergences?: Float64Array
  readonly forward?: Float64Array
}

/** Softmax of some rows of logits, in the engine's memory. Log-probability of token t: scale x logits[t] - normaliser. */
export interface Distributions {
  readonly states: Matrix
  readonly logits: Matrix
  readonly probabilities: Matrix
  readonly normalisers: number
  /** 1 / temperature */
  readonly scale: number
}

export interface Head {
  /** Of the given rows of the states. They stay until the next call. */
  distributions(states: Matrix, rows: readonly number[], scale: number): Distributions
  logProbs(distributions: Distributions, tokens: readonly number[]): Float64Array
  entropies(distributions: Distributions): Float64Array
  divergences(distributions: Distributions, other: Distributions): Float64Array
  /** After all of the above: from the slopes of what was asked to those of the embedding, and of each row's state. */
  backward(asked: Asked, slopes: TokenSlopes): Matrix
}

/** What was asked, about which rows of how many. */
export interface Asked {
  readonly distributions: Distributions
  readonly other: Distributions | undefined
  readonly scoredStates: readonly number[]
  readonly targets: readonly number[]
  /** How many states there are. */
  readonly stateCount: number
}

export function createHead(parts: Parts): Head {
  const { engine, scratch, shape } = parts
  const { kernels } = engine
  const { width, vocabulary } = shape
  const embedding = linearOf(parts, EMBEDDING)

  const write = (name: string, values: ArrayLike<number>): number => writeList(parts, name, values)
  /** Neither an entropy nor a divergence is negative; a sum of rounded terms may be, by a hair. */
  const readPositive = (start: number, length: number): Float64Array =>
    Float64Array.from(engine.numbers().subarray(start, start + length), value => Math.max(0, value))

  /** dz += scale c (p − q), c the slope in KL(q ‖ p): in plain TypeScript, because only who asks for this KL pays for it. */
  function addForwardSlopes(dLogits: Matrix, slopes: Float64Array, own: Distributions, other: Distributions): void {
    const numbers = engine.numbers()
    for (let row = 0; row < slopes.length; row++) {
      const slope = own.scale * slopes[row]
      const [to, p, q] = [dLogits, own.probabilities, other.probabilities].map(({ start }) => start + row * vocabulary)
      for (let i = 0; i < vocabulary; i++) numbers[to + i] += slope * (numbers[p + i] - numbers[q + i])
    }
  }

  return {
    distributions(states, rows, scale) {
      const asked = scratch('asked states', rows.length, width)
      const logits = scratch('logits', rows.length, vocabulary)
      const probabilities = scratch('probabilities', rows.length, vocabulary)
      const normalisers = scratch('normalisers', rows.length, 1).start
      kernels.gatherRows(asked.start, states.start, write('asked indices', rows), rows.length, width)
      embedding.forward(logits, asked)
      kernels.softmaxRows(probabilities.start, normalisers, logits.start, rows.length, vocabulary, scale)
      return { states: asked, logits, probabilities, normalisers, scale }
    },

    logProbs({ logits, normalisers, scale }, tokens) {
      const numbers = engine.numbers()
      return Float64Array.from(
        tokens,
        (token, row) => scale * numbers[logits.start + row * vocabulary + token] - numbers[normalisers + row],
      )
    },

    entropies({ logits, probabilities, normalisers, scale }) {
      const { rows } = logits
      const entropies = scratch('entropies', rows, 1).start
      kernels.entropyRows(entropies, probabilities.start, normalisers, logits.start, rows, vocabulary, scale)
      return readPositive(entropies, rows)
    },

    divergences({ logits, probabilities, normalisers, scale }, other) {
      const { rows } = logits
      const divergences = scratch('divergences', rows, 1).start
      kernels.divergenceRows(
        ...[divergences, probabilities.start, normalisers, logits.start, other.normalisers, other.logits.start],
        ...[rows, vocabulary, scale],
      )
      return readPositive(divergences, rows)
    },

    backward({ distributions, other, scoredStates, targets, stateCount }, slopes) {
      const { states, logits, probabilities, normalisers, scale } = distributions
      const count = targets.length
      const dLogits = scratch('d logits', count, vocabulary)
      const ofRows = [probabilities.start, normalisers, logits.start] as const
      kernels.logitSlopes(
        dLogits.start,
        write('log-prob slopes', slopes.logProbs),
        write('entropy slopes', slopes.entropies ?? new Float64Array(count)),
        write('targets', targets),
        scratch('entropies', count, 1).start,
        ...ofRows,
        ...[count, vocabulary, scale],
      )
      if (other !== undefined && slopes.divergences !== undefined) {
        kernels.addDivergenceSlopes(
          dLogits.start,
          write('divergence slopes', slopes.divergences),
          scratch('divergences', count, 1).start,
          ...ofRows,
          ...[other.normalisers, other.logits.start, count, vocabulary, scale],
        )
      }
      if (other !== undefined && slopes.forward?.some(slope => slope !== 0) === true)
        addForwardSlopes(dLogits, slopes.forward, distributions, other)
      const dAsked = scratch('d asked states', count, width)
      const dStates = scratch('d states', stateCount, width)
      embedding.addWeightGradient(dLogits, states)
      embedding.inputGradient(dAsked, dLogits)
      zero(engine, dStates)
      kernels.addToRows(dStates.start, write('asked indices', scoredStates), dAsked.start, count, width)
      return dStates
    },
  }
}

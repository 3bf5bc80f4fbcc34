/**
 * Sequences on their way through the decoder together, without padding: every product runs over the rows of all of them,
 * attention over each by itself. Rows are the nodes of the tree of their prefixes: what several sequences begin with, as
 * the rollouts of one prompt do, is computed once. A sequence is cut after the last token that something is asked about,
 * since what follows cannot matter.
 */
import { ATTENTION_BLOCK, weightStride } from '../kernels/decoder-kernels.js'
import { type Matrix, zero } from '../matrix/matrix.js'
import { type Parts, type TrainedPassage, writeList } from './parts.js'
import { prefixTree, type TokenSequence } from './sequences.js'

export interface PackedPassage extends TrainedPassage {
  /** For each scored token, sequence by sequence, which of the states that are asked about predicts it. */
  readonly scoredStates: readonly number[]
  readonly targets: readonly number[]
  /** Where the scored tokens of each sequence begin, and at last where they end. */
  readonly boundaries: readonly number[]
}

/** Neighbouring tokens of one sequence whose queries are neighbouring rows. */
interface Run {
  readonly first: number
  readonly rows: number
  /** Tokens of the sequence before the first of them. */
  readonly past: number
  /** Where its attention weights begin among those of its layer. */
  readonly weights: number
}

interface PackedSequence {
  /** The row of each of its tokens. */
  readonly rows: readonly number[]
  /** Where these are written down in the engine. */
  readonly indices: number
  /** Of its own rows in the layers that compute all, and of those that are asked about in the last. */
  readonly ownRuns: readonly Run[]
  readonly askedRuns: readonly Run[]
}

export function packSequences(parts: Parts, sequences: readonly TokenSequence[]): PackedPassage {
  const { engine, scratch, shape } = parts
  const { kernels } = engine
  const { heads, keyHeads, headWidth, layers } = shape
  const { rowTokens, rowPositions, rowsOfSequences, scoredRows, targets, boundaries } = prefixTree(sequences, shape)
  const askedRows = [...new Set(scoredRows)].sort((a, b) => a - b)
  const stateOfRow = new Map(askedRows.map((row, state) => [row, state]))

  const write = (name: string, values: readonly number[]): number => writeList(parts, name, values)
  const indices = write('rows of sequences', rowsOfSequences.flat())
  const all = { count: rowTokens.length, indices: null, positions: write('positions', rowPositions) }
  const asked = {
    count: askedRows.length,
    indices: write('asked rows', askedRows),
    positions: write(
      'asked positions',
      askedRows.map(row => rowPositions[row]),
    ),
  }

  const weightCounts = { own: 0, asked: 0 }
  function runOf(kind: 'own' | 'asked', first: number, rows: number, past: number): Run {
    const weights = weightCounts[kind]
    weightCounts[kind] += heads * rows * weightStride(past + rows)
    return { first, rows, past, weights }
  }
  let rowsBefore = 0
  let tokensBefore = 0
  const packed = rowsOfSequences.map((rows): PackedSequence => {
    // What it shares with an earlier sequence has been seen to there.
    const own = rows.filter(row => row >= rowsBefore)
    const at = indices + tokensBefore
    rowsBefore += own.length
    tokensBefore += rows.length
    return {
      rows,
      indices: at,
      ownRuns: neighbours(own).map(({ first, length }) => runOf('own', first, length, rowPositions[first])),
      askedRuns: neighbours(own.filter(row => stateOfRow.has(row))).map(({ first, length }) =>
        runOf('asked', stateOfRow.get(first) ?? 0, length, rowPositions[first]),
      ),
    }
  })

  /** Which rows of a sequence ask, in this layer. */
  const runsIn = (layer: number, { ownRuns, askedRuns }: PackedSequence): readonly Run[] =>
    layer < layers - 1 ? ownRuns : askedRuns
  const weightsOf = (layer: number): number =>
    scratch(`${layer} attention weights`, 1, layer < layers - 1 ? weightCounts.own : weightCounts.asked).start
  const longest = Math.max(0, ...packed.map(({ rows }) => rows.length))
  const columns = keyHeads * headWidth
  /** The keys or values of one sequence, one after the other. */
  const together = (name: string): Matrix => scratch(`${name} of a sequence`, longest, columns)
  const rowAt = (matrix: Matrix, row: number): number => matrix.start + row * matrix.columns

  return {
    all,
    asked,
    tokens: write('tokens', rowTokens),
    scoredStates: scoredRows.map(row => stateOfRow.get(row) ?? 0),
    targets,
    boundaries,
    traceOf: layer => String(layer),

    attend(layer, out, queries, keys, values) {
      const weights = weightsOf(layer)
      const [ownKeys, ownValues] = [together('keys'), together('values')]
      for (const sequence of packed) {
        const { indices: at, rows } = sequence
        kernels.gatherRows(ownKeys.start, keys.start, at, rows.length, columns)
        kernels.gatherRows(ownValues.start, values.start, at, rows.length, columns)
        for (const run of runsIn(layer, sequence)) {
          kernels.attend(
            ...[rowAt(out, run.first), weights + run.weights, rowAt(queries, run.first)],
            ...[ownKeys.start, ownValues.start, run.rows, run.past, heads, keyHeads, headWidth],
          )
        }
      }
    },

    attendBackward(layer, { dOut, dQueries, dKeys, dValues }, queries, keys, values) {
      const weights = weightsOf(layer)
      const block = scratch('attention block', ATTENTION_BLOCK, weightStride(longest)).start
      const [ownKeys, ownValues] = [together('keys'), together('values')]
      const [dOwnKeys, dOwnValues] = [together('d keys'), together('d values')]
      zero(engine, dKeys)
      zero(engine, dValues)
      for (const sequence of packed) {
        const { indices: at, rows } = sequence
        kernels.gatherRows(ownKeys.start, keys.start, at, rows.length, columns)
        kernels.gatherRows(ownValues.start, values.start, at, rows.length, columns)
        zero(engine, dOwnKeys)
        zero(engine, dOwnValues)
        for (const run of runsIn(layer, sequence)) {
          kernels.attendBackward(
            ...[rowAt(dQueries, run.first), dOwnKeys.start, dOwnValues.start, rowAt(dOut, run.first), block],
            ...[weights + run.weights, rowAt(queries, run.first), ownKeys.start, ownValues.start],
            ...[run.rows, run.past, heads, keyHeads, headWidth],
          )
        }
        kernels.addToRows(dKeys.start, at, dOwnKeys.start, rows.length, columns)
        kernels.addToRows(dValues.start, at, dOwnValues.start, rows.length, columns)
      }
    },
  }
}

/** Rows in ascending order, as stretches of rows that follow each other. */
function neighbours(rows: readonly number[]): readonly { readonly first: number; readonly length: number }[] {
  const stretches: { first: number; length: number }[] = []
  let last: number | undefined
  for (const row of rows) {
    if (last === undefined || row !== last + 1) stretches.push({ first: row, length: 0 })
    stretches[stretches.length - 1].length++
    last = row
  }
  return stretches
}

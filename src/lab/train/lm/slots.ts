/**
 * Sequences that grow together, with the keys and values of their tokens kept: a token passes through the model once. At
 * each `advance` every slot brings what it has not yet computed (a prompt, a tool's reply, one drawn token), and all of
 * it goes through as the rows of one passage. What a slot gets does not depend on the others, to the bit. An engine does
 * not take memory back: slots are opened once and cleared.
 */
import { weightStride } from '../kernels/decoder-kernels.js'
import type { Matrix } from '../matrix/matrix.js'
import type { Distributions } from './head.js'
import type { LanguageModel } from './language-model.js'
import type { Passage } from './parts.js'

export interface Slots {
  readonly count: number
  /** Tokens that fit into a slot. */
  readonly capacity: number
  /** What a slot holds by now, computed or not; a copy is needed to keep it. */
  tokens(slot: number): readonly number[]
  append(slot: number, tokens: Iterable<number>): void
  /** Computes what the given slots have not, and answers the distribution of the next token of each, in their order. */
  advance(slots: readonly number[], temperature?: number): Distributions
  /** Computes all but the last token of the given slots, which are then ready to be forked. */
  prepare(slots: readonly number[]): void
  /** Makes a slot what another one is, without computing anything again: rollouts of one prompt share its cost. */
  fork(from: number, to: number): void
  /** Empties all slots. To be called when the model's parameters have changed. */
  clear(): void
}

interface Slot {
  tokens: number[]
  /** How many of them have keys and values. */
  computed: number
}

/** The newest tokens of one slot on their way through the model. */
interface Run {
  readonly slot: number
  readonly first: number
  readonly rows: number
  readonly past: number
}

export function openSlots(model: LanguageModel, size: { readonly count: number; readonly capacity: number }): Slots {
  const { engine, shape } = model
  const { parts, head, states } = model.inside
  const { kernels } = engine
  const { heads, keyHeads, headWidth, layers, positions: longest } = shape
  const capacity = Math.min(size.capacity, longest)
  const columns = keyHeads * headWidth
  /** Of each layer: slot after slot, token after token. */
  const cache = Array.from({ length: layers }, () => ({
    keys: engine.allocate(size.count * capacity * columns),
    values: engine.allocate(size.count * capacity * columns),
  }))
  const slots: Slot[] = Array.from({ length: size.count }, () => ({ tokens: [], computed: 0 }))

  /** Only the last token of a run is asked about. */
  function passageOf(runs: readonly Run[]): Passage {
    const count = runs.reduce((sum, run) => sum + run.rows, 0)
    const isOneEach = count === runs.length
    const tokens = parts.scratch('tokens', count, 1).start
    const positions = parts.scratch('positions', count, 1).start
    const askedRows = parts.scratch('asked rows', runs.length, 1).start
    const askedPositions = parts.scratch('asked positions', runs.length, 1).start
    const widest = Math.max(...runs.map(run => heads * run.rows * weightStride(run.past + run.rows)))
    const weights = parts.scratch('generation weights', 1, widest).start
    const numbers = engine.numbers()
    runs.forEach(({ slot, first, rows, past }, i) => {
      for (let row = 0; row < rows; row++) {
        numbers[tokens + first + row] = slots[slot].tokens[past + row]
        numbers[positions + first + row] = past + row
      }
      numbers[askedRows + i] = first + rows - 1
      numbers[askedPositions + i] = past + rows - 1
    })
    const all = { count, indices: null, positions }
    return {
      all,
      asked: isOneEach ? all : { count: runs.length, indices: askedRows, positions: askedPositions },
      tokens,
      traceOf: () => 'generation',
      attend(layer, out, queries, newKeys, newValues) {
        runs.forEach(({ slot, first, rows, past }, i) => {
          const keys = cache[layer].keys + slot * capacity * columns
          const values = cache[layer].values + slot * capacity * columns
          kernels.copy(keys + past * columns, newKeys.start + first * columns, rows * columns)
          kernels.copy(values + past * columns, newValues.start + first * columns, rows * columns)
          const asking = layer < layers - 1 ? { first, rows, past } : { first: i, rows: 1, past: past + rows - 1 }
          const from = asking.first * heads * headWidth
          kernels.attend(
            ...[out.start + from, weights, queries.start + from, keys, values],
            ...[asking.rows, asking.past, heads, keyHeads, headWidth],
          )
        })
      },
    }
  }

  /** What the chosen slots have not computed, but for so many tokens at the end. */
  function runsUpTo(chosen: readonly number[], left: number): readonly Run[] {
    let first = 0
    return chosen.map(slot => {
      const { tokens, computed } = slots[slot]
      const rows = Math.max(0, tokens.length - left - computed)
      first += rows
      return { slot, first: first - rows, rows, past: computed }
    })
  }

  function compute(runs: readonly Run[]): Matrix {
    const asked = states(passageOf(runs.filter(run => run.rows > 0)))
    for (const { slot, past, rows } of runs) slots[slot].computed = past + rows
    return asked
  }

  return {
    count: size.count,
    capacity,
    tokens: slot => slots[slot].tokens,

    append(slot, tokens) {
      slots[slot].tokens.push(...tokens)
      const { length } = slots[slot].tokens
      if (length > capacity) throw new RangeError(`a slot for ${capacity} tokens cannot hold ${length}`)
    },

    advance(chosen, temperature = 1) {
      const runs = runsUpTo(chosen, 0)
      const empty = runs.find(run => run.rows === 0)
      if (empty !== undefined) throw new RangeError(`slot ${empty.slot} has nothing new to compute`)
      return head.distributions(
        compute(runs),
        runs.map((_, i) => i),
        1 / temperature,
      )
    },

    prepare(chosen) {
      const runs = runsUpTo(chosen, 1)
      if (runs.some(run => run.rows > 0)) compute(runs)
    },

    fork(from, to) {
      const { tokens, computed } = slots[from]
      slots[to] = { tokens: [...tokens], computed }
      for (const { keys, values } of cache) {
        for (const start of [keys, values]) {
          kernels.copy(start + to * capacity * columns, start + from * capacity * columns, computed * columns)
        }
      }
    },

    clear() {
      for (const slot of slots) {
        slot.tokens = []
        slot.computed = 0
      }
    },
  }
}

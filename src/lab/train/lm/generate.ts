/**
 * One turn of many sequences in lock-step: each slot goes on until it says one of the stop tokens, has said as much as
 * it may, or is full. Every slot draws from its own generator, so that what it says depends on its seed and its text and
 * not on who else is speaking.
 */
import type { Random } from '../../../stats/random.js'
import type { FloatArray } from '../kernels/kernels.js'
import type { Matrix } from '../matrix/matrix.js'
import type { LanguageModel } from './language-model.js'
import type { Slots } from './slots.js'

interface Speaker {
  readonly slot: number
  readonly random: Random
  /** Tokens that its turn may have. */
  readonly limit: number
}

export interface TurnOptions {
  readonly decoding: Decoding
  readonly stop: readonly number[]
}

export interface Turn {
  readonly slot: number
  /** The stop token included. They have been appended to the slot. */
  readonly tokens: readonly number[]
  /** Of each token when it was drawn, at the temperature it was drawn with; `score` gives the same numbers, to the bit. */
  readonly logProbs: readonly number[]
  readonly ended: 'stop' | 'limit' | 'full'
}

interface Unfinished extends Speaker {
  readonly tokens: number[]
  readonly logProbs: number[]
  ended: Turn['ended'] | undefined
}

/** What the slots hold is the context; something in each must be new to the model. */
export function speak(
  model: LanguageModel,
  slots: Slots,
  speakers: readonly Speaker[],
  { decoding, stop }: TurnOptions,
): Turn[] {
  const { engine, inside } = model
  const temperature = decoding.kind === 'greedy' ? 1 : decoding.temperature
  const isFull = (slot: number): boolean => slots.tokens(slot).length >= slots.capacity
  const turns = speakers.map((speaker): Unfinished => {
    const ended = isFull(speaker.slot) ? 'full' : undefined
    return { ...speaker, tokens: [], logProbs: [], ended }
  })
  for (;;) {
    const live = turns.filter(({ ended }) => ended === undefined)
    if (live.length === 0) break
    const distributions = slots.advance(
      live.map(({ slot }) => slot),
      temperature,
    )
    const numbers = engine.numbers()
    const rowOf = ({ start, columns }: Matrix, row: number): FloatArray =>
      numbers.subarray(start + row * columns, start + (row + 1) * columns)
    const drawn = live.map(({ random }, row) =>
      decoding.kind === 'greedy'
        ? mostProbable(rowOf(distributions.logits, row))
        : drawToken(rowOf(distributions.probabilities, row), decoding.topP, random),
    )
    const logProbs = inside.head.logProbs(distributions, drawn)
    live.forEach((turn, row) => {
      turn.tokens.push(drawn[row])
      turn.logProbs.push(logProbs[row])
      slots.append(turn.slot, [drawn[row]])
      if (stop.includes(drawn[row])) turn.ended = 'stop'
      else if (turn.tokens.length >= turn.limit) turn.ended = 'limit'
      else if (isFull(turn.slot)) turn.ended = 'full'
    })
  }
  return turns.map(({ slot, tokens, logProbs, ended = 'full' }) => ({ slot, tokens, logProbs, ended }))
}

/** The next token of a row of a distribution: the most probable one, or one drawn. */

export type Decoding = { readonly kind: 'greedy' } | SampledDecoding

interface SampledDecoding {
  readonly kind: 'sample'
  readonly temperature: number
  /** Only the most probable tokens whose probabilities together reach this are drawn from (Holtzman et al. 2020). */
  readonly topP: number
}

/** The first of several. */
function mostProbable(logits: FloatArray): number {
  let best = 0
  for (let token = 1; token < logits.length; token++) if (logits[token] > logits[best]) best = token
  return best
}

export function drawToken(probabilities: FloatArray, topP: number, random: Random): number {
  return topP < 1 ? drawFromTop(probabilities, topP, random) : drawFromAll(probabilities, random)
}

function drawFromAll(probabilities: FloatArray, random: Random): number {
  let left = random.next()
  for (let token = 0; token < probabilities.length; token++) {
    left -= probabilities[token]
    if (left < 0) return token
  }
  // The probabilities are rounded: they may add up to a hair less than what was drawn.
  return mostProbable(probabilities)
}

function drawFromTop(probabilities: FloatArray, topP: number, random: Random): number {
  const order = Array.from(probabilities, (_, token) => token).sort((a, b) => probabilities[b] - probabilities[a])
  let kept = 0
  let together = 0
  while (kept < order.length && together < topP) together += probabilities[order[kept++]]
  let left = random.next() * together
  for (let i = 0; i < kept; i++) {
    left -= probabilities[order[i]]
    if (left < 0) return order[i]
  }
  return order[0]
}

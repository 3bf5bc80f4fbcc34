/**
 * One turn of many sequences in lock-step: each slot goes on until it says one of the stop tokens, has said as much as
 * it may, or is full. Every slot draws from its own generator, so that what it says depends on its seed and its text and
 * not on who else is speaking.
 */
import type { Random } from '../../stats/random.js'
import type { FloatArray } from '../kernels/kernels.js'
import { type Decoding, drawToken, mostProbable } from './draw.js'
import type { LanguageModel } from './language-model.js'
import type { Matrix } from './matrix.js'
import type { Slots } from './slots.js'

export interface Speaker {
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
): readonly Turn[] {
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

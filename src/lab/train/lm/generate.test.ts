import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../stats/random.js'
import { createEngine } from '../kernels/engine.js'
import { drawToken, speak, type Turn, type TurnOptions } from './generate.js'
import { createLanguageModel } from './language-model.js'
import { type DecoderShape, initialiseDecoder } from './shape.js'
import { openSlots, type Slots } from './slots.js'

const SHAPE: DecoderShape = {
  ...{ vocabulary: 23, width: 16, layers: 2, heads: 4, keyHeads: 2, headWidth: 6, inner: 20 },
  ...{ positions: 96, ropeTheta: 10_000, epsilon: 1e-6 },
}
const STOP = 5
const SAMPLED: TurnOptions = { decoding: { kind: 'sample', temperature: 1.7, topP: 1 }, stop: [STOP] }

const model = createLanguageModel(createEngine('float32'), SHAPE)
initialiseDecoder(model.parameters, SHAPE, seededRandom(3))
// Spread far enough apart for greedy text to be more than one token over and over.
for (const { start, length, dimensions } of model.parameters.all) {
  if (dimensions.length === 2) for (let i = 0; i < length; i++) model.engine.numbers()[start + i] *= 4
}

const prompts = [[1, 2, 3], [4], [7, 8, 9, 10, 11, 12, 13], [1, 2, 3], [22, 21]]

function begun(chosen: readonly (readonly number[])[], capacity = 80): Slots {
  const slots = openSlots(model, { count: chosen.length, capacity })
  for (const [slot, prompt] of chosen.entries()) slots.append(slot, prompt)
  return slots
}

function speakers(count: number, first = 0) {
  return Array.from({ length: count }, (_, slot) => ({
    ...{ slot, random: seededRandom(100 + first + slot), limit: 30 },
  }))
}

/** Two turns, the second after a reply of the tool. */
function dialogue(slots: Slots, options: TurnOptions, first = 0): readonly Turn[] {
  const speaking = speakers(slots.count, first)
  const opening = speak(model, slots, speaking, options)
  for (const { slot } of opening) slots.append(slot, [14, 15, 16, 17].slice(0, 1 + (slot % 4)))
  return [...opening, ...speak(model, slots, speaking, options)]
}

describe('generation', () => {
  it('says the same with the same seeds, and something else with others', () => {
    const [once, again] = [dialogue(begun(prompts), SAMPLED), dialogue(begun(prompts), SAMPLED)]
    expect(again).toEqual(once)
    expect(dialogue(begun(prompts), SAMPLED, 50)).not.toEqual(once)
    // Turns of different lengths, ended in different ways, are what lock-step has to cope with.
    expect(new Set(once.map(({ tokens }) => tokens.length)).size).toBeGreaterThan(3)
    expect(new Set(once.map(({ ended }) => ended))).toEqual(new Set(['stop', 'limit']))
  })

  it('says to each what it would say to it alone', () => {
    const together = dialogue(begun(prompts), SAMPLED)
    prompts.forEach((prompt, slot) => {
      const slots = begun([prompt])
      const speaking = [{ slot: 0, random: seededRandom(100 + slot), limit: 30 }]
      const opening = speak(model, slots, speaking, SAMPLED)
      slots.append(0, [14, 15, 16, 17].slice(0, 1 + (slot % 4)))
      const alone = [...opening, ...speak(model, slots, speaking, SAMPLED)]
      expect(alone).toEqual([together[slot], together[prompts.length + slot]].map(turn => ({ ...turn, slot: 0 })))
    })
  })

  it('gives each token the log-probability that scoring the whole sequence gives it, to the bit', () => {
    const slots = begun(prompts)
    const turns = dialogue(slots, SAMPLED)
    const sequences = prompts.map((prompt, slot) => {
      const tokens = slots.tokens(slot)
      const scored = new Uint8Array(tokens.length)
      const [first, second] = [turns[slot], turns[prompts.length + slot]]
      scored.fill(1, prompt.length, prompt.length + first.tokens.length)
      scored.fill(1, tokens.length - second.tokens.length)
      return { tokens, scored }
    })
    const { logProbs } = model.score(sequences, { temperature: 1.7 })
    const drawn = prompts.flatMap((_, slot) => [...turns[slot].logProbs, ...turns[prompts.length + slot].logProbs])
    expect([...logProbs]).toEqual(drawn)
  })

  it('goes on from a forked slot as from one that was computed', () => {
    const slots = openSlots(model, { count: 2, capacity: 80 })
    slots.append(0, prompts[2])
    slots.prepare([0])
    slots.fork(0, 1)
    const [forked] = speak(model, slots, [{ slot: 1, random: seededRandom(1), limit: 30 }], SAMPLED)
    const fresh = begun([prompts[2]])
    const [computed] = speak(model, fresh, [{ slot: 0, random: seededRandom(1), limit: 30 }], SAMPLED)
    expect({ ...forked, slot: 0 }).toEqual(computed)
  })

  it('is greedy by taking the most probable token of the whole sequence so far', () => {
    const slots = begun(prompts)
    const turns = speak(model, slots, speakers(prompts.length), {
      ...{ decoding: { kind: 'greedy' }, stop: [STOP] },
    })
    turns.forEach(({ tokens }, slot) => {
      tokens.forEach((token, i) => {
        const before = [...prompts[slot], ...tokens.slice(0, i)]
        const { logProbs } = model.score(
          Array.from({ length: SHAPE.vocabulary }, (_, next) => ({
            tokens: [...before, next],
            scored: [...before.map(() => 0), 1],
          })),
        )
        expect(logProbs.indexOf(Math.max(...logProbs))).toBe(token)
      })
    })
    expect(new Set(turns.map(({ tokens }) => tokens.join())).size).toBeGreaterThan(2)
  })

  it('ends a turn when the slot is full', () => {
    const slots = begun([[1, 2, 3]], 10)
    const [turn] = speak(model, slots, speakers(1), { ...SAMPLED, stop: [] })
    expect(turn.ended).toBe('full')
    expect(slots.tokens(0).length).toBe(10)
    expect(() => slots.append(0, [1])).toThrow('cannot hold 11')
  })

  it('forgets everything when it is cleared', () => {
    const slots = begun(prompts)
    const before = dialogue(slots, SAMPLED)
    slots.clear()
    for (const [slot, prompt] of prompts.entries()) slots.append(slot, prompt)
    expect(dialogue(slots, SAMPLED)).toEqual(before)
  })
})

describe('a drawn token', () => {
  const probabilities = Float32Array.from([0.05, 0.4, 0.15, 0.3, 0.1])
  const frequencies = (topP: number): readonly number[] => {
    const random = seededRandom(8)
    const counts = new Array<number>(probabilities.length).fill(0)
    for (let i = 0; i < 20_000; i++) counts[drawToken(probabilities, topP, random)] += 1 / 20_000
    return counts
  }

  it('comes as often as it is probable', () => {
    for (const [token, frequency] of frequencies(1).entries()) {
      expect(Math.abs(frequency - probabilities[token])).toBeLessThan(0.01)
    }
  })

  it('comes from the most probable ones that reach the limit', () => {
    frequencies(0.7).forEach((frequency, token) => {
      const expected = [0, 0.4 / 0.7, 0, 0.3 / 0.7, 0][token]
      expect(Math.abs(frequency - expected)).toBeLessThan(0.015)
    })
  })
})

/**
 * The dialogues of a training while they are spoken: slots (slots.ts) and turns of them (generate.ts), the second half of them
 * on a partner's thread where there is one. What a dialogue says depends on its text and its generator alone, so the halves
 * may be cut anywhere.
 */
import type { Random } from '../../../stats/random.js'
import { speak, type Turn, type TurnOptions } from './generate.js'
import type { LanguageModel } from './language-model.js'
import type { SlotChange } from './partner/messages.js'
import type { Partner } from './partner/partner.js'
import { openSlots } from './slots.js'

export interface Voices {
  /** Tokens that fit into a slot. */
  readonly capacity: number
  /** Empties all slots and makes ready for so many dialogues. To be called whenever the model's parameters have changed. */
  begin(count: number): void
  tokens(slot: number): readonly number[]
  append(slot: number, tokens: readonly number[]): void
  /** Computes all but the last token of the given slots, which are then ready to be forked. */
  prepare(slots: readonly number[]): void
  /** Makes a slot what an earlier one is, without computing anything again: rollouts of one prompt share its cost. */
  fork(from: number, to: number): void
  /** A turn of each, in their order. */
  speak(speakers: readonly Speaker[], options: TurnOptions): readonly Turn[]
}

interface Speaker {
  readonly slot: number
  readonly random: Random
  readonly limit: number
}

export function openVoices(
  model: LanguageModel,
  size: { readonly count: number; readonly capacity: number },
  partner: Partner | null,
): Voices {
  const own = openSlots(model, size)
  const { capacity } = own
  /** Slots below it are ours. */
  let boundary = size.count
  let theirs: number[][] = []
  let changes: SlotChange[] = []
  /** Of a prompt of ours the slot of theirs that holds a copy. */
  let copies = new Map<number, number>()
  const isOurs = (slot: number): boolean => slot < boundary
  const place = (slot: number): number => slot - boundary

  return {
    capacity,

    begin(count) {
      own.clear()
      boundary = partner === null ? size.count : Math.ceil(count / 2)
      theirs = Array.from({ length: count - Math.min(count, boundary) }, () => [])
      changes = [{ kind: 'clear' }]
      copies = new Map()
      partner?.showPolicy()
    },

    tokens: slot => (isOurs(slot) ? own.tokens(slot) : theirs[place(slot)]),

    append(slot, tokens) {
      if (isOurs(slot)) own.append(slot, tokens)
      else {
        theirs[place(slot)].push(...tokens)
        changes.push({ kind: 'append', slot: place(slot), tokens })
      }
    },

    prepare(slots) {
      own.prepare(slots.filter(isOurs))
      changes.push({ kind: 'prepare', slots: slots.filter(slot => !isOurs(slot)).map(place) })
    },

    fork(from, to) {
      if (isOurs(to)) {
        own.fork(from, to)
        return
      }
      const tokens = [...this.tokens(from)]
      const source = isOurs(from) ? copies.get(from) : place(from)
      theirs[place(to)] = tokens
      if (source !== undefined) {
        changes.push({ kind: 'fork', from: source, to: place(to) })
        return
      }
      changes.push({ kind: 'append', slot: place(to), tokens: [...tokens] }, { kind: 'prepare', slots: [place(to)] })
      copies.set(from, place(to))
    },

    speak(speakers, options) {
      const ours = speakers.filter(({ slot }) => isOurs(slot))
      const others = speakers.filter(({ slot }) => !isOurs(slot))
      const heard = partner !== null && others.length > 0 ? partner.speak(jobOf(others, options)) : () => []
      const turns = speak(model, own, ours, options)
      heard().forEach(({ turn, random }, i) => {
        others[i].random.restore(random)
        theirs[turn.slot].push(...turn.tokens)
        turns.push({ ...turn, slot: others[i].slot })
      })
      const bySlot = new Map(turns.map(turn => [turn.slot, turn]))
      return speakers.flatMap(({ slot }) => bySlot.get(slot) ?? [])
    },
  }

  function jobOf(speakers: readonly Speaker[], options: TurnOptions) {
    const job = {
      changes,
      speakers: speakers.map(({ slot, random, limit }) => ({ slot: place(slot), random: random.state(), limit })),
      options,
    }
    changes = []
    return job
  }
}

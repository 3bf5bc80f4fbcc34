import { mean } from '../../../stats/descriptive.js'
import { type Random, shuffled } from '../../../stats/random.js'
import { torchTopOnCpu } from './torch-topk.js'

/**
 * What is shown when: how many of a group's beams, and in which order the queries come. Taking only the beams with the
 * highest rewards (the original: 3 in the first epoch, then 5) mostly keeps ties, whose advantages are zero, so that the
 * group stops teaching; it is here to reproduce that, and off by default.
 */
export interface Curriculum {
  readonly early_epochs: number
  /** Null: all beams. */
  readonly early_beams: number | null
  readonly late_beams: number | null
  /** Which of equally rewarded beams are the best. */
  readonly ties: Ties
  readonly order: QueryOrder
}

type Ties = 'stored' | 'torch-cpu'

type QueryOrder = 'shuffled' | 'stored' | 'easy-first' | 'hard-first'

/** How many beams of a group take part in an epoch, counted from 0. */
export function beamsInEpoch(epoch: number, { early_epochs, early_beams, late_beams }: Curriculum): number | null {
  return epoch < early_epochs ? early_beams : late_beams
}

/** The positions of the k highest rewards, in stored order. */
export function bestBeams(rewards: Float64Array, k: number | null, ties: Ties = 'stored'): number[] {
  if (k === null || k >= rewards.length) return Array.from(rewards.keys())
  if (ties === 'torch-cpu') return torchTopOnCpu(rewards, k).sort((a, b) => a - b)
  // Asked for every query of every epoch: the few best in order, each new one moved up past the worse ones.
  const best: number[] = []
  for (let beam = 0; beam < rewards.length; beam += 1) {
    let place = best.length
    while (place > 0 && rewards[beam] > rewards[best[place - 1]]) place -= 1
    if (place >= k) continue
    best.splice(place, 0, beam)
    if (best.length > k) best.pop()
  }
  return best.sort((a, b) => a - b)
}

/** The positions of the queries in the order of one epoch. A query is the easier the higher the mean of its rewards. */
export function queryOrder(groupRewards: readonly Float64Array[], order: QueryOrder, random: Random): number[] {
  const stored = Array.from(groupRewards.keys())
  if (order === 'stored') return stored
  if (order === 'shuffled') return shuffled(stored, random)
  const ease = groupRewards.map(rewards => mean(rewards))
  const sign = order === 'easy-first' ? -1 : 1
  return stored.toSorted((a, b) => sign * (ease[a] - ease[b]) || a - b)
}

import { Problem } from '../../model/problem.js'
import { seededRandom, shuffled } from '../../stats/random.js'
import { message } from '../../text/say.js'
import type { Query, Split } from './task.js'

/** How queries that do not say themselves where they belong are divided. */
export interface SplitOptions {
  readonly validationShare: number
  readonly testShare: number
  /** In the order of the data, as the original does it, or by lot. */
  readonly order: 'ordered' | 'random'
  readonly draw: number
}

/** Sums of decimal shares fall short of whole numbers by rounding. */
const ROUNDING = 1e-9

export function splitsOf(count: number, { validationShare, testShare, order, draw }: SplitOptions): readonly Split[] {
  const trained = Math.floor(count * (1 - validationShare - testShare) + ROUNDING)
  const untested = Math.floor(count * (1 - testShare) + ROUNDING)
  const splits = Array.from({ length: count }, (_, place): Split => {
    if (place < trained) return 'train'
    return place < untested ? 'val' : 'test'
  })
  return order === 'ordered' ? splits : shuffled(splits, seededRandom(draw))
}

/** Something must be left to train on. Without validation a training is blind, but can be wanted. */
export function checkSplits(file: string, queries: readonly Query[]): void {
  if (queries.some(({ split }) => split === 'train')) return
  throw new Problem('not-enough', message('task.nothing-to-train', { file, count: queries.length }))
}

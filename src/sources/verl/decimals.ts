import { type FoundNumber, PRINTED_IN_FULL } from './number.js'

/**
 * How far a printed number can be trusted. verl up to 0.4 prints every value with `%.3f`, so that a learning rate of
 * 1e-6 reads 0.000; later versions print all digits. A fixed format shows in all numbers of a line having equally many
 * decimals. A line that could be either, such as a lone `acc:0.565`, counts as rounded until the log has shown a
 * number printed in full: claiming too little precision is the safe mistake.
 */

/** With fewer, a plain 0.5 could not be told from a rounded number. */
const FEWEST_DECIMALS = 3
/** A fork prints `%.6f`; what has more is printed in full. */
const MOST_DECIMALS = 6
/** torch's default print precision. */
const TENSOR_DECIMALS = 4

/** What the numbers of one line have in common. */
export interface Printing {
  /** The decimals that all finite numbers have; PRINTED_IN_FULL when they differ, null without any. */
  shared: number | null
  /** At least one ends in a 0 that only a fixed format prints. */
  padded: boolean
  /** Decimals of the tensors among the values. */
  tensors: (number | null)[] | null
}

export function newPrinting(): Printing {
  return { shared: null, padded: false, tensors: null }
}

/** Takes the number at `index` of the line into account. */
export function notePrinting(printing: Printing, number: FoundNumber, index: number): void {
  if (number.tensor) {
    printing.tensors ??= []
    printing.tensors[index] = TENSOR_DECIMALS
  } else if (Number.isFinite(number.value)) {
    if (printing.shared === null) printing.shared = number.decimals
    else if (printing.shared !== number.decimals) printing.shared = PRINTED_IN_FULL
    printing.padded ||= number.padded
  }
}

export type DecimalsOf = (printing: Printing, count: number) => readonly (number | null)[] | undefined

/** The column of decimals for a row of `count` values, or undefined when they are all there. */
export function createDecimals(state: { printsInFull: boolean }): DecimalsOf {
  let column: readonly number[] = []

  return ({ shared, padded, tensors }, count) => {
    if (tensors !== null) return Array.from({ length: count }, (_, i) => tensors[i] ?? null)
    if (shared === null) return undefined
    const fixed = shared >= FEWEST_DECIMALS && shared <= MOST_DECIMALS
    if (!fixed) state.printsInFull = true
    if (!fixed || (state.printsInFull && !padded)) return undefined
    if (column.length !== count || column[0] !== shared) column = Array.from({ length: count }, () => shared)
    return column
  }
}

import type { Random } from '../src/stats/random.js'

/**
 * A study asks how often a method is right or wrong on made-up data of which the truth is known. Its cells are the
 * situations; one repetition in a cell gives numbers by name, which are averaged. A number that does not apply to a
 * repetition (such as the tag of a claim that was not made) is NaN and does not count.
 */
export interface Study {
  readonly name: string
  readonly cells: readonly Cell[]
  /** Share of the asked repetitions that a cell gets; below 1 where one repetition is dear. */
  readonly share: (cell: Cell) => number
  readonly once: (cell: Cell, random: Random) => Observation
}

export type Cell = Readonly<Record<string, number | string>>
export type Observation = Readonly<Record<string, number>>

export interface Average {
  readonly mean: number
  /** Standard error of the mean over repetitions. */
  readonly error: number
  readonly count: number
}

export interface CellResult {
  readonly study: string
  readonly cell: Cell
  readonly repetitions: number
  readonly averages: Readonly<Record<string, Average>>
}

/** Every combination of the given values, the last key varying fastest. */
export function grid(axes: Readonly<Record<string, readonly (number | string)[]>>): Cell[] {
  return Object.entries(axes).reduce<Cell[]>(
    (cells, [key, values]) => cells.flatMap(cell => values.map(value => ({ ...cell, [key]: value }))),
    [{}],
  )
}

/** A cell's number; its absence is a mistake in the study. */
export function at(cell: Cell, key: string): number {
  const value = cell[key]
  if (typeof value !== 'number') throw new Error(`cell ${JSON.stringify(cell)} has no number "${key}"`)
  return value
}

import type { Matrix } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import type { Figure } from './assertion.js'
import { type Frame, isBaseIn, type Named } from './binding.js'
import type { Evidence } from './evidence.js'
import { type Clause, type Mention, mentionsIn } from './mentions.js'

/** Who is held against whom: two named points of one line, of which the left is measured against the right. */
export interface Pair {
  readonly frame: Frame
  readonly left: Named
  readonly right: Named
}

/** "1.3 points above A and 7.7 above B": each that is named, else who was spoken of before, against each that is. */
export function rivalsOf(frame: Frame, { statement: { text } }: Clause): readonly Pair[] {
  const { subjects, bases, earlier } = frame
  const before = earlier.filter(({ mention }) => !isBaseIn(text, mention)).slice(0, 1)
  const known = (subjects.length > 0 ? subjects : before).filter(one => bases.every(({ point }) => point !== one.point))
  return known.flatMap(left => bases.map(right => ({ frame, left, right })))
}

/** The figures of some that are no part of a name: "K=8", "v1.5". */
export function unnamed(figures: readonly Quantity[], { statement }: Clause, matrix: Matrix): readonly Quantity[] {
  return figures.filter(one => !isNamed(one, mentionsIn(statement, matrix)))
}

/** "448 → 672", where the columns of a near table are called 448 and 672: figures that head it are no levels. */
export function areHeads(figures: readonly Figure[], evidence: Evidence): boolean {
  const near = evidence.near(figures[0]?.offset ?? 0).slice(0, 4)
  const names = near.map(({ rows, columns }) => new Set([...rows, ...columns].map(({ name }) => name)))
  return names.some(heads => figures.every(({ text }) => heads.has(text.trim())))
}

export const isNamed = ({ from, to }: Quantity, mentions: readonly Mention[]): boolean =>
  mentions.some(name => name.from <= from && name.to >= to)

/** The pairs of the lines that are named; where none is, a mean speaks for all. */
export function meantOf(pairs: readonly Pair[]): readonly Pair[] {
  const named = pairs.filter(({ frame }) => frame.isNamed)
  const means = pairs.filter(({ frame }) => frame.line.of.role === 'summary')
  return [named, means].find(list => list.length > 0) ?? pairs
}

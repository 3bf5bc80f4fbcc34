import type { Across, LogMetric, Part } from './log.js'
import { isExtreme, type PartMention, partsMeant } from './part-mentions.js'
import type { TableCell } from './table-axes.js'

/**
 * Which part of a curve a cell of a table is, and what is made of several runs:
 * what its headers say, and of what was chosen for its whole line whatever they leave open.
 */
export interface CellPart {
  readonly part: Part
  readonly across: Across | null
}

/** Words that, with those of a cell's headers, say what is made of a curve. */
export type Statistic = readonly PartMention[]

export const partNamed = (word: PartMention['word']): PartMention => ({ from: 0, to: 0, word, steps: null })

/** At, right before and behind, until and since a step that the row names. */
export const ROW_WORDS: ReadonlyMap<PartMention, RowWord> = new Map(
  [0, 1, 2, 3].flatMap((row): readonly (readonly [PartMention, RowWord])[] => [
    [partNamed('at'), { row, stepsOf: step => [step, step] }],
    [partNamed('at'), { row, stepsOf: step => [step - 1, step - 1] }],
    [partNamed('at'), { row, stepsOf: step => [step + 1, step + 1] }],
    [partNamed('over'), { row, stepsOf: step => [0, step] }],
    [partNamed('over'), { row, stepsOf: step => [step, Number.POSITIVE_INFINITY] }],
  ]),
)
interface RowWord {
  readonly row: number
  readonly stepsOf: (step: number) => readonly [number, number]
}

export const isStepCell = ({ row, column }: TableCell): boolean => row.isStepOfBest || column.isStepOfBest

export const isStepPart = ({ part }: CellPart): boolean => part.kind === 'maxStep' || part.kind === 'minStep'

/** What part of a curve a cell is: its own words before what was chosen for its line. */
export function partAt(
  cell: TableCell,
  { metric, words: chosen }: { readonly metric: LogMetric; readonly words: Statistic },
  isGroup: boolean,
): CellPart | null {
  const { row, column, figure, hasDeviation } = cell
  // "Reward (± over seeds)" says how the second figure of a cell is made.
  const isMean = hasDeviation && !figure.quantity.plusMinus
  const own = [...row.parts, ...column.parts].filter(({ word }) => !isMean || word !== 'std')
  const words = together(own, chosen, cell, isGroup)
  const meant = words === null ? [] : partsMeant(words, metric, isGroup)
  // "Lowest" and a stretch are the lowest of that stretch.
  const ofEnd = words?.some(isExtreme) === true ? meant.find(one => 'of' in one.part) : undefined
  const part = ofEnd ?? meant[0]
  if (isStepCell(cell)) {
    const extreme = words?.find(isExtreme)
    const [first, last] = words?.find(({ word }) => word === 'over')?.steps ?? []
    const isLowest = extreme !== undefined && partsMeant([extreme], metric, false)[0]?.part.kind === 'min'
    const stretch = first === undefined || last === undefined ? {} : { first, last }
    return extreme === undefined
      ? null
      : { part: { kind: isLowest ? 'minStep' : 'maxStep', ...stretch }, across: isGroup ? 'curve' : null }
  }
  if (part === undefined) return null
  // "Worst final score" of several runs: the lowest of their last values.
  const [end, level] = [own.find(isExtreme), own.find(({ word }) => word === 'last' || word === 'at')]
  if (isGroup && end !== undefined && level !== undefined) {
    const kind = partsMeant([end], metric, false)[0]?.part.kind === 'min' ? 'min' : 'max'
    const [of] = partsMeant([level], metric, true)
    if (of !== undefined) return { part: of.part, across: kind }
  }
  return { part: part.part, across: isGroup ? (part.across ?? 'mean') : null }
}

/** A cell's own words, and of those chosen what they leave open: where on the curve, and what is made of it. */
function together(own: Statistic, chosen: Statistic, { rowSteps }: TableCell, isGroup: boolean): Statistic | null {
  const ofRow = chosen.flatMap(one => ROW_WORDS.get(one) ?? [])
  const kept = ofRow.length > 0 ? own.filter(({ word }) => word !== 'at') : own
  const isSummary = (one: PartMention): boolean => isLevelOf(one, isGroup) && !isPlace(one)
  const [hasPlace, hasSummary] = [kept.some(isPlace), kept.some(isSummary)]
  const added: PartMention[] = []
  for (const one of chosen) {
    const row = ROW_WORDS.get(one)
    const { step = null, isOwn = false } = row === undefined ? {} : (rowSteps[row.row] ?? {})
    if (row !== undefined && (step === null || (isOwn && isStretch(one)))) return null
    // The last value of one run has no highest.
    if (isPlace(one) && !hasPlace && hasSummary && !isStretch(one) && !isGroup) return null
    if (isPlace(one) ? !hasPlace : !hasSummary || !isLevelOf(one, isGroup))
      added.push(row === undefined || step === null ? one : { ...one, steps: row.stepsOf(step) })
  }
  const words = [...kept, ...added]
  return words.some(one => isLevelOf(one, isGroup)) ? words : null
}

/** The words that all cells of a line stand under. */
export const sharedParts = ([first, ...others]: readonly TableCell[]): Statistic =>
  [...(first?.row.parts ?? []), ...(first?.column.parts ?? [])].filter(one =>
    others.every(({ row, column }) => row.parts.includes(one) || column.parts.includes(one)),
  )

export const isStretch = ({ word }: PartMention): boolean => word === 'over' || word === 'tail'
export const isPlace = (one: PartMention): boolean =>
  isStretch(one) || one.word === 'at' || one.word === 'last' || one.word === 'first'

export const isLevelOf = ({ word }: PartMention, isGroup: boolean): boolean =>
  !ACROSS.has(word) && !(word === 'mean' && isGroup)
const ACROSS: ReadonlySet<PartMention['word']> = new Set([
  'std',
  'bestSeed',
  'worstSeed',
  'whole',
  'ofRuns',
  'range',
  'curve',
])

import type { Cell, Table } from '../../logs/document/document.js'
import { countAt } from '../../logs/document/quantity.js'
import type { PrintedFigure } from './figure.js'
import { isExtreme, type PartMention } from './part-mentions.js'
import type { LogNames } from './sentence.js'
import {
  axisOf,
  columnText,
  keyCells,
  keyColumns,
  rowText,
  STEP_IN_BRACKETS,
  stepColumns,
  stepIn,
  type TableAxis,
  type TableCell,
} from './table-axes.js'

/**
 * The figures of a table as cells, each with what the headers of its row and column say:
 * also those of the neighbours that a header like "±" or "at step" is about.
 */
export function cellsOf(names: LogNames, table: Table): readonly TableCell[] {
  const { rows, header } = table
  const keys = keyColumns(table)
  const columns = withNeighbours(
    header.map((cell, i) => (keys.has(i) ? null : axisOf(names, columnText(cell, header[0], i)))),
  )
  const [ofCorner, another] = names.runs.seedsIn(header[0]?.text ?? '')
  const seed = another === undefined ? (ofCorner?.seed ?? null) : null
  const axes = withNeighbours(
    rows.map(row => axisOf(names, rowText(row, header, keys), keyCells(row, header, keys))),
  ).map(axis => (axis === null ? null : { ...axis, seed: axis.seed ?? seed }))
  // "Best (step)" over "0.97 (20)".
  const places = columns.map(axis =>
    axis !== null && STEP_IN_BRACKETS.test(axis.text) ? { ...axis, isStepOfBest: true } : null,
  )
  // Shares are printed as 0.895 or as 89.5, one way in a column: then its deviation of 0.3 is one of 0.3 %.
  const isPercent = (line: readonly (Cell | undefined)[]): boolean =>
    line.some(cell =>
      cell?.quantities.some(
        ({ value, signed, unit, from }) =>
          !signed && unit === null && value > 1.5 && !(places[cell.column] && isInBrackets(cell, from)),
      ),
    )
  const percentColumns = new Set([...header.keys()].filter(i => isPercent(rows.map(row => row[i]))))
  const percentRows = new Set([...rows.keys()].filter(i => isPercent(rows[i] ?? [])))
  const measuring = (all: readonly (TableAxis | null)[]): number => all.filter(axis => axis?.metric).length
  const areRows = measuring(axes) > measuring(columns)
  const placed = stepColumns(header, keys)
  // A step beside the name of a run is where something happened, and an address where the run has several rows.
  const isClaimed = [...keys].length > 1 && new Set(rows.map(row => row[0]?.text)).size === rows.length
  const told = new Map(
    [...keys].flatMap((i): readonly (readonly [number, TableAxis])[] => {
      const head = header[i]
      const areSteps = i > 0 && head !== undefined && rows.every(row => row[i]?.steps.length === 1)
      if (!isClaimed || !areSteps) return []
      return [[i, { ...axisOf(names, ''), text: head.text, isStepOfBest: true }]]
    }),
  )
  return rows.flatMap((row, r) =>
    row.flatMap((cell, c) => {
      const [column, own] = [columns[c] ?? told.get(c), axes[r]]
      if (!column || !own) return []
      const isShare = areRows ? percentRows.has(r) : percentColumns.has(c)
      const hasDeviation = cell.quantities.some(({ plusMinus }) => plusMinus)
      const at = [r, c] as const
      const named = own.parts.flatMap(({ word, steps }) => (word === 'at' && steps !== null ? [steps[0]] : []))
      const rowSteps = [
        { step: named[0] ?? null, isOwn: false },
        ...placed.map(i => ({ step: i === c ? null : stepIn(row[i]), isOwn: i === c + 1 })),
      ]
      const place = places[c] ?? null
      return (told.has(c) ? stepsOf(cell) : figuresIn(cell)).map((figure): TableCell => {
        const isPlace = place !== null && isInBrackets(cell, figure.from)
        const axis = isPlace ? place : column
        return { figure, isPercent: isShare && !isPlace, row: own, column: axis, at, hasDeviation, rowSteps }
      })
    }),
  )
}

/** "Best step" and "±" are of the line before them, the step first of all of one that shows a best. */
function withNeighbours<Axis extends TableAxis | null>(axes: readonly Axis[]): readonly (TableAxis | null)[] {
  return axes.map((read, i) => {
    const isPlace = read !== null && PLACE.test(read.text) && axes[i - 1]?.parts.some(isExtreme) === true
    const axis = isPlace ? { ...read, isStepOfBest: true } : read
    const isOfOther = axis !== null && axis.metric === null && (axis.isStepOfBest || axis.parts.some(isDeviation))
    if (!isOfOther) return axis
    const before = axes
      .slice(0, i)
      .toReversed()
      .filter(one => one !== null && one.metric !== null)
    const nearest = (axis.isStepOfBest ? before.find(one => one?.parts.some(isExtreme)) : undefined) ?? before[0]
    if (nearest === null || nearest === undefined) return axis
    const parts = axis.isStepOfBest
      ? [...axis.parts, ...nearest.parts.filter(isExtreme)]
      : [...nearest.parts.filter(one => one.word !== 'mean'), ...axis.parts]
    return { ...axis, metric: nearest.metric, parts, runs: axis.runs ?? nearest.runs }
  })
}

const isInBrackets = ({ text }: Cell, from: number): boolean => /[(（@]\s*$/.test(text.slice(0, from))

/** "… at step", "所在 step": where the best beside it is. */
const PLACE = /^[\s…()（）-]*(?:at|its|所在|对应|出现)?\s?(?:的\s?)?(?:steps?|epochs?|步数?|轮次?)[\s()（）]*$/i

const isDeviation = ({ word }: PartMention): boolean => word === 'std'

function figuresIn({ quantities, text, offset }: Cell): readonly PrintedFigure[] {
  return quantities.map(quantity => ({
    offset: offset + quantity.from,
    text: text.slice(quantity.from, quantity.to).trim(),
    from: quantity.from,
    to: quantity.to,
    quantity,
    isStep: false,
  }))
}

function stepsOf({ steps, text, offset }: Cell): readonly PrintedFigure[] {
  return steps.map(({ from: start, to, first }) => {
    const from = start + text.slice(start, to).search(/\d/)
    const quantity = countAt({ from, to }, first)
    return { offset: offset + from, text: text.slice(from, to).trim(), from, to, quantity, isStep: true }
  })
}

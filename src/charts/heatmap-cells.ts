import type { Language } from '../text/language.js'
import { say } from '../text/say.js'
import { disc, line, type Place, rect, type Shape, word } from './drawing.js'
import { fitted, textWidth } from './label.js'
import { fixedText } from './scale.js'
import { colour, HEAT, TEXT } from './theme.js'

/** The cells of a matrix and the key to them. */

export type HeatCell =
  | { readonly value: number; readonly spread?: number }
  | { readonly missing: 'run' | 'evaluation' | 'training' }

export const CELL_HEIGHT = 42

export interface Matrix {
  readonly cells: readonly (readonly HeatCell[])[]
  readonly letters: ReadonlyMap<string, string>
  readonly low: number
  readonly high: number
  readonly decimals: number
  readonly cellWidth: number
  readonly language: Language
}

export function cellShapes(
  { cells, letters, low, high, decimals, cellWidth, language }: Matrix,
  { box }: Place,
): readonly Shape[] {
  return cells.flatMap((row, i) =>
    row.flatMap((cell, j) => {
      const x = box.x + j * cellWidth
      const y = box.y + i * CELL_HEIGHT
      const centre = [x + cellWidth / 2, y + CELL_HEIGHT / 2] as const
      if ('missing' in cell) return missingCell(x, y, cellWidth, missingWord(cell.missing, language))
      const { fill, ink } = shadeOf(cell.value, low, high) ?? PLAIN
      const letter = letters.get(placeKey(i, j))
      const main = fixedText(cell.value, decimals)
      const spread = cell.spread === undefined ? null : `± ${fixedText(cell.spread, decimals)}`
      return [
        rect(x, y, cellWidth, CELL_HEIGHT, { colour: fill }, { colour: colour('paper'), width: 2 }),
        word(spread === null ? centre : [centre[0], centre[1] - 7], main, {
          size: TEXT.label,
          colour: ink,
          align: 'center',
          bold: true,
        }),
        ...(spread === null
          ? []
          : [word([centre[0], centre[1] + 9], spread, { size: TEXT.small, colour: ink, align: 'center' })]),
        ...(letter === undefined ? [] : identicalSign(x, y, cellWidth, letter, { ink, fill })),
      ]
    }),
  )
}

const PLAIN: SignColours = { ink: colour('ink'), fill: colour('paper') }

function shadeOf(value: number, low: number, high: number): (typeof HEAT)[number] | null {
  if (!Number.isFinite(value)) return null
  const share = high > low ? (value - low) / (high - low) : 0.5
  return HEAT[Math.min(HEAT.length - 1, Math.floor(share * HEAT.length))]
}

function missingWord(kind: 'run' | 'evaluation' | 'training', language: Language): string {
  if (kind === 'run') return say(language, 'charts.heatmap.no-run', {})
  return say(language, kind === 'evaluation' ? 'charts.heatmap.no-evaluation' : 'charts.heatmap.no-training', {})
}

function missingCell(x: number, y: number, width: number, text: string): readonly Shape[] {
  const inner = { x: x + 1, y: y + 1, width: width - 2, height: CELL_HEIGHT - 2 }
  const shown = fitted(text, width - 8, TEXT.small)
  const wide = textWidth(shown, TEXT.small) + 8
  return [
    rect(
      inner.x,
      inner.y,
      inner.width,
      inner.height,
      { colour: colour('paper') },
      { colour: colour('grid'), width: 1 },
    ),
    ...hatching(inner.x, inner.y, inner.width, inner.height),
    rect(x + (width - wide) / 2, y + CELL_HEIGHT / 2 - 9, wide, 18, { colour: colour('paper') }),
    word([x + width / 2, y + CELL_HEIGHT / 2], shown, { size: TEXT.small, colour: colour('ink'), align: 'center' }),
  ]
}

const HATCH = 8

/** Rising lines, cut at the edges of the cell. */
function hatching(x: number, y: number, width: number, height: number): readonly Shape[] {
  const count = Math.floor((width + height) / HATCH)
  return Array.from({ length: count }, (_, i) => {
    const reach = (i + 1) * HATCH
    const from = [x + Math.max(0, reach - height), y + Math.min(height, reach)] as const
    const to = [x + Math.min(width, reach), y + Math.max(0, reach - width)] as const
    return line(from, to, { colour: colour('shade'), width: 1 })
  })
}

/** In the cell's own ink, which unlike the page's does not switch. */
function identicalSign(x: number, y: number, width: number, letter: string, signs: SignColours): readonly Shape[] {
  return [
    rect(x + 2, y + 2, width - 4, CELL_HEIGHT - 4, null, { colour: signs.ink, width: 1.5 }),
    ...letterSign([x + width - 12, y + 12], letter, signs),
  ]
}

interface SignColours {
  readonly ink: string
  readonly fill: string
}

function letterSign(centre: readonly [number, number], letter: string, { ink, fill }: SignColours): readonly Shape[] {
  return [
    disc(centre, 7.5, { colour: ink }),
    word(centre, letter, { size: letter.length > 1 ? 8 : 10, colour: fill, align: 'center', bold: true }),
  ]
}

function placeKey(row: number, column: number): string {
  return `${row} ${column}`
}

export function lettersOf(groups: readonly (readonly (readonly [number, number])[])[]): ReadonlyMap<string, string> {
  return new Map(groups.flatMap((group, i) => group.map(([row, column]) => [placeKey(row, column), letterAt(i)])))
}

function letterAt(i: number): string {
  const letter = String.fromCharCode(65 + (i % 26))
  return i < 26 ? letter : `${letter}${Math.floor(i / 26) + 1}`
}

interface KeyPlace {
  readonly x: number
  readonly y: number
  readonly hasMissing: boolean
  readonly hasValues: boolean
}

/** Under the matrix: from which value to which the shades go, and what hatching and letters mean. */
export function keyShapes(
  { low, high, decimals, letters, language }: Matrix,
  { x, y, hasMissing, hasValues }: KeyPlace,
): readonly Shape[] {
  const small = { size: TEXT.small, colour: colour('muted') }
  const shapes: Shape[] = []
  let at = x
  const write = (text: string): void => {
    shapes.push(word([at, y], text, small))
    at += textWidth(text, TEXT.small) + 6
  }
  if (hasValues) {
    write(fixedText(low, decimals))
    HEAT.forEach(({ fill }, i) => {
      shapes.push(rect(at + i * 14, y - 7, 14, 14, { colour: fill }, { colour: colour('grid'), width: 0.5 }))
    })
    at += HEAT.length * 14 + 6
    write(fixedText(high, decimals))
    at += 22
  }
  if (hasMissing) {
    shapes.push(rect(at, y - 7, 24, 14, null, { colour: colour('shade'), width: 1 }), ...hatching(at, y - 7, 24, 14))
    at += 30
    write(say(language, 'charts.heatmap.missing', {}))
    at += 22
  }
  if (letters.size > 0) {
    shapes.push(...letterSign([at + 8, y], 'A', PLAIN))
    at += 22
    write(say(language, 'charts.heatmap.identical', {}))
  }
  return shapes
}

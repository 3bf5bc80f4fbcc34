import type { Answer } from '../model/verdict.js'
import type { Language } from '../text/language.js'
import { say } from '../text/say.js'
import { AXIS_ROOM, quantityAxis } from './axes.js'
import type { Chart, ChartMetric, ChartRequest } from './chart.js'
import { disc, drawing, line, type Place, polygon, rect, type Shape } from './drawing.js'
import { BASE, EDGE, freeText, graphicOption, gridAt, head } from './frame.js'
import { fitted, textWidth, wrapped } from './label.js'
import { goalNote, joined } from './notes.js'
import { decimalsFor, extentOf, valueScale, withSign } from './scale.js'
import { colour, TEXT, WIDTH } from './theme.js'

/** One row per comparison: estimate, 95 % interval, the margin as a band, and the verdict in words. */

export interface IntervalsRequest extends ChartRequest {
  readonly metric: ChartMetric
  readonly rows: readonly IntervalRow[]
}

/** All rows in one unit. */
export interface IntervalRow {
  readonly label: string
  readonly estimate: number | null
  readonly interval: readonly [number, number] | null
  readonly margin: number | null
  readonly answer: Answer
}

const ROW = 46

export function intervalsChart({ metric, rows, language, width = WIDTH }: IntervalsRequest): Chart {
  const scale = valueScale(
    extentOf([
      0,
      ...rows.flatMap(({ estimate, interval, margin }) => [
        ...(estimate === null ? [] : [estimate]),
        ...(interval ?? []),
        ...(margin === null ? [] : [margin, -margin]),
      ]),
    ]),
    6,
  )
  const decimals = decimalsFor(scale.max - scale.min)
  const words = rows.map(row => ({
    verdict: verdictWord(language, row.answer),
    numbers: numbersOf(language, row, decimals),
  }))
  const labelRoom = Math.min(width * 0.3, Math.max(60, ...rows.map(({ label }) => textWidth(label, TEXT.label)))) + 14
  const wordRoom =
    Math.min(
      width * 0.34,
      Math.max(
        60,
        ...words.flatMap(({ verdict, numbers }) => [
          textWidth(verdict, TEXT.label * 1.06),
          textWidth(numbers, TEXT.small),
        ]),
      ),
    ) + 20
  const left = EDGE + labelRoom
  const plotWidth = width - left - wordRoom - EDGE
  const height = ROW * rows.length
  const hasMargin = rows.some(({ margin }) => margin !== null)
  const above = head({
    title: say(language, 'charts.intervals.title', { metric: metric.name }),
    notes: [
      joined(language, [
        ...goalNote(language, metric.goal ?? null),
        say(language, 'charts.intervals.bars', {}),
        ...(hasMargin ? [say(language, 'charts.intervals.margin', {})] : []),
      ]),
    ],
    entries: [],
    width,
  })
  const top = above.bottom
  return {
    width,
    height: top + height + AXIS_ROOM,
    description: say(language, 'charts.intervals.described', {
      metric: metric.name,
      rows: rows.map(({ label }, i) => `${label}: ${words[i].verdict}, ${words[i].numbers}`).join('; '),
    }),
    option: {
      ...BASE,
      graphic: graphicOption([
        ...above.graphics,
        ...rows.flatMap(({ label }, i) => {
          const lines = wrapped(label, labelRoom - 12, TEXT.label, 2)
          return lines.map((text, at) =>
            freeText(EDGE, top + (i + 0.5) * ROW - lines.length * 8 + 1 + at * 16, text, {
              size: TEXT.label,
              colour: colour('ink'),
            }),
          )
        }),
        ...words.flatMap(({ verdict, numbers }, i) => {
          const x = left + plotWidth + 18
          return [
            freeText(x, top + (i + 0.5) * ROW - 16, fitted(verdict, wordRoom - 18, TEXT.label * 1.06), {
              size: TEXT.label,
              colour: colour('ink'),
              bold: true,
            }),
            freeText(x, top + (i + 0.5) * ROW + 2, fitted(numbers, wordRoom - 18, TEXT.small), {
              size: TEXT.small,
              colour: colour('muted'),
            }),
          ]
        }),
      ]),
      grid: gridAt({ left, top, width: plotWidth, height }),
      xAxis: quantityAxis(scale, say(language, 'charts.intervals.axis', {})),
      yAxis: { type: 'value', min: 0, max: Math.max(1, rows.length), inverse: true, show: false },
      series: [
        drawing(place => rows.flatMap((row, i) => rowShapes(row, i, place)), { z: 3 }),
        drawing(zeroLine, { z: 2 }),
      ],
    },
  }
}

function zeroLine({ at, box }: Place): readonly Shape[] {
  const x = at(0, 0)[0]
  return [line([x, box.y], [x, box.y + box.height], { colour: colour('ink'), width: 1.25 })]
}

function rowShapes(
  { estimate, interval, margin, answer }: IntervalRow,
  i: number,
  { at, box }: Place,
): readonly Shape[] {
  const y = box.y + (i + 0.5) * ROW
  const x = (value: number): number => at(value, 0)[0]
  const stroke = { colour: colour('ink'), width: 2 }
  return [
    ...(margin === null ? [] : marginBand(x(-margin), x(margin), y)),
    ...(interval === null
      ? []
      : [
          line([x(interval[0]), y], [x(interval[1]), y], stroke),
          ...interval.map(end => line([x(end), y - 6], [x(end), y + 6], stroke)),
        ]),
    ...(estimate === null ? [] : estimateSign([x(estimate), y], answer)),
  ]
}

function marginBand(from: number, to: number, y: number): readonly Shape[] {
  const edge = { colour: colour('muted'), width: 1, dash: [4, 3] }
  const [top, bottom] = [y - ROW / 2 + 4, y + ROW / 2 - 4]
  return [
    rect(from, top, to - from, bottom - top, { colour: colour('shade'), opacity: 0.25 }),
    line([from, top], [from, bottom], edge),
    line([to, top], [to, bottom], edge),
  ]
}

/** Up, down, a full square for "same", hollow for what is open: told apart without colour. */
function estimateSign([x, y]: readonly [number, number], answer: Answer): readonly Shape[] {
  const size = 7
  if (answer === 'better' || answer === 'higher') {
    return [
      polygon(
        [
          [x, y - size],
          [x + size, y + size - 1],
          [x - size, y + size - 1],
        ],
        { colour: colour('blue') },
      ),
    ]
  }
  if (answer === 'worse' || answer === 'lower') {
    return [
      polygon(
        [
          [x, y + size],
          [x + size, y - size + 1],
          [x - size, y - size + 1],
        ],
        { colour: colour('vermillion') },
      ),
    ]
  }
  if (answer === 'undetermined') {
    return [disc([x, y], size - 1, { colour: colour('paper') }, { colour: colour('ink'), width: 2 })]
  }
  return [rect(x - size + 1, y - size + 1, 2 * size - 2, 2 * size - 2, { colour: colour('green') })]
}

function numbersOf(language: Language, { estimate, interval }: IntervalRow, decimals: number): string {
  if (estimate === null) return say(language, 'charts.intervals.no-estimate', {})
  const value = withSign(estimate, decimals)
  if (interval === null) return say(language, 'charts.intervals.no-interval', { estimate: value })
  const [low, high] = interval.map(end => withSign(end, decimals))
  return say(language, 'charts.intervals.numbers', { estimate: value, low, high })
}

function verdictWord(language: Language, answer: Answer): string {
  return say(language, `charts.answer.${answer}`, {})
}

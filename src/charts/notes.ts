import { count } from '../text/numbers.js'
import { type Chart, isMeasured, type Mark, type ProgressUnit } from './chart.js'
import type { Beyond, Drawn, Place } from './drawn.js'
import { fewEnough } from './marks.js'
import { extentOf, progressText, stepText } from './scale.js'
import { saying } from './words.js'

/** What a reader must know about a chart as it was laid out: only what applies. */

interface Plot {
  readonly place: Place
  readonly drawn: readonly Drawn[]
  readonly beyond: readonly Beyond[]
}

export function layoutNotes(
  { panels, notes, language }: Chart,
  plots: readonly Plot[],
  stretch: number | null,
  unit: ProgressUnit,
): readonly string[] {
  const say = saying(language)
  const drawn = plots.flatMap(plot => plot.drawn)
  if (drawn.every(({ readings }) => readings.length === 0)) return [...notes, say('charts.empty', {})]
  const marks = panels.flatMap(panel => panel.marks)
  const curves = marks.filter(mark => mark.kind === 'curve')
  const hasRuns = curves.some(({ runs = [] }) => runs.length > 0)
  const hasBand = curves.some(({ band }) => band !== undefined)
  const over = Math.max(0, ...curves.map(({ smoothed }) => smoothed?.over ?? 0))
  const size = Math.max(stretch ?? 0, ...curves.map(({ line }) => ('stretches' in line ? line.size : 0)))
  const span = say(`charts.span.${unit}`, { n: progressText(size, unit) })
  const ranges = { span, points: count(drawn.reduce((sum, { ranged }) => sum + ranged, 0)) }
  const shared = marks.find(mark => mark.kind === 'strokes')?.x ?? []
  const isShared = plots.every(({ place }) => fewEnough(shared, place.area))
  const hidden = plots.reduce(
    (sum, { place }, i) => sum + (place.y.kind === 'log' ? notPositive(panels[i].marks) : 0),
    0,
  )
  // A panel with a title says beside it what lies outside.
  const outside = plots.flatMap(({ beyond }, i) => (panels[i].title === undefined ? beyond : []))
  const told = [
    [size > 0 && curves.length === 0, say('charts.envelope-of-differences', ranges)],
    [size > 0 && curves.length > 0, say(hasRuns ? 'charts.envelope-of-runs' : 'charts.envelope', ranges)],
    [size === 0 && hasRuns, say('charts.replicates', {})],
    [over > 0, say('charts.smoothed', { n: over })],
    [size === 0 && hasBand, say('charts.band', {})],
    [shared.length > 0, say(isShared ? 'charts.shared' : 'charts.shared-many', { n: shared.length })],
    [drawn.some(({ gaps }) => gaps), say('charts.gaps', {})],
    [hidden > 0, say('charts.not-positive', { n: hidden })],
  ] as const
  return [...notes, ...told.flatMap(([applies, note]) => (applies ? [note] : [])), ...beyondNotes(language, outside)]
}

function notPositive(marks: readonly Mark[]): number {
  const values = marks.flatMap(mark => (mark.kind === 'curve' && 'y' in mark.line ? mark.line.y : []))
  return values.filter(value => isMeasured(value) && value <= 0).length
}

const SIGNS = { up: '▲', down: '▼', right: '▶', left: '◀' } as const

/** How much lies outside the axes, and how far. */
export function beyondNotes(
  language: Chart['language'],
  beyond: readonly Beyond[],
  key: 'charts.beyond' | 'charts.beyond-here' = 'charts.beyond',
): readonly string[] {
  return (['up', 'down', 'right', 'left'] as const).flatMap(edge => {
    const values = beyond.filter(one => one.edge === edge).map(({ value }) => value)
    if (values.length === 0) return []
    const [least, greatest] = extentOf(values)
    const most = edge === 'up' || edge === 'right' ? greatest : least
    return [saying(language)(key, { sign: SIGNS[edge], n: values.length, most: stepText(Number(most.toPrecision(3))) })]
  })
}

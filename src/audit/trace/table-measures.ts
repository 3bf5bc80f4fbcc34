import type { Above } from './binding.js'
import type { LogMetric, LogRun } from './log.js'
import { type MetricMention, meaningOf, meantBy } from './metric-mentions.js'
import { isExtreme, type PartMention } from './part-mentions.js'
import { GAP, type TableCell } from './table-axes.js'
import { ENOUGH, GUESSED, type LineMeasure, MISSED, scoreOf } from './table-gains.js'
import {
  isLevelOf,
  isPlace,
  isStepCell,
  isStretch,
  partNamed,
  ROW_WORDS,
  type Statistic,
  sharedParts,
} from './table-parts.js'
import type { TableGrid } from './table-structure.js'

/**
 * What a line of cells measures: of the metrics that its headers may mean, or else of all, and of what may be made of
 * a curve, the choice that most of its figures fit.
 */
const LAST: Statistic = [partNamed('last')]
const alone = (words: Statistic): readonly Statistic[] => words.map(word => [word])
const USUAL = alone((['last', 'max', 'mean', 'min', 'first'] as const).map(partNamed))
const SUMMARIES = (['max', 'min', 'median', 'std'] as const).map(partNamed)
const CURVES = (['max', 'min'] as const).map(word => [partNamed('curve'), partNamed(word)])

const MOST_METRICS = 80
/** Of a long line some cells tell what it is. */
const MOST_TOLD = 16
const MOST_OPEN_TOLD = 6
/** Where runs are open, too, few metrics are tried. */
const MOST_OPEN = 40
const MOST_ODD = 12
const MOST_MEANT = 4
/** What so many cells fit needs no further search. */
const MOSTLY = 0.7
const FEWEST_FOR_ODD = 4
const MOST_HINTS = 14

export type Accepted = LineMeasure & { readonly isAccepted: boolean; readonly score: number; readonly fits: number }

export function bestMeasure(
  grid: TableGrid,
  line: readonly TableCell[],
  runsOf: (cell: TableCell) => readonly LogRun[] | null,
  open: ReadonlySet<TableCell>,
  before: LineMeasure | undefined,
): Accepted | null {
  const { log, above, topics } = grid
  const isOpen = line.some(cell => runsOf(cell) === null)
  const told = spread(line, isOpen ? MOST_OPEN_TOLD : MOST_TOLD)
  const all = [...new Set(told.flatMap(cell => runsOf(cell) ?? []))]
  const isLogged = ({ name }: LogMetric): boolean =>
    all.length === 0 || all.some(run => log.seriesOf(run, name) !== undefined)
  const isStep = line.every(isStepCell)
  const named = mentionOfLine(line, above)
  const meant = named === null ? null : meantBy(named, log, all)
  const fitting = [
    ...(isStep && before !== undefined && line.every(({ column }) => column.metric === null) ? [before.metric] : []),
    ...(meant === null ? [] : [...meant.metrics, ...meant.others]),
    // Which runs a line is of may tell which metric its words mean.
    ...(isOpen ? (named?.ranked.slice(0, MOST_MEANT).map(({ metric }) => metric) ?? []) : []),
  ].filter((one, i, list) => isLogged(one) && list.indexOf(one) === i)
  const logged = [...log.metrics.values()].sort((a, b) => Number(b.isValidation) - Number(a.isValidation))
  const everything = [...new Set([...topics, ...logged])].filter(isLogged)
  const plain = (metrics: readonly LogMetric[]): readonly Subject[] => metrics.map(metric => ({ metric, minus: null }))
  const isGap = grid.isGap || line.every(({ row, column }) => GAP.test(row.text) || GAP.test(column.text))
  const near = [...new Set([...above.metrics.flatMap(one => meantBy(one, log, all).metrics), ...fitting, ...topics])]
  const gaps = isGap ? pairsOf(near.filter(isLogged).slice(0, MOST_IN_GAPS)) : []
  const subjects = [...gaps, ...plain(fitting)]
  const { said, usual, more } = statisticsOf(
    grid,
    line,
    isStep ? before : undefined,
    !told.every(cell => runsOf(cell)?.length === 1),
  )
  const close = [...said, ...usual]
  const stages: readonly (readonly [subjects: readonly Subject[], statistics: readonly Statistic[]])[] = [
    [subjects, said.length > 0 ? said : [LAST]],
    [subjects, usual],
    [subjects, more],
    [plain(everything.slice(0, isOpen ? MOST_OPEN : MOST_METRICS)), close],
    [plain(everything.slice(0, MOST_ODD)), more],
  ]
  let best: (LineMeasure & Pick<Accepted, 'score' | 'fits'> & { readonly rank: number }) | null = null
  let tries = 0
  for (const [stage, [which, statistics]] of stages.entries()) {
    // Words that klens knows for something else: what most cells fit is meant.
    const share = best === null ? 0 : best.fits / told.length
    const isPlain = best?.isNamed === true && said.length > 0
    if (best !== null && (isPlain ? share >= 0.5 : share >= MOSTLY && best.score >= ENOUGH)) break
    const isSaid = stage < 3
    tries += which.length * statistics.length
    for (const [m, subject] of which.entries())
      for (const [p, words] of statistics.entries()) {
        const isNamed = isSaid && m === 0 && stage === 0
        // An odd statistic has to explain nearly all.
        const most = told.length < FEWEST_FOR_ODD ? told.length : told.length * MOSTLY
        const least = stage === 0 ? 1 : statistics === more ? most : told.length / 2
        const { score, fits, misses } = scoreOf(log, told, { ...subject, words, isNamed }, runsOf, open, least)
        if (fits < least) continue
        // What the words say needs less proof, and of equals the first is meant.
        const sum = score + (isNamed ? 3 : 0) - 0.05 * p - (isSaid ? 0.2 * m : 0.02 * m + GUESSED)
        const rank = sum - MISSED * misses
        if (best === null || rank > best.rank) best = { ...subject, words, isNamed, score: sum, fits, rank }
      }
  }
  if (best === null) {
    const [metric] = fitting
    const [words = LAST] = close
    if (metric === undefined) return null
    // A lone cell has nothing beside it that could tell: its words have to say it all.
    const isAlone = told.length < 3 || told.every(({ figure }) => figure.quantity.hedge === 'estimated')
    const isSaid = isAlone && meant?.metrics.length === 1 && said.length > 0
    return { metric, minus: null, words, isNamed: false, isAccepted: isSaid, score: 0, fits: 0 }
  }
  const measured = told.filter(({ figure }) => figure.quantity.hedge !== 'estimated')
  const known = measured.filter(cell => runsOf(cell) !== null).length
  const judged = known > 0 ? known : measured.filter(cell => open.has(cell)).length
  const isMost = best.fits >= Math.max(1, judged / 2)
  const isProved = best.score - Math.log(tries) >= ENOUGH
  return { ...best, isAccepted: isMost && (best.isNamed ? best.fits > 1 || judged < 3 : isProved) }
}

/** The words for a highest or lowest value that all cells of a line stand under. */
export const endsOf = (line: readonly TableCell[]): Statistic => sharedParts(line).filter(isExtreme)

/** A metric, or what it is above another. */
type Subject = Pick<LineMeasure, 'metric' | 'minus'>

const MOST_IN_GAPS = 5

const pairsOf = (metrics: readonly LogMetric[]): readonly Subject[] =>
  metrics.flatMap(metric => metrics.filter(other => other !== metric).map(minus => ({ metric, minus })))

/** So many of a line, from all over it. */
function spread(line: readonly TableCell[], most: number): readonly TableCell[] {
  if (line.length <= most) return line
  const golden = (Math.sqrt(5) - 1) / 2
  return [...new Set(line.map((_, i) => Math.floor(((i * golden) % 1) * line.length)))]
    .slice(0, most)
    .flatMap(i => line[i] ?? [])
}

/** What may be made of a curve: what the words say, what is usual near the table, and what anybody might make. */
function statisticsOf(
  { above, hints }: TableGrid,
  line: readonly TableCell[],
  before: LineMeasure | undefined,
  isGroup: boolean,
): { readonly said: readonly Statistic[]; readonly usual: readonly Statistic[]; readonly more: readonly Statistic[] } {
  const stretches = hints.filter(isStretch).slice(0, MOST_HINTS)
  const ends = hints.filter(({ word }) => word === 'at').slice(0, MOST_HINTS)
  const parted = ends.flatMap(({ steps }): readonly PartMention[] => {
    const [step] = steps ?? [0]
    return [
      { ...partNamed('over'), steps: [step, Number.POSITIVE_INFINITY] },
      { ...partNamed('over'), steps: [0, step] },
    ]
  })
  const hasStep = (row: number): boolean => line.some(({ rowSteps }) => rowSteps[row]?.step != null)
  const rowWords = [...ROW_WORDS].flatMap(([word, { row }]) => (hasStep(row) ? [word] : []))
  const made = [...stretches, ...parted, ...rowWords.filter(isStretch)]
  const summarized = made.flatMap(one => SUMMARIES.map(summary => [one, summary]))
  // "Highest before the dip" is that of a stretch, "value at the dip" one of a step.
  const hasEnd = endsOf(line).length > 0
  // Headers that say where on the curve leave only open what is made of a stretch.
  if (line.every(({ row, column }) => row.parts.some(isPlace) || column.parts.some(isPlace))) {
    return { said: [[]], usual: alone(rowWords.filter(({ word }) => word === 'at')), more: alone(SUMMARIES) }
  }
  return {
    said: partsOfLine(line, above, isGroup),
    usual: [
      ...(before === undefined || before.words.length === 0 ? [] : [before.words]),
      ...alone(rowWords.filter(one => (hasEnd ? isStretch(one) : one.word === 'at'))),
      ...alone(hints.slice(0, MOST_HINTS)),
      ...USUAL,
    ],
    more: [...alone(SUMMARIES), ...CURVES, ...alone(parted), ...summarized],
  }
}

function mentionOfLine(line: readonly TableCell[], above: Above): MetricMention | null {
  const [first] = line
  if (first === undefined) return null
  const shared = (axis: 'row' | 'column'): MetricMention | null =>
    line.every(cell => cell[axis] === first[axis]) ? first[axis].metric : null
  const own = [shared('column'), shared('row')].filter(one => one !== null)
  return meaningOf(own.length > 0 ? [...own, ...above.metrics.slice(0, 1)] : above.metrics.slice(0, 1))
}

/** What the words make of a curve that every cell of the line stands under: nothing to choose, where they say it all. */
function partsOfLine(line: readonly TableCell[], above: Above, isGroup: boolean): readonly Statistic[] {
  const own = sharedParts(line).filter(one => isLevelOf(one, isGroup))
  const around = above.parts.filter(one => isLevelOf(one, true))
  if (own.length === 0) return alone(around)
  return own.some(isPlace) ? [[]] : [...alone(around.filter(isStretch)), []]
}

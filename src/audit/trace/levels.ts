import type { FigureSlots } from './binding.js'
import type { PrintedFigure } from './figure.js'
import type { Address, Log, LogMetric, LogRun, Part } from './log.js'
import { acrossMeant, isExtreme, partsMeant } from './part-mentions.js'
import { type FigureReading, readingAt } from './reading.js'
import { isArrowed } from './wide.js'

/** What a figure of some runs and a metric may be, by the words for its part: in sentences and in tables alike. */

const UNSAID: readonly Part[] = [
  { kind: 'last' },
  { kind: 'max' },
  { kind: 'mean' },
  { kind: 'first' },
  { kind: 'min' },
]

const SPAN =
  /(?:rang\w*|spread\w*|var(?:y|ies|ied)|wobbl\w*|swing\w*|lies?|介于|分布在)[, ]*\s?(?:from|between|in|在)?\s?$/i
const SPAN_END =
  /(?:rang\w*|spread\w*|var(?:y|ies|ied)|wobbl\w*|swing\w*|lies?|介于|分布在)[^,;，；。]{0,24}(?:to|and|到|至|和|与|~|–|-)\s?$/i

/** "Ranges from a to b across seeds": the lowest and the highest of them. */
function spanEnd(text: string, { from }: PrintedFigure): 'min' | 'max' | null {
  const before = text.slice(Math.max(0, from - 48), from)
  return SPAN.test(before) ? 'min' : SPAN_END.test(before) ? 'max' : null
}

type How = Pick<FigureReading, 'rank' | 'isNamed' | 'isAmbiguous'>

/** A value of the series, or where its best is. */
export function levels(
  log: Log,
  text: string,
  figure: PrintedFigure,
  runs: readonly LogRun[],
  metric: LogMetric,
  { value: words, isSure }: FigureSlots['parts'],
  { rank, isNamed, isAmbiguous = false }: How,
): readonly FigureReading[] {
  const isGroup = runs.length > 1
  const at = (part: Part, across: Address['across']): Address => ({ runs, metric: metric.name, part, across })
  const read = (part: Part, across: Address['across'], i: number, named: boolean): FigureReading =>
    readingAt(log, figure, at(part, across), { rank: rank + i, isNamed: isNamed && named, isAmbiguous })
  if (figure.quantity.unit === 'step') {
    const ends = words.filter(isExtreme).map(one => partsMeant([one], metric, false)[0]?.part.kind ?? 'max')
    return [...new Set(ends)].map((end, i) => read({ kind: end === 'min' ? 'minStep' : 'maxStep' }, null, i, !isGroup))
  }
  const deviation = figure.quantity.plusMinus && isGroup ? ('std' as const) : null
  const said = partsMeant(words, metric, isGroup).map(one => ({ ...one, across: deviation ?? one.across }))
  const end = spanEnd(text, figure)
  if (end !== null && isGroup && said[0] !== undefined) return [read(said[0].part, end, 0, isSure)]
  if (end !== null && !isGroup) return [read({ kind: end }, null, 0, true)]
  const across = isGroup ? (deviation ?? acrossMeant(words)) : null
  const usual = UNSAID.map(part => ({ part, across }))
  // Where nothing stands at the step that is said, it may be the step that is wrong.
  const isAt =
    said.length > 0 && said.every(({ part, across }) => part.kind === 'at' && log.at(at(part, across)).length === 0)
  // "Highest" of several groups compares their ends as often as it means a peak.
  const isCompared = words.some(isExtreme) && (isGroup || words.some(({ word }) => word === 'at'))
  // "The last 400 steps … at step 300": of two parts one is meant, and which is not known.
  const either = said.filter(({ part: { kind } }) => kind !== 'first' && kind !== 'mean')
  const isEither = either.some(({ part }) => part.kind !== either[0]?.part.kind)
  const meant = said.length === 0 ? usual : isAt || !isSure || isCompared ? [...said, ...usual] : said
  const points = isArrowed(text, figure) && !isGroup ? pointsOf(log, runs, metric) : []
  return [...meant, ...points].flatMap(({ part, across: made }, i) => {
    const own = read(part, made, i, isSure && !isCompared && !isEither && said.length > 0 && i === 0)
    // "Best" of several runs: the highest of all, too.
    const isEnd = isGroup && (part.kind === 'max' || part.kind === 'min')
    return isEnd ? [own, read(part, part.kind, i + 1, false)] : [own]
  })
}

const MOST_POINTS = 50

/** "1.52 → 1.91" may be any two points of a curve; of a long one, some fit anything. */
function pointsOf(log: Log, [run]: readonly LogRun[], { name }: LogMetric) {
  const { steps = [] } = run === undefined ? {} : (log.seriesOf(run, name) ?? {})
  return steps.slice(0, MOST_POINTS).map(step => ({ part: { kind: 'at', step } as const, across: null }))
}

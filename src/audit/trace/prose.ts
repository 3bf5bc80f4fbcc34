import type { Quantity } from '../../logs/document/quantity.js'
import {
  type Above,
  chunksOf,
  endBefore,
  type FigurePlace,
  type FigureSlots,
  metricCandidates,
  ownParts,
  runCandidates,
  type SlotCandidate,
  saidParts,
  startBehind,
} from './binding.js'
import { changeOf, changes, fromPrinted } from './changes.js'
import { countReadings } from './counts.js'
import { isArrowed, isElsewhere } from './elsewhere.js'
import { type PrintedFigure, scaleOf } from './figure.js'
import type { Address, Log, LogMetric, LogRun, Part } from './log.js'
import { type MetricMention, meantBy } from './metric-mentions.js'
import { acrossMeant, isExtreme, type PartMention, partsMeant } from './part-mentions.js'
import { type FigureJudgement, type FigureReading, judge, readingAt } from './reading.js'
import { isSame, type ReadingContext, type Sentence } from './sentence.js'

/** The figures of a sentence, each with what its words may mean and what came of it. */
export function judgeSentence(
  log: Log,
  sentence: Sentence,
  context: ReadingContext,
  above: Above,
  printed: readonly Quantity[],
): readonly (FigureJudgement & { readonly figure: PrintedFigure })[] {
  const { figures, text } = sentence
  const chunks = chunksOf(figures, text)
  let carried: readonly PartMention[] = []
  let consumed = 0
  let isChanged = false
  return figures.map((figure, i) => {
    const chunk = chunks.find(one => one.includes(figure)) ?? [figure]
    const place = {
      figure,
      chunk,
      at: chunk.indexOf(figure),
      start: endBefore(figures, chunk, figure, i),
      end: startBehind(figures, chunk, figure, i, text.length),
    }
    const own = ownParts(sentence, place, figures[i - 1], consumed)
    const change =
      changeOf(text, figure) ??
      (isChanged &&
      figures[i - 1] !== undefined &&
      text.slice(figures[i - 1]?.to, figure.from).length < 12 &&
      figure.quantity.unit === '%'
        ? 'change'
        : null)
    isChanged = change !== null
    const isLevel = own.some(({ word }) => word !== 'mean' && word !== 'std')
    const parts = isLevel
      ? own
      : [...carried.filter(({ word }) => own.length === 0 || (word !== 'mean' && word !== 'std')), ...own]
    if (parts.length > 0 && !isChanged) carried = parts.filter(({ from, to }) => to > from)
    if (!figure.isStep)
      consumed = Math.max(consumed, ...own.filter(({ from }) => from >= figure.to).map(({ to }) => to))
    // What an earlier clause says of its own figure is a guess for this one.
    const isCarried = !isLevel && parts.some(({ from }) => LATER.test(text.slice(from, figure.from)))
    const said = saidParts(sentence, parts, context, above)
    const slots = {
      runs: runCandidates(log, sentence, place, context, above),
      metrics: metricCandidates(sentence, place, context, above),
      parts: isCarried ? { ...said, isGuess: true } : said,
    }
    const readings = readingsOf(log, sentence, place, slots, printed, change)
    return { ...judge(figure, readings, () => isElsewhere(log, sentence, figure, context, above)), figure }
  })
}

const LATER = /[;；]|(?<![a-z])(?:later|earlier|then|afterwards)(?![a-z])|之后|以后|随后|此后/i

const UNSAID: readonly Part[] = [
  { kind: 'last' },
  { kind: 'max' },
  { kind: 'mean' },
  { kind: 'first' },
  { kind: 'min' },
]

function readingsOf(
  log: Log,
  sentence: Sentence,
  { figure, chunk }: FigurePlace,
  slots: FigureSlots,
  printed: readonly Quantity[],
  change: 'change' | null,
): readonly FigureReading[] {
  const counts = countReadings(log, sentence.text, figure, slots.runs)
  if (counts.length > 0) return counts
  const { unit } = figure.quantity
  if ((unit === 'step' || unit === 'epoch') && !slots.parts.words.some(isExtreme)) return []
  const readings: FigureReading[] = []
  const isLoosely = change !== null && sentence.runs.some(({ isLoose }) => isLoose === true)
  const unnamed: SlotCandidate<readonly LogRun[]> = { value: log.runs, rank: 0, isNamed: false }
  for (const runs of slots.runs.length > 0 ? slots.runs : [unnamed]) {
    const add = (...made: readonly FigureReading[]): void => {
      readings.push(...(runs.isGuess || isLoosely ? made.map(one => ({ ...one, isGuess: true })) : made))
    }
    for (const named of slots.metrics) {
      const { settings } = named.value
      const { metrics, others } = meantBy(named.value, log, runs.value)
      if (isDirectly(sentence.text, named.value, chunk[0] ?? figure))
        for (const setting of settings) add(...settingReadings(log, figure, runs, setting))
      for (const [i, metric] of (figure.isStep ? metrics : [...metrics, ...others]).entries()) {
        if (!isInUnit(figure.quantity, metric)) continue
        const isPlain = metrics.includes(metric)
        const rank = runs.rank + named.rank + (isPlain ? 0 : 1) + (isPlain ? 0 : i * 0.01)
        const isNamed = runs.isNamed && named.isNamed && isPlain
        if (change === null)
          add(
            ...inTurn(log, figure, chunk, runs.value, metric, { rank, isNamed }),
            ...levels(log, sentence.text, figure, runs.value, metric, slots.parts, { rank, isNamed }),
            ...pointsOnTheWay(log, sentence, figure, runs.value, metric, rank + 1),
          )
        else {
          // "a → b (+p %)" speaks of these two, wherever on the curve they are.
          const isOfLog = isNamed && !isBehindArrow(sentence, figure)
          add(...changes(log, sentence, figure, runs.value, metric, slots, { rank, isNamed: isOfLog }))
        }
      }
    }
  }
  return change === null
    ? readings
    : [...readings, ...fromPrinted(figure, sentence, slots.metrics[0]?.value.ranked[0]?.metric, printed)]
}

/** Seconds are no reward, and tokens no entropy. */
function isInUnit({ unit }: Quantity, { name }: LogMetric): boolean {
  if (unit === 's' || unit === 'min' || unit === 'h' || unit === 'd')
    return /time|timing|second|duration|_s$/i.test(name)
  if (unit === 'token') return /length|token/i.test(name)
  return unit !== 'sample' && unit !== 'other' && unit !== 'token/s'
}

/** "In three epochs 0.08, 0.07 and 0.06": as many figures as there are points. */
function inTurn(
  log: Log,
  figure: PrintedFigure,
  chunk: readonly PrintedFigure[],
  runs: readonly LogRun[],
  metric: LogMetric,
  { rank, isNamed }: Pick<FigureReading, 'rank' | 'isNamed'>,
): readonly FigureReading[] {
  const [run, other] = runs
  const series = run === undefined || other !== undefined ? undefined : log.seriesOf(run, metric.name)
  const step = series?.steps[chunk.indexOf(figure)]
  if (chunk.length < 3 || series?.steps.length !== chunk.length || step === undefined) return []
  return [
    readingAt(log, figure, { runs, metric: metric.name, part: { kind: 'at', step }, across: null }, { rank, isNamed }),
  ]
}

const ARROW = /→|->/

function isBehindArrow({ figures, text }: Sentence, figure: PrintedFigure): boolean {
  const [a, b] = figures.slice(0, figures.indexOf(figure)).slice(-2)
  return (
    a !== undefined &&
    b !== undefined &&
    ARROW.test(text.slice(a.to, b.from)) &&
    /^[\s,，(（]*$/.test(text.slice(b.to, figure.from))
  )
}

/** "1.52 → 1.91" may be any two points of the run that the sentence names; of a long curve, one of them fits anything. */
function pointsOnTheWay(
  log: Log,
  sentence: Sentence,
  figure: PrintedFigure,
  runs: readonly LogRun[],
  metric: LogMetric,
  rank: number,
): readonly FigureReading[] {
  const [run, other] = runs
  const isSaid = sentence.runs.some(mention => isSame(mention.runs, runs))
  if (run === undefined || other !== undefined || !isSaid || !isArrowed(sentence.text, figure)) return []
  const { low, high } = figure.quantity.range
  const chance = (high - low) / Math.max(metric.spread * scaleOf(figure.quantity, metric), 1e-12)
  const { steps = [] } = log.seriesOf(run, metric.name) ?? {}
  return steps.map(step => {
    const address: Address = { runs, metric: metric.name, part: { kind: 'at', step }, across: null }
    return { ...readingAt(log, figure, address, { rank, isNamed: false }), chance }
  })
}

const SPAN = /(?:rang\w*|spread\w*|var(?:y|ies|ied)|lies?|介于|分布在)\s?(?:from|between|in|在)?\s?$/i
const SPAN_END =
  /(?:rang\w*|spread\w*|var(?:y|ies|ied)|lies?|介于|分布在)[^,;，；。]{0,24}(?:to|and|到|至|和|~|–|-)\s?$/i

/** "Ranges from a to b across seeds": the lowest and the highest of them. */
function spanEnd(text: string, { from }: PrintedFigure): 'min' | 'max' | null {
  const before = text.slice(Math.max(0, from - 48), from)
  return SPAN.test(before) ? 'min' : SPAN_END.test(before) ? 'max' : null
}

/** A value of the series, or where its best is. */
function levels(
  log: Log,
  text: string,
  figure: PrintedFigure,
  runs: readonly LogRun[],
  metric: LogMetric,
  { words, isNamed: isSaid, isGuess = false, isOfGroup = false, more }: FigureSlots['parts'],
  { rank, isNamed }: Pick<FigureReading, 'rank' | 'isNamed'>,
): readonly FigureReading[] {
  const isGroup = runs.length > 1
  const at = (part: Part, across: Address['across']): Address => ({ runs, metric: metric.name, part, across })
  const deviation = figure.quantity.plusMinus && isGroup ? ('std' as const) : null
  const meant = partsMeant(words, metric, isGroup).map(one => ({ ...one, across: deviation ?? one.across }))
  if (figure.isStep || (figure.quantity.unit === 'step' && words.some(isExtreme))) {
    const ends = words.filter(isExtreme).map(one => partsMeant([one], metric, false)[0]?.part.kind ?? 'max')
    return [...new Set(ends)].toReversed().map((end, i) =>
      readingAt(log, figure, at({ kind: end === 'min' ? 'minStep' : 'maxStep' }, null), {
        rank: rank + i,
        isNamed: isNamed && !isGroup,
      }),
    )
  }
  const said = meant.length > 0 ? meant : partsMeant([...more, ...words], metric, isGroup)
  const isMeant = isSaid && said.length > 0
  const end = isGroup ? spanEnd(text, figure) : null
  const ends =
    end === null
      ? []
      : partsMeant(
          words.filter(({ from, to }) => to > from),
          metric,
          true,
        )
          .slice(0, 1)
          .map(({ part }) => readingAt(log, figure, at(part, end), { rank, isNamed }))
  if (ends.length > 0) return ends
  const open = UNSAID.map(part => ({ part, across: isGroup ? (deviation ?? acrossMeant(words)) : null }))
  const all = isMeant ? said : open
  return all.flatMap(({ part, across }, i) => {
    const named = { rank: rank + i, isNamed: isNamed && isMeant && i === 0 }
    const own = { ...readingAt(log, figure, at(part, across), named), isGuess: isGuess || (isGroup && isOfGroup) }
    // "Best" of several runs: the highest of all, too.
    const single =
      isGroup && (part.kind === 'max' || part.kind === 'min')
        ? [readingAt(log, figure, at(part, part.kind), { rank: rank + i + 1, isNamed: false })]
        : []
    return [own, ...single]
  })
}

const DIRECTLY = /^\W{0,3}(?:(?:is|was|are|were|of|at|to|set to|values?|为|是|取|设为|分别为)[\s:]*){0,2}$/i

/** A setting is said right before its value: "the learning rate is 3e-4". */
function isDirectly(text: string, { to }: MetricMention, { from }: PrintedFigure): boolean {
  return to <= from && from - to < 24 && DIRECTLY.test(text.slice(to, from))
}

function settingReadings(
  log: Log,
  figure: PrintedFigure,
  runs: SlotCandidate<readonly LogRun[]>,
  setting: LogMetric,
): readonly FigureReading[] {
  const known = runs.value.flatMap(run => log.settingOf(run, setting.name) ?? [])
  const every = log.runs.flatMap(run => log.settingOf(run, setting.name) ?? [])
  const all = known.length > 0 ? known : every
  const values = [...new Set(all)].map(value => ({ value, printed: value, step: null, run: runs.value[0] ?? null }))
  const address: Address = { runs: runs.value, metric: setting.name, part: { kind: 'first' }, across: null }
  return [
    {
      metric: setting,
      values,
      address,
      computed: null,
      rank: runs.rank,
      isNamed: values.length === 1 && (runs.isNamed || new Set(every).size === 1),
      chance: 0.001,
      kind: 'setting' as const,
    },
  ].filter(() => figure.quantity.unit === null)
}

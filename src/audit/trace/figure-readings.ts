import type { Quantity } from '../../logs/document/quantity.js'
import type { FigureSlots } from './binding.js'
import { changeCandidates, type FigureOptions, levelCandidates } from './candidates.js'
import { betweenWhat, fromPrinted, isBehindArrow, isShare, speaksOfChange, waysOf } from './changes.js'
import type { Conventions } from './conventions.js'
import { countReadings } from './counts.js'
import { crossingReadings } from './crossings.js'
import type { PrintedFigure } from './figure.js'
import type { Log, LogMetric, LogRun, Part } from './log.js'
import { type MetricMention, meantBy, sharedWords } from './metric-mentions.js'
import { metricOptions, partOptions, runOptions } from './options.js'
import { isCrossedAt, isExtreme, type PartMention, partsMeant } from './part-mentions.js'
import { isLevel } from './part-slots.js'
import { type FigureReading, readingAt, settingReading } from './reading.js'
import type { FigureSentence, ReadingContext } from './sentence.js'

/** All that a figure of a sentence may stand for: what its words say first, then the rest, the most believable first. */

export function readingsOf(
  log: Log,
  sentence: FigureSentence,
  figure: PrintedFigure,
  slots: FigureSlots,
  context: ReadingContext,
  conventions: Conventions,
  printed: readonly Quantity[],
  isChange: boolean,
  earlier: readonly Part[],
): { readonly first: readonly FigureReading[]; readonly rest: Generator<FigureReading> | null } {
  const counts = countReadings(log, sentence.text, figure, slots.runs)
  if (counts.length > 0) return { first: counts, rest: null }
  const { unit } = figure.quantity
  if ((unit === 'step' || unit === 'epoch') && figure.quantity.decimals === 0 && !isCrossedAt(sentence.text, figure))
    return { first: stepCounts(log, sentence, figure, slots), rest: null }
  const [runs] = slots.runs
  const [named] = slots.metrics
  const settings =
    named !== undefined && isDirectly(sentence.text, named.value, slots.chunk[0] ?? figure) ? named.value.settings : []
  const set = settings.flatMap(one => settingReading(log, figure, runs?.value ?? log.runs, one, 0))
  // Of a figure that stands alone neither run nor metric is certain.
  const isSaid = sentence.runs.length > 0 || sentence.metrics.length > 0
  const meant = named === undefined ? [] : meantBy(named.value, log, runs?.value ?? []).metrics
  const isSure = runs?.isSure === true && named?.isSure === true && isSaid
  const options: FigureOptions = {
    runs: runOptions(log, sentence, figure, slots, context),
    metrics: metricOptions(log, sentence, figure, slots, context, conventions, isChange).filter(
      ({ value }) => isChange || isInUnit(figure.quantity, value),
    ),
    partsOf: rememberedParts((metric, of) => partOptions(log, sentence, figure, slots, metric, of, conventions)),
    ways: waysOf(sentence, conventions, earlier),
    isNamed:
      isSure &&
      meant.length > 0 &&
      meant.every(one => isCurve(log, runs?.value ?? [], one)) &&
      !isCalledOtherwise(log, sentence.text, meant) &&
      !speaksOfChange(sentence.text.slice(Math.max(0, figure.from - NEAR_WORDS), figure.from)) &&
      (isChange
        ? !isBehindArrow(sentence, figure) && sentence.runs.length > 1
        : slots.parts.isSure &&
          slots.parts.isCarried !== true &&
          slots.parts.value.length > 0 &&
          !isCompared(slots.parts.value, runs?.value ?? [])),
  }
  const between = betweenWhat(sentence, figure)
  const share = isShare(sentence.text, figure)
  const limits =
    isCount(figure, sentence.text) && isCrossedAt(sentence.text, figure) ? limitsIn(sentence, printed, figure) : null
  const rest: Ranked[] = [
    ranked(levelCandidates(log, figure, options), isChange ? NOT_A_LEVEL : limits === null ? 0 : UNLIKELY),
    ranked(
      changeCandidates(log, figure, options, between, share),
      isChange || share
        ? 0
        : between.metrics === 0 || speaksOfChange(sentence.text.slice(0, figure.from))
          ? GAP_COST
          : NOT_A_CHANGE,
    ),
    ...(limits === null ? [] : [ranked(crossingReadings(log, sentence.text, limits, options), 0)]),
    ...(isChange ? [ranked(fromPrinted(figure, sentence, named?.value.ranked[0]?.metric, printed), 0)] : []),
  ]
  return { first: set, rest: cheapestFirst(rest) }
}

const NEAR_WORDS = 48
const NOT_A_LEVEL = 1.5
const NOT_A_CHANGE = 3.2
/** "The gap ends at 0.3": between two metrics. */
const GAP_COST = 0.5
const UNLIKELY = 1.5

/** A step is a whole number; a mean of steps is called one. */
const isCount = (
  { quantity: { unit, decimals, signed, plusMinus }, from, isStep }: PrintedFigure,
  text: string,
): boolean =>
  isStep ||
  ((unit === null || unit === 'step' || unit === 'epoch') &&
    (decimals === 0 || (decimals === 1 && /step|步/i.test(text.slice(0, from)))) &&
    !signed &&
    !plusMinus)

/** What may have been passed: figures of the sentence, and of the one before. */
function limitsIn({ figures }: FigureSentence, printed: readonly Quantity[], own: PrintedFigure): readonly Quantity[] {
  const here = figures.filter(one => one.from !== own.from).map(({ quantity }) => quantity)
  return [...printed, ...here].filter(({ unit, plusMinus }) => (unit === null || unit === '%') && !plusMinus)
}

/** Readings in order, each dearer by `cost`; nothing is worked out before it is their turn. */
interface Ranked {
  readonly list: Generator<FigureReading>
  readonly cost: number
}

const ranked = (list: Generator<FigureReading>, cost: number): Ranked => ({ list, cost })

/** Several lists, each in order, as one. */
function* cheapestFirst(lists: readonly Ranked[]): Generator<FigureReading> {
  const heads = lists.map(({ list, cost }) => ({ list, cost, rank: cost, next: null as FigureReading | null }))
  for (;;) {
    const head = heads.reduce((a, b) => (b.rank < a.rank ? b : a))
    if (head.rank === Number.POSITIVE_INFINITY) return
    if (head.next !== null) yield head.next
    const { done, value } = head.list.next()
    head.next =
      done === true ? null : head.cost === 0 ? value : { ...value, rank: value.rank + head.cost, isNamed: false }
    head.rank = head.next?.rank ?? Number.POSITIVE_INFINITY
  }
}

/** "Highest" of several groups compares their ends as often as it means a peak; of two parts one is meant, and which is not known. */
function isCompared(words: readonly PartMention[], runs: readonly LogRun[]): boolean {
  const levels = words.filter(one => isLevel(one) && one.word !== 'first')
  return (words.some(isExtreme) && runs.length > 1) || new Set(levels.map(({ word }) => word)).size > 1
}

/** The sentence has all words of another metric's name, and more of them. */
function isCalledOtherwise(log: Log, text: string, meant: readonly LogMetric[]): boolean {
  const most = Math.max(...meant.map(metric => sharedWords(text, metric).count))
  return [...log.metrics.values()].some(metric => {
    const { share, count } = sharedWords(text, metric)
    return share > 0.7 && count > most && !meant.includes(metric)
  })
}

function rememberedParts(make: FigureOptions['partsOf']): FigureOptions['partsOf'] {
  const [one, several] = [new Map<LogMetric, ReturnType<typeof make>>(), new Map<LogMetric, ReturnType<typeof make>>()]
  // Which runs hardly matters; whether one or several does.
  return (metric, runs) => {
    const known = runs.length > 1 ? several : one
    const parts = known.get(metric) ?? make(metric, runs)
    known.set(metric, parts)
    return parts
  }
}

/** "Its best after 40 steps". */
function stepCounts(log: Log, sentence: FigureSentence, figure: PrintedFigure, slots: FigureSlots) {
  const ends = slots.parts.value.filter(isExtreme)
  return slots.runs.slice(0, 2).flatMap(({ value: runs, isSure }, r) =>
    slots.metrics.slice(0, 2).flatMap((named, m) =>
      meantBy(named.value, log, runs).metrics.flatMap(metric =>
        ends.slice(0, 1).map(end => {
          const kind = partsMeant([end], metric, false)[0]?.part.kind === 'min' ? 'minStep' : 'maxStep'
          const isNamed = isSure && named.isSure && r + m === 0 && runs.length === 1 && sentence.runs.length > 0
          return readingAt(
            log,
            figure,
            { runs, metric: metric.name, part: { kind }, across: null },
            { rank: r + m, isNamed },
          )
        }),
      ),
    ),
  )
}

/** A single point is a summary of something, and tells no part of a curve from another. */
function isCurve(log: Log, runs: readonly LogRun[], { name }: LogMetric): boolean {
  return runs.some(run => (log.seriesOf(run, name)?.steps.length ?? 0) > 1)
}

/** Seconds are no reward, tokens no entropy, and an entropy is no share. */
function isInUnit({ unit }: Quantity, { name, isFraction, spread }: LogMetric): boolean {
  if (unit === '%') return isFraction || spread > 10
  if (unit === 's' || unit === 'min' || unit === 'h' || unit === 'd')
    return /time|timing|second|duration|elapsed|_s$/i.test(name)
  if (unit === 'token') return /length|token/i.test(name)
  if (unit === 'epoch' || unit === 'step') return /turns|epoch/i.test(name)
  // "缩短到 124 个".
  if (unit === 'other') return /length|token|turns|calls/i.test(name)
  return unit !== 'sample' && unit !== 'token/s'
}

const DIRECTLY = /^[^\p{L}\d]{0,3}(?:(?:is|was|are|were|of|at|to|set to|values?|为|是|取|设为|分别为)[\s:]*){0,2}$/iu

/** A setting is said right before its value: "the learning rate is 3e-4". */
function isDirectly(text: string, { to }: MetricMention, { from }: PrintedFigure): boolean {
  return to <= from && from - to < 24 && DIRECTLY.test(text.slice(to, from))
}

import type { Quantity } from '../../logs/document/quantity.js'
import { type Above, bindFigures, type FigureSlots, LISTED } from './binding.js'
import { changeOf } from './changes.js'
import type { Conventions } from './conventions.js'
import { type PrintedFigure, scaleOf } from './figure.js'
import { readingsOf } from './figure-readings.js'
import { type Log, nameOf, type Part } from './log.js'
import { isCrossedAt } from './part-mentions.js'
import { computedReadings, type FigureJudgement, type FigureReading, judge, readingAt } from './reading.js'
import { type FigureSentence, isPlainly, isSame, type ReadingContext } from './sentence.js'
import { addressed, judgeStep } from './steps.js'
import { type SuspectWords, suspected } from './suspicion.js'

export type JudgedFigure = FigureJudgement & {
  readonly figure: PrintedFigure
  /** No word says which part of a curve it is. */
  readonly isPartOpen?: boolean
}

/** What has more of them is data, and no sentence: each figure is read beside all others. */
const MOST_FIGURES = 200

/** The figures of a sentence, each with what its words may mean and what came of it. */
export function judgeSentence(
  log: Log,
  sentence: FigureSentence,
  context: ReadingContext,
  above: Above,
  conventions: Conventions,
  printed: readonly Quantity[],
): readonly JudgedFigure[] {
  const { figures, text } = sentence
  if (figures.length + sentence.steps.length > MOST_FIGURES)
    return figures.map(figure => ({ state: 'untraced', fitsByChance: false, figure }))
  const bound = bindFigures(log, sentence, context, above)
  const judged = new Map<PrintedFigure, FigureJudgement>()
  const asked = askedIn(sentence, bound)
  for (const [i, { figure, read, slots, isChange }] of asked.entries()) {
    const before = asked[i - 1]
    const of = before === undefined ? undefined : judged.get(before.figure)
    const earlier = asked
      .slice(0, i)
      .flatMap(one => partsTraced(judged.get(one.figure)))
      .toReversed()
    const { first, rest } = readingsOf(log, sentence, read, slots, context, conventions, printed, isChange, earlier)
    // A deviation is of what the mean before it is of.
    const own = read.quantity.plusMinus
      ? deviationReadings(log, read, of)
      : isChange
        ? pairReadings(log, sentence, read, asked.slice(0, i), judged)
        : []
    judged.set(figure, judge(read, [...own, ...(read.quantity.plusMinus && own.length > 0 ? [] : first)], rest))
  }
  // Of other work nothing is known to be wrong.
  if (!isForeign(text))
    for (const { figure, read, slots } of asked) {
      const others = asked.flatMap(one => (one.figure === figure ? [] : (judged.get(one.figure) ?? [])))
      judged.set(figure, doubtedBy(read, judged.get(figure), wordsOf(sentence, figure, slots), others))
    }
  const values = figures.flatMap(figure => {
    const one = judged.get(figure)
    return one === undefined ? [] : [{ ...one, figure, isPartOpen: bound.get(figure)?.parts.value.length === 0 }]
  })
  return [
    ...values,
    ...sentence.steps.flatMap((step): readonly JudgedFigure[] => {
      if (step.isAddress) return addressed(step, values)
      const of = step.of ?? step.figure
      const slots = bound.get(of)
      const told = judgeStep(
        log,
        sentence,
        step,
        slots,
        values.find(({ figure }) => figure === of),
      )
      const isTold = told.some(({ state }) => state !== 'untraced')
      if (slots !== undefined && !isTold && step.extreme === null && isCrossedAt(text, step.mark)) {
        const { first, rest } = readingsOf(log, sentence, step.figure, slots, context, conventions, printed, false, [])
        const others = values.filter(({ figure }) => figure !== step.figure)
        const found = judge(step.figure, first, rest)
        return [
          { ...doubtedBy(step.figure, found, wordsOf(sentence, step.figure, slots), others), figure: step.figure },
        ]
      }
      return isForeign(text) ? told.map(one => ({ ...doubted(one), figure: one.figure })) : told
    }),
  ]
}

/** The part of a curve that a figure was traced to. */
const partsTraced = (one: FigureJudgement | undefined): readonly Part[] =>
  one?.state === 'traced' && one.reading.kind === 'value' && one.reading.address !== null
    ? [one.reading.address.part]
    : []

interface AskedFigure {
  readonly figure: PrintedFigure
  /** With the unit that it shares with others. */
  readonly read: PrintedFigure
  readonly slots: FigureSlots
  readonly isChange: boolean
}

function askedIn(
  { figures, text }: FigureSentence,
  bound: ReadonlyMap<PrintedFigure, FigureSlots>,
): readonly AskedFigure[] {
  const asked: AskedFigure[] = []
  for (const [i, figure] of figures.entries()) {
    const slots = bound.get(figure)
    if (slots === undefined) continue
    const before = figures[i - 1]
    const { unit } = figure.quantity
    const near = before !== undefined && figure.from - before.to < 60 ? asked.at(-1) : undefined
    const gap = text.slice(before?.to ?? 0, figure.from)
    // "By 3.1 points (4 %)": what follows a change at once is one, too; "3 points on short and 5 on long ones" are two.
    const isAlso = near?.isChange === true && gap.length < 12 && unit === '%'
    const isListed = near?.isChange === true && unit === null && GOES_ON.test(gap) && !changeOf(text, figure)
    const shared = unit ?? listedUnit(figures.slice(i), text) ?? (isListed ? near.read.quantity.unit : null)
    const read = { ...figure, quantity: { ...figure.quantity, unit: shared } }
    asked.push({ figure, read, slots, isChange: changeOf(text, read) || isAlso || isListed })
  }
  return asked
}

/** The deviation over the runs whose mean the figure before it is. */
function deviationReadings(log: Log, figure: PrintedFigure, of: FigureJudgement | undefined): readonly FigureReading[] {
  if (of?.state !== 'traced' || of.reading.address === null || of.reading.address.runs.length < 2) return []
  const reading = readingAt(log, figure, { ...of.reading.address, across: 'std' }, { rank: 0, isNamed: true })
  return [{ ...reading, isOfPair: true }]
}

/** "From a to b, a gain of c": what the logs give for the two that were traced right before. */
function pairReadings(
  log: Log,
  { text }: FigureSentence,
  figure: PrintedFigure,
  before: readonly AskedFigure[],
  judged: ReadonlyMap<PrintedFigure, FigureJudgement>,
): readonly FigureReading[] {
  const [one, two] = before.slice(-2)
  if (one === undefined || two === undefined || figure.from - two.figure.to > MOST_BETWEEN) return []
  if (/[;；。]|\.\s/.test(text.slice(one.figure.to, figure.from))) return []
  const [a, b] = [judged.get(one.figure), judged.get(two.figure)]
  if (a?.state !== 'traced' || b?.state !== 'traced' || a.reading.kind !== 'value' || b.reading.kind !== 'value')
    return []
  const [from, to] = [a.reading.address, b.reading.address]
  const metric = log.metrics.get(a.reading.metric.name)
  if (from === null || to === null || metric === undefined || from.metric !== to.metric) return []
  const isWay = isSame(from.runs, to.runs)
  const isSamePart = Object.values(from.part).join() === Object.values(to.part).join()
  if (isWay === isSamePart) return []
  const words = isWay
    ? `${nameOf(from.runs)}: ${from.part.kind} → ${to.part.kind}`
    : `${nameOf(to.runs)} − ${nameOf(from.runs)}`
  const how = { words, rank: 0, isNamed: true, address: to }
  // By the printed figures, as a reader checks it, and by the logged ones.
  const scale = scaleOf(one.read.quantity, metric)
  const printed = [one, two].map(({ read }) => read.quantity.value / scale) as [number, number]
  return [printed, [a.value.value, b.value.value] as const]
    .flatMap(ends => computedReadings(figure, metric, ends, how))
    .map(found => ({ ...found, isOfPair: true }))
}

const MOST_BETWEEN = 40

const GOES_ON = /^(?!.*(?:\bis\b|\bto\b|为|至))[^\d;；。:：]*(?:,|，|、|and|和|与|及|以及)[^\d;；。:：]*$/i

/** Of "−0.2, −0.2 and −0.7 points" all are points. */
function listedUnit([figure, next, ...rest]: readonly PrintedFigure[], text: string): Quantity['unit'] {
  if (figure === undefined || next === undefined || !LISTED.test(text.slice(figure.to, next.from))) return null
  const { unit } = next.quantity
  if (unit !== null) return unit === 'points' || unit === '%' ? unit : null
  return listedUnit([next, ...rest], text)
}

const wordsOf = (
  sentence: FigureSentence,
  figure: PrintedFigure,
  { runs, metrics, parts }: FigureSlots,
): SuspectWords => ({
  isRunSaid: runs[0]?.isSure === true,
  isMetricSaid: metrics[0]?.isSure === true,
  isPartSaid: parts.isSure && parts.isCarried !== true && parts.value.length > 0,
  isAboutOne: isPlainly(sentence),
  count: sentence.figures.length,
  isLimit: LIMIT.test(sentence.text.slice(Math.max(0, figure.from - 16), figure.from)),
  unread: unreadAround(sentence, figure),
})

const LIMIT =
  /(?:(?<![a-z]|never )(?:saw|touch\w*|cross\w*|pass\w*|exceed\w*|above|below|under)|(?:首次|第一次)到?|越过|超过|跌破|破了|过过)\s?$/i

/** Words that say nothing of what a figure is, or that any sentence has. */
const NEUTRAL =
  /^(?:the|and|its?|was|were|are|with|for|from|that|this|than|then|has|had|have|been|but|which|while|where|when|into|over|only|just|also|both|all|each|one|two|three|four|five|six|again|still|about|around|roughly|nearly|almost|even|not|now|here|there|they|their|them|who|whose|ends?|ended|finish\w*|reach\w*|averag\w*|stands?|sits?|shows?|gives?|gets?|goes|went|comes?|came|stays?|drops?|dropped|falls?|fell|rises?|rose|climbs?|climbed|moves?|moved|starts?|started|begins?|began|peaks?|peaked|scores?|run|runs|seed|seeds|step|steps|arm|arms|group|groups|setting|settings|respectively|value|values|figure|figures|points?|percent|tokens?|seconds?|nats?|compared|against|versus|whereas|because|although|though|after|before|until|between|during|across|under|above|below|per|out|off|down|back|more|less|most|least|very|much|so|as|at|by|in|is|it|of|on|or|to|up|we|an|be|do|if|no)$/i

/** Between the figure before and its clause's end. */
function unreadAround(
  { text, runs, metrics, parts, seeds, figures, steps }: FigureSentence,
  { from, to }: PrintedFigure,
): number {
  const start = Math.max(0, ...figures.filter(one => one.to <= from).map(one => one.to))
  const stop = text.slice(to).search(/[,;.，；。:：(（]|\d/)
  const end = stop < 0 ? text.length : to + stop
  const spans = [...runs, ...metrics, ...parts, ...seeds, ...figures, ...steps.map(({ mark }) => mark)]
  const bare = spans.reduce(
    (left, one) => left.slice(0, one.from) + ' '.repeat(Math.max(0, one.to - one.from)) + left.slice(one.to),
    text,
  )
  const words = bare.slice(start, end).match(/[A-Za-z]{3,}|\p{Script=Han}+/gu) ?? []
  return words.reduce((sum, word) => sum + (/[a-z]/i.test(word) ? (NEUTRAL.test(word) ? 0 : 1) : word.length / 3), 0)
}

/** A figure that is probably wrong, by what its words seem to say. */
function doubtedBy(
  { quantity }: PrintedFigure,
  judged: FigureJudgement | undefined,
  words: SuspectWords,
  beside: readonly FigureJudgement[],
): FigureJudgement {
  if (judged === undefined) return { state: 'untraced', fitsByChance: false }
  if (judged.state !== 'untraced' || judged.doubts === undefined) return judged
  const suspect = { quantity, words, beside, isExcused: judged.fitsByChance }
  const reading = suspected(suspect, judged.doubts)
  const value = reading?.values[0]
  return reading === null || value === undefined ? judged : { state: 'contradicted', reading, value }
}

/** Of other work nothing is known to be wrong. */
const doubted = (one: FigureJudgement): FigureJudgement =>
  one.state === 'contradicted' ? { state: 'untraced', fitsByChance: false } : one

/** Figures of other work: no log here has them. */
const FOREIGN =
  /(?<![A-Za-z])(?:pilot|another (?:split|set|model|task|seed)|different (?:split|set|model|task)|previous(?:ly)?|earlier (?:report|memo|work|version|experiments?)|papers?|literature|published)(?![A-Za-z])|上一版|此前|论文|文献|另一(?:数据|份|个任务)/i

const isForeign = (text: string): boolean => FOREIGN.test(text)

import type { Quantity } from '../../logs/document/quantity.js'
import { type Above, bindFigures, type FigureSlots, type Slot } from './binding.js'
import { changeOf, changes, fromPrinted } from './changes.js'
import { countReadings } from './counts.js'
import type { PrintedFigure } from './figure.js'
import { levels } from './levels.js'
import type { Address, Log, LogMetric, LogRun, Part } from './log.js'
import { type MetricMention, meantBy, mentionOf } from './metric-mentions.js'
import { isExtreme, partsMeant } from './part-mentions.js'
import { type FigureJudgement, type FigureReading, judge, readingAt, settingReading } from './reading.js'
import { type FigureSentence, isSame, type ReadingContext, type StepFigure } from './sentence.js'
import { isForeign, widely } from './wide.js'

export type JudgedFigure = FigureJudgement & { readonly figure: PrintedFigure }

/** What has more of them is data, and no sentence: each figure is read beside all others. */
const MOST_FIGURES = 200

/** The figures of a sentence, each with what its words may mean and what came of it. */
export function judgeSentence(
  log: Log,
  sentence: FigureSentence,
  context: ReadingContext,
  above: Above,
  printed: readonly Quantity[],
): readonly JudgedFigure[] {
  const { figures, text } = sentence
  if (figures.length > MOST_FIGURES) return figures.map(figure => ({ state: 'untraced', fitsByChance: false, figure }))
  const bound = bindFigures(log, sentence, context, above)
  const judged = new Map<PrintedFigure, FigureJudgement>()
  const asked: { readonly figure: PrintedFigure; readonly slots: FigureSlots; readonly isChange: boolean }[] = []
  for (const [i, figure] of figures.entries()) {
    const slots = bound.get(figure)
    if (slots === undefined) continue
    const before = figures[i - 1]
    // "By 3.1 points (4 %)": what follows a change at once is one, too.
    const isAlso = asked.at(-1)?.isChange === true && before !== undefined && figure.from - before.to < 12
    const isChange = changeOf(text, figure) || (isAlso && figure.quantity.unit === '%')
    asked.push({ figure, slots, isChange })
  }
  const judgeOne = ({ figure, slots, isChange }: (typeof asked)[number]): FigureJudgement => {
    // Most figures are what their words say first: then nothing else is looked at.
    const plain = { ...slots, runs: slots.runs.slice(0, 1), metrics: slots.metrics.slice(0, 1) }
    const first = judge(figure, readingsOf(log, sentence, figure, plain, printed, isChange))
    if (
      first.state !== 'untraced' &&
      first.state !== 'contradicted' &&
      first.reading.isNamed &&
      first.reading.rank === 0
    )
      return first
    const readings = readingsOf(log, sentence, figure, slots, printed, isChange)
    if (isForeign(sentence.text)) return doubted(judge(figure, readings))
    return judge(figure, readings, () => widely(log, sentence, figure, slots, context, isChange), isPlainly(sentence))
  }
  for (const one of asked) judged.set(one.figure, judgeOne(one))
  // What no word says of a figure, its neighbours tell: of "kl-0.0 has 0.8, kl-0.1 0.7" both are final values.
  const shared = sharedBy([...judged.values()])
  for (const one of asked) {
    const { parts, metrics } = one.slots
    if (judged.get(one.figure)?.state !== 'untraced' || one.isChange) continue
    const part = parts.value.length === 0 ? shared.part : null
    const metric = metrics[0]?.isSure === true ? null : shared.metric
    if (part === null && metric === null) continue
    const slots = {
      ...one.slots,
      ...(part === null ? {} : { parts: { value: [part], isSure: true } }),
      ...(metric === null ? {} : { metrics: [metric, ...metrics] }),
    }
    judged.set(one.figure, judgeOne({ ...one, slots }))
  }
  const values = figures.flatMap(figure => {
    const one = judged.get(figure)
    return one === undefined ? [] : [{ ...one, figure }]
  })
  return [
    ...values,
    ...sentence.steps.flatMap(step => {
      const of = step.of ?? step.figure
      return judgeStep(
        log,
        sentence,
        step,
        bound.get(of),
        values.find(({ figure }) => figure === of),
      )
    }),
  ]
}

/** At most one run, and not many figures: the words can hardly mean anything else. */
function isPlainly({ runs: [run, ...others], figures }: FigureSentence): boolean {
  const isOne = run === undefined || (run.isLoose !== true && others.every(one => isSame(one.runs, run.runs)))
  return isOne && figures.length < 8
}

/** Of other work nothing is known to be wrong. */
const doubted = (one: FigureJudgement): FigureJudgement =>
  one.state === 'contradicted' ? { state: 'untraced', fitsByChance: false } : one

const SHARED = new Set<string>(['last', 'first', 'max', 'min'])

/** The one part, and the one metric of at least two, that all traced figures of a sentence are of. */
function sharedBy(judged: readonly FigureJudgement[]) {
  const addresses = judged.flatMap(one =>
    one.state === 'traced' && one.reading.kind === 'value' && one.reading.address !== null
      ? [{ ...one.reading.address, named: one.reading.metric }]
      : [],
  )
  const [first, second] = addresses
  const isOne = (is: (address: Address) => unknown): boolean =>
    first !== undefined && addresses.every(one => is(one) === is(first))
  const kind = first?.part.kind ?? ''
  const metric = first?.named as LogMetric | undefined
  return {
    part:
      SHARED.has(kind) && isOne(({ part }) => part.kind)
        ? { from: 0, to: 0, word: kind as 'last' | 'first' | 'max' | 'min', steps: null }
        : null,
    metric:
      metric === undefined || second === undefined || !isOne(one => one.metric)
        ? null
        : { value: mentionOf(metric), isSure: true },
  }
}

/** Another run, or another metric, or both: no reader looks further. */
const MOST_APART = 2

function readingsOf(
  log: Log,
  sentence: FigureSentence,
  figure: PrintedFigure,
  slots: FigureSlots,
  printed: readonly Quantity[],
  isChange: boolean,
): readonly FigureReading[] {
  const counts = countReadings(log, sentence.text, figure, slots.runs)
  if (counts.length > 0) return counts
  const { unit } = figure.quantity
  const isStepCount = unit === 'step' || unit === 'epoch'
  if (isStepCount && !slots.parts.value.some(isExtreme)) return []
  const unnamed: Slot<readonly LogRun[]> = { value: log.runs, isSure: false }
  const readings = (slots.runs.length > 0 ? slots.runs : [unnamed]).flatMap((runs, r) =>
    slots.metrics.slice(0, MOST_APART - r).flatMap((named, m) => {
      const { settings } = named.value
      const set = isDirectly(sentence.text, named.value, slots.chunk[0] ?? figure) ? settings : []
      const { metrics, others } = meantBy(named.value, log, runs.value)
      // Of a figure that stands alone neither run nor metric is certain.
      const isSaid = sentence.runs.length > 0 || sentence.metrics.length > 0
      const isSure = runs.isSure && named.isSure && r + m === 0 && isSaid
      const sure = {
        isNamed: isSure && metrics.every(one => isCurve(log, runs.value, one)),
        isAmbiguous: metrics.length > 1,
      }
      return [
        ...set.flatMap(one => settingReading(log, figure, runs.value, one, r)),
        ...[...metrics, ...(isStepCount ? [] : others)].flatMap((metric, i) => {
          if (!isChange && !isInUnit(figure.quantity, metric)) return []
          const isPlain = i < metrics.length
          const how = { ...sure, isNamed: sure.isNamed && isPlain, rank: r + m + (isPlain ? 0 : 1 + i * 0.01) }
          if (isChange) return changes(log, sentence, figure, runs.value, metric, slots, how)
          return levels(log, sentence.text, figure, runs.value, metric, slots.parts, how)
        }),
      ]
    }),
  )
  if (!isChange) return readings
  return [...readings, ...fromPrinted(figure, sentence, slots.metrics[0]?.value.ranked[0]?.metric, printed)]
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
  return unit !== 'sample' && unit !== 'other' && unit !== 'token/s'
}

const DIRECTLY = /^\W{0,3}(?:(?:is|was|are|were|of|at|to|set to|values?|为|是|取|设为|分别为)[\s:]*){0,2}$/i

/** A setting is said right before its value: "the learning rate is 3e-4". */
function isDirectly(text: string, { to }: MetricMention, { from }: PrintedFigure): boolean {
  return to <= from && from - to < 24 && DIRECTLY.test(text.slice(to, from))
}

/**
 * A step beside a figure: of a peak it is claimed, of any other figure it is where that one stands. A figure that is not
 * the value of that step but the last or the highest of its curve names another step.
 */
function judgeStep(
  log: Log,
  sentence: FigureSentence,
  { figure, extreme }: StepFigure,
  slots: FigureSlots | undefined,
  judged: JudgedFigure | undefined,
): readonly JudgedFigure[] {
  if (slots === undefined) return []
  const { text } = sentence
  const isSure =
    slots.runs[0]?.isSure === true &&
    slots.metrics[0]?.isSure === true &&
    (judged === undefined ? isPlainly(sentence) : judged.state === 'traced')
  const told = (readings: readonly FigureReading[]): readonly JudgedFigure[] => [
    { ...(isForeign(text) ? doubted(judge(figure, readings)) : judge(figure, readings)), figure },
  ]
  const end = judged?.state === 'traced' ? judged.reading.address?.part.kind : undefined
  // A step of a peak is not that of another part.
  const isOfPart = extreme === null || end === 'max' || end === 'min'
  if (judged?.state === 'traced' && judged.reading.kind === 'value' && judged.reading.address !== null && isOfPart) {
    const { reading, value } = judged
    const address = { ...judged.reading.address, part: stepPart(judged.reading.address.part) }
    const ties = address.part.kind === 'maxStep' || address.part.kind === 'minStep' ? log.at(address) : []
    const values = [...(value.step === null ? [] : [{ ...value, value: value.step }]), ...ties]
    const own = values.map(one => ({ ...one, printed: one.value }))
    if (own.length > 0)
      return told([{ ...reading, address, values: own, kind: 'step', rank: 0, chance: 0, isNamed: isSure }])
  }
  if (extreme === null) return []
  return told(
    slots.runs.flatMap((runs, r) =>
      slots.metrics.flatMap((named, m) =>
        meantBy(named.value, log, runs.value).metrics.map(metric => {
          const kind = partsMeant([extreme], metric, false)[0]?.part.kind === 'min' ? 'minStep' : 'maxStep'
          const address: Address = { runs: runs.value, metric: metric.name, part: { kind }, across: null }
          const isNamed = isSure && r + m === 0 && runs.value.length === 1
          return readingAt(log, figure, address, { rank: r + m, isNamed })
        }),
      ),
    ),
  )
}

function stepPart(part: Part): Part {
  return part.kind === 'min' ? { kind: 'minStep' } : part.kind === 'max' ? { kind: 'maxStep' } : part
}

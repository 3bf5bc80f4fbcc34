import type { FigureSlots } from './binding.js'
import { agrees, type PrintedFigure, scaleOf } from './figure.js'
import type { Log, LogMetric, LogRun, Part } from './log.js'
import { meantBy } from './metric-mentions.js'
import { acrossMeant } from './part-mentions.js'
import { MOST_LUCK } from './reading.js'
import { type FigureSentence, isSame, type ReadingContext } from './sentence.js'

/**
 * Before a figure is called wrong, a kind reader looks wherever its author may have: the other parts of the curve, the other
 * runs that are named, other metrics of the run, and what lies between two of them. What fits there is no proof of anything,
 * but no contradiction either; unless so much was tried that something had to fit.
 */
export function isElsewhere(
  log: Log,
  sentence: FigureSentence,
  figure: PrintedFigure,
  slots: FigureSlots,
  context: ReadingContext,
  isChange: boolean,
): boolean {
  if (isForeign(sentence.text)) return true
  const { quantity } = figure
  const isRelative = quantity.unit === '%' || quantity.unit === 'times'
  const { low, high } = quantity.range
  let tried = 0
  for (const [metric, value, other] of places(log, sentence, figure, slots, context, isChange)) {
    const scale = scaleOf(quantity, metric, isChange)
    const values =
      other === null ? [value * scale] : [(other - value) * scale, ...(isRelative ? relative(value, other) : [])]
    if (values.some(one => agrees(quantity, one) || (!quantity.signed && agrees(quantity, -one)))) return true
    tried += (high - low) / Math.max(metric.spread * scale, Math.abs(quantity.value))
    if (tried > MOST_LUCK) return false
  }
  return false
}

/** A metric and its value, or two of which the figure may be the difference; what is nearest first. */
function* places(
  log: Log,
  sentence: FigureSentence,
  figure: PrintedFigure,
  slots: FigureSlots,
  context: ReadingContext,
  isChange: boolean,
): Generator<readonly [LogMetric, number, number | null]> {
  // What the sentence names itself is not looked for outside it.
  const isSaid = { run: sentence.runs.length > 0, metric: sentence.metrics.length > 0 }
  const mentioned = [...sentence.runs, ...(isSaid.run ? [] : context.runs.slice(-NEAR))].map(one => one.runs)
  const runs = distinct([...slots.runs.slice(0, isSaid.run ? 1 : 4).map(({ value }) => value), ...mentioned]).slice(
    0,
    MOST_RUNS,
  )
  const mentions = isSaid.metric
    ? slots.metrics.slice(0, 1).map(({ value }) => value)
    : [...slots.metrics.map(({ value }) => value), ...context.metrics]
  const metrics = [
    ...new Set(mentions.flatMap(one => runs.flatMap(own => Object.values(meantBy(one, log, own)).flat()))),
  ].slice(0, MOST_METRICS)
  const steps = [...sentence.parts, ...context.parts].flatMap(({ word, steps: marks }) =>
    word === 'at' && marks !== null ? marks[0] : [],
  )
  const parts: readonly Part[] = [...PARTS, ...[...new Set(steps)].map(step => ({ kind: 'at', step }) as const)]
  const isDeviation = acrossMeant(slots.parts.value) === 'std' || figure.quantity.plusMinus
  const levels = (own: readonly LogRun[], metric: LogMetric, of: readonly Part[]): readonly number[] => {
    const ways = own.length < 2 ? [null] : isDeviation ? (['std'] as const) : (['mean', 'max', 'min'] as const)
    return ways.flatMap(across =>
      of.flatMap(part => log.at({ runs: own, metric: metric.name, part, across })[0]?.value ?? []),
    )
  }
  if (isChange) {
    const isBetween = slots.parts.isSure && isSaid.run && runs.length > 1
    for (const metric of metrics) {
      const each = runs.map(own => parts.map(part => levels(own, metric, [part])[0]))
      for (const [i, values] of each.entries())
        for (const [k, a] of values.entries())
          for (const b of [...(isBetween ? [] : values.slice(k + 1)), ...each.slice(i + 1).map(others => others[k])])
            if (a !== undefined && b !== undefined) yield [metric, a, b]
    }
    return
  }
  for (const metric of metrics)
    for (const own of runs) for (const value of levels(own, metric, parts)) yield [metric, value, null]
  // "1.52 → 1.91" may be any two points of a curve.
  if (isArrowed(sentence.text, figure))
    for (const metric of metrics)
      for (const run of runs.flat())
        for (const value of log.seriesOf(run, metric.name)?.values ?? []) yield [metric, value, null]
  // The words may be the author's own for another metric or, where the sentence names no run, be about another run.
  const said = isSaid.metric && slots.parts.isSure ? partsOf(slots, parts) : PARTS
  const others = isSaid.run ? [] : [...log.runs.map(run => [run]), ...log.groups.values()]
  for (const own of others)
    for (const metric of metrics.slice(0, 2)) for (const value of levels(own, metric, said)) yield [metric, value, null]
  for (const metric of log.metrics.values())
    for (const value of levels(runs[0] ?? [], metric, said)) yield [metric, value, null]
}

/** The parts that are said of the figure. */
function partsOf({ parts }: FigureSlots, usual: readonly Part[]): readonly Part[] {
  const kinds = new Set<string>(
    parts.value.map(({ word }) => (word === 'best' ? 'max' : word === 'worst' ? 'min' : word)),
  )
  return usual.filter(({ kind }) => kinds.has(kind))
}

export function isArrowed(text: string, { from, to }: Pick<PrintedFigure, 'from' | 'to'>): boolean {
  return /^\s?(?:→|->)/.test(text.slice(to, to + 3)) || /(?:→|->)\s?$/.test(text.slice(Math.max(0, from - 3), from))
}

/** Figures of other work: no log here has them. */
const FOREIGN =
  /(?<![A-Za-z])(?:pilot|another (?:split|set|model|task|seed)|different (?:split|set|model|task)|previous(?:ly)?|earlier (?:report|memo|work|version|experiments?)|papers?|literature|published)(?![A-Za-z])|上一版|此前|论文|文献|另一(?:数据|份|个任务)/i

export const isForeign = (text: string): boolean => FOREIGN.test(text)

const NEAR = 4
const MOST_RUNS = 6
const MOST_METRICS = 8
const PARTS: readonly Part[] = [{ kind: 'last' }, { kind: 'first' }, { kind: 'max' }, { kind: 'min' }, { kind: 'mean' }]

const relative = (a: number, b: number): readonly number[] =>
  a === 0 || b === 0 ? [] : [(100 * (b - a)) / a, (100 * (a - b)) / b, b / a, a / b]

function distinct(all: readonly (readonly LogRun[])[]): readonly (readonly LogRun[])[] {
  return all.filter((runs, i) => runs.length > 0 && all.findIndex(other => isSame(other, runs)) === i)
}

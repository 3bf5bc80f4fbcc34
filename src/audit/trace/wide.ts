import type { FigureSlots } from './binding.js'
import type { PrintedFigure } from './figure.js'
import { type Address, type Log, type LogMetric, type LogRun, nameOf, type Part } from './log.js'
import { meantBy } from './metric-mentions.js'
import { acrossMeant, type PartMention, partsMeant } from './part-mentions.js'
import { computedReadings, type FigureReading, readingAt } from './reading.js'
import { type FigureSentence, isSame, type ReadingContext } from './sentence.js'

/**
 * Where else the author of a figure may have read it: other runs that are named near, the same seed of other groups, other
 * parts of the curve, other metrics, and what lies between two of them. Places come in the order in which a reader would
 * look. What is found before anything was likely to fit by chance is traced; what is found later is no proof of anything,
 * but no contradiction either.
 */
export function* widely(
  log: Log,
  sentence: FigureSentence,
  figure: PrintedFigure,
  slots: FigureSlots,
  context: ReadingContext,
  isChange: boolean,
): Generator<FigureReading> {
  const runs = runTiers(log, sentence, slots, context)
  const metrics = metricTiers(log, slots, context, runs.flat())
  const words = partTiers(sentence, slots, context)
  const known = new Map<string, Tiers<Part>>()
  const partsFor = (metric: LogMetric, isGroup: boolean): Tiers<Part> => {
    // "Best" depends on the goal, and nothing else of the metric counts.
    const key = `${metric.goal} ${isGroup}`
    const parts = known.get(key) ?? words.map(of => partsOf(of, metric, isGroup))
    known.set(key, parts)
    return parts
  }
  // Against its words a figure is not traced, but excused.
  const sure = {
    run: slots.runs[0]?.isSure === true,
    metric: slots.metrics[0]?.isSure === true,
    part: slots.parts.isSure && slots.parts.value.length > 0,
  }
  for (let cost = 0; cost <= MOST_COST; cost += 1)
    for (const [r, own] of runs.entries())
      for (const [m, some] of metrics.entries())
        for (const metric of some)
          for (const run of own) {
            const parts = partsFor(metric, run.length > 1)
            const last = cost - r - m
            if (parts[last] === undefined) continue
            const isFar = (r > 0 && sure.run) || (m > 1 && sure.metric) || (last > 0 && sure.part)
            const found = isChange
              ? changesAt(log, figure, run, metric, { runs, parts, r, last }, cost)
              : levelsAt(log, figure, run, metric, parts[last], slots, cost)
            for (const reading of found) yield isFar ? { ...reading, isFar } : reading
          }
}

const MOST_COST = 5

function* levelsAt(
  log: Log,
  figure: PrintedFigure,
  runs: readonly LogRun[],
  metric: LogMetric,
  parts: readonly Part[],
  { parts: { value: said } }: FigureSlots,
  rank: number,
): Generator<FigureReading> {
  const isDeviation = figure.quantity.plusMinus || acrossMeant(said) === 'std'
  const ways: readonly Address['across'][] =
    runs.length < 2 ? [null] : isDeviation ? ['std'] : rank > 1 ? ['mean', 'max', 'min'] : ['mean']
  for (const part of parts)
    for (const across of ways)
      yield readingAt(log, figure, { runs, metric: metric.name, part, across }, { rank, isNamed: false })
}

function* changesAt(
  log: Log,
  figure: PrintedFigure,
  runs: readonly LogRun[],
  metric: LogMetric,
  near: {
    readonly runs: Tiers<readonly LogRun[]>
    readonly parts: Tiers<Part>
    readonly r: number
    readonly last: number
  },
  rank: number,
): Generator<FigureReading> {
  const level = (of: readonly LogRun[], part: Part): number | undefined =>
    log.at({ runs: of, metric: metric.name, part, across: of.length > 1 ? 'mean' : null })[0]?.value
  const made = function* (a: number | undefined, b: number | undefined, words: string): Generator<FigureReading> {
    if (a !== undefined && b !== undefined)
      yield* computedReadings(figure, metric, [a, b], { words, rank, isNamed: false })
  }
  for (const part of near.parts[near.last] ?? []) {
    const own = level(runs, part)
    for (const other of near.runs.slice(0, near.r + 1).flat())
      if (!isSame(other, runs)) yield* made(level(other, part), own, `${nameOf(runs)} − ${nameOf(other)}`)
    for (const other of near.parts.slice(0, near.last + 1).flat())
      if (other !== part) yield* made(level(runs, other), own, `${nameOf(runs)}: ${other.kind} → ${part.kind}`)
  }
}

/** The nearest first; each is looked at before all of the next. */
type Tiers<Item> = readonly (readonly Item[])[]

const MOST_GROUPS = 16
const MOST_RUNS = 64

function runTiers(log: Log, { runs, seeds }: FigureSentence, slots: FigureSlots, context: ReadingContext) {
  const groups = [...log.groups.values()].slice(0, MOST_GROUPS)
  const ofSeed = seeds.flatMap(({ seed }) => groups.flatMap(all => all.filter(run => run.seed === seed)))
  return distinct<readonly LogRun[]>(
    [
      slots.runs.map(({ value }) => value),
      [...runs, ...context.runs.toReversed()].map(one => one.runs),
      ofSeed.map(run => [run]),
      groups,
      log.runs.slice(0, MOST_RUNS).map(run => [run]),
    ],
    isSame,
  )
}

function metricTiers(log: Log, slots: FigureSlots, { metrics, topics }: ReadingContext, runs: Tiers<LogRun>) {
  const all = runs.flat()
  const meant = slots.metrics.map(({ value }) => meantBy(value, log, all))
  const [first, ...rest] = meant
  return distinct<LogMetric>(
    [
      first?.metrics ?? [],
      [...(first?.others ?? []), ...rest.flatMap(one => one.metrics)],
      [...metrics.flatMap(one => meantBy(one, log, all).metrics), ...topics],
      [...log.metrics.values()],
    ],
    (a, b) => a === b,
  )
}

function partTiers({ parts: own }: FigureSentence, slots: FigureSlots, context: ReadingContext): Tiers<PartMention> {
  const said = slots.parts.value
  const steps = (all: readonly PartMention[]): readonly PartMention[] => all.filter(one => one.steps !== null)
  return [said.length > 0 ? said : USUAL.slice(0, 1), [...own, ...USUAL], steps(context.parts)]
}

function partsOf(words: readonly PartMention[], metric: LogMetric, isGroup: boolean): readonly Part[] {
  const parts = words.flatMap(word => partsMeant([word], metric, isGroup).map(({ part }) => part))
  return parts.filter((part, i) => parts.findIndex(other => isSamePart(other, part)) === i)
}

const isSamePart = (a: Part, b: Part): boolean =>
  a.kind === b.kind &&
  ('step' in a ? 'step' in b && a.step === b.step : true) &&
  ('steps' in a ? 'steps' in b && a.steps === b.steps : true) &&
  ('first' in a ? 'first' in b && a.first === b.first && a.last === b.last : true)

const USUAL: readonly PartMention[] = (['last', 'max', 'min', 'first', 'mean'] as const).map(word => ({
  from: 0,
  to: 0,
  word,
  steps: null,
}))

/** Nothing twice: what a nearer tier has is not looked at again. */
function distinct<Item>(tiers: Tiers<Item>, same: (a: Item, b: Item) => boolean): Tiers<Item> {
  const seen: Item[] = []
  return tiers.map(tier =>
    tier.filter(one => {
      if (seen.some(other => same(other, one))) return false
      seen.push(one)
      return true
    }),
  )
}

/** Figures of other work: no log here has them. */
const FOREIGN =
  /(?<![A-Za-z])(?:pilot|another (?:split|set|model|task|seed)|different (?:split|set|model|task)|previous(?:ly)?|earlier (?:report|memo|work|version|experiments?)|papers?|literature|published)(?![A-Za-z])|上一版|此前|论文|文献|另一(?:数据|份|个任务)/i

export const isForeign = (text: string): boolean => FOREIGN.test(text)

export function isArrowed(text: string, { from, to }: Pick<PrintedFigure, 'from' | 'to'>): boolean {
  return /^\s?(?:→|->)/.test(text.slice(to, to + 3)) || /(?:→|->)\s?$/.test(text.slice(Math.max(0, from - 3), from))
}

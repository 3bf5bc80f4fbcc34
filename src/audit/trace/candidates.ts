import type { PrintedFigure } from './figure.js'
import { type Address, type Log, type LogMetric, type LogRun, nameOf, type Part } from './log.js'
import type { Option, PartOption } from './options.js'
import { computedReadings, type FigureReading, readingAt } from './reading.js'

/**
 * All that a figure may be, the most believable first: each choice of runs, metric and part costs the sum of what its three
 * costs. What is computed from two values costs what both do.
 */
export interface FigureOptions {
  readonly runs: readonly Option<readonly LogRun[]>[]
  readonly metrics: readonly Option<LogMetric>[]
  readonly partsOf: (metric: LogMetric, runs: readonly LogRun[]) => readonly Option<PartOption>[]
  /** From which part of a curve to which a change may lead. */
  readonly ways: readonly Option<readonly [Part, Part]>[]
  /** The cheapest is said by words that can mean nothing else. */
  readonly isNamed: boolean
}

/** Beyond, nothing is believed and nothing excused. */
const DEAREST = 7
const DEAREST_CHANGE = 6
const BAND = 1.5

interface Choice<Value> {
  readonly cost: number
  readonly value: Value
}

/** Sorted band by band: most figures are found in the first, and the last ones are long. */
function* inBands<Value>(choices: (from: number, to: number) => readonly Choice<Value>[]): Generator<Choice<Value>> {
  for (let from = 0; from < DEAREST; from += BAND) yield* choices(from, from + BAND).toSorted((a, b) => a.cost - b.cost)
}

export function* levelCandidates(
  log: Log,
  figure: PrintedFigure,
  { runs, metrics, partsOf, isNamed }: FigureOptions,
): Generator<FigureReading> {
  let isFirst = true
  // All three lists are sorted by what they cost.
  const choices = (from: number, to: number): readonly Choice<Address>[] => {
    const found: Choice<Address>[] = []
    for (const run of runs) {
      if (run.cost >= to) break
      for (const metric of metrics) {
        const base = run.cost + metric.cost
        if (base >= to) break
        for (const { value, cost } of partsOf(metric.value, run.value)) {
          if (base + cost >= to) break
          if (base + cost >= from)
            found.push({ cost: base + cost, value: { runs: run.value, metric: metric.value.name, ...value } })
        }
      }
    }
    return found
  }
  for (const { value: address, cost } of inBands(choices)) {
    const reading = readingAt(log, figure, address, { rank: cost, isNamed: isFirst && isNamed })
    if (reading.values.length === 0) continue
    isFirst = false
    yield reading
  }
}

/** How many of each are compared with each other. */
const MOST_COMPARED = 10
const MOST_METRICS = 6
const MOST_PARTS = 6
/** Between two metrics of one run: "reward and true score are 0.3 apart". */
const OTHER_METRIC = 0.3

/** `between`: what it costs that two runs are compared, or two parts of one curve, or two metrics. */
export function* changeCandidates(
  log: Log,
  figure: PrintedFigure,
  { runs, metrics, partsOf, ways, isNamed }: FigureOptions,
  between: { readonly runs: number; readonly parts: number; readonly metrics: number },
  isShare: boolean,
): Generator<FigureReading> {
  let isFirst = true
  const level = ({ runs: of, metric, part, across }: Address): number | undefined =>
    log.at({ runs: of, metric, part, across: of.length > 1 ? (across ?? 'mean') : null })[0]?.value
  interface Pair {
    readonly a: Address
    readonly b: Address
    readonly metric: LogMetric
    readonly words: string
  }
  const near = runs.slice(0, MOST_COMPARED)
  const all: Choice<Pair>[] = []
  const put = (a: Address, b: Address, metric: LogMetric, words: string, cost: number): void => {
    if (cost < DEAREST_CHANGE) all.push({ cost, value: { a, b, metric, words } })
  }
  for (const own of near)
    for (const metric of metrics.slice(0, MOST_METRICS)) {
      const parts = partsOf(metric.value, own.value).slice(0, MOST_PARTS)
      const address = (of: readonly LogRun[], { part, across }: PartOption, m = metric.value): Address => ({
        runs: of,
        metric: m.name,
        part,
        across: across === 'std' ? 'mean' : across,
      })
      const base = own.cost + metric.cost
      const isGroup = own.value.length > 1
      for (const { value: ends, cost } of ways) {
        const [from, to] = ends.map(part => address(own.value, { part, across: isGroup ? 'mean' : null }))
        if (from !== undefined && to !== undefined)
          put(
            from,
            to,
            metric.value,
            `${nameOf(own.value)}: ${from.part.kind} → ${to.part.kind}`,
            base + cost + between.parts,
          )
      }
      for (const part of parts) {
        const here = address(own.value, part.value)
        for (const other of near)
          if (!isWithin(other.value, own.value) && !isWithin(own.value, other.value))
            put(
              address(other.value, part.value),
              here,
              metric.value,
              `${nameOf(own.value)} − ${nameOf(other.value)}`,
              base +
                part.cost +
                other.cost * (isTwin(own.value, other.value) ? TWIN : 1) +
                between.runs +
                (isAlike(own.value, other.value) ? 0 : UNLIKE),
            )
        for (const other of metrics.slice(0, MOST_METRICS))
          if (other !== metric && other.value.isFraction === metric.value.isFraction)
            put(
              address(own.value, part.value, other.value),
              here,
              metric.value,
              `${metric.value.name} − ${other.value.name}`,
              base + part.cost + other.cost + between.metrics + OTHER_METRIC,
            )
      }
    }
  for (const { value, cost } of all.toSorted((a, b) => a.cost - b.cost)) {
    const [a, b] = [level(value.a), level(value.b)]
    if (a === undefined || b === undefined) continue
    const how = { words: value.words, rank: cost, isNamed: isFirst && isNamed, address: value.b, isShare }
    isFirst = false
    yield* computedReadings(figure, value.metric, [a, b], how)
  }
}

const isWithin = (some: readonly LogRun[], all: readonly LogRun[]): boolean => some.every(run => all.includes(run))

/** Groups are compared with groups, and runs with runs. */
const isAlike = (a: readonly LogRun[], b: readonly LogRun[]): boolean => a.length > 1 === b.length > 1
const UNLIKE = 2

/** With one seed, of two groups: what is compared seed by seed. */
const isTwin = ([a, ...more]: readonly LogRun[], [b, ...others]: readonly LogRun[]): boolean =>
  more.length + others.length === 0 && a !== undefined && a.seed !== null && a.seed === b?.seed && a.group !== b.group
const TWIN = 0.3

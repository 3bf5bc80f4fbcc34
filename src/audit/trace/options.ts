import { memoByObject } from '../../logs/model/util/memo.js'
import type { FigureSlots } from './binding.js'
import type { Conventions } from './conventions.js'
import { isOfSize, type PrintedFigure } from './figure.js'
import type { Across, Log, LogMetric, LogRun, Part } from './log.js'
import { type MetricMention, meantBy, sharedWords } from './metric-mentions.js'
import { acrossMeant, isExtreme, partsMeant } from './part-mentions.js'
import { isArrowed, plainOf, spanEnd } from './part-slots.js'
import type { FigureSentence, ReadingContext } from './sentence.js'

/**
 * What a figure may be of: runs, metrics and parts of their curves, each with what it costs to believe it. A cost is about
 * the negative logarithm of a probability: words near the figure cost next to nothing, what the report usually speaks of a
 * little, what nothing speaks for as much as there are such things.
 */
export interface Option<Value> {
  readonly value: Value
  readonly cost: number
}

/** How a part is read, and what is made of it where several runs are meant. */
export interface PartOption {
  readonly part: Part
  readonly across: Across | null
}

/** The next thing that the words of a sentence name. */
const NEXT = 0.7
const UNSURE = 0.6
const EARLIER = 1.2
const ANY_GROUP = 2.2
const ANY_RUN = 3
const MEMBER = 1.6
const WHOLE_GROUP = 1.5
const MOST_GROUPS = 40
const MOST_RUNS = 80
const MOST_MEMBERS = 16

export function runOptions(
  log: Log,
  { runs: named, seeds, text }: FigureSentence,
  figure: PrintedFigure,
  { runs: slots, chunk }: Pick<FigureSlots, 'runs' | 'chunk'>,
  context: ReadingContext,
): readonly Option<readonly LogRun[]>[] {
  const options: Option<readonly LogRun[]>[] = []
  const add = (value: readonly LogRun[], cost: number): void => {
    if (value.length > 0) options.push({ value, cost })
  }
  for (const [i, { value, isSure }] of slots.entries()) add(value, i * NEXT + (isSure ? 0 : UNSURE))
  for (const [i, { runs }] of named.entries()) add(runs, 1 + 0.1 * i)
  for (const [i, { runs }] of context.runs.toReversed().entries())
    add(runs, EARLIER + 0.4 * i + (named.length > 0 ? 0.7 : 0))
  // "They end at 0.7, 0.6 and 0.4": in the order of the table.
  const plain = plainOf(chunk)
  const place = plain.findIndex(({ from }) => from === figure.from)
  const fresh = context.listings.filter(({ length }) => length === plain.length).toReversed()
  if (plain.length > 1 && named.filter(({ refers }) => refers === null).length < plain.length)
    for (const [i, listing] of fresh.entries()) add(listing[place] ?? [], LISTED + 0.2 * i)
  if (EVERY.test(text) && log.runs.length <= MOST_RUNS) add(log.runs, ALL)
  const groups = [...log.groups.values()].slice(0, MOST_GROUPS)
  for (const group of baselinesIn(log)) add(group, BASELINE)
  for (const { seed } of seeds) {
    const own = groups.flatMap(all => all.filter(run => run.seed === seed))
    for (const run of own) add([run], 0.8 + Math.log(own.length))
  }
  // Of a group that is named one run may be meant, and the other way round.
  for (const { value, cost } of options.slice(0, 8)) {
    const [run, other] = value
    if (run === undefined) continue
    if (other === undefined) add(log.groups.get(run.group) ?? [], cost + WHOLE_GROUP)
    else for (const one of value.slice(0, MOST_MEMBERS)) add([one], cost + MEMBER + Math.log(value.length))
  }
  for (const group of groups) add(group, ANY_GROUP + Math.log(groups.length))
  const all = log.runs.slice(0, MOST_RUNS)
  for (const run of all) add([run], ANY_RUN + Math.log(all.length))
  return cheapest(options, keyOfRuns)
}

const BASELINE = 0.45
const ALL = 1.4
const EVERY = /(?<![a-z])(?:all|every|any|across|overall|whichever|depending on)(?![a-z])|全部|所有|任何|每个|全场|各/i
const LISTED = 0.4

/** Without KL, or called so: what others are compared with without a word. */
const baselinesIn = memoByObject((log: Log): readonly (readonly LogRun[])[] =>
  [...log.groups].flatMap(([group, runs]) =>
    /(?:^|[^a-z])(?:baseline|control|nothing|none|plain|no[-_]?kl|(?:kl|beta)[-_=]?0(?:\.0+)?(?![.\d]))/i.test(group)
      ? [runs]
      : [],
  ),
)

const runKeys = new WeakMap<readonly LogRun[], string>()

export function keyOfRuns(runs: readonly LogRun[]): string {
  const known =
    runKeys.get(runs) ??
    runs
      .map(({ name }) => name)
      .sort()
      .join('\n')
  runKeys.set(runs, known)
  return known
}

const NEW_BLOCK = 1.5
const CONSTANT = 1
const ALIKE = 0.15
const LESS_PLAIN = 1.4
const ANY_VALIDATION = 1.5
const ANY_METRIC = 2

export function metricOptions(
  log: Log,
  { text }: FigureSentence,
  figure: PrintedFigure,
  { metrics: slots, runs, chunk }: Pick<FigureSlots, 'metrics' | 'runs' | 'chunk'>,
  { metrics: before, isNew, measures }: ReadingContext,
  conventions: Conventions,
  isChange: boolean,
): readonly Option<LogMetric>[] {
  const options: Option<LogMetric>[] = []
  const meant = runs[0]?.value ?? []
  const mentioned = (said: MetricMention, cost: number): void => {
    // "A KL of 7.2" is of the metric that goes so far.
    const near = isChange ? said.ranked : said.ranked.filter(({ metric }) => isOfSize(figure, metric))
    const mention = near.length === 0 ? said : { ...said, ranked: near }
    const { metrics, others } = meantBy(mention, log, meant)
    // What the same words meant elsewhere in the report, where figures told.
    const isLogged = ({ name }: LogMetric): boolean => meant.some(run => log.seriesOf(run, name) !== undefined)
    const known = new Map(
      [...conventions.meaningOf(mention)].filter(([metric]) => meant.length === 0 || isLogged(metric)),
    )
    for (const [metric, share] of known) options.push({ value: metric, cost: cost - Math.log(share) })
    const far = known.size > 0 ? 1.2 : 0
    for (const [i, metric] of metrics.entries()) options.push({ value: metric, cost: cost + far + ALIKE * i })
    for (const [i, metric] of others.entries()) options.push({ value: metric, cost: cost + far + LESS_PLAIN + 0.3 * i })
  }
  // What the sentences before spoke of, where this one names nothing.
  const isSilent = slots.every(({ isSure }) => !isSure)
  for (const [i, { value, isSure }] of slots.entries())
    mentioned(value, i * NEXT + (isSure ? 0 : isSilent && isNew ? NEW_BLOCK : UNSURE))
  for (const [i, mention] of before.toReversed().entries()) mentioned(mention, EARLIER + 0.4 * i)
  for (const [metric, share] of conventions.metrics)
    options.push({ value: metric, cost: 0.6 - Math.log(share) + (isSilent ? 0 : 1) })
  const all = [...log.metrics.values()]
  for (const metric of all) {
    const { share, count } = sharedWords(text, metric)
    if (count > 1 && share > 0.7)
      options.push({ value: metric, cost: (share === 1 ? 0.4 : 1.2) - (count > 2 ? 0.3 : 0) })
  }
  const plain = plainOf(chunk)
  const place = plain.findIndex(({ from }) => from === figure.from)
  for (const columns of plain.length < 2 ? [] : measures.toReversed()) {
    // Also beside others, such as the KL.
    const metric = columns.length >= plain.length ? columns[place] : undefined
    if (metric !== undefined) options.push({ value: metric, cost: 1 + (columns.length - plain.length) * 0.3 })
  }
  const validated = all.filter(({ isValidation }) => isValidation)
  for (const metric of validated) options.push({ value: metric, cost: ANY_VALIDATION + Math.log(validated.length) })
  for (const metric of all) options.push({ value: metric, cost: ANY_METRIC + Math.log(all.length) })
  // What never changes is hardly spoken of.
  const moving = options.map(one => (one.value.spread > 0 ? one : { ...one, cost: one.cost + CONSTANT }))
  return cheapest(moving, ({ name }) => name)
}

/** Another part than the words say. */
const AGAINST_WORDS = 1.5
const MOST_POINTS = 50
const CARRIED = 0.3

/** Parts that a figure of this metric may be, of one run or of several. */
export function partOptions(
  log: Log,
  sentence: FigureSentence,
  figure: PrintedFigure,
  { parts: { value: words, isSure, isCarried = false } }: Pick<FigureSlots, 'parts'>,
  metric: LogMetric,
  runs: readonly LogRun[],
  conventions: Conventions,
): readonly Option<PartOption>[] {
  const isGroup = runs.length > 1
  const options: Option<PartOption>[] = []
  const { plusMinus } = figure.quantity
  const isDeviation = isGroup && (plusMinus || acrossMeant(words) === 'std')
  const add = (part: Part, across: Across | null, cost: number): void => {
    options.push({ value: { part, across: isGroup ? (isDeviation ? 'std' : across) : null }, cost })
  }
  const said = partsMeant(words, metric, isGroup)
  const across = isGroup ? acrossMeant(words) : null
  const ends = words.filter(isExtreme)
  for (const [i, one] of said.entries()) {
    const cost = 0.5 * i + (isCarried ? CARRIED : isSure ? 0 : UNSURE)
    // "Highest" of several runs: each run's highest, the highest of all, or the highest of their usual values.
    const isEnd = isGroup && (one.part.kind === 'max' || one.part.kind === 'min')
    add(one.part, one.across, cost)
    if (isEnd) add(one.part, one.part.kind === 'max' ? 'max' : 'min', cost + 0.6)
    if (isEnd) add(one.part, 'curve', cost + 0.6)
  }
  // "The largest jump: 0.508 at step 275".
  for (const { of, figure: step } of sentence.steps)
    if (of?.from === figure.from) add({ kind: 'at', step: step.quantity.value }, across, 0.3)
  const end = spanEnd(sentence.text, figure)
  if (end !== null && isGroup) for (const { part } of said.slice(0, 1)) add(part, end, 0)
  if (end !== null && !isGroup) add({ kind: end }, null, 0)
  // A mean over runs says nothing of the part; nor does a highest among runs.
  const isOpen = said.length === 0 || (said.length === ends.length && ends.length > 0)
  const later = said.length === 0 || isCarried ? 0 : isOpen ? 0.5 : AGAINST_WORDS
  for (const { part, cost } of conventions.parts) {
    add(part, across, cost + later)
    if (isGroup && !isDeviation)
      for (const one of ends) {
        const [meant] = partsMeant([one], metric, false)
        add(part, meant?.part.kind === 'min' ? 'min' : 'max', cost + 0.4)
      }
  }
  for (const one of sentence.parts)
    for (const { part } of partsMeant([one], metric, isGroup))
      add(part, across, 1 + (said.length === 0 ? 0 : isSure ? AGAINST_WORDS : 0.8))
  if (isArrowed(sentence.text, figure) && !isGroup && runs[0] !== undefined) {
    const { steps = [] } = log.seriesOf(runs[0], metric.name) ?? {}
    for (const step of steps.slice(0, MOST_POINTS)) add({ kind: 'at', step }, null, 1 + 0.5 * Math.log(steps.length))
  }
  return cheapest(options, ({ part, across: made }) => `${Object.values(part).join()} ${made}`)
}

/** Each once, at what it costs at least; the cheapest first. */
function cheapest<Value>(options: readonly Option<Value>[], keyOf: (value: Value) => string): readonly Option<Value>[] {
  const byKey = new Map<string, Option<Value>>()
  for (const one of options) {
    const key = keyOf(one.value)
    const known = byKey.get(key)
    if (known === undefined || one.cost < known.cost) byKey.set(key, one)
  }
  return [...byKey.values()].sort((a, b) => a.cost - b.cost)
}

import type { PrintedFigure } from './figure.js'
import type { Log, LogRun } from './log.js'
import { isSameMetric, type MetricMention, mentionOf, narrowed } from './metric-mentions.js'
import type { PartMention } from './part-mentions.js'
import {
  isLevel,
  listsOf,
  type Named,
  partSlot,
  plainOf,
  type TextSpan,
  type Window,
  wayEnd,
  zipped,
} from './part-slots.js'
import { OTHER_RUN, type RunMention } from './run-mentions.js'
import { type FigureSentence, isSame, type ReadingContext } from './sentence.js'

/**
 * Which run, metric and part each figure of a sentence belongs to. A sentence is read as people do, from left to right: a
 * figure takes what was named since the figure before it, or what is attached right behind it ("0.8 (kl-0.1)", "0.8 at
 * step 40"), and else what the figure before it had. Lists of equal length belong together one by one. What stands above
 * or in the sentence before comes last. A slot is *sure* where words name it and nothing else can be meant.
 */

/** What stands above a sentence: labels, leads and titles, the nearest first. */
export interface Above {
  readonly runs: readonly RunMention[]
  /** Of titles. */
  readonly metrics: readonly MetricMention[]
  /** Of leads and labels: nearer than what the sentence before says. */
  readonly labels: readonly MetricMention[]
  readonly parts: readonly PartMention[]
}

export interface Slot<Value> {
  readonly value: Value
  readonly isSure: boolean
}

/** The candidates for a figure, in the order in which a reader takes them. */
export interface FigureSlots {
  readonly runs: readonly Slot<readonly LogRun[]>[]
  readonly metrics: readonly Slot<MetricMention>[]
  /** Carried: said of another metric. */
  readonly parts: Slot<readonly PartMention[]> & { readonly isCarried?: boolean }
  /** The figures that follow each other with nothing but "and" between them. */
  readonly chunk: readonly PrintedFigure[]
}

export const LISTED =
  /^\s*(?:,|、|，|and|, and|和|与|及|以及|vs\.?|versus|against|对|\/|;|；|或)\s*(?:only |about |约 ?)?$/i

function chunksOf(figures: readonly PrintedFigure[], text: string): readonly (readonly PrintedFigure[])[] {
  const chunks: PrintedFigure[][] = []
  for (const figure of figures) {
    const last = chunks.at(-1)
    const before = last?.at(-1)
    const isListed =
      before !== undefined && figure.isStep === before.isStep && LISTED.test(text.slice(before.to, figure.from))
    if (last !== undefined && (figure.quantity.plusMinus || isListed)) last.push(figure)
    else chunks.push([figure])
  }
  return chunks
}

export function bindFigures(
  log: Log,
  sentence: FigureSentence,
  context: ReadingContext,
  above: Above,
): ReadonlyMap<PrintedFigure, FigureSlots> {
  const { text } = sentence
  const alone = sentence.steps.filter(({ of, isAddress }) => of === null && !isAddress).map(({ figure }) => figure)
  const chunks = chunksOf(
    [...sentence.figures, ...alone].sort((a, b) => a.from - b.from),
    text,
  )
  const bound = new Map<PrintedFigure, FigureSlots>()
  const taken = new Set<TextSpan>()
  let state: { runs: FigureSlots['runs']; metrics: FigureSlots['metrics']; parts: FigureSlots['parts'] | null } = {
    runs: outerRuns(log, sentence, context, above),
    metrics: outerMetrics(context, above),
    parts: null,
  }
  let start = 0
  for (const [i, chunk] of chunks.entries()) {
    const [first, last] = [chunk[0], chunk.at(-1)]
    if (first === undefined || last === undefined) continue
    const window: Window = { chunk, start, from: first.from, to: last.to, end: chunks[i + 1]?.[0]?.from ?? text.length }
    const before = <Item extends TextSpan>(all: readonly Item[]): readonly Item[] =>
      all.filter(one => one.from >= start && one.to <= first.from && !taken.has(one))
    const runs = {
      fresh: before(sentence.runs),
      behind: attached(
        sentence,
        sentence.runs.filter(({ refers }) => refers === null),
        window,
      ),
    }
    // "Over its 40 steps the reward averages 5.6": what follows a count belongs to the next figure.
    const isCount = chunk.every(({ quantity: { unit } }) => unit === 'step' || unit === 'epoch' || unit === 'sample')
    const metrics = {
      fresh: before(sentence.metrics),
      behind: isCount ? [] : attached(sentence, sentence.metrics, window),
    }
    const parts = { fresh: before(sentence.parts), behind: isCount ? [] : attached(sentence, sentence.parts, window) }
    // "… 0.6, whereas its entropy …" is about another metric, not another run.
    const isOther = metrics.fresh.length === 0 && OTHER_RUN.test(text.slice(start, first.from))
    // A figure of which nothing is said itself is read as the one before it, and accused of nothing.
    const isSilent = [runs, metrics, parts].every(({ fresh, behind }) => fresh.length + behind.length === 0)
    const each = chunk.map(figure => ({
      figure,
      runs: runSlots(window, figure, runs, state.runs, text, isOther),
      metrics: inTurn(window, figure, sentence, context) ?? metricSlots(window, figure, metrics, state.metrics, text),
      parts: ofMetric(
        partSlot(sentence, window, figure, parts, state.parts, runs.behind.length > 0),
        metrics.fresh.length + metrics.behind.length > 0 && parts.fresh.length + parts.behind.length === 0,
      ),
    }))
    for (const [place, { figure, ...read }] of each.entries()) {
      // A deviation is of what the figure before it is of.
      const slots = figure.quantity.plusMinus ? { ...read, ...each[place - 1], figure: undefined } : read
      const own = withLevel(slots, sentence, context, above)
      const isDoubted = isSilent && i > 0 && wayEnd(text, figure) === null
      bound.set(figure, { ...slots, chunk, parts: isDoubted ? { ...own, isSure: false } : own })
    }
    const final = each.at(-1)
    const whole = runSlots({ ...window, chunk: [] }, first, runs, state.runs, text, isOther)
    // What is attached behind one figure is not carried to the next as what is named before it would be, unless it is all.
    const isBehind = runs.fresh.length === 0 && runs.behind.length > 0 && whole.length > 1
    state = {
      runs: whole.map(one => (isBehind ? { ...one, isSure: false } : one)),
      metrics: final?.metrics ?? [],
      parts: final?.parts ?? null,
    }
    for (const one of [...runs.behind, ...metrics.behind, ...parts.behind]) taken.add(one)
    start = last.to
  }
  return bound
}

/** What was said of one metric may not be said of the next: "the last 50 steps average 0.9, but accuracy is …". */
const ofMetric = (slot: FigureSlots['parts'] | null, isOther: boolean): FigureSlots['parts'] | null =>
  slot === null || !isOther ? slot : { ...slot, isCarried: true }

const ATTACHING =
  /^(?:[\s(（@]|(?<![a-z])(?:for|in|of|on|with|by|from|at|over|across|during|within|under|after|around|the|its|set|split|one|when|while|using|only)(?![a-z])|集|上|在|于|时|出现)*$/i
/** A name that leads on to another figure belongs to that one. */
const LEADING =
  /^\s*(?:[:：=]|为|是|的|'s|s'|is |was |are |has |had |ends? |reach|gets? |got |stays? |with \d|at \d|[+-]?\d)/

/** The mentions right behind the figures of a list. Other mentions may stand between: "0.85 on the short set in kl-0.1". */
function attached<Item extends TextSpan>(
  { text, runs, metrics, parts }: FigureSentence,
  mentions: readonly Item[],
  { chunk, to, end }: Window,
): readonly Item[] {
  const behind = mentions.filter(one => one.from >= to && one.to <= end)
  const [all = []] = listsOf(behind, text)
  const list = all.length === plainOf(chunk).length ? all : all.slice(0, 1)
  const [first, last] = [list[0], list.at(-1)]
  if (first === undefined || last === undefined) return []
  const others = [...runs, ...metrics, ...parts].filter(one => one.from >= to && one.to <= first.from)
  if (!ATTACHING.test(without(text, others, to, first.from))) return []
  const opened = /[(（][^)）]*$/.test(text.slice(to, first.from))
  if (opened) return /^[^()（）\d]*[)）]/.test(text.slice(last.to, end)) || end === text.length ? list : []
  return LEADING.test(text.slice(last.to)) ? [] : list
}

function without(text: string, spans: readonly TextSpan[], from: number, to: number): string {
  let at = from
  let left = ''
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    if (span.from < at) continue
    left += text.slice(at, span.from)
    at = span.to
  }
  return left + text.slice(at, Math.max(at, to))
}

function runSlots(
  window: Window,
  figure: PrintedFigure,
  named: Named<RunMention>,
  carried: FigureSlots['runs'],
  text: string,
  isOther: boolean,
): FigureSlots['runs'] {
  const isAgainst = ({ from, to }: RunMention): boolean =>
    carried.length > 0 &&
    !/^[`)）\s]*(?:的|'s)?\s*$/.test(text.slice(to, figure.from)) &&
    AGAINST.test(text.slice(Math.max(0, from - 40), from))
  const of = (mention: RunMention, isSure = mention.isLoose !== true): FigureSlots['runs'] =>
    members(window, figure, mention.runs).map(value => ({ value, isSure }))
  const own = zipped(named, window, figure, text)
  const found = [
    ...(own === null ? [] : of(own)),
    ...named.behind.slice(0, 1).flatMap(one => of(one)),
    ...named.fresh
      .filter(one => !isAgainst(one))
      .toReversed()
      // What was named before "while" or "against" is not what is spoken of behind it.
      .flatMap((one, i) =>
        of(one, i === 0 && one.isLoose !== true && !OTHER_RUN.test(text.slice(one.to, figure.from))),
      ),
  ]
  const kept = carried.flatMap(({ value, isSure }) =>
    members(window, figure, value).map(one => ({ value: one, isSure: isSure && found.length === 0 && !isOther })),
  )
  const others = named.fresh.filter(isAgainst).flatMap(one => of(one, false))
  return distinctRuns([...found, ...kept, ...others]).slice(0, MOST_RUNS)
}

const MOST_RUNS = 4

/** "Against the baseline (kl-0.0) it ends at …": what something is held against is not what is spoken of. */
const AGAINST =
  /(?:(?<![a-z])(?:against|than|unlike|relative to|compared (?:with|to)) (?:the |that of )?(?:\w+ ){0,2}|比|相对于?|相较于?|较)[(（`\s]*$/i

/** As many figures as the group has runs: one of each, in the order of their seeds. */
function members({ chunk }: Window, figure: PrintedFigure, runs: readonly LogRun[]): readonly (readonly LogRun[])[] {
  const plain = plainOf(chunk)
  const place = plain.filter(({ from }) => from <= figure.from).length - 1
  if (plain.length < 2 || runs.length !== plain.length) return [runs]
  const sorted = runs.toSorted((a, b) => (a.seed ?? 0) - (b.seed ?? 0) || a.name.localeCompare(b.name))
  const own = sorted[place]
  return own === undefined ? [runs] : [[own], runs]
}

function distinctRuns<Item extends Slot<readonly LogRun[]>>(all: readonly Item[]): readonly Item[] {
  return all.filter((one, i) => one.value.length > 0 && all.findIndex(other => isSame(other.value, one.value)) === i)
}

function metricSlots(
  window: Window,
  figure: PrintedFigure,
  named: Named<MetricMention>,
  carried: FigureSlots['metrics'],
  text: string,
): FigureSlots['metrics'] {
  const own = zipped(named, window, figure, text)
  // "Accuracy is 0.85 on the short set, and 0.56 on the long one": a set behind two figures is the last one's.
  const isLast = figure === window.chunk.at(-1)
  const behind = isLast || named.fresh.length === 0 ? named.behind : []
  const said = [...(own === null ? [] : [own]), ...behind.slice(0, 1), ...named.fresh.toReversed()]
  const before = carried.map(({ value }) => value)
  const [first] = said
  const around = first?.isPlace ? [...said, ...before] : said
  // One says what, the other where; and what was said before is not left out by a word that may mean it.
  const placed = first === undefined ? [] : around.flatMap(one => narrowed(first, one) ?? []).slice(0, 1)
  const meant = first === undefined || placed.length > 0 ? [] : before.slice(0, 1).filter(one => isAmong(one, first))
  return distinctMetrics([
    ...[...placed, ...meant, ...said].map((value, i) => ({ value, isSure: i === 0 })),
    ...carried.map(one => ({ ...one, isSure: one.isSure && said.length === 0 })),
  ]).slice(0, MOST_METRICS)
}

/** "A has 0.9 on short and 0.8 on long lists. B has 0.8 and 0.7": the metrics of the sentence before, in turn. */
function inTurn(
  { chunk }: Window,
  figure: PrintedFigure,
  { metrics }: FigureSentence,
  { turn }: ReadingContext,
): FigureSlots['metrics'] | null {
  const plain = plainOf(chunk)
  const metric = turn[plain.filter(({ from }) => from <= figure.from).length - 1]
  return metrics.length > 0 || plain.length < 2 || turn.length !== plain.length || metric === undefined
    ? null
    : [{ value: mentionOf(metric), isSure: true }]
}

/** Whether a word that means several metrics alike may mean the one that is known already. */
function isAmong({ ranked: [known] }: MetricMention, { ranked }: MetricMention): boolean {
  const alike = ranked.filter(({ cost }) => cost - (ranked[0]?.cost ?? 0) < 0.4)
  return alike.length > 1 && alike.some(({ metric }) => metric === known?.metric)
}

const MOST_METRICS = 5

function distinctMetrics(all: FigureSlots['metrics']): FigureSlots['metrics'] {
  return all.filter((one, i) => all.findIndex(other => isSameMetric(other.value, one.value)) === i)
}

/** Nothing in the sentence: what stands above, or the only run that was spoken of. */
function outerRuns(
  log: Log,
  { figures, text }: FigureSentence,
  context: ReadingContext,
  above: Above,
): FigureSlots['runs'] {
  const back = context.runs.filter((one, i) => !context.runs.slice(i + 1).some(other => isSame(other.runs, one.runs)))
  const isAlone = context.subject !== null || (back.length === 1 && back[0]?.isLoose !== true)
  // "Respectively" looks back at as many runs as there are figures.
  const listed =
    figures.length > 1 && back.length >= figures.length && IN_TURN.test(text) ? back.slice(-figures.length) : []
  if (listed.length > 0) return listed.map(({ runs }) => ({ value: runs, isSure: false }))
  return distinctRuns([
    ...above.runs.slice(0, 1).map(({ runs }) => ({ value: runs, isSure: true })),
    ...[...(context.subject === null ? [] : [context.subject]), ...back.slice(-3).toReversed()].map(({ runs }, i) => ({
      value: runs,
      isSure: i === 0 && isAlone && above.runs.length === 0,
    })),
    ...(log.groups.size === 1 ? [{ value: log.runs, isSure: true }] : []),
  ])
}

const IN_TURN = /respectively|in (?:this|that) order|分别|依次/i

/** A metric of a sentence before, or of a title, is what a reader would take, and no more: the figure may be of what has no name here. */
function outerMetrics(context: ReadingContext, above: Above): FigureSlots['metrics'] {
  return distinctMetrics([
    ...above.labels.map(value => ({ value, isSure: true })),
    ...context.metrics.toReversed().map(value => ({ value, isSure: false })),
    ...above.metrics.slice(0, 1).map(value => ({ value, isSure: false })),
    ...context.topics.map(metric => ({ value: mentionOf(metric), isSure: false })),
  ])
}

/** "The averages are 0.9 and 0.8": of the part that the sentence before spoke of. */
function withLevel(
  { parts: own, runs: [first] }: { readonly parts: FigureSlots['parts'] | null; readonly runs: FigureSlots['runs'] },
  sentence: FigureSentence,
  context: ReadingContext,
  above: Above,
): FigureSlots['parts'] {
  if (own === null) return outerParts(sentence, context, above)
  const isSaid = own.value.some(isLevel) || sentence.parts.some(isLevel)
  const [level, other] = isSaid || (first?.value.length ?? 0) < 2 ? [] : context.parts.filter(isLevel)
  return level === undefined || other !== undefined || level.steps !== null || level.word === 'first'
    ? own
    : { isSure: own.isSure && sentence.runs.length > 0, value: [level, ...own.value] }
}

/** A part of the sentence before is what a reader would take, and no more. */
function outerParts({ metrics }: FigureSentence, context: ReadingContext, above: Above): FigureSlots['parts'] {
  if (above.parts.length > 0) return { value: above.parts, isSure: true }
  const isAlone = context.parts.filter(isLevel).length === 1
  return { value: metrics.length === 0 || isAlone ? context.parts : [], isSure: false }
}

import { type ReportDocument, type Section, type Statement, titlesAbove } from '../../logs/document/document.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { stanceOf } from '../stance.js'
import type { Above } from './binding.js'
import { type ConventionKeeper, conventionsOf } from './conventions.js'
import type { PrintedFigure } from './figure.js'
import { type Log, type LoggedRuns, type LogMetric, logOf } from './log.js'
import { isSameMetric, type MetricMention, metricNames } from './metric-mentions.js'
import { type JudgedFigure, judgeSentence } from './prose.js'
import type { FigureJudgement } from './reading.js'
import { type RunMention, runNames } from './run-mentions.js'
import {
  type FigureSentence,
  isSame,
  type LogNames,
  NO_CONTEXT,
  type ReadingContext,
  readSentence,
} from './sentence.js'
import { aboveOf, captionOf, hintsIn, MOST_HINTING, onlySeed, spokenIn } from './surroundings.js'
import { type InventedTable, type JudgedCell, judgeTable, type RunListing } from './tables.js'

export type { InventedTable }

/** A figure with its judgement, the words around it and the heading it stands under. */
export type TracedFigure = FigureJudgement & {
  readonly figure: PrintedFigure
  readonly section: Section | null
  readonly quote: string
}

export interface TracedReport {
  /** In the order of the text. */
  readonly figures: readonly TracedFigure[]
  readonly invented: readonly InventedTable[]
}

/** Every figure of a report, sentence by sentence and table by table. */
export function traceFigures({ statements, tables, text }: ReportDocument, logged: LoggedRuns): TracedReport {
  const log = logOf(logged)
  const marked = new Set(Array.from(text.matchAll(/`([\w.-]{2,40})`/g), ([, name = '']) => name.toLowerCase()))
  const names: LogNames = { log, raw: text, marked, runs: runNames(log), metrics: metricNames(log) }
  for (const { text } of statements) names.metrics.learn(text)
  for (const line of text.split('\n')) if (!line.startsWith('|')) names.runs.learn(line)
  for (const { header, rows } of tables)
    for (const cell of [...header.slice(1), ...rows.flatMap(row => row.slice(0, 1))]) names.runs.learnLabel(cell.text)
  const found: TracedFigure[] = []
  const invented: InventedTable[] = []
  const topics = topicsOf(log)
  const listings: RunListing[] = []
  const measures: (readonly LogMetric[])[] = []
  const said = statements.filter(({ kind }) => kind !== 'cell')
  const everywhere = spokenIn(statements)
  const keeper = conventionsOf(log, everywhere)
  const starts = said.map(({ offsetOf }) => offsetOf(0))
  for (const [i, table] of tables.entries()) {
    const caption = captionOf(table, said, starts)
    // A table may show anything that the whole report is about: its metric is named nearer, or told by what most cells fit.
    const inner = table.section?.level === 1 ? null : table.section
    const above = aboveOf(names, { section: inner, leads: [] }, caption)
    const hints = [...hintsIn(said.filter(one => one.section === table.section).slice(0, MOST_HINTING)), ...everywhere]
    const judged = judgeTable(names, table, {
      above,
      hints,
      topics: topics.most(),
      seed: onlySeed(names, caption),
      maySearch: i < MOST_SEARCHED,
    })
    for (const one of judged.cells) found.push({ ...one, section: table.section })
    topics.count(judged.cells)
    callUnknown(names, judged.cells)
    const columns = measuredIn(log, judged.cells)
    if (columns.length > 1) measures.push(columns)
    listings.push(...judged.listings.filter(({ length }) => length > 1))
    for (const { name, runs } of judged.called) names.runs.call(name, runs)
    for (const one of judged.cells) {
      keeper.learn(one, true)
      if (one.mention !== null) learnWord(keeper, log, one.mention, one)
    }
    if (judged.invented !== null) invented.push(judged.invented)
  }
  readProse(names, { statements, text }, topics, keeper, { listings, measures }, one => found.push(one))
  return { figures: found.sort((a, b) => a.figure.offset - b.figure.offset), invented }
}

const MOST_LISTINGS = 12

/** "Turns" over figures that are all of one metric is its name from there on. */
function callUnknown({ log, metrics }: LogNames, cells: readonly JudgedCell[]): void {
  for (const [header, own] of groupBy(
    cells.filter(({ unknown }) => unknown !== null),
    ({ unknown }) => unknown ?? '',
  )) {
    const found = own.flatMap(one =>
      one.state === 'traced' && one.reading.kind === 'value' ? [one.reading.metric.name] : [],
    )
    const metric = log.metrics.get(found[0] ?? '')
    const name = header
      .replace(CALLED_BEFORE, '')
      .replace(/[(（].*$/, '')
      .trim()
    if (metric !== undefined && found.length > 1 && new Set(found).size === 1 && CALLABLE.test(name))
      metrics.call(name, metric)
  }
}

const CALLED_BEFORE = /^(?:平均|最终|末次|final |mean |average |avg\.? )+/i
const CALLABLE = /^(?:[A-Za-z][A-Za-z -]{2,20}|[\p{Script=Han}][\p{Script=Han}A-Za-z ]{1,9})$/u

/** The metrics that the cells of a table were traced to, in the order of its columns. */
function measuredIn(log: Log, cells: readonly FigureJudgement[]): readonly LogMetric[] {
  const names = cells.flatMap(one => (one.state === 'traced' ? [one.reading.metric.name] : []))
  return [...new Set(names)].flatMap(name => log.metrics.get(name) ?? [])
}

/** Two groups and more that a sentence names are an order to go on in. */
function withListing(known: readonly RunListing[], { runs }: FigureSentence): readonly RunListing[] {
  const own = runs.filter(
    (one, i) => one.refers === null && runs.findIndex(other => isSame(other.runs, one.runs)) === i,
  )
  return own.length < 2 ? known : [...known, own.map(one => one.runs)].slice(-MOST_LISTINGS)
}

/** The figures of all sentences, one after the other: each is read with what those before it spoke of. */
function readProse(
  names: LogNames,
  { statements, text }: Pick<ReportDocument, 'statements' | 'text'>,
  topics: ReturnType<typeof topicsOf>,
  keeper: ConventionKeeper,
  shown: Pick<ReadingContext, 'listings' | 'measures'>,
  put: (figure: TracedFigure) => void,
): void {
  const { log } = names
  const start: ReadingContext = {
    ...NO_CONTEXT,
    listings: shown.listings.slice(-MOST_LISTINGS),
    measures: shown.measures.slice(-MOST_LISTINGS),
  }
  let context = start
  let section: Section | null = null
  let label: string | null = null
  let printed: readonly Quantity[] = []
  let end = 0
  let begun = 0
  let stood: { readonly under: string | null; readonly section: Section | null; readonly above: Above } = {
    under: null,
    section,
    above: { runs: [], metrics: [], labels: [], parts: [] },
  }
  for (const statement of statements) {
    // What a sentence leaves out is in its own paragraph.
    if (/\n\s*\n/.test(text.slice(end, statement.offsetOf(0))))
      context = { ...context, subject: null, parts: [], turn: [], isNew: true }
    end = statement.offsetOf(statement.text.length)
    if (statement.section !== section || statement.kind === 'heading') {
      section = statement.section
      label = null
      context = { ...start, listings: context.listings }
      printed = []
    }
    if (statement.kind === 'cell' || statement.kind === 'code') continue
    if (statement.kind === 'item' && !/^[^\n]*$/.test(text.slice(begun, statement.offsetOf(0))))
      context = { ...context, isNew: true }
    begun = statement.offsetOf(0)
    for (const part of sentencesIn(statement)) {
      // Most sentences stand under what the one before stood under.
      const under = [...statement.leads, label ?? ''].join('\n')
      if (under !== stood.under || section !== stood.section)
        stood = { under, section, above: aboveOf(names, statement, label) }
      const { above } = stood
      const seen = { ...context, runs: [...above.runs.toReversed(), ...context.runs] }
      const sentence = readSentence(names, part, seen, under)
      const judged = judgeSentence(
        log,
        sentence,
        { ...context, topics: topics.most() },
        above,
        keeper.conventions(),
        printed,
      )
      topics.count(judged)
      for (const one of judged) keeper.learn(one, one.isPartOpen === true)
      learnWords(keeper, log, sentence, judged)
      for (const one of judged) {
        // What is planned, supposed or advised was not measured.
        const isDoubted =
          one.state === 'contradicted' &&
          (statement.kind === 'heading' ||
            titlesAbove(section).some(title => PLAN.test(title)) ||
            stanceOf(statement, one.figure.from + part.at, one.figure.to + part.at) !== 'said')
        const told = isDoubted ? ({ state: 'untraced', fitsByChance: false, figure: one.figure } as const) : one
        // Titles have numbers of their own.
        if (statement.kind !== 'heading' || told.state === 'traced' || told.state === 'derived')
          put({ ...told, section, quote: quoteOf(part.text, one.figure) })
      }
      const spoken = sentence.metrics.filter(({ ranked }) => ranked.length > 0)
      context = {
        // "**kl-0.1/seed0.** …": a name alone heads what follows.
        runs: [
          ...(isNameAlone(sentence) ? [] : context.runs),
          // What only may be meant is remembered less.
          ...sentence.runs.toSorted((a, b) => Number(b.isLoose ?? false) - Number(a.isLoose ?? false)),
        ].slice(-MOST_REMEMBERED),
        subject: subjectOf(sentence) ?? (sentence.runs.length === 0 ? context.subject : null),
        metrics: lastMetrics([...context.metrics, ...spoken]),
        parts: spoken.length === 0 ? context.parts : sentence.parts,
        turn: spoken.length === 0 ? context.turn : metricsInTurn(log, judged),
        topics: [],
        listings: withListing(context.listings, sentence),
        measures: context.measures,
        window: sentence.parts.findLast(({ word }) => word === 'tail' || word === 'over') ?? context.window,
        isNew: false,
      }
      printed = sentence.figures.map(({ quantity }) => quantity)
      if (statement.kind === 'heading') label = null
      else if (sentence.figures.length === 0 && LABEL.test(part.text)) label = part.text
      else if (statement.kind === 'sentence' && spoken.length > 0) label = null
    }
  }
}

/** The one metric that a sentence names, and the one that its figures were traced to. */
function learnWords(
  keeper: ConventionKeeper,
  log: Log,
  { metrics: [mention, other] }: FigureSentence,
  judged: readonly JudgedFigure[],
): void {
  if (mention === undefined || other !== undefined) return
  for (const one of judged) {
    const name = one.state === 'traced' ? one.reading.metric.name : null
    if (mention.ranked.some(({ metric }) => metric.name === name)) learnWord(keeper, log, mention, one)
  }
}

function learnWord(keeper: ConventionKeeper, log: Log, mention: MetricMention, one: FigureJudgement): void {
  const metric = one.state === 'traced' ? log.metrics.get(one.reading.metric.name) : undefined
  if (metric !== undefined) keeper.learnWord(mention, metric)
}

/** A report has no more tables of its own; what has is long, and read by its words. */
const MOST_SEARCHED = 100

/** What stands under such a title is still to be done. */
const PLAN = /(?<![a-z])(?:next|plans?|planned|to[- ]?do|future|outlook)(?![a-z])|下一步|下周|计划|后续|待办|展望/i

/** A few words, or what ends with a colon: what follows is about it. */
const LABEL = /[:：]\s*$|^.{0,40}$/s

const STOP = /(?<=[\w%)\]])(?<!\b(?:vs|i\.e|e\.g|approx|cf|resp|etc|Fig|No|est|ca))\.\s+(?=[a-z])/g

/** A sentence may begin with the small letter of a run's name. */
function sentencesIn({
  text,
  quantities,
  steps,
  offsetOf,
}: Statement): readonly (Pick<Statement, 'text' | 'quantities' | 'steps' | 'offsetOf'> & { readonly at: number })[] {
  const cuts = [0, ...Array.from(text.matchAll(STOP), ({ index, 0: { length } }) => index + length), text.length]
  if (cuts.length === 2) return [{ text, quantities, steps, offsetOf, at: 0 }]
  return cuts.slice(1).map((end, i) => {
    const start = cuts[i] ?? 0
    const within = <Item extends { readonly from: number; readonly to: number }>(
      items: readonly Item[],
    ): readonly Item[] =>
      items
        .filter(({ from, to }) => from >= start && to <= end)
        .map(one => ({ ...one, from: one.from - start, to: one.to - start }))
    return {
      text: text.slice(start, end),
      quantities: within(quantities),
      steps: within(steps),
      offsetOf: index => offsetOf(start + index),
      at: start,
    }
  })
}

const LONGEST_QUOTE = 48

/** The words of its clause up to the figure. */
function quoteOf(text: string, { from, to }: PrintedFigure): string {
  const start = Math.max(0, from - LONGEST_QUOTE)
  const before = text.slice(start, from)
  const cut = Math.max(
    ...[...before.matchAll(/[,;:，；：。]\s*/g)].map(({ index, 0: { length } }) => index + length),
    start === 0 ? 0 : before.indexOf(' ') + 1,
  )
  return text.slice(start + cut, to).trim()
}

function isNameAlone({ runs: [run, other], text }: FigureSentence): boolean {
  return run !== undefined && other === undefined && /^\W*$/.test(text.slice(0, run.from) + text.slice(run.to))
}

const MOST_TOPICS = 3

/** What a report is mostly about: the metrics that its figures were traced to so far; before any, what validation measures. */
function topicsOf({ metrics }: Log) {
  const counts = new Map<LogMetric, number>()
  for (const metric of metrics.values()) if (metric.isValidation && metric.goal !== null) counts.set(metric, 0)
  return {
    count: (judged: readonly FigureJudgement[]): void => {
      for (const one of judged) {
        const metric = one.state === 'traced' ? metrics.get(one.reading.metric.name) : undefined
        if (metric !== undefined) counts.set(metric, (counts.get(metric) ?? 0) + 1)
      }
    },
    most: (): readonly LogMetric[] =>
      [...counts]
        .sort(([, a], [, b]) => b - a)
        .slice(0, MOST_TOPICS)
        .map(([metric]) => metric),
  }
}

/** One metric for each figure of a sentence, where all are traced and no two are of one. */
function metricsInTurn(log: Log, judged: readonly JudgedFigure[]): readonly LogMetric[] {
  const plain = judged.filter(({ figure: { quantity } }) => !quantity.plusMinus && quantity.decimals > 0)
  const metrics = plain.flatMap(one =>
    one.state === 'untraced' ? [] : (log.metrics.get(one.reading.metric.name) ?? []),
  )
  return metrics.length === plain.length && new Set(metrics).size === plain.length ? metrics : []
}

/** The one run or group that a sentence is about. */
function subjectOf({ runs }: FigureSentence): RunMention | null {
  const [first, ...others] = runs.filter(({ isLoose }) => isLoose !== true)
  return first === undefined || others.some(one => !isSame(one.runs, first.runs)) ? null : first
}

/** The different ones, by what they mean. */
function lastMetrics(all: readonly MetricMention[]): readonly MetricMention[] {
  return all.filter((one, i) => !all.slice(i + 1).some(other => isSameMetric(other, one))).slice(-MOST_METRICS)
}

const MOST_METRICS = 4
const MOST_REMEMBERED = 12

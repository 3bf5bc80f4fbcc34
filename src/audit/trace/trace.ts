import {
  type ReportDocument,
  type Section,
  type Statement,
  type Table,
  titlesAbove,
} from '../../logs/document/document.js'
import { lastAtMost } from '../../logs/document/places.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { stanceOf } from '../stance.js'
import type { Above } from './binding.js'
import type { PrintedFigure } from './figure.js'
import { type Log, type LoggedRuns, type LogMetric, logOf } from './log.js'
import { isSameMetric, type MetricMention, meaningOf, metricNames } from './metric-mentions.js'
import { atStep, type PartMention, partsIn } from './part-mentions.js'
import { type JudgedFigure, judgeSentence } from './prose.js'
import type { FigureJudgement } from './reading.js'
import { type RunMention, runNames } from './run-mentions.js'
import {
  type FigureSentence,
  isSame,
  type LogNames,
  masked,
  NO_CONTEXT,
  type ReadingContext,
  readSentence,
} from './sentence.js'
import { type InventedTable, judgeTable } from './tables.js'

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
  const names: LogNames = { log, runs: runNames(log), metrics: metricNames(log) }
  for (const { text } of statements) {
    names.runs.learn(text)
    names.metrics.learn(text)
  }
  const found: TracedFigure[] = []
  const invented: InventedTable[] = []
  const topics = topicsOf(log)
  const said = statements.filter(({ kind }) => kind !== 'cell')
  const starts = said.map(({ offsetOf }) => offsetOf(0))
  for (const [i, table] of tables.entries()) {
    const caption = captionOf(table, said, starts)
    // A table may show anything that the whole report is about: its metric is named nearer, or told by what most cells fit.
    const inner = table.section?.level === 1 ? null : table.section
    const above = aboveOf(names, { section: inner, leads: [] }, caption)
    const hints = hintsIn(said.filter(one => one.section === table.section).slice(0, MOST_HINTING))
    const judged = judgeTable(names, table, {
      above,
      hints,
      topics: topics.most(),
      seed: onlySeed(names, caption),
      maySearch: i < MOST_SEARCHED,
    })
    for (const one of judged.cells) found.push({ ...one, section: table.section })
    topics.count(judged.cells)
    if (judged.invented !== null) invented.push(judged.invented)
  }
  let context: ReadingContext = NO_CONTEXT
  let section: Section | null = null
  let label: string | null = null
  let printed: readonly Quantity[] = []
  let end = 0
  let stood: { readonly under: string | null; readonly section: Section | null; readonly above: Above } = {
    under: null,
    section,
    above: { runs: [], metrics: [], labels: [], parts: [] },
  }
  for (const statement of statements) {
    // What a sentence leaves out is in its own paragraph.
    if (/\n\s*\n/.test(text.slice(end, statement.offsetOf(0))))
      context = { ...context, subject: null, parts: [], turn: [] }
    end = statement.offsetOf(statement.text.length)
    if (statement.section !== section || statement.kind === 'heading') {
      section = statement.section
      label = null
      context = NO_CONTEXT
      printed = []
    }
    if (statement.kind === 'cell' || statement.kind === 'code') continue
    for (const part of sentencesIn(statement)) {
      // Most sentences stand under what the one before stood under.
      const under = [...statement.leads, label].join('\n')
      if (under !== stood.under || section !== stood.section)
        stood = { under, section, above: aboveOf(names, statement, label) }
      const { above } = stood
      const sentence = readSentence(names, part, { ...context, runs: [...above.runs.toReversed(), ...context.runs] })
      const judged = judgeSentence(log, sentence, { ...context, topics: topics.most() }, above, printed)
      topics.count(judged)
      for (const one of judged) {
        // What is planned, supposed or advised was not measured.
        const isDoubted =
          one.state === 'contradicted' &&
          (statement.kind === 'heading' ||
            stanceOf(statement, one.figure.from + part.at, one.figure.to + part.at) !== 'said')
        const told = isDoubted ? ({ state: 'untraced', fitsByChance: false, figure: one.figure } as const) : one
        // Titles have numbers of their own.
        if (statement.kind !== 'heading' || told.state === 'traced' || told.state === 'derived')
          found.push({ ...told, section, quote: quoteOf(part.text, one.figure) })
      }
      const spoken = sentence.metrics.filter(({ ranked }) => ranked.length > 0)
      context = {
        // "**kl-0.1/seed0.** …": a name alone heads what follows.
        runs: [...(isNameAlone(sentence) ? [] : context.runs), ...sentence.runs].slice(-MOST_REMEMBERED),
        subject: subjectOf(sentence) ?? (sentence.runs.length === 0 ? context.subject : null),
        metrics: lastMetrics([...context.metrics, ...spoken]),
        parts: spoken.length === 0 ? context.parts : sentence.parts,
        turn: spoken.length === 0 ? context.turn : metricsInTurn(log, judged),
        topics: [],
      }
      printed = sentence.figures.map(({ quantity }) => quantity)
      if (sentence.figures.length === 0 && LABEL.test(part.text)) label = part.text
      else if (statement.kind === 'sentence' && spoken.length > 0) label = null
    }
  }
  return { figures: found.sort((a, b) => a.figure.offset - b.figure.offset), invented }
}

function onlySeed({ runs }: LogNames, caption: string | null): number | null {
  const [one, other] = caption === null ? [] : runs.seedsIn(caption)
  return one === undefined || other !== undefined ? null : one.seed
}

const MOST_HINTING = 60
/** A report has no more tables of its own; what has is long, and read by its words. */
const MOST_SEARCHED = 100

/** The stretches and steps that some sentences speak of. */
function hintsIn(all: readonly Statement[]): readonly PartMention[] {
  const hints = all.flatMap(({ text }) => [...partsIn(text).filter(({ steps }) => steps !== null), ...stepsIn(text)])
  const keyOf = ({ word, steps }: PartMention): string => `${word} ${steps}`
  // Stretches before single steps: there are fewer of them.
  return [...new Map(hints.map(one => [keyOf(one), one])).values()].sort(
    (a, b) => Number(a.word === 'at') - Number(b.word === 'at'),
  )
}

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

const CAPTION = /^[\s*_(（]*(?:table|tab\.|表|以上|上表|注|note)|[:：]\s*$|(?:below|following|下表|如下)/i

/** What is said of a table right before or behind it; a sentence with figures of its own speaks of something else. */
function captionOf(
  { caption, section, rows, offset }: Table,
  statements: readonly Statement[],
  starts: readonly number[],
): string | null {
  const end = rows.at(-1)?.at(-1)?.offset ?? offset
  const behind = statements[lastAtMost(starts, end) + 1]
  const near = [caption, behind ?? null]
    .filter(one => one !== null)
    .filter(one => one.section === section && one.kind !== 'heading')
  const isBefore = (one: Statement): boolean => one === caption && one.quantities.length === 0
  return (
    near.find(
      one =>
        isBefore(one) ||
        CAPTION.test(one.text) ||
        (one === behind && one.quantities.length === 0 && one.text.length < 60),
    )?.text ?? null
  )
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
function subjectOf({ runs: [first, ...others] }: FigureSentence): RunMention | null {
  return first === undefined || first.isLoose || others.some(one => !isSame(one.runs, first.runs)) ? null : first
}

/** The different ones, by what they mean. */
function lastMetrics(all: readonly MetricMention[]): readonly MetricMention[] {
  return all.filter((one, i) => !all.slice(i + 1).some(other => isSameMetric(other, one))).slice(-MOST_METRICS)
}

const MOST_METRICS = 4
const MOST_REMEMBERED = 12

/** Leads, the label before it and the titles, the nearest first. */
function aboveOf(
  { runs, metrics }: LogNames,
  { leads, section }: Pick<Statement, 'leads' | 'section'>,
  label: string | null,
): Above {
  const near = [...leads, ...(label === null ? [] : [label])].filter(text => text.length < LONGEST)
  const texts = [...near, ...titlesAbove(section)]
  const named = texts.map(text => runs.namedIn(text).filter(({ refers }) => refers === null))
  // The `kl` of `kl-0.1` is no metric.
  const metricIn = (text: string): readonly MetricMention[] =>
    [meaningOf(metrics.namedIn(masked(text, runs.namedIn(text))))].filter(one => one !== null)
  const nearest = <Item>(lists: readonly (readonly Item[])[]): readonly Item[] =>
    lists.find(({ length }) => length > 0) ?? []
  return {
    // Two runs in a title are no address.
    runs: nearest(named).length === 1 ? (nearest(named) as readonly RunMention[]) : [],
    metrics: texts.flatMap(metricIn),
    labels: near.flatMap(metricIn).slice(0, 1),
    // The title of the whole report says what it is about, not which part of a curve.
    parts: nearest(
      [...near, ...titlesAbove(section?.level === 1 ? null : section).slice(0, 1)].map(text => [
        ...partsIn(text),
        ...stepsIn(text),
      ]),
    ),
  }
}

const stepsIn = (text: string) =>
  Array.from(
    text.matchAll(/(?:at |@ ?)?(?:step|epoch)\s?(\d{1,7})(?!\s?[-–~])|第\s?(\d{1,7})\s?[步轮]/gi),
    ({ index: from, 0: found, 1: en, 2: zh }) => {
      const step = Number(en ?? zh)
      return atStep({ from, to: from + found.length, first: step, last: step })
    },
  )

const LONGEST = 300

import type { Above } from './binding.js'
import { agrees, type PrintedFigure, scaleOf } from './figure.js'
import type { Log, LogMetric, LogRun, Part } from './log.js'
import { type MetricMention, meantBy } from './metric-mentions.js'
import { isSame, type ReadingContext, type Sentence } from './sentence.js'

/**
 * Before a figure is called wrong, a kind reader looks wherever its author may have: every run and metric that the sentence
 * or what stands before it names, in every usual part, over the seeds, and what lies between two of them. What fits there
 * is no proof of anything, but no contradiction either.
 */
export function isElsewhere(
  log: Log,
  sentence: Sentence,
  { quantity, isStep, from, to }: PrintedFigure,
  context: ReadingContext,
  above: Above,
): boolean {
  if (isSupposed(sentence.text, from)) return true
  if (isStep) return false
  const named = distinctRuns(
    [...sentence.runs, ...above.runs, ...context.runs.slice(-NEAR)].map(one => one.runs),
  ).slice(0, MOST_RUNS)
  const runs = named.length > 0 ? named : log.runs.slice(0, MOST_RUNS).map(run => [run])
  const mentions = [
    ...sentence.metrics,
    ...above.labels,
    ...(context.metric === null ? [] : [context.metric]),
    ...above.metrics.slice(0, 2),
  ]
  const metrics = [
    ...new Set(mentions.flatMap(one => runs.flatMap(own => Object.values(meantBy(one, log, own)).flat()))),
  ].slice(0, MOST_METRICS)
  const steps = [...sentence.parts, ...context.parts].flatMap(({ word, steps: marks }) =>
    word === 'at' && marks !== null ? [marks[0]] : [],
  )
  const parts: readonly Part[] = [...PARTS, ...[...new Set(steps)].map(step => ({ kind: 'at', step }) as const)]
  // The words for the metric may be unknown, and the one of the sentence before then taken for it.
  const [own] = sentence.metrics
  const isExact = sentence.metrics.length === 1 && own !== undefined && isByItsName(own)
  const said = isInherited(sentence, above) ? PARTS : partsSaid(sentence, parts)
  const isOfAnother =
    !isExact &&
    runs
      .slice(0, 2)
      .some(own =>
        [...log.metrics.values()].some(metric =>
          valuesOf(log, own, metric, said).some(value => fits(value * scaleOf(quantity, metric))),
        ),
      )
  if (isOfAnother) return true
  const isRelative = quantity.unit === '%' || quantity.unit === 'times'
  // "1.52 → 1.91" may be any two points of a curve.
  const isAnywhere = isArrowed(sentence.text, { from, to })
  return metrics.some(metric => {
    const levels = runs.map(own => valuesOf(log, own, metric, parts))
    const scale = scaleOf(quantity, metric)
    if (levels.some(values => values.some(value => fits(value * scale)))) return true
    const points = isAnywhere
      ? runs.flatMap(own => own.flatMap(run => log.seriesOf(run, metric.name)?.values ?? []))
      : []
    if (points.some(value => fits(value * scale))) return true
    const shifts = scaleOf(quantity, metric, true)
    const within = levels.flatMap(values => between(values, values))
    const across = levels.flatMap((values, i) =>
      levels
        .slice(i + 1)
        .flatMap(others =>
          values.flatMap((value, k) => (others[k] === undefined ? [] : [[value, others[k]] as const])),
        ),
    )
    return [...within, ...across].some(([a, b]) => fits((b - a) * shifts) || (isRelative && relative(a, b).some(fits)))
  })

  function fits(value: number): boolean {
    return agrees(quantity, value) || (quantity.signed ? false : agrees(quantity, -value))
  }
}

export function isArrowed(text: string, { from, to }: Pick<PrintedFigure, 'from' | 'to'>): boolean {
  return /^\s?(?:→|->)/.test(text.slice(to, to + 3)) || /(?:→|->)\s?$/.test(text.slice(Math.max(0, from - 3), from))
}

const SUPPOSED =
  /(?<![A-Za-z])(?:may|might|could|would|should|expect\w*|plan\w*|target\w*|aim\w*|if|assum\w*|suppose\w*|hope\w*|predict\w*)(?![A-Za-z])|可能|预计|预期|计划|目标|希望|假设|假如|如果|若/i

/** Figures of other work: no log here has them. */
const FOREIGN =
  /(?<![A-Za-z])(?:pilot|another (?:split|set|model|task|seed)|different (?:split|set|model|task)|previous(?:ly)?|earlier (?:report|memo|work|version|experiments?)|papers?|literature|published)(?![A-Za-z])|上一版|此前|论文|文献|另一(?:数据|份|个任务)/i

/** What is planned or supposed was not measured. */
function isSupposed(text: string, from: number): boolean {
  const clause = text.slice(0, from).search(/[,;，；。:：][^,;，；。:：]*$/)
  return SUPPOSED.test(text.slice(Math.max(0, clause), from)) || FOREIGN.test(text)
}

const isInherited = ({ metrics }: Sentence, { labels }: Above): boolean => metrics.length === 0 && labels.length === 0

/** All that tells one metric from the others is said, in more than a word. */
function isByItsName({ ranked: [first, second], from, to }: MetricMention): boolean {
  return (
    first !== undefined && first.cost < 0.1 && (second === undefined || second.cost - first.cost > 0.4) && to - from > 5
  )
}

/** The parts that the sentence itself names. */
function partsSaid({ parts }: Sentence, usual: readonly Part[]): readonly Part[] {
  const words = new Set<string>(parts.map(({ word }) => (word === 'best' ? 'max' : word === 'worst' ? 'min' : word)))
  return usual.filter(({ kind }) => words.has(kind))
}

const NEAR = 4
const MOST_RUNS = 6
const MOST_METRICS = 6
const PARTS: readonly Part[] = [{ kind: 'last' }, { kind: 'first' }, { kind: 'max' }, { kind: 'min' }, { kind: 'mean' }]

function valuesOf(
  log: Log,
  runs: readonly LogRun[],
  { name: metric }: LogMetric,
  parts: readonly Part[],
): readonly number[] {
  const ways = runs.length > 1 ? (['mean', 'std', 'max', 'min'] as const) : [null]
  return ways.flatMap(across => parts.map(part => log.at({ runs, metric, part, across })[0]?.value ?? Number.NaN))
}

const between = (a: readonly number[], b: readonly number[]): readonly (readonly [number, number])[] =>
  a.slice(0, PARTS.length).flatMap((from, i) => b.slice(i + 1, PARTS.length).map(to => [from, to] as const))

const relative = (a: number, b: number): readonly number[] =>
  a === 0 || b === 0 ? [] : [(100 * (b - a)) / a, (100 * (a - b)) / b, b / a, a / b]

function distinctRuns(all: readonly (readonly LogRun[])[]): readonly (readonly LogRun[])[] {
  return all.filter((runs, i) => runs.length > 0 && all.findIndex(other => isSame(other, runs)) === i)
}

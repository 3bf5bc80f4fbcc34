import type { FigureSlots } from './binding.js'
import { agrees, type PrintedFigure, scaleOf } from './figure.js'
import type { Log, LogMetric, LogRun, Part } from './log.js'
import { meantBy } from './metric-mentions.js'
import { isSame, type ReadingContext, type Sentence } from './sentence.js'

/**
 * Before a figure is called wrong, a kind reader looks wherever its author may have: every run and metric that the sentence
 * or what stands before it names, in every usual part, over the seeds, and what lies between two of them. What fits there
 * is no proof of anything, but no contradiction either.
 */
export function isElsewhere(
  log: Log,
  sentence: Sentence,
  { quantity, from, to }: PrintedFigure,
  slots: FigureSlots,
  context: ReadingContext,
  isChange: boolean,
): boolean {
  if (isForeign(sentence.text)) return true
  const fits = (value: number): boolean => agrees(quantity, value) || (!quantity.signed && agrees(quantity, -value))
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
  const metrics = new Set(mentions.flatMap(one => runs.flatMap(own => Object.values(meantBy(one, log, own)).flat())))
  const steps = [...sentence.parts, ...context.parts].flatMap(({ word, steps: marks }) =>
    word === 'at' && marks !== null ? marks[0] : [],
  )
  const parts: readonly Part[] = [...PARTS, ...[...new Set(steps)].map(step => ({ kind: 'at', step }) as const)]
  // The words may be the author's own for another metric or, where the sentence names no run, be about another run.
  const said = isSaid.metric && slots.parts.isSure ? partsOf(slots, parts) : PARTS
  const isAt = (own: readonly LogRun[], metric: LogMetric): boolean =>
    valuesOf(log, own, metric, said).some(value => fits(value * scaleOf(quantity, metric)))
  const [first = []] = runs
  if (!isChange && [...log.metrics.values()].some(metric => isAt(first, metric))) return true
  const others = isSaid.run ? [] : [...log.runs.map(run => [run]), ...log.groups.values()]
  if (!isChange && others.some(own => [...metrics].slice(0, 2).some(metric => isAt(own, metric)))) return true
  const isRelative = quantity.unit === '%' || quantity.unit === 'times'
  const isAnywhere = isArrowed(sentence.text, { from, to })
  return [...metrics].slice(0, MOST_METRICS).some(metric => {
    const levels = runs.map(own => valuesOf(log, own, metric, parts))
    const scale = scaleOf(quantity, metric)
    // "1.52 → 1.91" may be any two points of a curve.
    const points = isAnywhere ? runs.flat().flatMap(run => log.seriesOf(run, metric.name)?.values ?? []) : []
    if ([...levels.flat(), ...points].some(value => fits(value * scale))) return true
    const shifts = scaleOf(quantity, metric, true)
    if (!isChange) return false
    const within = levels.flatMap(values =>
      values
        .slice(0, PARTS.length)
        .flatMap((a, i) => values.slice(i + 1, PARTS.length).map((b): readonly [number, number] => [a, b])),
    )
    const across = levels.flatMap((values, i) =>
      levels
        .slice(i + 1)
        .flatMap(others => values.flatMap((a, k): (readonly [number, number])[] => [[a, others[k] ?? Number.NaN]])),
    )
    return [...within, ...across].some(([a, b]) => fits((b - a) * shifts) || (isRelative && relative(a, b).some(fits)))
  })
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

function valuesOf(
  log: Log,
  runs: readonly LogRun[],
  { name: metric }: LogMetric,
  parts: readonly Part[],
): readonly number[] {
  const ways = runs.length > 1 ? (['mean', 'max', 'min'] as const) : [null]
  return ways.flatMap(across => parts.map(part => log.at({ runs, metric, part, across })[0]?.value ?? Number.NaN))
}

const relative = (a: number, b: number): readonly number[] =>
  a === 0 || b === 0 ? [] : [(100 * (b - a)) / a, (100 * (a - b)) / b, b / a, a / b]

function distinct(all: readonly (readonly LogRun[])[]): readonly (readonly LogRun[])[] {
  return all.filter((runs, i) => runs.length > 0 && all.findIndex(other => isSame(other, runs)) === i)
}

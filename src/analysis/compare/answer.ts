import type { Axis } from '../../model/axis.js'
import { Problem } from '../../model/problem.js'
import type { Message } from '../../model/run.js'
import type { Verdict } from '../../model/verdict.js'
import type { Goal } from '../../model/vocabulary/metric.js'
import { hasSeries, shownName } from '../../store/manifest.js'
import type { WorkspaceVocabulary } from '../../store/vocabulary.js'
import type { Workspace } from '../../store/workspace.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import type { Window } from '../align.js'
import { type Confound, confounds } from '../confounds.js'
import { copiesLeftOut, finalSteps, type Size } from '../conventions.js'
import { growthOf } from '../growing.js'
import type { RunView } from '../run-view.js'
import { differencesInAll, type MetricDifference } from './all-metrics.js'
import { type Attribution, attribution } from './attribution.js'
import type { Along, Counter } from './axis.js'
import { ASSUMED_SCATTER, type Choice, choose, type SeedScatter } from './choose.js'
import { countersOf, type RunSide, readSide } from './evidence.js'
import { elsewhere, type HouseNoise, houseNoise, readReplicates } from './house-noise.js'
import { type Neighbour, neighbourOf, neighbours } from './neighbours.js'
import { type Against, type Comparison, compareSets, headline, type Request, type Side } from './questions.js'
import type { Collapse } from './seeds.js'
import { answersOnSets, type SetAnswer, sharedSets, withSets } from './sets.js'
import { type SummaryRow, summaryOf } from './summary.js'
import { unusedEvidence } from './unused-evidence.js'

/**
 * Runs against a baseline, with all that belongs to an answer: the verdicts, what else differed and whether that can be
 * told apart, what evidence lies unused, how much chance alone does in this house, and what to choose today.
 */

export interface Wanted {
  /** Raw or canonical. */
  readonly metric: string
  /** Null: as the vocabulary has it. */
  readonly goal: Goal | null
  readonly margin: Size | null
  readonly window?: Window
  readonly axis?: Axis
  /** Between runs of one setting, where the user knows it. */
  readonly seedScatter: number | null
  /** Test every metric that the sides share. */
  readonly allMetrics?: boolean
}

export interface RunComparison {
  readonly request: Request
  /** What the metric means, where the vocabulary knows. */
  readonly canonical: string | null
  /** The raw metric of each side. */
  readonly metrics: readonly string[]
  /** The same score on every validation set that all sides have, that of the request first. */
  readonly sets: readonly string[]
  readonly others: readonly OtherSide[]
  readonly table: Comparison['table']
  readonly along: Along
  /** Of each side's runs, how far along the axis they are at a step. */
  readonly counters: readonly (readonly Counter[])[]
  /** All keys in which any two sides differ. */
  readonly confounds: readonly Confound[]
  readonly summary: readonly SummaryRow[]
  /** Of every shared metric, where it was asked for. */
  readonly differences: readonly MetricDifference[] | null
  readonly warnings: readonly Message[]
}

export interface OtherSide extends Against {
  readonly headline: Verdict
  /** How the headline's question is answered on every validation set, its own first. */
  readonly sets: readonly SetAnswer[]
  /** Of the headline: what its percentages are of. */
  readonly level: number
  readonly confounds: readonly Confound[]
  readonly attribution: Attribution
  readonly choice: Choice | null
  readonly unused: readonly Message[]
}

/** Null when the sides share no metric of that name. */
export async function compareRuns(
  workspace: Workspace,
  words: WorkspaceVocabulary,
  sides: readonly RunSide[],
  wanted: Wanted,
): Promise<RunComparison | null> {
  const metrics = sides.map(({ runs }) => sharedMetric(runs, wanted.metric))
  if (!metrics.every(metric => metric !== null)) return null
  const { axis = 'steps' } = wanted
  const counters = await Promise.all(sides.map((side, i) => sideCounters(side, axis, metrics[i])))
  const meaning = sides[0].runs[0].meaningOf(metrics[0])
  const request: Request = {
    metric: metrics[0],
    goal: wanted.goal ?? meaning.goal,
    margin: wanted.margin,
    ...(wanted.window !== undefined && { window: wanted.window }),
    axis,
    growing: growthOf(sides.flatMap(({ runs }) => runs)),
  }
  const sets = sharedSets(sides, metrics)
  const read = await Promise.all(sides.map((side, i) => readSide(side, [metrics[i], ...sets.slice(1)], counters[i])))
  const measured = read.map(([own]) => own)
  const { others, table, along } = compareSets(
    sets.map((metric, i) => ({ metric, sides: read.map(bySet => bySet[i]) })),
    request,
  )
  const around = await neighbours(workspace, words, metrics[0])
  return {
    request,
    canonical: meaning.canonical,
    metrics,
    sets,
    others: await Promise.all(
      others.map((other, i) => completed(other, sides[0], sides[i + 1], measured, request, wanted, around)),
    ),
    table,
    along,
    counters,
    confounds: confounds(sides.map(({ runs }) => runs[0])),
    summary: summaryOf(sides),
    differences:
      wanted.allMetrics === true ? await differencesInAll(sides, { counters, axis, window: wanted.window }) : null,
    warnings: warningsOf(sides, metrics),
  }
}

async function sideCounters(side: RunSide, axis: Axis, metric: string): Promise<readonly Counter[]> {
  const found = await countersOf(side, axis, metric)
  if (!('run' in found)) return found
  throw new Problem('not-found', say(`compare.no-${axis}`, { run: shownName(found.run.manifest) }))
}

const say = sentences({
  'compare.no-steps': { en: '{run} logs no steps', zh: '{run} 没有记录 step' },
  'compare.no-tokens': {
    en: '--by tokens: {run} logs neither the tokens of a step (perf/total_num_tokens) nor their sum (num_tokens)',
    zh: '--by tokens：{run} 既没有记录每步 token 数（perf/total_num_tokens），也没有记录累计 token 数（num_tokens）',
  },
  'compare.no-samples': {
    en: '--by samples: {run} logs no number of samples, and its settings do not tell prompts per step and answers per prompt',
    zh: '--by samples：{run} 没有记录采样数，配置里也没有每步 prompt 数和每个 prompt 的采样数',
  },
  'compare.no-time': {
    en: '--by time: {run} logs neither the seconds of a step nor a time beside its evaluations',
    zh: '--by time：{run} 既没有记录每步用时，验证点也不带时间',
  },
})

function sharedMetric(runs: readonly RunView[], wanted: string): string | null {
  const candidates = runs[0].metricsNamed(wanted)
  return candidates.find(name => runs.every(({ manifest }) => hasSeries(manifest, name))) ?? null
}

async function completed(
  other: Against,
  baseline: RunSide,
  side: RunSide,
  measured: readonly Side[],
  request: Request,
  wanted: Wanted,
  around: readonly Neighbour[],
): Promise<OtherSide> {
  const [first, second] = [neighbourOf(baseline.runs[0]), neighbourOf(side.runs[0])]
  const differing = confounds([first.run, second.run])
  const aboutRuns = other.verdicts.some(({ question, scope }) => question === 'level' && scope === 'runs')
  const replicates = aboutRuns ? await readReplicates(around, request.metric) : []
  const noiseFor = (verdict: Verdict): HouseNoise | null => {
    const window = windowOf(verdict, other, measured[0])
    return window === null ? null : houseNoise(replicates, window, verdict.estimate ?? 0)
  }
  const verdicts = other.verdicts.map(verdict =>
    verdict.scope === 'runs' && CLAIMS.has(verdict.answer) && WINDOWED.has(verdict.question)
      ? withChance(verdict, noiseFor(verdict), other.steps.length)
      : verdict,
  )
  const plain = headline(verdicts)
  const main = withCollapse(withSets(plain, verdicts), other.collapse)
  const level = main.level ?? Number.NaN
  const scatter = scatterFrom(wanted, noiseFor(main), level)
  return {
    ...other,
    verdicts: verdicts.map(verdict => (verdict === plain ? main : verdict)),
    headline: main,
    sets: answersOnSets(main, verdicts).map(({ metric, answer }) => ({ metric, answer })),
    level,
    confounds: differing,
    attribution: attribution(differing, first, second, around),
    choice: choose(main, request.goal, [baseline.runs.length, side.runs.length], scatter),
    unused: unusedFor(baseline, side, measured, other, request),
  }
}

/** That some runs were lost says more than a mean over them and the others. */
function withCollapse(main: Verdict, collapse: Collapse | null): Verdict {
  return collapse === null ? main : { ...main, reasons: [...collapse.messages, ...main.reasons] }
}

const WINDOWED = new Set<string>(['level', 'final'])

/** The steps of the baseline's first run behind a verdict, whatever the axis. */
function windowOf({ question }: Verdict, { steps, along }: Against, { series, counters }: Side): Window | null {
  const used = (question === 'final' ? finalSteps(steps) : null) ?? steps
  if (used.length === 0) return null
  const [from, to] = [used[0] - (along.width ?? 0), used[used.length - 1]]
  if (along.axis === 'steps') return { from, to }
  const counter = counters?.[0]
  const within = Array.from(series[0].steps).filter(step => {
    const place = counter?.(step) ?? Number.NaN
    return place >= from && place <= to
  })
  return within.length === 0 ? null : { from: within[0], to: within[within.length - 1] }
}

function scatterFrom({ seedScatter }: Wanted, noise: HouseNoise | null, level: number): SeedScatter {
  if (seedScatter !== null) return { size: seedScatter, source: 'user' }
  if (noise !== null) return { size: noise.scatter, source: 'workspace' }
  return { size: Math.abs(level) * ASSUMED_SCATTER, source: 'assumed' }
}

const CLAIMS = new Set<string>(['better', 'worse', 'higher', 'lower', 'different-but-small'])

/** One pair of replicates, perhaps one of them collapsed, is no rate. */
const FEWEST_FOR_RATE = 3

/** A claim about two runs stands beside how often two runs of one setting differ as much. */
function withChance(verdict: Verdict, noise: HouseNoise | null, evaluations: number): Verdict {
  const counted = verdict.method?.numbers.promptError !== undefined
  if (noise === null) {
    if (counted) return verdict
    return {
      ...verdict,
      reasons: [...verdict.reasons, message('compare.noise-elsewhere', { ...elsewhere(evaluations) })],
    }
  }
  const { asLarge, pairs, runs, settings } = noise
  const percent = Math.round((100 * asLarge) / pairs)
  const reason =
    pairs < FEWEST_FOR_RATE
      ? message('compare.house-noise-few', { asLarge, pairs })
      : message('compare.house-noise', { asLarge, pairs, percent, runs, settings })
  const tags = asLarge / pairs > 0.05 ? [...verdict.tags, 'house-noise'] : verdict.tags
  return { ...verdict, tags, reasons: [...verdict.reasons, reason] }
}

function unusedFor(
  baseline: RunSide,
  side: RunSide,
  measured: readonly Side[],
  { label, steps, along }: Against,
  { window, growing }: Request,
): readonly Message[] {
  if (
    along.axis !== 'steps' ||
    along.width !== null ||
    window !== undefined ||
    growing != null ||
    baseline.checkpoint !== null
  )
    return []
  const other = measured.find(candidate => candidate.label === label) ?? measured[1]
  const plan = (named: RunSide, read: Side) => {
    const { manifest, settings } = named.runs[0]
    return {
      settings,
      running: manifest.status === 'running',
      evaluated: Array.from(read.series[0]?.steps ?? []),
    }
  }
  return unusedEvidence([plan(baseline, measured[0]), plan(side, other)], steps)
}

function warningsOf(sides: readonly RunSide[], metrics: readonly string[]): Message[] {
  return sides.flatMap(({ label, runs, copies }, i) => {
    const count = runs.reduce((sum, { manifest }) => sum + (manifest.metrics.get(metrics[i])?.estimated ?? 0), 0)
    return [
      ...(copies.length > 0 ? [copiesLeftOut(label, copies)] : []),
      ...(count > 0 ? [message('compare.estimates-left-out', { side: label, count })] : []),
    ]
  })
}

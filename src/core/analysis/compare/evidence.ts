import type { Axis } from '../../../logs/model/axis.js'
import { isSameCondition } from '../../../logs/model/evaluation.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import type { RunSetting } from '../../../logs/model/vocabulary/settings.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import { compareNames } from '../../../text/language.js'
import { sentences } from '../../../text/sentences.js'
import { promptCounts, readEvaluations } from '../../store/evaluations.js'
import { shownName } from '../../store/manifest.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import { isTrained, withoutCopies } from '../conventions.js'
import { type PromptScores, readScores } from '../prompt-scores.js'
import type { RunView } from '../run-view.js'
import { type Counter, counterOf } from './axis.js'
import { COST_METRICS, type Cost, type CostMetric, reportedRanges } from './cost.js'

/** All that the store knows of one side of a comparison: evaluations, per-prompt scores, costs. */

/** The evaluations of some runs by step, and how far along the axis each run is at a step. */
export interface ScoreEvidence {
  /** One per replicate. */
  readonly series: readonly SeriesPoints[]
  /** Per-prompt scores, one per replicate; null where a replicate has none. */
  readonly scores?: readonly PromptScores[] | null
  /** Prompts behind each evaluation, where something tells. */
  readonly prompts?: number | null
  /** Whether each value is of other prompts, as a training reward is; validation asks the same ones again. */
  readonly freshPrompts?: boolean
  /** One per replicate; steps themselves unless given. */
  readonly counters?: readonly Counter[]
}

export interface SideEvidence extends ScoreEvidence {
  readonly label: string
  readonly costs?: ReadonlyMap<CostMetric, Cost>
  /** The step of `RUN@step`. */
  readonly checkpoint?: number | null
}

/** The same sides by one of several validation sets; the first is the one that was asked for. */
export interface SetEvidence {
  readonly metric: string
  readonly sides: readonly SideEvidence[]
}

/** A side as it was named: one run or replicates of one setting, perhaps at one step. */
export interface RunSide {
  readonly label: string
  readonly runs: readonly RunView[]
  /** Copies of these runs that were named too: no replicates, and left out of everything. */
  readonly copies: readonly RunView[]
  readonly checkpoint: number | null
}

/** In the order of their names, whichever order they were found in: the first stands for the side in a command. */
export function sideOf(label: string, named: readonly RunView[], checkpoint: number | null): RunSide {
  const { runs, copies } = withoutCopies(named)
  return { label, runs: runs.toSorted(byName), copies, checkpoint }
}

function byName({ manifest: a }: RunView, { manifest: b }: RunView): number {
  return compareNames(shownName(a), shownName(b)) || (a.id < b.id ? -1 : 1)
}

/** Two checkpoints of one run: everything that is asked of whole runs has no answer, and is not worth a line. */
export function areOfOneRun(sides: readonly RunSide[]): boolean {
  const ids = new Set(sides.map(({ runs }) => runs.map(({ manifest }) => manifest.id).join()))
  return ids.size === 1 && sides.every(({ checkpoint }) => checkpoint !== null)
}

/** Of each run of a side how far along the axis it is at a step. */
export async function countersOf({ runs }: RunSide, by: Axis, metric: string): Promise<readonly Counter[]> {
  return Promise.all(
    runs.map(async run => {
      const counter = await counterOf(run, by, metric)
      if (counter === null) throw new Problem('not-found', say(`compare.no-${by}`, { run: shownName(run.manifest) }))
      return counter
    }),
  )
}

const say = sentences({
  'compare.no-steps': { en: '{run} logs no steps', zh: '{run} 没有记录 step' },
  'compare.no-tokens': {
    en: '--by tokens: {run} logs neither the tokens of a step (perf/total_num_tokens) nor their sum (num_tokens)',
    zh: '--by tokens：{run} 既没有记录每步 token 数（perf/total_num_tokens），也没有记录累计 token 数（num_tokens）',
  },
  'compare.no-samples': {
    en: '--by samples: {run} logs no number of samples, and its settings do not give prompts per step and responses per prompt',
    zh: '--by samples：{run} 没有记录采样数，配置里也没有每步 prompt 数和每个 prompt 的采样数',
  },
  'compare.no-time': {
    en: '--by time: {run} logs neither the seconds of a step nor time stamps of its evaluations',
    zh: '--by time：{run} 既没有记录每步用时，验证点也不带时间',
  },
})

/** The side by each of several metrics, that of the question first; costs belong to the first. One query a run. */
export async function readSide(
  { label, runs, checkpoint }: RunSide,
  metrics: readonly string[],
  counters: readonly Counter[],
): Promise<readonly SideEvidence[]> {
  const costNames = runs.map(run => COST_METRICS.map(cost => [cost, run.metricsNamed(cost)[0]] as const))
  const read = await Promise.all(
    runs.map((run, i) => readSeries(run, [...metrics, ...costNames[i].flatMap(([, name]) => name ?? [])])),
  )
  const sides: SideEvidence[] = []
  for (const [place, metric] of metrics.entries()) {
    const series = read.flatMap(found => found.get(metric) ?? [])
    sides.push({
      label,
      series,
      scores: await scoresOf(runs, metric, series),
      prompts: await promptsBehind(runs[0], metric),
      freshPrompts: isOfTraining(runs[0], metric),
      checkpoint,
      counters,
      ...(place === 0 && { costs: costsOf(runs, read, costNames) }),
    })
  }
  return sides
}

/** A metric that klens knows, and not as one of the validation. */
function isOfTraining(run: RunView, metric: string): boolean {
  const { canonical, validation } = run.meaningOf(metric)
  return canonical !== null && !validation
}

/** One per run; null unless all have them. */
async function scoresOf(
  runs: readonly RunView[],
  metric: string,
  series: readonly SeriesPoints[],
): Promise<readonly PromptScores[] | null> {
  if (series.length < runs.length) return null
  const found = await Promise.all(runs.map((run, i) => readScores(run, metric, series[i])))
  const scores = found.flatMap(each => (each === null ? [] : [each.scores]))
  return scores.length === runs.length ? scores : null
}

/** How many prompts one evaluation asks, where the log or the config tells. */
export async function promptsBehind(run: RunView, metric: string): Promise<number | null> {
  const { manifest, validationSize } = run
  if (manifest.evaluations === 0) return validationSize
  const evaluated = manifest.evaluated?.get(metric)
  if (evaluated !== undefined) {
    const { metric: name, condition } = evaluated
    const told = (await readEvaluations(run)).filter(
      each => each.metric === name && isSameCondition(each.condition, condition),
    )
    return told.find(({ n }) => n !== null)?.n ?? validationSize
  }
  const told = counts.get(run) ?? (await promptCounts(run))
  counts.set(run, told)
  return told.get(metric) ?? validationSize
}

/** QuestionSpec once of a run, however many validation sets it has. */
const counts = new WeakMap<RunView, ReadonlyMap<string, number>>()

function costsOf(
  runs: readonly RunView[],
  read: readonly ReadonlyMap<string, SeriesPoints>[],
  names: readonly (readonly (readonly [CostMetric, string | undefined])[])[],
): ReadonlyMap<CostMetric, Cost> {
  const costs = new Map<CostMetric, Cost>()
  const reported = reportedRanges(runs[0].config)
  for (const [place, metric] of COST_METRICS.entries()) {
    const series = runs.flatMap((_, i) => read[i].get(names[i][place][1] ?? '') ?? [])
    const range = [...reported].find(([name]) => runs[0].meaningOf(name).canonical === metric)?.[1] ?? null
    if (series.length === runs.length || range !== null) {
      costs.set(metric, { series: series.length === runs.length ? series : [], range })
    }
  }
  return costs
}

/** Evaluations that a comparison did not use although they cost nothing: planned but not imported, or not shared. */
export interface EvaluationPlan {
  /** Effective settings by canonical key. */
  readonly settings: ReadonlyMap<string, RunSetting>
  readonly running: boolean
  readonly evaluated: readonly number[]
}

export function unusedEvidence(plans: readonly EvaluationPlan[], used: readonly number[]): readonly Message[] {
  const found: Message[] = []
  const told = plans.map(plannedEvaluations)
  const fewest = told.every(plan => plan !== null) ? told.reduce((a, b) => (b.count < a.count ? b : a)) : null
  if (fewest !== null) {
    const more = fewest.count - used.filter(isTrained).length
    if (more > 0) found.push(message('compare.unused-planned', { every: fewest.every, until: fewest.until, more }))
  }
  const shared = new Set(used)
  const alone = plans.reduce(
    (sum, { evaluated }) => sum + evaluated.filter(step => isTrained(step) && !shared.has(step)).length,
    0,
  )
  if (alone > 0) found.push(message('compare.unused-unshared', { count: alone }))
  return found
}

/** How many evaluations the settings ask for; a run that is still going has not made them yet. */
function plannedEvaluations({ settings, running }: EvaluationPlan) {
  const every = numberOf(settings.get('eval.every')?.effective ?? null)
  const until = numberOf(settings.get('steps')?.effective ?? null)
  if (running || every === null || until === null || !(every > 0) || !(until > 0)) return null
  return { every, until, count: Math.floor(until / every) }
}

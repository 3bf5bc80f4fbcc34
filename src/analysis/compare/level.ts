import { placeOn } from '../../model/axis.js'
import type { Message } from '../../model/run.js'
import type { Method, MethodId, Scope, ToSettle, Verdict } from '../../model/verdict.js'
import { mean, standardDeviation, variance } from '../../stats/descriptive.js'
import { roughlyNeeded } from '../../stats/evaluations-needed.js'
import { FEWEST_EVALUATIONS, type PairedMean, pairedMean, type StudentEstimate } from '../../stats/paired-mean.js'
import { pairedPrompts, seedsForDifference } from '../../stats/sample-size.js'
import { welch } from '../../stats/seeds.js'
import { trend } from '../../stats/trend.js'
import type { SeriesPoints } from '../../store/series.js'
import { message } from '../../text/say.js'
import { type Aligned, align, type Window } from '../align.js'
import { absoluteSize, isFragile, RUNS_FOR_CONFIGS, type Size, scopeOf, tagsOf } from '../conventions.js'
import { inBlocks } from '../curve.js'
import type { PromptScores } from '../prompt-scores.js'
import { counted, SHARED_STEPS, whyWindows } from './axis.js'
import { type Asked, judge, undetermined } from './judge.js'
import { luckFromCount, luckFromScores, type PromptLuck } from './prompt-luck.js'
import { dealt, described } from './seeds.js'

/**
 * Is one side higher than the other, over all shared evaluations or at the end of training? Three or more runs a
 * side speak about the settings (Welch on one number per run); fewer speak about these runs only (the paired,
 * autocorrelation-adjusted interval). Where per-prompt scores exist, the luck of the prompts is counted in.
 */

/** More blocks than this do not make a trend any clearer. */
const TREND_BLOCKS = 100

/** One side's evaluations: a series per run, and per-prompt scores where every run of both sides has them. */
export interface Measured {
  readonly series: readonly SeriesPoints[]
  readonly scores: readonly PromptScores[] | null
  /** Prompts behind each evaluation, where something tells. */
  readonly prompts?: number | null
}

/** Runs that are no replicates of each other, because something else was turned as well, speak about themselves only. */
export interface LevelOptions {
  readonly scope?: Scope
  /** As it was given, where it is of the level that is compared. */
  readonly margin?: Size | null
  /** Whether to work out what would settle it, and whether the gap moves, which takes longer than the verdict. */
  readonly settling?: boolean
}

export function compareLevel(
  asked: Asked,
  baseline: Measured,
  other: Measured,
  { window, ...options }: LevelOptions & { readonly window?: Window } = {},
): Verdict {
  return compareAligned(asked, align([...baseline.series, ...other.series], window), baseline, other, options)
}

/** The same over evaluations that were lined up before: the baseline's runs first, then those of the other. */
export function compareAligned(
  question: Asked,
  shared: Aligned,
  baseline: Measured,
  other: Measured,
  options: LevelOptions = {},
): Verdict {
  const runs = [baseline.series.length, other.series.length] as const
  const { scope = scopeOf(runs), settling = true } = options
  const levels = shared.values.map(values => mean(values))
  const [first, second] = [levels.slice(0, runs[0]), levels.slice(runs[0])]
  const asked = ofLevel(question, mean(first), options)
  if (shared.steps.length === 0) {
    return undetermined(asked, { scope: 'runs', reasons: [message('compare.no-shared-steps', {})] })
  }
  if (scope === 'runs' && shared.steps.length < FEWEST_EVALUATIONS) return tooFew(asked, shared, runs)

  const plain = differenceOf(shared, runs, scope)
  const luck = luckOf(asked, plain, baseline, other, shared, scope)
  const estimate = luck?.estimate ?? plain
  const fragile = 'autocorrelation' in plain && isFragile(plain)
  const verdict = judge(asked, estimate, {
    scope,
    tags: tagsOf({ fragile, promptsCounted: luck !== null }),
    reasons: [
      evidenceOf(asked, shared, runs, scope),
      ...whyWindows(asked.along ?? SHARED_STEPS),
      luck?.reason ?? message('compare.these-prompts', {}),
      ...(scope === 'runs' ? [aboutRuns(runs)] : [described(first, second, asked.goal)]),
      ...(settling ? gapMoves(shared, runs, scope) : []),
    ],
    toSettle: settling ? settle(asked, plain, shared, runs, scope, luck?.variancePerPrompt ?? null) : {},
    method: methodOf(plain, luck, shared, runs, scope),
  })
  return scope === 'configs' ? dealt(verdict, first, second) : verdict
}

function ofLevel(asked: Asked, level: number, { margin }: LevelOptions): Asked {
  return { ...asked, level, margin: margin === undefined ? asked.margin : absoluteSize(margin, level) }
}

/** Other minus baseline: Welch on one number per run where they may speak of settings, else by the paired evaluations. */
export function differenceOf(
  shared: Aligned,
  runs: readonly [number, number],
  scope: Scope,
): PairedMean | StudentEstimate {
  if (scope === 'runs') return pairedMean(differencesOf(shared, runs))
  const levels = shared.values.map(values => mean(values))
  return welch(levels.slice(0, runs[0]), levels.slice(runs[0]))
}

/** At each shared step: the mean over the other side's runs minus that over the baseline's. */
function differencesOf({ steps, values }: Aligned, [first, second]: readonly [number, number]): Float64Array {
  const differences = new Float64Array(steps.length)
  values.forEach((run, k) => {
    const weight = k < first ? -1 / first : 1 / second
    for (let i = 0; i < differences.length; i += 1) differences[i] += weight * run[i]
  })
  return differences
}

function luckOf(
  { question }: Asked,
  plain: StudentEstimate,
  baseline: Measured,
  other: Measured,
  shared: Aligned,
  scope: Scope,
): PromptLuck | null {
  const { scores, prompts = null } = baseline
  if (scores !== null && other.scores !== null) {
    return luckFromScores(plain, [scores, other.scores], shared.steps, scope, differenceOf)
  }
  const isKnown = prompts !== null && other.prompts != null
  if (scope !== 'runs' || !isKnown || (question !== 'level' && question !== 'final')) return null
  return luckFromCount(plain, shared, Math.min(prompts, other.prompts ?? prompts), question)
}

function tooFew(asked: Asked, shared: Aligned, runs: readonly [number, number]): Verdict {
  const missing = FEWEST_EVALUATIONS - shared.steps.length
  return undetermined(
    asked,
    {
      scope: 'runs',
      reasons: [
        message('compare.too-few', {
          count: counted(asked.along ?? SHARED_STEPS, shared.steps.length),
          needed: FEWEST_EVALUATIONS,
        }),
        aboutRuns(runs),
      ],
      toSettle: { evals: missing },
    },
    mean(differencesOf(shared, runs)),
  )
}

function evidenceOf(
  { along = SHARED_STEPS }: Asked,
  { steps }: Aligned,
  [first, second]: readonly [number, number],
  scope: Scope,
): Message {
  const count = counted(along, steps.length)
  if (scope === 'configs') return message('compare.runs-each', { first, second, count })
  const from = placeOn(along.axis, steps[0] - (along.width ?? 0))
  return message('compare.paired', { count, from, to: placeOn(along.axis, steps[steps.length - 1]) })
}

function aboutRuns([first, second]: readonly [number, number]): Message {
  if (first === 1 && second === 1) return message('compare.one-seed', {})
  return message('compare.few-seeds', { first, second, needed: RUNS_FOR_CONFIGS })
}

/** One number for a gap that grows or shrinks hides what happened. */
function gapMoves(shared: Aligned, runs: readonly [number, number], scope: Scope): Message[] {
  if (scope !== 'runs') return []
  const values = differencesOf(shared, runs)
  const blocks = inBlocks({ metric: '', steps: Float64Array.from(shared.steps), values }, TREND_BLOCKS)
  const { p, slope } = trend(blocks.steps, blocks.values)
  if (!(p < 0.05)) return []
  return [slope > 0 ? message('compare.gap-rises', {}) : message('compare.gap-falls', {})]
}

/** Beyond these nobody will collect the data; a margin is the better question then. */
const MOST = { prompts: 1_000_000, seeds: 1_000, evals: 100_000 }

/** What it would take at the noise seen here: to show the margin if one is set, else the difference that was seen. */
function settle(
  asked: Asked,
  plain: PairedMean | StudentEstimate,
  shared: Aligned,
  runs: readonly [number, number],
  scope: Scope,
  variancePerPrompt: number | null,
): ToSettle {
  const difference = asked.margin ?? Math.abs(plain.mean)
  const prompts = variancePerPrompt === null ? 0 : pairedPrompts(variancePerPrompt, { difference })
  const seeds = scope === 'configs' ? seedsForDifference(scatterOf(shared, runs), { difference }) : 0
  const evals =
    scope === 'runs' && variancePerPrompt === null ? moreEvaluations(asked, plain, shared, runs, difference) : 0
  const tooMany = !(prompts <= MOST.prompts && seeds <= MOST.seeds && evals <= MOST.evals)
  const more = RUNS_FOR_CONFIGS - Math.min(...runs)
  return {
    ...(prompts > 0 && !tooMany && { prompts }),
    ...(seeds > 0 && !tooMany && { seeds }),
    ...(evals > 0 && !tooMany && { evals }),
    ...(tooMany && { note: message('compare.settle-margin', {}) }),
    ...(!tooMany && scope === 'runs' && { note: message('compare.settle-seeds', { more }) }),
  }
}

/** Four in five would settle it: the margin if one is set, else the difference that was seen. */
const POWER = 0.8
/** Below this share of the spread the count is beyond reach. */
const SMALLEST_SIZE = 0.03

/** Of the whole training: what is judged at its end is a third of it. */
function moreEvaluations(
  { question, margin }: Asked,
  plain: PairedMean | StudentEstimate,
  shared: Aligned,
  runs: readonly [number, number],
  difference: number,
): number {
  const size = difference / standardDeviation(differencesOf(shared, runs))
  if (!(size > SMALLEST_SIZE) || !('autocorrelation' in plain)) return Number.POSITIVE_INFINITY
  const needed = roughlyNeeded(size, plain.autocorrelation, POWER, margin === null ? 'difference' : 'equivalence')
  const more = Math.max(0, needed - shared.steps.length)
  return question === 'final' ? 3 * more : more
}

/** Between runs of one setting, pooled over the two. */
function scatterOf(shared: Aligned, [first]: readonly [number, number]): number {
  const levels = shared.values.map(values => mean(values))
  return Math.sqrt((variance(levels.slice(0, first)) + variance(levels.slice(first))) / 2)
}

function methodId(luck: PromptLuck | null): MethodId {
  if (luck === null) return 'paired-evaluations'
  return luck.variancePerPrompt === null ? 'evaluations-and-prompt-count' : 'evaluations-and-prompts'
}

function methodOf(
  plain: PairedMean | StudentEstimate,
  luck: PromptLuck | null,
  shared: Aligned,
  [first, second]: readonly [number, number],
  scope: Scope,
): Method {
  const joined = luck?.estimate ?? plain
  const numbers = {
    mean: joined.mean,
    standardError: joined.standardError,
    degreesOfFreedom: joined.degreesOfFreedom,
    evaluations: shared.steps.length,
    ...(luck !== null && {
      prompts: luck.prompts,
      promptError: luck.estimate.promptError,
      courseError: plain.standardError,
    }),
  }
  if (scope === 'configs' || !('autocorrelation' in plain)) {
    return { id: luck === null ? 'welch' : 'welch-and-prompts', numbers: { ...numbers, first, second } }
  }
  const spread = standardDeviation(differencesOf(shared, [first, second]))
  return {
    id: methodId(luck),
    numbers: { ...numbers, spread, autocorrelation: plain.autocorrelation },
  }
}

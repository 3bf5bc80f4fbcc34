import { placeOn } from '../../../logs/model/axis.js'
import type { Message } from '../../../logs/model/run.js'
import type { Method, MethodId, Scope, ToSettle, Verdict } from '../../../logs/model/verdict.js'
import { mean, standardDeviation, variance } from '../../../stats/descriptive.js'
import { FEWEST_EVALUATIONS, type GapMean, gapMean } from '../../../stats/paired-mean.js'
import { pairedPrompts, roughlyNeeded, seedsForDifference } from '../../../stats/sample-size.js'
import { type StudentEstimate, welch } from '../../../stats/student-estimate.js'
import { trend } from '../../../stats/trend.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import { sentences } from '../../../text/sentences.js'
import { type Aligned, align, inBlocks, type Window } from '../align.js'
import { absoluteSize, isFragile, RUNS_FOR_CONFIGS, type Size, scopeOf, tagsOf } from '../conventions.js'
import { countText, whyWindows } from './axis.js'
import type { ScoreEvidence } from './evidence.js'
import { judge, undetermined } from './judge.js'
import { onUnknownPrompts, type PromptError, promptErrorFromCount, promptErrorFromScores } from './prompt-error.js'
import { meanDifferenceText, permutationCheck } from './seeds.js'
import { type QuestionSpec, SHARED_STEPS } from './specification.js'

/**
 * Is one side higher than the other, over all shared evaluations or at the end of training? Three or more runs a
 * side speak about the settings (Welch on one number per run); fewer speak about these runs only (the paired,
 * autocorrelation-adjusted interval). Where per-prompt scores exist, the luck of the prompts is counted in.
 */

const say = sentences({
  'level.around-line': {
    en: 'the difference follows a straight line; its error is measured around that line',
    zh: '差值沿直线变化；误差按围绕该直线的波动计算',
  },
})

/** More blocks than this do not make a trend any clearer. */
const TREND_BLOCKS = 100

/** Runs that are no replicates of each other, because something else was turned as well, speak about themselves only. */
export interface LevelOptions {
  readonly scope?: Scope
  /** As it was given, where it is of the level that is compared. */
  readonly margin?: Size | null
  /** Whether to work out what would settle it, and whether the gap moves, which takes longer than the verdict. */
  readonly settling?: boolean
}

export function compareLevel(
  asked: QuestionSpec,
  baseline: ScoreEvidence,
  other: ScoreEvidence,
  { window, ...options }: LevelOptions & { readonly window?: Window } = {},
): Verdict {
  return compareAligned(asked, align([...baseline.series, ...other.series], window), baseline, other, options)
}

/** The same over evaluations that were lined up before: the baseline's runs first, then those of the other. */
export function compareAligned(
  question: QuestionSpec,
  shared: Aligned,
  baseline: ScoreEvidence,
  other: ScoreEvidence,
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

  const byCurves = differenceOf(shared, runs, scope)
  const promptError = promptErrorOf({ question: asked.question, plain: byCurves, baseline, other, shared, scope })
  const isOffset = scope === 'runs' && promptError === null && baseline.freshPrompts !== true
  const plain = isOffset ? onUnknownPrompts(byCurves, differencesOf(shared, runs)) : byCurves
  const offset = plain === byCurves ? message('compare.these-prompts', {}) : message('compare.same-prompts', {})
  const estimate = promptError?.estimate ?? plain
  const fragile = 'autocorrelation' in byCurves && isFragile(byCurves)
  const verdict = judge(asked, estimate, {
    scope,
    tags: tagsOf({ fragile, promptsCounted: promptError !== null }),
    reasons: [
      evidenceOf(asked, shared, runs, scope),
      ...whyWindows(asked.axis ?? SHARED_STEPS),
      promptError?.reason ?? offset,
      ...(scope === 'runs' ? [aboutRuns(runs)] : [meanDifferenceText(first, second, asked.goal)]),
      ...(aroundLineOf(plain) === null ? [] : [say('level.around-line', {})]),
      ...(settling ? gapMoves(shared, runs, scope) : []),
    ],
    toSettle: settling
      ? settlingOf({
          asked,
          plain,
          shared,
          runs,
          scope,
          variancePerPrompt: promptError?.variancePerPrompt ?? null,
          isOffset: plain !== byCurves,
        })
      : {},
    method: methodOf(plain, promptError, shared, runs, scope),
  })
  return scope === 'configs' ? permutationCheck(verdict, first, second) : verdict
}

function ofLevel(asked: QuestionSpec, level: number, { margin }: LevelOptions): QuestionSpec {
  return { ...asked, level, margin: margin === undefined ? asked.margin : absoluteSize(margin, level) }
}

/** Other minus baseline: Welch on one number per run where they may speak of settings, else by the paired evaluations. */
export function differenceOf(
  shared: Aligned,
  runs: readonly [number, number],
  scope: Scope,
): GapMean | StudentEstimate {
  if (scope === 'runs') return gapMean(differencesOf(shared, runs))
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

function promptErrorOf({
  question,
  plain,
  baseline,
  other,
  shared,
  scope,
}: {
  readonly question: QuestionSpec['question']
  readonly plain: StudentEstimate
  readonly baseline: ScoreEvidence
  readonly other: ScoreEvidence
  readonly shared: Aligned
  readonly scope: Scope
}): PromptError | null {
  const { scores, prompts = null } = baseline
  if (scores != null && other.scores != null) {
    return promptErrorFromScores({ plain, scores: [scores, other.scores], steps: shared.steps, scope, differenceOf })
  }
  const isKnown = prompts !== null && other.prompts != null
  if (!isKnown || (question !== 'level' && question !== 'final')) return null
  return promptErrorFromCount(plain, shared, Math.min(prompts, other.prompts ?? prompts), question, scope)
}

function tooFew(asked: QuestionSpec, shared: Aligned, runs: readonly [number, number]): Verdict {
  const missing = FEWEST_EVALUATIONS - shared.steps.length
  return undetermined(
    asked,
    {
      scope: 'runs',
      reasons: [
        message('compare.too-few', {
          count: countText(asked.axis ?? SHARED_STEPS, shared.steps.length),
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
  { axis = SHARED_STEPS }: QuestionSpec,
  { steps }: Aligned,
  [first, second]: readonly [number, number],
  scope: Scope,
): Message {
  const count = countText(axis, steps.length)
  if (scope === 'configs') return message('compare.runs-each', { first, second, count })
  const from = placeOn(axis.by, steps[0] - (axis.windows ?? 0))
  return message('compare.paired', { count, from, to: placeOn(axis.by, steps[steps.length - 1]) })
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

/** What was judged, as far as it tells what more would settle it. */
interface Judgement {
  readonly asked: QuestionSpec
  readonly plain: GapMean | StudentEstimate
  readonly shared: Aligned
  readonly runs: readonly [number, number]
  readonly scope: Scope
  readonly variancePerPrompt: number | null
  /** More evaluations of the same prompts would not narrow it. */
  readonly isOffset: boolean
}

/** What it would take at the noise seen here: to show the margin if one is set, else the difference that was seen. */
function settlingOf({ asked, plain, shared, runs, scope, variancePerPrompt, isOffset }: Judgement): ToSettle {
  const difference = asked.margin ?? Math.abs(plain.mean)
  const prompts = variancePerPrompt === null ? 0 : pairedPrompts(variancePerPrompt, { difference })
  const seeds = scope === 'configs' ? seedsForDifference(seedSdOf(shared, runs), { difference }) : 0
  const evals =
    scope === 'runs' && variancePerPrompt === null && !isOffset
      ? moreEvaluations({ asked, plain, shared, runs }, difference)
      : 0
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
  { asked: { question, margin }, plain, shared, runs }: Pick<Judgement, 'asked' | 'plain' | 'shared' | 'runs'>,
  difference: number,
): number {
  const size = difference / standardDeviation(differencesOf(shared, runs))
  if (!(size > SMALLEST_SIZE) || !('autocorrelation' in plain)) return Number.POSITIVE_INFINITY
  const needed = roughlyNeeded(size, plain.autocorrelation, POWER, margin === null ? 'difference' : 'equivalence')
  const more = Math.max(0, needed - shared.steps.length)
  return question === 'final' ? 3 * more : more
}

/** Between runs of one setting, pooled over the two. */
function seedSdOf(shared: Aligned, [first]: readonly [number, number]): number {
  const levels = shared.values.map(values => mean(values))
  return Math.sqrt((variance(levels.slice(0, first)) + variance(levels.slice(first))) / 2)
}

/** By what the prompts' sampling noise is counted. */
const METHODS = {
  runs: { none: 'paired-evaluations', count: 'evaluations-and-prompt-count', scores: 'evaluations-and-prompts' },
  configs: { none: 'welch', count: 'welch-and-prompt-count', scores: 'welch-and-prompts' },
} as const

function methodId(promptError: PromptError | null, scope: keyof typeof METHODS): MethodId {
  if (promptError === null) return METHODS[scope].none
  return METHODS[scope][promptError.variancePerPrompt === null ? 'count' : 'scores']
}

/** Null where the error is not that around the line of a gap that grows. */
function aroundLineOf(plain: GapMean | StudentEstimate): number | null {
  return 'aroundLine' in plain ? plain.aroundLine : null
}

function methodOf(
  plain: GapMean | StudentEstimate,
  promptError: PromptError | null,
  shared: Aligned,
  [first, second]: readonly [number, number],
  scope: Scope,
): Method {
  const joined = promptError?.estimate ?? plain
  const numbers = {
    mean: joined.mean,
    standardError: joined.standardError,
    degreesOfFreedom: joined.degreesOfFreedom,
    evaluations: shared.steps.length,
    ...(promptError !== null && {
      prompts: promptError.prompts,
      promptError: promptError.estimate.promptError,
      courseError: plain.standardError,
    }),
  }
  if (scope === 'configs' || !('autocorrelation' in plain)) {
    return { id: methodId(promptError, 'configs'), numbers: { ...numbers, first, second } }
  }
  const spread = standardDeviation(differencesOf(shared, [first, second]))
  const { autocorrelation, aroundLine } = plain
  return {
    id: methodId(promptError, 'runs'),
    numbers: { ...numbers, spread, ...(aroundLine !== null && { aroundLine }), autocorrelation },
  }
}

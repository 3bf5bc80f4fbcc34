import type { Verdict, VerdictQuestion } from '../../../logs/model/verdict.js'
import { mean } from '../../../stats/descriptive.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import { adjusted, dealtAnew } from '../adjusted.js'
import { type Aligned, align, meanSeries, outerJoin, type Window } from '../align.js'
import { absoluteSize, FEWEST_FOR_FINAL, finalSteps, judgedCount, type Size, thirdOf } from '../conventions.js'
import { atLook, type Standing, standingOf } from '../growing.js'
import { onSamePrompts, type PromptScores } from '../prompt-scores.js'
import { type AlignedSides, alignFromStart, alignSides, cut } from './align-sides.js'
import { countText } from './axis.js'
import { type CheckpointScore, compareCheckpoint } from './checkpoint.js'
import { compareCosts } from './cost.js'
import type { SetEvidence, SideEvidence } from './evidence.js'
import { undetermined } from './judge.js'
import { compareAligned, type LevelOptions } from './level.js'
import type { Phase, TableRow } from './result.js'
import { type Collapse, collapseOf } from './seeds.js'
import type { AxisSpec, ComparisonSpec, QuestionSpec } from './specification.js'
import { compareSpeed } from './speed.js'
import { compareStability } from './stability.js'

/** Sides against a baseline, by one metric. Pure: series in, verdicts out. */

export interface SidesResult {
  readonly verdicts: readonly Verdict[]
  /** One per side but the first, in order: what stands behind its verdicts. */
  readonly others: readonly PairVerdicts[]
  readonly table: readonly TableRow[]
  /** What the table's rows are: at steps or places that runs were evaluated at, or windows. */
  readonly axis: AxisSpec
}

export interface PairVerdicts {
  readonly label: string
  /** One per question, that on cost being about step time; then the scores on further validation sets. */
  readonly verdicts: readonly Verdict[]
  /** Step time, and what else is known of cost on both sides. */
  readonly costs: readonly Verdict[]
  /** The steps that all runs of both sides have; along another axis its places; the ends of windows where there are any. */
  readonly steps: readonly number[]
  readonly axis: AxisSpec
  readonly phases: readonly Phase[]
  /** One number per run of the baseline and of the other: its mean over what the headline is about. */
  readonly levels: readonly [readonly number[], readonly number[]]
  /** Runs that collapsed, where any did. */
  readonly collapse: Collapse | null
}

export function compareSides(sides: readonly SideEvidence[], spec: ComparisonSpec): SidesResult {
  return compareSets([{ metric: spec.metric, sides }], spec)
}

/** Every side against the baseline, by every set; what is asked several times is corrected for how often. */
export function compareSets([asked, ...further]: readonly SetEvidence[], spec: ComparisonSpec): SidesResult {
  const [baseline, ...rest] = asked.sides
  const found = rest.map((other, i) => {
    const standing = standingIn([baseline, other], spec, i)
    const within = standing === null ? spec : { ...spec, window: upTo(standing.until, spec.window) }
    const own = comparePair(baseline, other, within)
    const onOthers = further.flatMap(({ metric, sides: [first, ...others] }) => {
      const laid = alignSides([first, others[i]], within.by ?? 'steps', within.window)
      return scoreVerdicts(first, others[i], { ...within, metric }, laid, { settling: false })
    })
    return { standing, pair: { ...own, verdicts: [...own.verdicts, ...onOthers] } }
  })
  const corrected = correctedForCount(found)
  const until = Math.min(...found.map(({ standing }) => standing?.until ?? Number.POSITIVE_INFINITY))
  const others = [asked, ...further].reduce((pairs, set) => survivingDeals(pairs, set, spec, until), corrected)
  return { verdicts: others.flatMap(({ verdicts }) => verdicts), others, ...tableOf(asked.sides, spec) }
}

/** A pair, and what may be said of it by now; null where both sides have ended. */
interface PairAtLook {
  readonly pair: PairVerdicts
  readonly standing: Standing | null
}

const LEVEL = 0.05

/** All that one call asks is one family of tests: anything false is said in at most 5 % of calls. A clock is no opinion and is not tested. */
function correctedForCount(found: readonly PairAtLook[]): readonly PairVerdicts[] {
  const about = new Map(
    found.flatMap(({ pair: { verdicts }, standing }) => {
      const { question } = headline(verdicts)
      return verdicts
        .filter(verdict => verdict.question !== 'cost')
        .map(verdict => [verdict, { isHeadline: verdict.question === question, standing: liveAt(verdict, standing) }])
    }),
  )
  const family = [...about.keys()]
  const after = adjusted(family, {
    isHeadline: verdict => about.get(verdict)?.isHeadline === true,
    levelOf: verdict => about.get(verdict)?.standing?.level ?? LEVEL,
  })
  const corrected = new Map(
    family.map((verdict, i) => [verdict, atLook(after[i], about.get(verdict)?.standing ?? null)]),
  )
  return found.map(({ pair }) => ({
    ...pair,
    verdicts: pair.verdicts.map(verdict => corrected.get(verdict) ?? verdict),
  }))
}

/** Claims of several sides about their settings, if they survive dealing all runs again; of one validation set. */
function survivingDeals(
  pairs: readonly PairVerdicts[],
  { metric, sides }: SetEvidence,
  { by = 'steps', window }: ComparisonSpec,
  until: number,
): readonly PairVerdicts[] {
  if (pairs.length < 2) return pairs
  const series = alignSides(sides, by, upTo(until, window)).sides.map(side => side.series)
  const shared = align(series.flat())
  const after = new Map(
    [
      { question: 'level', of: shared },
      { question: 'final', of: endOf(shared) },
    ].flatMap(({ question, of }) => {
      const asked = pairs.flatMap(({ verdicts }) =>
        verdicts.filter(verdict => verdict.metric === metric && verdict.question === question),
      )
      const levels = of.values.map(run => mean(run)).values()
      const groups = series.map(runs => runs.map(() => Number(levels.next().value)))
      return dealtAnew(asked, groups).map((verdict, i) => [asked[i], verdict] as const)
    }),
  )
  return pairs.map(pair => ({ ...pair, verdicts: pair.verdicts.map(verdict => after.get(verdict) ?? verdict) }))
}

/** Checkpoints do not change while a run grows. */
function liveAt({ question }: Verdict, standing: Standing | null): Standing | null {
  return question === 'checkpoint' ? null : standing
}

/** How far two sides have come together, and what may be said at that; null when both have ended. */
function standingIn(
  sides: readonly SideEvidence[],
  { growing = null }: ComparisonSpec,
  place: number,
): Standing | null {
  if (growing === null) return null
  const reached = sides.flatMap(({ series }) => series.map(({ steps }) => steps.at(-1) ?? Number.NEGATIVE_INFINITY))
  return standingOf(growing, Math.min(...reached), place)
}

function upTo(until: number, window?: Window): Window {
  return { from: window?.from ?? Number.NEGATIVE_INFINITY, to: Math.min(until, window?.to ?? until) }
}

/** Every question on two sides by itself: what a call then corrects for asking them all. */
export function comparePair(baseline: SideEvidence, other: SideEvidence, spec: ComparisonSpec): PairVerdicts {
  const { by = 'steps', window } = spec
  const laid = alignSides([baseline, other], by, window)
  const [first, second] = laid.sides
  const { steps, values } = align([...first.series, ...second.series])
  const asked = (question: VerdictQuestion): QuestionSpec => questionSpec(baseline, other, spec, laid, question)
  const [fromStart, otherFromStart] = alignFromStart([baseline, other], by, window)
  const costs = compareCosts(
    { label: baseline.label, costs: baseline.costs ?? new Map() },
    { label: other.label, costs: other.costs ?? new Map() },
  )
  const verdicts = [
    ...scoreVerdicts(baseline, other, spec, laid),
    compareSpeed(asked('speed'), fromStart, otherFromStart),
    compareStability(asked('stability'), first.series, second.series, baseline.prompts ?? null),
    costs[0],
  ]
  const levels = endOf({ steps, values }).values.map(run => mean(run))
  const bySide = [levels.slice(0, first.series.length), levels.slice(first.series.length)] as const
  return {
    label: other.label,
    verdicts,
    costs,
    steps,
    axis: laid.axis,
    phases: phasesOf(steps, values, first.series.length),
    levels: bySide,
    collapse: collapseOf(first.series, second.series, bySide, spec.goal),
  }
}

/** How high the two sides score, which is asked of every validation set: at the checkpoints named, all along, in the end. */
function scoreVerdicts(
  baseline: SideEvidence,
  other: SideEvidence,
  spec: ComparisonSpec,
  laid: AlignedSides,
  options: LevelOptions = {},
): readonly Verdict[] {
  const [first, second] = laid.sides
  const shared = align([...first.series, ...second.series])
  const asked = (question: VerdictQuestion): QuestionSpec => questionSpec(baseline, other, spec, laid, question)
  const judged = (question: VerdictQuestion, evaluations: Aligned): Verdict =>
    compareAligned(asked(question), evaluations, first, second, { ...options, margin: spec.margin })
  return [
    ...checkpointVerdict(asked('checkpoint'), baseline, other, spec.margin),
    judged('level', shared),
    finalSteps(shared.steps) === null ? noFinal(asked('final'), laid, shared.steps) : judged('final', endOf(shared)),
  ]
}

function endOf({ steps, values }: Aligned): Aligned {
  const count = judgedCount(steps.length)
  return { steps: steps.slice(-count), values: values.map(run => run.slice(-count)) }
}

/** A margin is of the level that is compared, which each question knows best. */
function questionSpec(
  baseline: SideEvidence,
  other: SideEvidence,
  { metric, goal }: ComparisonSpec,
  { axis }: AlignedSides,
  question: VerdictQuestion,
): QuestionSpec {
  return { question, metric, goal, baseline: baseline.label, other: other.label, margin: null, axis }
}

function phasesOf(steps: readonly number[], values: readonly (readonly number[])[], first: number): readonly Phase[] {
  const third = thirdOf(steps.length)
  if (third === 0) return []
  const edges = [0, third, steps.length - third, steps.length]
  const level = (runs: readonly (readonly number[])[], i: number): number =>
    mean(runs.flatMap(run => run.slice(edges[i], edges[i + 1])))
  return [0, 1, 2].map(i => ({
    from: steps[edges[i]],
    to: steps[edges[i + 1] - 1],
    baseline: level(values.slice(0, first), i),
    other: level(values.slice(first), i),
  }))
}

function noFinal(asked: QuestionSpec, { axis }: AlignedSides, steps: readonly number[]): Verdict {
  const reason = message('compare.no-final', { count: countText(axis, steps.length), needed: FEWEST_FOR_FINAL })
  return undetermined(asked, { scope: 'runs', reasons: [reason] })
}

/** A margin in percent is of the baseline's value at its own step. */
function checkpointVerdict(
  asked: QuestionSpec,
  baseline: SideEvidence,
  other: SideEvidence,
  margin: Size | null,
): Verdict[] {
  const steps = [baseline.checkpoint ?? null, other.checkpoint ?? null]
  if (steps[0] === null || steps[1] === null) return []
  const scores = onSamePrompts([...(baseline.scores ?? []), ...(other.scores ?? [])])
  const both = baseline.scores != null && other.scores != null ? scores : null
  const first = scoreAt(baseline, steps[0], both?.slice(0, baseline.series.length) ?? null)
  const second = scoreAt(other, steps[1], both?.slice(baseline.series.length) ?? null)
  if (first === null || second === null) {
    const reasons = [message('compare.no-checkpoint', { step: first === null ? steps[0] : steps[1] })]
    return [undetermined(asked, { scope: 'checkpoints', reasons })]
  }
  const level = first.value
  return [compareCheckpoint({ ...asked, margin: absoluteSize(margin, level), level }, first, second)]
}

function scoreAt(side: SideEvidence, step: number, scores: readonly PromptScores[] | null): CheckpointScore | null {
  const values = side.series.map(({ steps, values }) => values[steps.indexOf(step)])
  if (values.some(value => !Number.isFinite(value))) return null
  const byRun = scores?.map(({ byStep }) => byStep.get(step)) ?? []
  const whole = byRun.flatMap((scored, i) => (scored !== undefined && areBehind(scored, values[i]) ? [scored] : []))
  return {
    value: mean(values),
    n: side.prompts ?? null,
    scores: whole.length > 0 && whole.length === byRun.length ? meanOfRuns(whole) : null,
  }
}

/** Scores lent by another metric of the same evaluations say nothing of this one's value. Logs may print three decimals. */
function areBehind(scores: Float64Array, value: number): boolean {
  return Math.abs(mean(scores) - value) <= 5.1e-4 * Math.max(1, Math.abs(value))
}

function meanOfRuns(runs: readonly Float64Array[]): Float64Array {
  return runs[0].map((_, i) => mean(runs.map(scores => scores[i])))
}

function tableOf(
  sides: readonly SideEvidence[],
  { by = 'steps', window }: ComparisonSpec,
): Pick<SidesResult, 'table' | 'axis'> {
  const laid = alignSides(sides, by, window)
  // Step 0 is compared by nobody, but a reader wants to see where the runs began.
  const isPlain = by === 'steps' && laid.axis.windows === null
  const shown = isPlain
    ? sides.map(({ series }) => cut(meanSeries(series), window))
    : laid.sides.map(({ series }) => meanSeries(series))
  const table = outerJoin(shown).map(({ step, values }) => {
    const first = values[0]
    const last = values[values.length - 1]
    return { step, values, diff: first === null || last === null ? null : last - first }
  })
  return { table, axis: laid.axis }
}

/** The question closest to what is shipped: the checkpoints named, else the end of training where there are enough evaluations, else all. */
export function headline(verdicts: readonly Verdict[]): Verdict {
  const own = verdicts.filter(({ metric }) => metric === verdicts[0].metric)
  const checkpoint = own.find(({ question }) => question === 'checkpoint')
  const final = own.find(({ question, interval }) => question === 'final' && interval !== null)
  return checkpoint ?? final ?? verdicts[0]
}

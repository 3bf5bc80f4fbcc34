import type { Axis } from '../../model/axis.js'
import type { Verdict, VerdictQuestion } from '../../model/verdict.js'
import type { Goal } from '../../model/vocabulary/metric.js'
import { mean } from '../../stats/descriptive.js'
import { message } from '../../text/say.js'
import { adjusted } from '../adjusted.js'
import { type Aligned, align, meanSeries, outerJoin, type Window } from '../align.js'
import { absoluteSize, FEWEST_FOR_FINAL, finalSteps, judgedCount, type Size, thirdOf } from '../conventions.js'
import { type Growing, type Standing, standingOf } from '../growing.js'
import { onSamePrompts, type PromptScores } from '../prompt-scores.js'
import { type Along, counted } from './axis.js'
import { type CheckpointScore, compareCheckpoint } from './checkpoint.js'
import { type Cost, type CostMetric, compareCosts } from './cost.js'
import { type Asked, undetermined } from './judge.js'
import { cut, type Evaluated, type LaidOut, layOut, layOutFromStart } from './lay-out.js'
import { compareAligned, type LevelOptions } from './level.js'
import { type Collapse, collapseOf } from './seeds.js'
import { compareSpeed } from './speed.js'
import { compareStability } from './stability.js'

/** Sides against a baseline, by one metric. Pure: series in, verdicts out. */

export interface Side extends Evaluated {
  readonly label: string
  readonly costs?: ReadonlyMap<CostMetric, Cost>
  /** The step of `RUN@step`. */
  readonly checkpoint?: number | null
}

export interface Request {
  readonly metric: string
  readonly goal: Goal | null
  /** Absolute, or a share of the baseline's mean. */
  readonly margin: Size | null
  /** What the runs are held against each other along; steps unless given. */
  readonly axis?: Axis
  /** Of steps, whatever the axis. */
  readonly window?: Window
  /** Where a run still grows: claims are made at planned looks only. */
  readonly growing?: Growing | null
}

export interface Comparison {
  readonly verdicts: readonly Verdict[]
  /** One per side but the first, in order: what stands behind its verdicts. */
  readonly others: readonly Against[]
  readonly table: readonly TableRow[]
  /** What the table's rows are: at steps or places that runs were evaluated at, or windows. */
  readonly along: Along
}

/** The same sides by one of several validation sets; the first is the one that was asked for. */
export interface MeasuredSet {
  readonly metric: string
  readonly sides: readonly Side[]
}

export interface Against {
  readonly label: string
  /** One per question, that on cost being about step time; then the scores on further validation sets. */
  readonly verdicts: readonly Verdict[]
  /** Step time, and what else is known of cost on both sides. */
  readonly costs: readonly Verdict[]
  /** The steps that all runs of both sides have; along another axis its places; the ends of windows where there are any. */
  readonly steps: readonly number[]
  readonly along: Along
  /** The course in three equal parts, as a description: no claim rests on it. */
  readonly phases: readonly Phase[]
  /** Runs that collapsed, where any did. */
  readonly collapse: Collapse | null
}

/** Early, middle or late: the means of both sides over a third of the shared evaluations. */
export interface Phase {
  readonly from: number
  readonly to: number
  readonly baseline: number
  readonly other: number
}

export interface TableRow {
  readonly step: number
  /** Mean over replicates; null where a side has no value. Never interpolated. */
  readonly values: readonly (number | null)[]
  /** The last side minus the first, where both have a value. */
  readonly diff: number | null
}

export function compareSides(sides: readonly Side[], request: Request): Comparison {
  return compareSets([{ metric: request.metric, sides }], request)
}

/** Every side against the baseline, by every set; what is asked several times is corrected for how often. */
export function compareSets([asked, ...further]: readonly MeasuredSet[], request: Request): Comparison {
  const [baseline, ...rest] = asked.sides
  const standing = standingIn(asked.sides, request)
  const within = standing === null ? request : { ...request, window: upTo(standing.until, request.window) }
  const found = rest.map((other, i) => {
    const own = against(baseline, other, within)
    const onOthers = further.flatMap(({ metric, sides: [first, ...others] }) => {
      const laid = layOut([first, others[i]], within.axis ?? 'steps', within.window)
      return scoreVerdicts(first, others[i], { ...within, metric }, laid, { settling: false })
    })
    return { ...own, verdicts: [...own.verdicts, ...onOthers] }
  })
  const others = correctedForCount(found, standing)
  return { verdicts: others.flatMap(({ verdicts }) => verdicts), others, ...tableOf(asked.sides, request) }
}

/** Each of these, over all sides and sets, is one family of tests. A clock is no opinion and is in none. */
const FAMILIES: readonly VerdictQuestion[] = ['checkpoint', 'level', 'final', 'speed', 'stability']

function correctedForCount(others: readonly Against[], standing: Standing | null): readonly Against[] {
  const all = others.flatMap(({ verdicts }) => verdicts)
  const corrected = new Map(
    FAMILIES.flatMap(question => {
      const family = all.filter(verdict => verdict.question === question)
      const isLive = standing !== null && question !== 'checkpoint'
      const after = isLive ? adjusted(family, { level: standing.level }) : adjusted(family)
      return family.map((verdict, i) => {
        const reasons = isLive ? [standing.reason, ...after[i].reasons] : after[i].reasons
        return [verdict, { ...after[i], reasons }] as const
      })
    }),
  )
  return others.map(other => ({ ...other, verdicts: other.verdicts.map(verdict => corrected.get(verdict) ?? verdict) }))
}

/** How far the sides have come together, and what may be said at that; null when no run grows any more. */
function standingIn(sides: readonly Side[], { growing = null }: Request): Standing | null {
  if (growing === null) return null
  const reached = sides.flatMap(({ series }) => series.map(({ steps }) => steps.at(-1) ?? Number.NEGATIVE_INFINITY))
  return standingOf(growing, Math.min(...reached))
}

function upTo(until: number, window?: Window): Window {
  return { from: window?.from ?? Number.NEGATIVE_INFINITY, to: Math.min(until, window?.to ?? until) }
}

function against(baseline: Side, other: Side, request: Request): Against {
  const { axis = 'steps', window } = request
  const laid = layOut([baseline, other], axis, window)
  const [first, second] = laid.sides
  const { steps, values } = align([...first.series, ...second.series])
  const asked = (question: VerdictQuestion): Asked => askedOf(baseline, other, request, laid, question)
  const [fromStart, otherFromStart] = layOutFromStart([baseline, other], axis, window)
  const costs = compareCosts(
    { label: baseline.label, costs: baseline.costs ?? new Map() },
    { label: other.label, costs: other.costs ?? new Map() },
  )
  const verdicts = [
    ...scoreVerdicts(baseline, other, request, laid),
    compareSpeed(asked('speed'), fromStart, otherFromStart),
    compareStability(asked('stability'), first.series, second.series, baseline.prompts ?? null),
    costs[0],
  ]
  const levels = endOf({ steps, values }).values.map(run => mean(run))
  const [own, others] = [levels.slice(0, first.series.length), levels.slice(first.series.length)]
  return {
    label: other.label,
    verdicts,
    costs,
    steps,
    along: laid.along,
    phases: phasesOf(steps, values, first.series.length),
    collapse: collapseOf(first.series, second.series, [own, others], request.goal),
  }
}

/** How high the two sides score, which is asked of every validation set: at the checkpoints named, all along, in the end. */
function scoreVerdicts(
  baseline: Side,
  other: Side,
  request: Request,
  laid: LaidOut,
  options: LevelOptions = {},
): readonly Verdict[] {
  const [first, second] = laid.sides
  const shared = align([...first.series, ...second.series])
  const asked = (question: VerdictQuestion): Asked => askedOf(baseline, other, request, laid, question)
  const judged = (question: VerdictQuestion, evaluations: Aligned): Verdict =>
    compareAligned(asked(question), evaluations, first, second, { ...options, margin: request.margin })
  return [
    ...checkpointVerdict(asked('checkpoint'), baseline, other, request.margin),
    judged('level', shared),
    finalSteps(shared.steps) === null ? noFinal(asked('final'), laid, shared.steps) : judged('final', endOf(shared)),
  ]
}

function endOf({ steps, values }: Aligned): Aligned {
  const count = judgedCount(steps.length)
  return { steps: steps.slice(-count), values: values.map(run => run.slice(-count)) }
}

/** A margin is of the level that is compared, which each question knows best. */
function askedOf(
  baseline: Side,
  other: Side,
  { metric, goal }: Request,
  { along }: LaidOut,
  question: VerdictQuestion,
): Asked {
  return { question, metric, goal, baseline: baseline.label, other: other.label, margin: null, along }
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

function noFinal(asked: Asked, { along }: LaidOut, steps: readonly number[]): Verdict {
  const reason = message('compare.no-final', { count: counted(along, steps.length), needed: FEWEST_FOR_FINAL })
  return undetermined(asked, { scope: 'runs', reasons: [reason] })
}

/** A margin in percent is of the baseline's value at its own step. */
function checkpointVerdict(asked: Asked, baseline: Side, other: Side, margin: Size | null): Verdict[] {
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

function scoreAt(side: Side, step: number, scores: readonly PromptScores[] | null): CheckpointScore | null {
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

function tableOf(sides: readonly Side[], { axis = 'steps', window }: Request): Pick<Comparison, 'table' | 'along'> {
  const laid = layOut(sides, axis, window)
  // Step 0 is compared by nobody, but a reader wants to see where the runs began.
  const isPlain = axis === 'steps' && laid.along.width === null
  const shown = isPlain ? sides.map(({ series }) => cut(meanSeries(series), window)) : laid.sides.map(meanOfSide)
  const table = outerJoin(shown).map(({ step, values }) => {
    const first = values[0]
    const last = values[values.length - 1]
    return { step, values, diff: first === null || last === null ? null : last - first }
  })
  return { table, along: laid.along }
}

function meanOfSide({ series }: Evaluated) {
  return meanSeries(series)
}

/** The question closest to what is shipped: the checkpoints named, else the end of training where there are enough evaluations, else all. */
export function headline(verdicts: readonly Verdict[]): Verdict {
  const own = verdicts.filter(({ metric }) => metric === verdicts[0].metric)
  const checkpoint = own.find(({ question }) => question === 'checkpoint')
  const final = own.find(({ question, interval }) => question === 'final' && interval !== null)
  return checkpoint ?? final ?? verdicts[0]
}

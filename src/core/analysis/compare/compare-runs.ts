import type { Verdict } from '../../../logs/model/verdict.js'
import { comparableName } from '../../../logs/model/vocabulary/names.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import type { Message } from '../../../text/sentences.js'
import type { WorkspaceVocabulary } from '../../store/vocabulary.js'
import type { Workspace } from '../../store/workspace.js'
import { align, type Window } from '../align.js'
import { type Confound, confounds } from '../confounds.js'
import { copiesLeftOut, finalSteps } from '../conventions.js'
import { isEvaluation } from '../evaluations/evaluation-run.js'
import { goalTags, judgedBy, seriesNamed } from '../goal.js'
import { atLooks, growthOf, type LookedSides } from '../growing.js'
import { type Attribution, attribution } from './attribution.js'
import { ASSUMED_SEED_SD, type Choice, choiceSentence, choose, chooseAmong, type SeedSd } from './choose.js'
import { countersOf, type RunSide, readSide, type SideEvidence, unusedEvidence } from './evidence.js'
import { compareSets, headline, type PairVerdicts } from './judge-sides.js'
import { type BothVerdicts, withOptimised, withoutVerdict } from './optimised.js'
import type { ComparisonResult, PairResult, SetAnswer } from './result.js'
import type { Collapse } from './seeds.js'
import { answersOnSets, withSets } from './sets.js'
import { type SharedSeries, sharedGoal } from './shared-goal.js'
import { differencesInAll, summaryOf } from './shared-metrics.js'
import type { ComparisonSpec } from './specification.js'
import {
  elsewhere,
  readReplicates,
  type WorkspaceNoise,
  type WorkspaceRun,
  workspaceNoise,
  workspaceRun,
  workspaceRuns,
} from './workspace-noise.js'

/**
 * Runs against a baseline, with all that belongs to an answer: the verdicts, what else differed and whether that can be
 * told apart, what evidence lies unused, how much chance alone does in this workspace, and what to choose today.
 */

/** Null when the sides share no metric of that name. */
export async function compareRuns(
  workspace: Workspace,
  words: WorkspaceVocabulary,
  sides: readonly RunSide[],
  asked: ComparisonSpec,
): Promise<ComparisonResult | null> {
  if (asked.cluster != null || sides.every(({ runs }) => runs.every(isEvaluation))) {
    const { compareEvaluations } = await import('../evaluations/compare-evaluations.js')
    const evaluated = await compareEvaluations(sides, asked)
    if (evaluated !== null) return evaluated
  }
  const shared = await sharedGoal(sides, asked.metric)
  const [main] = shared?.sets ?? []
  if (shared === null || main === undefined) return null
  const { metrics } = main
  const { by = 'steps', window } = asked
  const counters = await Promise.all(sides.map((side, i) => countersOf(side, by, metrics[i])))
  const runs = sides.flatMap(side => side.runs)
  const meaning = runs[0].meaningOf(metrics[0])
  const read = await Promise.all(
    sides.map((side, i) =>
      readSide(
        side,
        [...shared.sets, ...shared.optimised].map(series => series.metrics[i]),
        counters[i],
      ),
    ),
  )
  const measured = read.map(([own]) => own)
  const spec: ComparisonSpec = {
    ...asked,
    metric: metrics[0],
    goal: asked.goal ?? meaning.goal,
    growing: await atLooks(workspace, growthOf(runs, asked), metrics[0], lookedPairs(sides, measured)),
  }
  const evidence = [...shared.sets, ...shared.optimised].map((series, at) => ({
    metric: series.metrics[0],
    sides: read.map(bySeries => bySeries[at]),
  }))
  const goal = judgedBy(
    runs,
    shared.sets.map(series => series.metrics[0]),
  )
  const given = verdictsGiven(shared.sets, shared.paid, goalTags(goal))
  const judged = compareSets(evidence.slice(0, shared.sets.length), spec)
  // A family of tests of its own: what the optimised reward says is no answer to the question.
  const beside =
    shared.optimised.length === 0
      ? null
      : compareSets(evidence.slice(shared.sets.length), {
          ...spec,
          metric: shared.optimised[0].metrics[0],
          goal: 'max',
        })
  const optimised = (beside?.others ?? []).map(({ label, verdicts }) => ({
    label,
    verdicts: verdicts
      .filter(({ question }) => SCORE_QUESTIONS.has(question))
      .map(verdictsGiven(shared.optimised, shared.paid, [])),
  }))
  const around = await workspaceRuns(workspace, words, metrics[0])
  const pairs = await Promise.all(
    judged.others.map((pair, i) =>
      withContext({
        pair: { ...pair, verdicts: pair.verdicts.map(given) },
        optimised: optimised.find(({ label }) => label === pair.label)?.verdicts ?? [],
        baseline: sides[0],
        side: sides[i + 1],
        measured,
        spec,
        around,
      }),
    ),
  )
  const verdicts = pairs.flatMap(pair => pair.verdicts)
  const costs = pairs.flatMap(pair => pair.costs)
  return {
    sides: sides.map(({ label, runs }, i) => ({
      label,
      runs: runs.map(({ manifest }) => manifest.id),
      metric: metrics[i],
      files: runs.map(({ manifest }) => manifest.files.map(({ path }) => path)),
    })),
    canonical: meaning.canonical,
    goal: spec.goal,
    judgedBy: goal,
    optimised: beside === null ? null : optimised.flatMap(({ verdicts }) => verdicts).map(withReasonKeys),
    margin: spec.margin,
    by,
    headline: { verdict: verdicts.indexOf(pairs[0].headline), sets: pairs[0].sets },
    others: pairs.map(pair => pairResult(pair, verdicts, costs)),
    confounds: confounds(sides.map(({ runs }) => runs[0])),
    attribution: pairs.map(({ label, attribution }) => ({ other: label, ...attribution })),
    verdicts: verdicts.map(withReasonKeys),
    costs: costs.map(withReasonKeys),
    choose: withSentence(
      chooseAmong(
        pairs.map(({ choose }) => choose),
        sides[0].label,
      ),
    ),
    unused: pairs.flatMap(({ unused }) => unused),
    summary: summaryOf(sides),
    differences: asked.all === true ? await differencesInAll(sides, { counters, by, window }) : null,
    table: {
      metric: spec.metric,
      windows: judged.axis.windows,
      total: judged.table.length,
      rows: judged.table,
    },
    warnings: warningsOf(sides, metrics),
    evaluation: null,
  }
}

/** Every side with the baseline, as it is looked at. */
function lookedPairs(
  [baseline, ...others]: readonly RunSide[],
  [measured, ...rest]: readonly SideEvidence[],
): readonly LookedSides[] {
  return others.map((other, i) => ({
    sides: [baseline, other].map(({ runs }) => runs.map(({ manifest }) => manifest.id)),
    steps: align([...measured.series, ...rest[i].series]).steps,
  }))
}

/** Questions about how high a side scores. */
const SCORE_QUESTIONS = new Set<string>(['checkpoint', 'level', 'final'])

/** Verdicts as they may be given: none on sums of different things, and with the tags of what they rest on. */
function verdictsGiven(
  series: readonly SharedSeries[],
  paid: Message | null,
  tags: readonly string[],
): (verdict: Verdict) => Verdict {
  const sums = new Set(series.flatMap(({ isSum, metrics }) => (isSum ? [metrics[0]] : [])))
  return verdict => {
    if (verdict.question === 'cost') return verdict
    if (paid !== null && sums.has(verdict.metric)) return withoutVerdict(verdict, paid)
    return tags.length === 0 ? verdict : { ...verdict, tags: [...verdict.tags, ...tags] }
  }
}

/** The verdicts on one side with all that belongs to an answer. */
interface PairInContext extends PairVerdicts {
  readonly headline: Verdict
  /** How the headline's question is answered on every validation set, its own first. */
  readonly sets: readonly SetAnswer[]
  readonly confounds: readonly Confound[]
  readonly attribution: Attribution
  readonly choose: Choice | null
  readonly unused: readonly Message[]
}

interface PairContext {
  readonly pair: PairVerdicts
  /** What the optimised reward says of the same sides. */
  readonly optimised: readonly Verdict[]
  readonly baseline: RunSide
  readonly side: RunSide
  /** All sides as they were read, the baseline first. */
  readonly measured: readonly SideEvidence[]
  readonly spec: ComparisonSpec
  /** What else the workspace holds. */
  readonly around: readonly WorkspaceRun[]
}

async function withContext(context: PairContext): Promise<PairInContext> {
  const { pair, optimised, baseline, side, measured, spec, around } = context
  const [first, second] = [workspaceRun(baseline.runs[0]), workspaceRun(side.runs[0])]
  const differing = confounds([first.run, second.run])
  const aboutRuns = pair.verdicts.some(({ question, scope }) => question === 'level' && scope === 'runs')
  const replicates = aboutRuns ? await readReplicates(around, spec.metric, [first.run, second.run]) : []
  const noiseFor = (verdict: Verdict): WorkspaceNoise | null => {
    const window = stepsOf(verdict, pair, measured[0])
    return window === null ? null : workspaceNoise(replicates, window, verdict.estimate ?? 0)
  }
  const verdicts = pair.verdicts.map(verdict =>
    verdict.scope === 'runs' && CLAIMS.has(verdict.answer) && WINDOWED.has(verdict.question)
      ? withChance(verdict, noiseFor(verdict), pair.steps.length)
      : verdict,
  )
  const plain = headline(verdicts)
  const both = bothVerdicts(answersOnSets(plain, verdicts), optimised, baseline)
  const main = withOptimised(withCollapse(withSets(plain, verdicts), pair.collapse), plain, both)
  const seedSd = seedSdFrom(spec, noiseFor(main), main.level ?? Number.NaN)
  return {
    ...pair,
    verdicts: verdicts.map(verdict => (verdict === plain ? main : verdict)),
    headline: main,
    sets: answersOnSets(main, verdicts).map(({ metric, answer }) => ({ metric, answer })),
    confounds: differing,
    attribution: attribution(differing, first, second, around),
    choose: choose(main, spec.goal ?? null, [baseline.runs.length, side.runs.length], seedSd),
    unused: unusedFor(context),
  }
}

/** What is asked of every data set, by the score that judges and by the optimised reward. */
function bothVerdicts(
  judged: readonly Verdict[],
  optimised: readonly Verdict[],
  { runs: [run] }: RunSide,
): readonly BothVerdicts[] {
  const setOf = ({ metric }: Verdict): string => comparableName(seriesNamed(run, metric)?.dataset ?? '')
  return judged.flatMap(verdict => {
    const other = optimised.find(each => each.question === verdict.question && setOf(each) === setOf(verdict))
    return other === undefined ? [] : [{ judged: verdict, optimised: other }]
  })
}

function pairResult(pair: PairInContext, verdicts: readonly Verdict[], costs: readonly Verdict[]): PairResult {
  const { label, steps, axis, collapse, phases, levels, sets, unused } = pair
  return {
    label,
    steps:
      steps.length === 0
        ? null
        : {
            n: steps.length,
            from: steps[0] - (axis.windows ?? 0),
            to: steps[steps.length - 1],
            windows: axis.windows,
          },
    headline: verdicts.indexOf(pair.headline),
    window: judgedWindow(pair),
    verdicts: pair.verdicts.map(verdict => verdicts.indexOf(verdict)),
    costs: pair.costs.map(cost => costs.indexOf(cost)),
    confounds: pair.confounds,
    choose: withSentence(pair.choose),
    unused,
    sets,
    collapse: collapse === null ? null : { baseline: collapse.baseline, other: collapse.other, p: collapse.p },
    phases,
    levels,
  }
}

/** The stretch that the headline is over. */
function judgedWindow({ headline, steps: shared }: PairInContext): readonly [number, number] | null {
  if (headline.question === 'checkpoint') return null
  const steps = (headline.question === 'final' ? finalSteps(shared) : null) ?? shared
  return steps.length === 0 ? null : [steps[0], steps[steps.length - 1]]
}

function withReasonKeys(verdict: Verdict): ComparisonResult['verdicts'][number] {
  return { ...verdict, reasonKeys: verdict.reasons.map(({ key }) => key) }
}

function withSentence(choice: Choice | null): PairResult['choose'] {
  return choice === null ? null : { ...choice, sentence: choiceSentence(choice) }
}

/** That some runs were lost says more than a mean over them and the others. */
function withCollapse(main: Verdict, collapse: Collapse | null): Verdict {
  return collapse === null ? main : { ...main, reasons: [...collapse.messages, ...main.reasons] }
}

const WINDOWED = new Set<string>(['level', 'final'])

/** The steps of the baseline's first run behind a verdict, whatever the axis. */
function stepsOf(
  { question }: Verdict,
  { steps, axis }: PairVerdicts,
  { series, counters }: SideEvidence,
): Window | null {
  const used = (question === 'final' ? finalSteps(steps) : null) ?? steps
  if (used.length === 0) return null
  const [from, to] = [used[0] - (axis.windows ?? 0), used[used.length - 1]]
  if (axis.by === 'steps') return { from, to }
  const counter = counters?.[0]
  const within = Array.from(series[0].steps).filter(step => {
    const place = counter?.(step) ?? Number.NaN
    return place >= from && place <= to
  })
  return within.length === 0 ? null : { from: within[0], to: within[within.length - 1] }
}

function seedSdFrom({ seedSd = null }: ComparisonSpec, noise: WorkspaceNoise | null, level: number): SeedSd {
  if (seedSd !== null) return { size: seedSd, source: 'user' }
  if (noise !== null) return { size: noise.seedSd, source: 'workspace' }
  return { size: Math.abs(level) * ASSUMED_SEED_SD, source: 'assumed' }
}

const CLAIMS = new Set<string>(['better', 'worse', 'higher', 'lower', 'different-but-small'])

/** One pair of replicates, perhaps one of them collapsed, is no rate. */
const FEWEST_FOR_RATE = 3

/** A claim about two runs stands beside how often two runs of one setting differ as much. */
function withChance(verdict: Verdict, noise: WorkspaceNoise | null, evaluations: number): Verdict {
  const isCounted = verdict.method?.numbers.promptError !== undefined
  if (noise === null) {
    if (isCounted) return verdict
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

function unusedFor({ pair, baseline, side, measured, spec: { window, growing } }: PairContext): readonly Message[] {
  const { label, steps, axis } = pair
  const isWhole = axis.by === 'steps' && axis.windows === null && window === undefined
  const isGrowing = [baseline, side].some(({ runs }) => runs.some(({ manifest }) => manifest.status === 'running'))
  if (!isWhole || isGrowing || baseline.checkpoint !== null) return []
  const other = measured.find(candidate => candidate.label === label) ?? measured[1]
  const plan = (named: RunSide, read: SideEvidence) => {
    const { manifest, settings } = named.runs[0]
    return {
      settings,
      running: manifest.status === 'running',
      // What came after the last look is used at the next.
      evaluated: Array.from(read.series[0]?.steps ?? []).filter(step => growing == null || step <= (steps.at(-1) ?? 0)),
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

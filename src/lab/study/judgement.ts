import { judgedBy } from '../../core/analysis/goal.js'
import { type RunView, viewRun } from '../../core/analysis/run-view.js'
import { loadRun } from '../../core/store/catalogue.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import type { Drop, FinalVerdict, Settling, WithinKl } from '../../logs/model/study/terms.js'
import type { JudgedBy } from '../../logs/model/vocabulary/judged-by.js'
import type { Cell } from './cell.js'
import { withinConstraint } from './constraint.js'
import { readDropLedger, readSettled, readSettling, type SettledStudy } from './ledger.js'
import { baselineOf, type PlannedStudy } from './plan/plan-study.js'
import { buysPrompts, seedValues, settlingNow } from './settle/settled-arms.js'
import { figuresTest, judgedTrials, verdictsOf } from './verdicts.js'

/**
 * What a study says by now, for all who tell of it: run, status, settle, report and page. As planned, by the seeds of the
 * file (verdicts.ts). Once seeds or prompts were added until it is resolved, by the interim analyses (settle/sequential.ts): the estimate
 * is that of all seeds, and a claim takes an analysis that passes its bound, or else adding seeds until p < 0.05 would
 * make one.
 */
export interface StudyJudgement {
  readonly baseline: string
  readonly verdicts: readonly FinalVerdict[]
  /** By what they judge; null where evaluations after the training decide, or nothing has run. */
  readonly judgedBy: JudgedBy | null
  readonly drops: readonly Drop[]
  /** Interim analyses so far, of which there are none before the first seed was added; null where nothing is to be resolved. */
  readonly settling: Settling | null
  /** The best arm within the KL that the file allows; null where it allows any. */
  readonly within: WithinKl | null
  /** How resolving ended; null while it goes on. */
  readonly settled: SettledStudy | null
}

/** `cells`: of every trial that there is. */
export async function judgeStudy(
  workspace: Workspace,
  plan: PlannedStudy,
  cells: readonly Cell[],
): Promise<StudyJudgement> {
  const { drops } = await readDropLedger(workspace, plan.name)
  const planned = verdictsOf(plan, cells, new Set(drops.map(({ arm }) => arm)))
  const settled = await readSettled(workspace, plan.name)
  const now = buysPrompts(plan) ? await readSettling(workspace, plan.name) : settlingNow(plan, cells)
  const isBegun = settled !== null || buysPrompts(plan) || hasAddedSeeds(plan, cells)
  const settling = isBegun ? now : withoutLooks(now)
  const verdicts = planned.map(verdict => resolved(verdict, settling, settled, plan, cells))
  return {
    baseline: baselineOf(plan),
    verdicts,
    judgedBy: await goalOfStudy(workspace, plan, cells),
    drops,
    settling,
    within: await withinConstraint(workspace, plan, cells),
    settled,
  }
}

/** Runs of so many arms are asked what the metric is to them: all arms of a study are trained by one program. */
const MOST_ASKED = 4

async function goalOfStudy(workspace: Workspace, plan: PlannedStudy, cells: readonly Cell[]): Promise<JudgedBy | null> {
  if (plan.primary !== null) return null
  const firsts = new Map(
    cells.toReversed().flatMap(({ trial, runs }) => runs.slice(0, 1).map(run => [trial.arm.name, run])),
  )
  const words = await loadVocabulary(workspace)
  const views: RunView[] = []
  for (const id of [...firsts.values()].slice(-MOST_ASKED)) {
    const run = await loadRun(workspace, id)
    if (run !== null) views.push(viewRun(run, words))
  }
  const [metric] = views[0]?.metricsNamed(plan.file.metric) ?? []
  return metric === undefined ? null : judgedBy(views, [metric])
}

function withoutLooks(settling: Settling | null): Settling | null {
  return settling && { ...settling, others: settling.others.map(({ arm }) => ({ arm, looks: [], verdict: null })) }
}

function hasAddedSeeds(plan: PlannedStudy, cells: readonly Cell[]): boolean {
  const known = new Set(judgedTrials(plan).map(({ id }) => id))
  return cells.some(({ trial, runs }) => runs.length > 0 && !known.has(trial.id))
}

function resolved(
  planned: FinalVerdict,
  settling: Settling | null,
  settled: SettledStudy | null,
  plan: PlannedStudy,
  cells: readonly Cell[],
): FinalVerdict {
  const { other, isDropped } = planned
  const arm = settling?.others.find(each => each.arm === other)
  const look = arm?.looks.at(-1)
  const interim = look === undefined ? null : { look, verdict: arm?.verdict ?? null }
  // Prompts were asked of the checkpoints by whoever resolved it: there is nothing else to judge by.
  const answer = buysPrompts(plan) ? settled?.answers.find(each => each.other === other) : undefined
  if (answer !== undefined) return { ...planned, ...answer, interim }
  if (interim === null) return planned
  const verdict = isDropped ? 'undetermined' : (interim.verdict ?? 'undetermined')
  if (!('seeds' in interim.look)) return { ...planned, interim }
  const [first, second] = [baselineOf(plan), other].map(name => seedValues(plan, cells, name))
  const whole = buysPrompts(plan) ? null : figuresTest(first, second, plan.file.margin)
  const { estimate, interval, p, pSame } = whole ?? interim.look
  const seeds = whole === null ? interim.look.seeds : Math.min(first.length, second.length)
  return { ...planned, verdict, estimate, interval, p, pSame, seeds, interim }
}

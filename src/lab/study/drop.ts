import { workspaceRuns } from '../../core/analysis/compare/workspace-noise.js'
import { loadRun } from '../../core/store/catalogue.js'
import { readSeries } from '../../core/store/series.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import type { Drop, DropEvidence } from '../../logs/model/study/terms.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { comparisonsWithBest } from '../../stats/best-of-several.js'
import { mean, variance } from '../../stats/descriptive.js'
import { studentQuantile } from '../../stats/distributions.js'
import { epochsOf } from '../train/config/any.js'
import type { Cell } from './cell.js'
import { keepDrop, readDropLedger } from './ledger.js'
import { baselineOf, type PlannedStudy } from './plan/plan-study.js'
import { readCells } from './status/status.js'

/**
 * Which arms are hopeless half-way? An arm is dropped where, by how far finished runs of the workspace still came from there, it
 * would hardly catch up with the arm that leads now. Whole arms, never single seeds: stopping the worse half of an arm's
 * seeds makes that arm better on paper. How far a run still comes is learnt from finished runs; a first study has none, and
 * finishes those first that cannot be dropped anyway. A run that died stays in with its score.
 */
export interface ArmCourse {
  readonly arm: string
  /** The evaluations of each seed so far, higher is better; not finite where a run is dead. */
  readonly runs: readonly (readonly number[])[]
}

/** Finished runs of the workspace: by setting, each with all its evaluations. */
export type FinishedRuns = readonly (readonly (readonly number[])[])[]

/** How much is still open after a share of the evaluations. */
interface StillOpen {
  /** Spread of (end − now) between runs of one setting, and between settings. */
  readonly runs: number
  readonly settings: number
  /** Scatter of the ends between seeds of one setting. */
  readonly seeds: number
  readonly degreesOfFreedom: number
  /** How many settings tell so. */
  readonly told: number
}

interface Dropping {
  readonly arm: string
  readonly evidence: DropEvidence
}

/** An arm's level is the mean of its last evaluations: ten, or an eighth of them all where that is less. */
const MOST_AVERAGED = 10
const AVERAGED_SHARE = 1 / 8

export function levelAfter(values: readonly number[], share: number, planned = values.length): number {
  const seen = Math.max(1, Math.round(share * planned))
  const width = Math.max(1, Math.min(MOST_AVERAGED, Math.round(AVERAGED_SHARE * planned)))
  return mean(values.slice(Math.max(0, seen - width), seen))
}

/** Null where no two settings have two finished runs each. */
export function stillOpen(finished: FinishedRuns, share: number): StillOpen | null {
  const replicated = finished.filter(runs => runs.length > 1)
  if (replicated.length < 2) return null
  const growths = replicated.map(runs => runs.map(values => levelAfter(values, 1) - levelAfter(values, share)))
  const degreesOfFreedom = replicated.reduce((sum, runs) => sum + runs.length - 1, 0)
  const pooled = (groups: readonly (readonly number[])[]): number =>
    groups.reduce((sum, values) => sum + variance(values) * (values.length - 1), 0) / degreesOfFreedom
  const within = pooled(growths)
  const chance = mean(growths.map(values => within / values.length))
  return {
    runs: Math.sqrt(within),
    settings: Math.sqrt(Math.max(0, variance(growths.map(values => mean(values))) - chance)),
    seeds: Math.sqrt(pooled(replicated.map(runs => runs.map(values => levelAfter(values, 1))))),
    degreesOfFreedom,
    told: replicated.length,
  }
}

/**
 * Two or three settings say little of how differently arms may learn: an arm that learns late is lost in 5 to 15 % of such
 * studies. So before that many tell, only the second half of a run counts, and an arm stays that would reach the leader
 * at twice its recent pace; then late learners are lost in at most 1 %.
 */
const ENOUGH_SETTINGS = 4
const FEW_TELL_FROM = 0.5
const PACE = 2
/** The pace is taken over the last quarter of what was seen. */
const RECENT = 1 / 4

function mayStillCome({ runs }: ArmCourse, leaderLevel: number, share: number, planned: number): boolean {
  if (share < FEW_TELL_FROM) return true
  const level = (at: number): number => mean(runs.map(values => levelAfter(values, at, planned)))
  const pace = (level(share) - level(share * (1 - RECENT))) / (share * RECENT)
  return level(share) + PACE * pace * (1 - share) >= leaderLevel
}

/** Whom a first study finishes first, at this share: the baseline and the arm that leads the others; none are dropped. */
export function pilotArms(
  arms: readonly ArmCourse[],
  baseline: string,
  share: number,
  planned: number,
): readonly string[] {
  const levelOf = ({ runs }: ArmCourse): number => mean(runs.map(values => levelAfter(values, share, planned)))
  const others = arms.filter(({ arm, runs }) => arm !== baseline && runs.length > 1)
  const [second] = others.filter(arm => Number.isFinite(levelOf(arm))).toSorted((a, b) => levelOf(b) - levelOf(a))
  const hasBaseline = arms.some(({ arm, runs }) => arm === baseline && runs.length > 1)
  return share >= FEW_TELL_FROM && hasBaseline && second !== undefined ? [baseline, second.arm] : []
}

/**
 * The leader is the luckiest of several, so that an arm may be as far behind it as the best of them is expected to be
 * (Hsu 1981). For two arms this is Student's quantile; without it the best of nine near-equal arms was lost in 7 %.
 */
function quantileFor(arms: number, level: number, degreesOfFreedom: number): number {
  const lucky = comparisonsWithBest(arms, level) / comparisonsWithBest(2, level)
  return studentQuantile(level, degreesOfFreedom) * Math.max(1, lucky)
}

/**
 * Drops j where m_j − m_leader < −q √((ω_r² + τ²)(1/K_j + 1/K_leader) + 2 ω_s²), q for 5 % over all looks together.
 * `planned` are the evaluations that a whole run has, `looks` how often one looks.
 */
export function hopeless(
  arms: readonly ArmCourse[],
  open: StillOpen | null,
  { share, planned, looks }: { readonly share: number; readonly planned: number; readonly looks: number },
): readonly Dropping[] {
  const standing = arms
    .filter(({ runs }) => runs.length > 0)
    .map(({ arm, runs }) => {
      const levels = runs.map(values => levelAfter(values, share, planned))
      return { arm, runs, levels, level: levels.every(Number.isFinite) ? mean(levels) : Number.NaN }
    })
  const alive = standing.filter(({ level }) => Number.isFinite(level))
  const leader = alive.reduce<(typeof alive)[number] | null>(
    (best, each) => (best === null || each.level > best.level ? each : best),
    null,
  )
  if (leader === null) return []
  const quantile = open === null ? 0 : quantileFor(alive.length, 1 - 0.05 / looks, open.degreesOfFreedom)
  const fewTell = open !== null && open.told < ENOUGH_SETTINGS
  return standing.flatMap(({ arm, runs, level, levels }) => {
    if (arm === leader.arm) return []
    const isDead = levels.every(each => !Number.isFinite(each))
    if (!isDead && fewTell && mayStillCome({ arm, runs }, leader.level, share, planned)) return []
    const reach =
      open === null
        ? Number.POSITIVE_INFINITY
        : quantile *
          Math.sqrt(
            (open.runs ** 2 + open.seeds ** 2) * (1 / levels.length + 1 / leader.levels.length) +
              2 * open.settings ** 2,
          )
    if (!isDead && !(level - leader.level < -reach)) return []
    return [
      {
        arm,
        evidence: {
          share,
          leader: leader.arm,
          level: isDead ? null : level,
          leaderLevel: leader.level,
          seeds: levels.length,
          leaderSeeds: leader.levels.length,
          reach: isDead ? null : reach,
        },
      },
    ]
  })
}

/** Which arms are not worth finishing, by the rule and by what the workspace knows of finished runs. */

interface DropProposal {
  /** What the rule would drop now; nothing is dropped by asking. */
  readonly proposed: readonly Drop[]
  /** False: the workspace has no two settings with two finished runs each, so that only what is dead is dropped. */
  readonly hasFinishedRuns: boolean
}

export async function proposeDrops(workspace: Workspace, plan: PlannedStudy): Promise<DropProposal> {
  const courses = await coursesOf(workspace, plan, await readCells(workspace, plan, plan.trials))
  const share = commonShare(plan, courses)
  return {
    proposed: share === null ? [] : await dropsAt(workspace, plan, share),
    hasFinishedRuns: (await openAfter(workspace, plan, share ?? 0.5)) !== null,
  }
}

/** Drops what is hopeless after this share of every run, and says what. */
export async function dropHopeless(workspace: Workspace, plan: PlannedStudy, share: number): Promise<readonly Drop[]> {
  const drops = await dropsAt(workspace, plan, share)
  for (const drop of drops) await keepDrop(workspace, plan.name, drop)
  return drops
}

/** The arms that a first study finishes before it drops any other; none where finished runs are there to learn from. */
export async function pilotsAt(workspace: Workspace, plan: PlannedStudy, share: number): Promise<readonly string[]> {
  const planned = plannedEvaluations(plan)
  if (planned === null || (await openAfter(workspace, plan, share)) !== null) return []
  const arms = await coursesOf(workspace, plan, await readCells(workspace, plan, plan.trials))
  return pilotArms(arms, baselineOf(plan), share, planned)
}

/** How far all have come; null before anything is there, and when there is nothing left to save. */
function commonShare(plan: PlannedStudy, courses: readonly ArmCourse[]): number | null {
  const begun = courses.flatMap(({ runs }) => runs.map(values => values.length))
  const planned = plannedEvaluations(plan)
  if (begun.length === 0 || planned === null) return null
  const share = Math.min(...begun) / planned
  return share > 0 && share < 1 ? share : null
}

/** Null for a program, whose evaluations klens does not plan. */
function plannedEvaluations({ trials: [{ config }] }: PlannedStudy): number | null {
  return config === null ? null : Math.ceil(epochsOf(config) / config.eval.every)
}

/** What the rule would drop after this share of every run; not the baseline, nor what is vetoed or has nothing left to save. */
async function dropsAt(workspace: Workspace, plan: PlannedStudy, share: number): Promise<readonly Drop[]> {
  const planned = plannedEvaluations(plan)
  if (planned === null) return []
  const { drops, kept } = await readDropLedger(workspace, plan.name)
  const gone = new Set(drops.map(({ arm }) => arm))
  const cells = await readCells(workspace, plan, plan.trials)
  const arms = (await coursesOf(workspace, plan, cells)).filter(({ arm }) => !gone.has(arm))
  const looks = plan.file.drop === 'none' ? 1 : plan.file.drop.at.length
  const open = await openAfter(workspace, plan, share)
  const isOver = ({ runs }: ArmCourse): boolean => runs.every(values => values.length >= planned)
  const safe = new Set([...kept, baselineOf(plan), ...arms.filter(isOver).map(({ arm }) => arm)])
  return hopeless(arms, open, { share, planned, looks })
    .filter(({ arm }) => !safe.has(arm))
    .map(({ arm, evidence }) => ({ arm, at: Date.now() / 1000, by: 'rule', evidence }))
}

async function coursesOf(
  workspace: Workspace,
  { file: { metric, direction } }: PlannedStudy,
  cells: readonly Cell[],
): Promise<readonly ArmCourse[]> {
  const courses: { arm: string; values: readonly number[] }[] = []
  for (const { trial, runs } of cells) {
    const run = runs[0] === undefined ? null : await loadRun(workspace, runs[0])
    if (run === null) continue
    const points = (await readSeries(run, [metric])).get(metric)
    courses.push({ arm: trial.arm.name, values: upward(points?.values ?? [], direction) })
  }
  return [...groupBy(courses, ({ arm }) => arm)].map(([arm, runs]) => ({ arm, runs: runs.map(({ values }) => values) }))
}

function upward(values: ArrayLike<number>, direction: 'max' | 'min'): readonly number[] {
  return Array.from(values, value => (direction === 'max' ? value : -value))
}

/** A run with fewer evaluations tells nothing of how far one comes from half-way. */
const FEWEST_EVALUATIONS = 4

async function openAfter(
  workspace: Workspace,
  { file: { metric, direction } }: PlannedStudy,
  share: number,
): Promise<StillOpen | null> {
  const all = await workspaceRuns(workspace, await loadVocabulary(workspace), metric)
  const ended = all.filter(({ run, setting }) => setting !== null && run.manifest.status === 'finished')
  const bySetting = [...groupBy(ended, ({ setting }) => setting).values()].filter(group => group.length > 1)
  const finished: FinishedRuns = await Promise.all(
    bySetting.map(async group => {
      const courses = await Promise.all(
        group.map(async ({ run }) => upward((await readSeries(run, [metric])).get(metric)?.values ?? [], direction)),
      )
      return courses.filter(values => values.length >= FEWEST_EVALUATIONS && values.every(Number.isFinite))
    }),
  )
  return stillOpen(finished, share)
}

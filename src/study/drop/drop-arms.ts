import { workspaceRuns } from '../../analysis/compare/workspace-noise.js'
import { groupBy } from '../../model/group-by.js'
import type { Drop } from '../../model/study/terms.js'
import { loadRun } from '../../store/catalogue.js'
import { workspaceWords } from '../../store/meaning.js'
import { readSeries } from '../../store/series.js'
import type { Workspace } from '../../store/workspace.js'
import { epochsOf } from '../../train/config/any.js'
import type { Cell } from '../cell.js'
import { keepDrop, readDropLedger } from '../ledger.js'
import { baselineOf, type PlannedStudy } from '../plan/plan-study.js'
import { readCells } from '../status/status.js'
import { type ArmCourse, type FinishedRuns, hopeless, type StillOpen, stillOpen } from './rule.js'

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

/** What the rule would drop after this share of every run, vetoed arms and the baseline apart. */
async function dropsAt(workspace: Workspace, plan: PlannedStudy, share: number): Promise<readonly Drop[]> {
  const planned = plannedEvaluations(plan)
  if (planned === null) return []
  const { drops, kept } = await readDropLedger(workspace, plan.name)
  const gone = new Set(drops.map(({ arm }) => arm))
  const cells = await readCells(workspace, plan, plan.trials)
  const arms = (await coursesOf(workspace, plan, cells)).filter(({ arm }) => !gone.has(arm))
  const looks = plan.file.drop === 'none' ? 1 : plan.file.drop.at.length
  const open = await openAfter(workspace, plan, share)
  const safe = new Set([...kept, baselineOf(plan)])
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
  const all = await workspaceRuns(workspace, await workspaceWords(workspace), metric)
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

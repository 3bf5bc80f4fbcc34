import { z } from 'zod'
import { workspaceRuns } from '../analysis/compare/workspace-noise.js'
import { Problem } from '../model/problem.js'
import { groupBy } from '../model/util/group-by.js'
import { loadRun } from '../store/catalogue.js'
import { readSeries } from '../store/series.js'
import { loadVocabulary } from '../store/vocabulary.js'
import type { Workspace } from '../store/workspace.js'
import { type Drop, dropSchema, keepArm, keepDrop, readDropLedger } from '../study/drop/ledger.js'
import { type ArmCourse, type Dropping, type House, hopeless, stillOpen } from '../study/drop/rule.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import type { Cell } from '../study/status/cell.js'
import { cellsOf } from '../study/status/cells.js'
import { sentences } from '../text/sentences.js'
import { epochsOf } from '../train/config/any.js'
import { list, request } from './fields.js'
import { question } from './question.js'

/** Which arms are not worth finishing? By the rule, with its evidence, or by a person's word; and the veto. */

const say = sentences({
  'study.drop.no-arm': { en: 'there is no arm "{arm}"; there are {arms}', zh: '没有 arm“{arm}”；现有 {arms}' },
  'study.drop.baseline': {
    en: '"{arm}" is the baseline that all others are held against; it cannot be dropped',
    zh: '“{arm}”是其余各 arm 的比较基线，不能放弃',
  },
})

const dropAnswer = z.object({
  study: z.string(),
  drops: list(dropSchema),
  /** What the rule would drop now; nothing is dropped by asking. */
  proposed: list(dropSchema),
  /** Never dropped by the rule. */
  kept: list(z.string()),
  /** Why the rule proposes nothing: the workspace has no two settings with two finished runs each. */
  hasHouse: z.boolean(),
})

export type StudyDropAnswer = z.infer<typeof dropAnswer>

export const studyDrop = question({
  request: request({ file: z.string(), arm: z.string().nullable().default(null) }),
  answer: dropAnswer,
  async ask(workspace, { file, arm }) {
    const study = await planStudy(file)
    if (arm !== null) {
      if (arm === baselineOf(study)) throw new Problem('bad-request', say('study.drop.baseline', { arm }))
      checkArm(study, arm)
      await keepDrop(workspace, study.name, { arm, at: Date.now() / 1000, by: 'person', evidence: null })
    }
    return standOf(workspace, study)
  },
})

export const studyKeep = question({
  request: request({ file: z.string(), arm: z.string() }),
  answer: dropAnswer,
  async ask(workspace, { file, arm }) {
    const study = await planStudy(file)
    checkArm(study, arm)
    await keepArm(workspace, study.name, arm)
    return standOf(workspace, study)
  },
})

function checkArm({ arms }: PlannedStudy, arm: string): void {
  if (arms.some(({ name }) => name === arm)) return
  const names = arms.map(({ name }) => name).join(', ')
  throw new Problem('bad-request', say('study.drop.no-arm', { arm, arms: names }))
}

export function baselineOf({ arms, file: { settle } }: PlannedStudy): string {
  return settle.arms?.[0] ?? arms[0].name
}

async function standOf(workspace: Workspace, study: PlannedStudy): Promise<StudyDropAnswer> {
  const { drops, kept } = await readDropLedger(workspace, study.name)
  const house = await houseOf(workspace, study)
  const cells = await cellsOf(workspace, study, study.trials)
  const courses = await coursesOf(workspace, study, cells)
  const share = commonShare(study, courses)
  const proposed = share === null ? [] : await droppingsAt(workspace, study, share)
  return {
    study: study.name,
    drops,
    proposed: proposed.map(({ arm, evidence }) => ({ arm, at: Date.now() / 1000, by: 'rule' as const, evidence })),
    kept,
    hasHouse: stillOpen(house, share ?? 0.5) !== null,
  }
}

/** How far all have come; null before anything is there, and when there is nothing left to save. */
function commonShare(study: PlannedStudy, courses: readonly ArmCourse[]): number | null {
  const begun = courses.flatMap(({ runs }) => runs.map(values => values.length))
  if (begun.length === 0) return null
  const planned = plannedEvaluations(study)
  if (planned === null) return null
  const share = Math.min(...begun) / planned
  return share > 0 && share < 1 ? share : null
}

/** Null for a program, whose evaluations klens does not plan. */
function plannedEvaluations({ trials: [{ config }] }: PlannedStudy): number | null {
  return config === null ? null : Math.ceil(epochsOf(config) / config.eval.every)
}

/** What the rule would drop after this share of every run, vetoed arms and the baseline apart. */
export async function droppingsAt(
  workspace: Workspace,
  study: PlannedStudy,
  share: number,
): Promise<readonly Dropping[]> {
  const { drops, kept } = await readDropLedger(workspace, study.name)
  const gone = new Set(drops.map(({ arm }) => arm))
  const cells = await cellsOf(workspace, study, study.trials)
  const arms = (await coursesOf(workspace, study, cells)).filter(({ arm }) => !gone.has(arm))
  const planned = plannedEvaluations(study)
  if (planned === null) return []
  const looks = study.file.drop === 'none' ? 1 : study.file.drop.at.length
  const open = stillOpen(await houseOf(workspace, study), share)
  const safe = new Set([...kept, baselineOf(study)])
  return hopeless(arms, open, { share, planned, looks }).filter(({ arm }) => !safe.has(arm))
}

/** Drops what is hopeless after this share, and says what. */
export async function dropHopeless(workspace: Workspace, study: PlannedStudy, share: number): Promise<readonly Drop[]> {
  const found = await droppingsAt(workspace, study, share)
  const drops = found.map(({ arm, evidence }): Drop => ({ arm, at: Date.now() / 1000, by: 'rule', evidence }))
  for (const drop of drops) await keepDrop(workspace, study.name, drop)
  return drops
}

async function coursesOf(
  workspace: Workspace,
  study: PlannedStudy,
  cells: readonly Cell[],
): Promise<readonly ArmCourse[]> {
  const { metric, direction } = study.file
  const courses: { arm: string; values: readonly number[] }[] = []
  for (const { trial, runs } of cells) {
    const run = runs[0] === undefined ? null : await loadRun(workspace, runs[0])
    if (run === null) continue
    const points = (await readSeries(run, [metric])).get(metric)
    courses.push({ arm: trial.arm.name, values: turned(points?.values ?? [], direction) })
  }
  return [...groupBy(courses, ({ arm }) => arm)].map(([arm, runs]) => ({ arm, runs: runs.map(({ values }) => values) }))
}

function turned(values: ArrayLike<number>, direction: 'max' | 'min'): readonly number[] {
  return Array.from(values, value => (direction === 'max' ? value : -value))
}

/** A run with fewer evaluations tells nothing of how far one comes from half-way. */
const FEWEST_EVALUATIONS = 4

async function houseOf(workspace: Workspace, { file: { metric, direction } }: PlannedStudy): Promise<House> {
  const all = await workspaceRuns(workspace, await loadVocabulary(workspace), metric)
  const finished = all.filter(({ run, setting }) => setting !== null && run.manifest.status === 'finished')
  const bySetting = [...groupBy(finished, ({ setting }) => setting).values()].filter(group => group.length > 1)
  return Promise.all(
    bySetting.map(async group => {
      const courses = await Promise.all(
        group.map(async ({ run }) => turned((await readSeries(run, [metric])).get(metric)?.values ?? [], direction)),
      )
      return courses.filter(values => values.length >= FEWEST_EVALUATIONS && values.every(Number.isFinite))
    }),
  )
}

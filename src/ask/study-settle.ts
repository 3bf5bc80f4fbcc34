import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { seedsForDifference, seedsForEquivalence } from '../stats/sample-size.js'
import type { Workspace } from '../store/workspace.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import { type PlannedArm, type StudyTrial, trialsOf } from '../study/plan/trials.js'
import { type SeedLook, type SettledSeeds, settlePlan, settleSeeds } from '../study/settle/settle-seeds.js'
import { type Cell, cellsOf } from '../study/status/cells.js'
import { sentences } from '../text/sentences.js'
import { list, numberWithin, pair, request } from './fields.js'
import { type Asking, question } from './question.js'
import { holdingStudy, trainTrials } from './study-run.js'
import { cost, costOf, design, designAnswer } from './study-status.js'
import type { TrainEvent } from './train.js'

/** Which of two arms is better? Seeds are bought for both, a few at a time, until that is settled or the budget is spent. */

const say = sentences({
  'study.settle.which': {
    en: 'settle compares two arms and this study has {count}; name them as settle: arms: [baseline, other], from {arms}',
    zh: 'settle 比较两个 arm，而此研究有 {count} 个；请写 settle: arms: [基线, 另一个]，可选 {arms}',
  },
  'study.settle.no-arm': { en: 'there is no arm "{arm}"; there are {arms}', zh: '没有 arm“{arm}”；现有 {arms}' },
  'study.settle.no-value': {
    en: '{trial} has no finite {metric} ({state}); without it the arms cannot be compared at equal seeds',
    zh: '{trial} 没有有限的 {metric}（{state}）；缺了它就无法在相同种子数下比较',
  },
  'study.settle.suspicious': {
    en: '{trial} is suspicious, so that nothing is settled with it: {why}',
    zh: '{trial} 可疑，不能据此作出结论：{why}',
  },
})

const look = z.object({
  seeds: z.number(),
  estimate: z.number(),
  interval: pair(z.number()),
  /** Of seeds within an arm. */
  scatter: z.number(),
  p: z.number(),
  claimBound: z.number(),
  pSame: z.number().nullable(),
  sameBound: z.number(),
  chance: z.number(),
})

const settleAnswer = z.object({
  study: z.string(),
  question: z.string(),
  metric: z.string(),
  margin: z.number().nullable(),
  design,
  baseline: z.string(),
  other: z.string(),
  looks: list(look),
  /** Of the other against the baseline. Null: stopped or out of budget before it was settled. */
  answer: z
    .object({
      verdict: z.enum(['better', 'worse', 'same', 'undetermined']),
      why: z.enum(['claim', 'same', 'futile', 'last-look']),
    })
    .nullable(),
  /** What was trained for each look, by this call. */
  bought: list(z.object({ look: z.number(), trials: list(z.string()) })),
  /** The next look, and what it would take; null where it is settled. */
  next: z.object({ look: z.number(), trials: z.number() }).nullable(),
  stopped: z.enum(['asked', 'out-of-budget']).nullable(),
  cost,
  /**
   * A single look that four times in five finds a difference of the margin where there is one and shows the same where
   * there is none, with the spread that was seen; without a margin, as many seeds as the last planned look has. Null
   * before the first look.
   */
  fixedDesignCost: cost.extend({ seeds: z.number(), by: z.enum(['margin', 'most']) }).nullable(),
})

export type StudySettleAnswer = z.infer<typeof settleAnswer>

export type SettleEvent = TrainEvent | { readonly event: 'look'; readonly look: SeedLook }

export const studySettle = question({
  request: request({ file: z.string(), workers: numberWithin({ above: 0, whole: true }) }),
  answer: settleAnswer,
  async ask(workspace, { file, workers, lang }, asking: Asking<SettleEvent>) {
    const study = await planStudy(file)
    const arms = armsToSettle(study)
    const { metric, margin, direction, budget, settle } = study.file
    const plan = settlePlan(settle.most)
    const bought: { readonly look: number; readonly trials: readonly string[] }[] = []

    return holdingStudy(workspace, study, async () => {
      let settled: SettledSeeds = { looks: [], answer: null, why: null }
      let stopped: StudySettleAnswer['stopped'] = null
      let next: StudySettleAnswer['next'] = null
      for (const seeds of plan.looks) {
        const trials = trialsOf(study.name, arms, seedsOf(study.file.seeds, seeds))
        const wanted = (await cellsOf(workspace, study.name, trials, metric)).filter(({ state }) => state !== 'done')
        if (wanted.length > 0) {
          next = { look: seeds, trials: wanted.length }
          const { trials: begun, hours: hoursSpent } = costOf(await allCells(workspace, study, trials))
          const isNew = wanted.filter(({ runs }) => runs.length === 0).length
          if (budget.trials !== null && begun + isNew > budget.trials) stopped = 'out-of-budget'
          else {
            const asked = { workers, lang, hoursSpent }
            const missing = wanted.map(({ trial }) => trial)
            stopped = (await trainTrials(workspace, study, missing, asked, asking)).stopped
          }
          if (stopped !== null) break
          bought.push({ look: seeds, trials: wanted.map(({ trial }) => trial.name) })
        }
        next = null
        const cells = await cellsOf(workspace, study.name, trials, metric)
        const [first, second] = arms.map(arm => valuesOf(cells, arm, metric))
        settled = settleSeeds(first, second, margin, plan)
        const latest = settled.looks.at(-1)
        if (latest !== undefined) asking.onProgress?.({ event: 'look', look: latest })
        if (settled.answer !== null) break
      }
      const most = trialsOf(study.name, arms, seedsOf(study.file.seeds, settle.most))
      const spent = costOf(await cellsOf(workspace, study.name, most, metric))
      return {
        study: study.name,
        question: study.file.question,
        metric,
        margin,
        design: await designAnswer(workspace, study),
        baseline: arms[0].name,
        other: arms[1].name,
        looks: settled.looks,
        answer: verdictOf(settled, direction),
        bought,
        next,
        stopped,
        cost: spent,
        fixedDesignCost: fixedDesign(settled.looks.at(-1), margin, settle.most, spent),
      }
    })
  },
})

export function armsToSettle({ arms, file: { settle } }: PlannedStudy): readonly [PlannedArm, PlannedArm] {
  const names = arms.map(({ name }) => name).join(', ')
  const armCalled = (name: string): PlannedArm => {
    const arm = arms.find(each => each.name === name)
    if (arm === undefined) throw new Problem('bad-request', say('study.settle.no-arm', { arm: name, arms: names }))
    return arm
  }
  if (settle.arms !== undefined) return [armCalled(settle.arms[0]), armCalled(settle.arms[1])]
  const [first, second, ...more] = arms
  if (second === undefined || more.length > 0) {
    throw new Problem('bad-request', say('study.settle.which', { count: arms.length, arms: names }))
  }
  return [first, second]
}

/** Those of the file first, then the numbers after them: the order in which they are bought is fixed beforehand. */
export function seedsOf(planned: readonly number[], count: number): readonly number[] {
  const after = Math.max(...planned)
  return Array.from({ length: count }, (_, i) => planned[i] ?? after + 1 + i - planned.length)
}

/** The budget is the study's, whichever arms it was spent on. */
function allCells(workspace: Workspace, study: PlannedStudy, more: readonly StudyTrial[]): Promise<readonly Cell[]> {
  const all = new Map([...study.trials, ...more].map(trial => [trial.id, trial]))
  return cellsOf(workspace, study.name, [...all.values()], study.file.metric)
}

/** A seed that failed must not be passed over: which seeds fail may depend on the arm. */
function valuesOf(cells: readonly Cell[], arm: PlannedArm, metric: string): readonly number[] {
  return cells
    .filter(({ trial }) => trial.arm.name === arm.name)
    .map(({ trial, value, state, suspicious }) => {
      if (value === null || !Number.isFinite(value)) {
        throw new Problem('not-enough', say('study.settle.no-value', { trial: trial.name, metric, state }))
      }
      if (suspicious.length > 0) {
        throw new Problem('not-enough', say('study.settle.suspicious', { trial: trial.name, why: suspicious }))
      }
      return value
    })
}

export function verdictOf({ answer, why }: SettledSeeds, direction: 'max' | 'min'): StudySettleAnswer['answer'] {
  if (answer === null || why === null) return null
  if (answer === 'same' || answer === 'undetermined') return { verdict: answer, why }
  return { verdict: (answer === 'higher') === (direction === 'max') ? 'better' : 'worse', why }
}

function fixedDesign(
  last: SeedLook | undefined,
  margin: number | null,
  most: number,
  spent: z.infer<typeof cost>,
): StudySettleAnswer['fixedDesignCost'] {
  if (last === undefined) return null
  const seeds =
    margin === null
      ? most
      : Math.max(
          seedsForDifference(last.scatter, { difference: margin }),
          seedsForEquivalence(last.scatter, { margin }),
        )
  const trials = 2 * seeds
  return { seeds, trials, hours: (spent.hours / spent.trials) * trials, by: margin === null ? 'most' : 'margin' }
}

import { Problem } from '../../../logs/model/problem.js'
import type { ArmAnswer } from '../../../logs/model/study/answers.js'
import type { ArmVerdict, Settling } from '../../../logs/model/study/terms.js'
import { sentences } from '../../../text/sentences.js'
import { type Cell, usableValue } from '../cell.js'
import type { PlannedStudy } from '../plan/plan-study.js'
import { type PlannedArm, seedsOf, type Trial, trialsOf } from '../trial.js'
import { type Answer, inOrder, type Settled, type SettlePlan, settlePlan, settleSeeds } from './sequential.js'

/** Which arms are settled against which baseline, and what that says of each of them, in the direction of the study. */

const say = sentences({
  'study.settle.which': {
    en: '`klens study settle` compares arms with a baseline, and this study has {count}: {arms}',
    zh: 'settle 将各实验组与基线比较，而此研究只有 {count} 个：{arms}',
  },
  'study.settle.no-arm': { en: 'there is no arm "{arm}"; the arms are {arms}', zh: '没有实验组“{arm}”；现有 {arms}' },
})

/** The baseline first. */
export function armsToSettle({ arms, file: { settle } }: PlannedStudy): readonly [PlannedArm, ...PlannedArm[]] {
  const names = arms.map(({ name }) => name).join(', ')
  const [first, ...others] = (settle.arms ?? arms.map(({ name }) => name)).map(name => {
    const arm = arms.find(each => each.name === name)
    if (arm === undefined) throw new Problem('bad-request', say('study.settle.no-arm', { arm: name, arms: names }))
    return arm
  })
  if (others.length === 0)
    throw new Problem('bad-request', say('study.settle.which', { count: arms.length, arms: names }))
  return [first, ...others]
}

function verdictOf(answer: Answer, direction: 'max' | 'min'): ArmVerdict {
  if (answer === 'same' || answer === 'undetermined') return answer
  return (answer === 'higher') === (direction === 'max') ? 'better' : 'worse'
}

/** None where it is not settled yet. */
export function armAnswer(
  other: string,
  { answer, why }: Settled<unknown>,
  { direction, dropped }: { readonly direction: 'max' | 'min'; readonly dropped: ReadonlySet<string> },
): readonly ArmAnswer[] {
  if (answer !== null && why !== null) return [{ other, verdict: verdictOf(answer, direction), why }]
  return dropped.has(other) ? [{ other, verdict: 'undetermined', why: 'dropped' }] : []
}

/** Seeds or prompts: where prompts are bought, only `klens study settle` itself knows how they were answered. */
export function buysPrompts({ file: { settle } }: PlannedStudy): boolean {
  return settle.by === 'prompts' || settle.prompts !== undefined
}

export function hasRivals({ arms, file: { settle } }: PlannedStudy): boolean {
  return (settle.arms ?? arms).length > 1
}

const RANK = { better: 3, same: 2, undetermined: 1, worse: 0 }

/** Of the arm that did best; among equals, by its last estimate. */
export function bestAnswer(
  answers: readonly ArmAnswer[],
  estimates: ReadonlyMap<string, number>,
  direction: 'max' | 'min',
): ArmAnswer {
  const sign = direction === 'max' ? 1 : -1
  const estimateOf = ({ other }: ArmAnswer): number => sign * (estimates.get(other) ?? Number.NaN)
  return answers.reduce((best, each) =>
    RANK[each.verdict] > RANK[best.verdict] ||
    (RANK[each.verdict] === RANK[best.verdict] && estimateOf(each) > estimateOf(best))
      ? each
      : best,
  )
}

/** Bounds take half a second to work out, and a page asks again whenever a run has grown. */
const plans = new Map<number, SettlePlan>()

function planFor(most: number): SettlePlan {
  const plan = plans.get(most) ?? settlePlan(most)
  plans.set(most, plan)
  return plan
}

/** What looks at the seeds that are there say. Only looks whose every seed is there: a seed that failed must not be passed over. */
export function settlingNow(study: PlannedStudy, cells: readonly Cell[]): Settling | null {
  if (!hasRivals(study)) return null
  const { settle, margin, direction } = study.file
  const [baseline, ...others] = armsToSettle(study)
  const plan = planFor(settle.most)
  const valuesOf = ({ name }: PlannedArm): readonly number[] => seedValues(study, cells, name)
  const settled = settleSeeds(others.length, inOrder(valuesOf(baseline), others.map(valuesOf)), margin, plan)
  return {
    by: 'seeds',
    baseline: baseline.name,
    planned: plan.looks,
    others: others.map(({ name }, i) => {
      const { looks, answer } = settled[i]
      return { arm: name, looks, verdict: answer === null ? null : verdictOf(answer, direction) }
    }),
  }
}

/** Of one arm, in the order of the seeds, up to the first that has none. */
export function seedValues({ file }: PlannedStudy, cells: readonly Cell[], arm: string): readonly number[] {
  const values = seedsOf(file.seeds, Math.max(file.seeds.length, file.settle.most)).map(seed => {
    const cell = cells.find(({ trial }) => trial.arm.name === arm && trial.seed === seed)
    return cell === undefined ? null : usableValue(cell)
  })
  const gap = values.indexOf(null)
  return values.slice(0, gap < 0 ? undefined : gap).flatMap(value => value ?? [])
}

/** Beyond those of the file, what settle may buy. */
export function trialsToBuy(study: PlannedStudy): readonly Trial[] {
  if (!hasRivals(study) || study.file.settle.by === 'prompts') return []
  const planned = new Set(study.trials.map(({ id }) => id))
  const seeds = seedsOf(study.file.seeds, study.file.settle.most)
  return trialsOf(study.name, armsToSettle(study), seeds).filter(({ id }) => !planned.has(id))
}

import { Problem } from '../../model/problem.js'
import { sentences } from '../../text/sentences.js'
import type { PlannedStudy } from '../plan/plan-study.js'
import type { PlannedArm } from '../plan/trials.js'
import type { Answer, Settled, Why } from './together.js'

/** Which arms are settled against which baseline, and what that says of each of them, in the direction of the study. */

const say = sentences({
  'study.settle.which': {
    en: 'settle compares arms with a baseline, and this study has {count}: {arms}',
    zh: 'settle 将各 arm 与基线比较，而此研究只有 {count} 个：{arms}',
  },
  'study.settle.no-arm': { en: 'there is no arm "{arm}"; there are {arms}', zh: '没有 arm“{arm}”；现有 {arms}' },
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

export type ArmVerdict = 'better' | 'worse' | 'same' | 'undetermined'

export function verdictOf(answer: Answer, direction: 'max' | 'min'): ArmVerdict {
  if (answer === 'same' || answer === 'undetermined') return answer
  return (answer === 'higher') === (direction === 'max') ? 'better' : 'worse'
}

export interface ArmAnswer {
  readonly other: string
  readonly verdict: ArmVerdict
  readonly why: Why | 'dropped'
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

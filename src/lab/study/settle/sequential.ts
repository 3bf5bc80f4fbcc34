import type { PromptLook, SeedLook } from '../../../logs/model/study/terms.js'
import { differenceEvidence, withinEvidence } from '../../../stats/betting-martingale.js'
import { mean } from '../../../stats/descriptive.js'
import { studentCdf, studentQuantile } from '../../../stats/distributions.js'
import { spendingBounds } from '../../../stats/group-sequential.js'
import { ENOUGH_EVIDENCE } from '../../../stats/sign-martingale.js'
import { equivalence, intervalOf, pValueOf, type StudentEstimate, welch } from '../../../stats/student-estimate.js'

/**
 * Several arms against one baseline, looked at together: they share the 5 %. Each is compared with the bounds of its part,
 * and a claim that is made passes its part on to the others (Holm 1979; in looks: Maurer and Bretz 2013). "The same" is a
 * family of its own. An arm that ended without a claim keeps its part: nothing was claimed that could be passed on.
 */
export type Answer = 'higher' | 'lower' | 'same' | 'undetermined'

type Why = 'claim' | 'same' | 'futile' | 'last-look'

export interface Settled<Look> {
  readonly looks: readonly Look[]
  /** Null: the next look needs more. `undetermined`: hopeless, or the last look did not settle it. */
  readonly answer: Answer | null
  /** Why it ended. */
  readonly why: Why | null
}

/** An arm while it is being settled. */
interface Course<Look> {
  /** Its place among the others. */
  readonly arm: number
  readonly looks: Look[]
  answer: Answer | null
  why: Why | null
}

/** Among how many arms the 5 % are shared. */
interface Sharing {
  readonly claim: number
  readonly same: number
}

function coursesOf<Look>(arms: number): readonly Course<Look>[] {
  return Array.from({ length: arms }, (_, arm) => ({ arm, looks: [], answer: null, why: null }))
}

function settledOf<Look>(courses: readonly Course<Look>[]): readonly Settled<Look>[] {
  return courses.map(({ looks, answer, why }) => ({ looks, answer, why }))
}

/** One look at all that are open. What one arm's claim passes on may be all that another lacks: asked until nothing is new. */
function lookTogether<Look>(
  all: readonly Course<Look>[],
  open: readonly Course<Look>[],
  lookAt: (course: Course<Look>, sharing: Sharing) => Look,
  answerOf: (look: Look) => Exclude<Answer, 'undetermined'> | null,
): void {
  const waiting = new Set(open)
  const at = open[0]?.looks.length ?? 0
  for (let isNews = true; isNews; ) {
    isNews = false
    const sharing = {
      claim: all.filter(({ why }) => why !== 'claim').length,
      same: all.filter(({ why }) => why !== 'same').length,
    }
    for (const course of waiting) {
      const look = lookAt(course, sharing)
      course.looks[at] = look
      const answer = answerOf(look)
      if (answer === null) continue
      course.answer = answer
      course.why = answer === 'same' ? 'same' : 'claim'
      waiting.delete(course)
      isNews = true
    }
  }
}

/**
 * Seeds bought a few at a time until the question is settled, without claiming too often: Welch's test on equally many
 * seeds a side at planned looks, each compared with its share of the 5 % (see stats/group-sequential.ts). A claim and "the same"
 * may both be asked at every look, because they cannot both be false. The first look is at five: three good seeds against
 * three collapsed ones happen too often by chance. Giving up early is free: it can only lose claims.
 */
export interface SettlePlan {
  /** Seeds a side at each look, rising. */
  readonly looks: readonly number[]
  /** Two-sided p below which a difference is claimed, per look, where so many arms share the 5 %. */
  readonly claimBounds: (sharing: number) => readonly number[]
  /** One-sided p below which a difference beyond the margin is ruled out, likewise. */
  readonly sameBounds: (sharing: number) => readonly number[]
}

export const FIRST_LOOK = 5
const ALPHA = 0.05
/** Less than this chance of an answer is not worth buying seeds for. */
const FUTILE = 0.05
const SHARES = [5, 6, 8, 10, 12, 14, 17, 20].map(seeds => seeds / 20)

export function settlePlan(most: number): SettlePlan {
  const looks = [...new Set(SHARES.map(share => Math.max(FIRST_LOOK, Math.round(share * most))))]
  const shares = looks.map(seeds => seeds / most)
  const shared = (sides: 1 | 2): ((sharing: number) => readonly number[]) => {
    const known = new Map<number, readonly number[]>()
    return sharing => {
      const bounds = known.get(sharing) ?? spendingBounds({ shares, alpha: ALPHA / sharing, sides })
      known.set(sharing, bounds)
      return bounds
    }
  }
  return { looks, claimBounds: shared(2), sameBounds: shared(1) }
}

/**
 * At so many seeds the scores of the baseline and of each arm, in the order in which seeds were bought; fewer where there
 * are not so many. An earlier look is asked for again, and must be answered as it was then.
 */
type ScoresAt = (seeds: number) => { readonly baseline: readonly number[]; readonly others: Scores }
type Scores = readonly (readonly number[])[]

/** Scores that never change once they are there. */
export function inOrder(baseline: readonly number[], others: Scores): ScoresAt {
  return seeds => ({ baseline: baseline.slice(0, seeds), others: others.map(scores => scores.slice(0, seeds)) })
}

/** Answers in the order of the arms. */
export function settleSeeds(
  arms: number,
  scoresAt: ScoresAt,
  margin: number | null,
  plan: SettlePlan,
): readonly Settled<SeedLook>[] {
  const courses = coursesOf<SeedLook>(arms)
  for (const [i, seeds] of plan.looks.entries()) {
    const { baseline, others } = scoresAt(seeds)
    const open = courses.filter(
      ({ arm, answer, looks }) =>
        answer === null && looks.length === i && Math.min(baseline.length, others[arm].length) >= seeds,
    )
    if (open.length === 0) break
    const estimates = others.map(scores => welch(baseline, scores))
    lookTogether(courses, open, ({ arm }, sharing) => lookAt(estimates[arm], i, margin, plan, sharing), seedAnswer)
    const isLast = i === plan.looks.length - 1
    for (const course of open) {
      if (course.answer !== null || (!isLast && course.looks[i].chance >= FUTILE)) continue
      course.answer = 'undetermined'
      course.why = isLast ? 'last-look' : 'futile'
    }
  }
  return settledOf(courses)
}

function seedAnswer({ p, claimBound, pSame, sameBound, estimate }: SeedLook): 'higher' | 'lower' | 'same' | null {
  if (p < claimBound) return estimate > 0 ? 'higher' : 'lower'
  return pSame !== null && pSame < sameBound ? 'same' : null
}

function lookAt(
  estimate: StudentEstimate,
  i: number,
  margin: number | null,
  { looks, ...plan }: SettlePlan,
  sharing: Sharing,
): SeedLook {
  const { low, high } = intervalOf(estimate)
  const [claimBounds, sameBounds] = [plan.claimBounds(sharing.claim), plan.sameBounds(sharing.same)]
  const last = looks.length - 1
  return {
    seeds: looks[i],
    estimate: estimate.mean,
    interval: [low, high],
    scatter: estimate.standardError * Math.sqrt(looks[i] / 2),
    p: pValueOf(estimate),
    claimBound: claimBounds[i],
    pSame: margin === null ? null : equivalence(estimate, margin).p,
    sameBound: sameBounds[i],
    chance: predictiveChance(estimate, margin, {
      now: looks[i],
      last: looks[last],
      claimBound: claimBounds[last],
      sameBound: sameBounds[last],
    }),
  }
}

interface LastLook {
  /** Seeds a side now and then. */
  readonly now: number
  readonly last: number
  readonly claimBound: number
  readonly sameBound: number
}

/**
 * With v the variance of one pair's difference, the difference at the last look of K seeds, seen from k, scatters around
 * today's by v (K − k)/(K k), and its standard error there is √(v/K). Only the last look is counted.
 */
function predictiveChance(
  { mean, standardError, degreesOfFreedom }: StudentEstimate,
  margin: number | null,
  { now, last, claimBound, sameBound }: LastLook,
): number {
  if (now === last || standardError === 0) return 1
  const variance = standardError ** 2 * now
  const scatter = Math.sqrt((variance * (last - now)) / (last * now))
  const lastError = Math.sqrt(variance / last)
  const lastDegrees = (degreesOfFreedom * (last - 1)) / (now - 1)
  const claim = studentQuantile(1 - claimBound / 2, lastDegrees) * lastError
  const same = margin === null ? 0 : margin - studentQuantile(1 - sameBound, lastDegrees) * lastError
  const below = (place: number): number => studentCdf((place - mean) / scatter, degreesOfFreedom)
  const beyond = 1 - (below(claim) - below(-claim))
  return Math.min(1, beyond + (same > 0 ? below(same) - below(-same) : 0))
}

/**
 * Which of these checkpoints answers better? Prompts are asked of all of them, a batch at a time, until the evidence is
 * twenty to one (`signMartingale`, `bettingMartingale`): that stays honest however often one looks, so nothing is planned but how
 * many prompts there are. It says nothing about the settings behind the checkpoints: those need seeds.
 *
 * Scores between 0 and 1 of the same prompts in the same order. `looks` says after how many of them one looks, `isAll`
 * whether there are no more to ask.
 */
export function settlePrompts(
  baseline: readonly number[],
  others: readonly (readonly number[])[],
  margin: number | null,
  { looks, isAll }: { readonly looks: readonly number[]; readonly isAll: boolean },
): readonly Settled<PromptLook>[] {
  const courses = coursesOf<PromptLook>(others.length)
  for (const prompts of looks) {
    const open = courses.filter(({ arm, answer }) => answer === null && others[arm].length >= prompts)
    lookTogether(
      courses,
      open,
      ({ arm }, sharing) => {
        const differences = others[arm].slice(0, prompts).map((score, k) => score - baseline[k])
        return {
          prompts,
          estimate: mean(differences),
          forBaseline: differences.filter(value => value < 0).length,
          forArm: differences.filter(value => value > 0).length,
          evidence: differenceEvidence(differences),
          claimAt: ENOUGH_EVIDENCE * sharing.claim,
          evidenceSame: margin === null ? null : withinEvidence(differences, margin),
          sameAt: ENOUGH_EVIDENCE * sharing.same,
        }
      },
      promptAnswer,
    )
  }
  for (const course of courses) {
    if (course.answer !== null || !isAll) continue
    course.answer = 'undetermined'
    course.why = 'last-look'
  }
  return settledOf(courses)
}

function promptAnswer({ evidence, claimAt, evidenceSame, sameAt, estimate }: PromptLook) {
  if (evidence >= claimAt) return estimate > 0 ? 'higher' : 'lower'
  return evidenceSame !== null && evidenceSame >= sameAt ? 'same' : null
}

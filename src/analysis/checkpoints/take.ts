import type { Message } from '../../model/run.js'
import { jitter } from '../../stats/best-of-several.js'
import { greatest } from '../../stats/descriptive.js'
import { localLevel } from '../../stats/local-level.js'
import { sentences } from '../../text/sentences.js'
import type { SavedSteps } from './saved-steps.js'

/**
 * The one step to take. Not the highest score, which is the luckiest one, and not the earliest of those that cannot be
 * told apart, which on real runs was worse than the highest in 36 of 36: the step at which the course under the noise is
 * highest, among those that exist. Training that goes on is expected to gain a little, so of equals the later is taken.
 */
export interface Take {
  readonly step: number
  /** Null: nothing tells which steps were saved. False: none of them was. */
  readonly saved: boolean | null
  /** What was scored there; null where it was not evaluated. */
  readonly value: number | null
  /** What it is worth by the course under the noise; null where no error is known. */
  readonly expected: number | null
  /** How much the best step by that course is better, whether it was saved or not; in the metric's unit, never below 0. */
  readonly loss: number | null
  readonly why: Message
}

/** The evaluations of one validation set, higher is better, with what is known of their noise. */
export interface Course {
  readonly steps: readonly number[]
  readonly scores: readonly number[]
  /** Places that the evaluations cannot tell from the best. */
  readonly inSet: ReadonlySet<number>
  /** Of one score, without the luck that all evaluations of the same prompts share; null where nothing tells. */
  readonly errorVariance: number | null
  /** The part of it that single prompts explain: how much scores flicker while the policy stays. */
  readonly flicker: number
  /** How much of a score's distance from the course is the checkpoint's own: none, as far as one set can tell. */
  readonly ownShare?: number
}

const say = sentences({
  'take.course': {
    en: 'its course under the noise is highest there, of {count} {count|step|steps} that cannot be told apart at this n',
    zh: '在现有样本量下无法区分的 {count} 个 step 中，去噪后的曲线在此处最高',
  },
  'take.course-of-sets': {
    en: 'of {count} {count|step|steps} that this set cannot tell apart, the course of all {sets} validation sets is highest there',
    zh: '该验证集无法区分的 {count} 个 step 中，{sets} 个验证集合起来的去噪曲线在此处最高',
  },
  'take.start': {
    en: 'no saved step is better than the model that training started from',
    zh: '没有哪个已保存的 step 比训练的起点模型更好',
  },
  'take.outside': {
    en: 'no step that cannot be told from the best was saved; of those saved its course is highest there',
    zh: '与最优无法区分的 step 都没有保存；在已保存的 step 中，去噪后的曲线在此处最高',
  },
  'take.highest': {
    en: 'the highest score; how much of it is luck cannot be told',
    zh: '得分最高；其中有多少是运气，无从得知',
  },
  'take.unsaved': {
    en: 'by its settings the run saved no checkpoint; this is the step that would have been taken',
    zh: '按配置该 run 没有保存任何 checkpoint；若保存过，应取这一步',
  },
})

/** `sign`: −1 where the courses are losses turned round. The first course is the metric that was asked for. */
export function takeFrom(courses: readonly Course[], saved: SavedSteps | null, sign: 1 | -1): Take {
  const [own] = courses
  const isNoneSaved = saved !== null && saved.steps.length === 1
  const within = (step: number): boolean => step >= own.steps[0] && step <= own.steps[own.steps.length - 1]
  const offered = saved === null || isNoneSaved ? [] : saved.steps.filter(within)
  const candidates = offered.length > 0 ? offered : own.steps
  const isSaved = saved === null ? null : offered.length > 0
  // Where every prompt always scores the same, as in a run that earns nothing, there is no noise to see through.
  if (own.errorVariance === null || own.errorVariance === 0) return highest(own, candidates, isSaved, sign)

  const open = candidates.filter(step => isOpen(own, step))
  const isOpenSaved = open.length > 0
  const sets = isOpenSaved ? pooled(courses) : null
  const promise = promiseOf(sets ?? own, isOpenSaved)
  const among = isOpenSaved ? nearTop(own, open) : candidates
  const step = among.reduce((best, candidate) => (promise(candidate) >= promise(best) ? candidate : best))
  const course = courseOf(own, isOpenSaved)
  const expected = at(own.steps, course, step)
  return {
    step,
    saved: isSaved,
    value: scoreAt(own, step, sign),
    expected: sign * expected,
    loss: Math.max(0, greatest(course) - expected),
    why: reason(),
  }

  function reason(): Message {
    if (isNoneSaved) return say('take.unsaved', {})
    if (step === 0 && candidates.length > 1) return say('take.start', {})
    if (!isOpenSaved) return say('take.outside', {})
    if (sets === null) return say('take.course', { count: open.length })
    return say('take.course-of-sets', { count: open.length, sets: courses.length })
  }
}

function highest(own: Course, candidates: readonly number[], saved: boolean | null, sign: 1 | -1): Take {
  const offered = new Set(candidates)
  const scored = own.steps.flatMap((step, i) => (offered.has(step) ? [{ step, score: own.scores[i] }] : []))
  const among = scored.length > 0 ? scored : own.steps.map((step, i) => ({ step, score: own.scores[i] }))
  const { step } = among.reduce((best, candidate) => (candidate.score >= best.score ? candidate : best))
  return { step, saved, value: scoreAt(own, step, sign), expected: null, loss: null, why: say('take.highest', {}) }
}

function scoreAt({ steps, scores }: Course, step: number, sign: 1 | -1): number | null {
  const place = placeOf(steps, step)
  return steps[place] === step ? sign * scores[place] : null
}

/** A saved step that was not evaluated is open where the evaluations on both sides of it are. */
function isOpen({ steps, inSet }: Course, step: number): boolean {
  const place = placeOf(steps, step)
  return inSet.has(place) && (steps[place] === step || inSet.has(place - 1))
}

/** The course, and the little that training is expected to gain: one score's error from the first step to the last. */
function promiseOf(judging: Course, isClipped: boolean): (step: number) => number {
  const { scores, ownShare = 0 } = judging
  const course = courseOf(judging, isClipped).map((level, i) => level + ownShare * (scores[i] - level))
  const [first, last] = [judging.steps[0], judging.steps[judging.steps.length - 1]]
  const gain = last > first ? Math.sqrt(judging.errorVariance ?? 0) / (last - first) : 0
  return step => at(judging.steps, course, step) + gain * (step - first)
}

/** Steps whose own course lies within one score's error of its top: among them the other sets may decide. */
function nearTop(own: Course, steps: readonly number[]): readonly number[] {
  const promise = promiseOf(own, true)
  const top = greatest(steps.map(promise))
  return steps.filter(step => promise(step) >= top - Math.sqrt(own.errorVariance ?? 0))
}

/**
 * Scores far below those that matter are drawn up to twice their depth: a collapse, or the first steps of learning,
 * would pass for fast wander, and then nothing is smoothed where it counts.
 */
function courseOf({ steps, scores, inSet, errorVariance }: Course, isClipped: boolean): Float64Array {
  const top = greatest(scores)
  const lowest = [...inSet].reduce((low, place) => Math.min(low, scores[place]), top)
  const floor = isClipped ? top - 2 * (top - lowest) : Number.NEGATIVE_INFINITY
  return localLevel(
    steps,
    scores.map(score => Math.max(score, floor)),
    errorVariance ?? 0,
  )
}

/** The mean over several validation sets that were evaluated at the same steps; null where there are none. */
function pooled(courses: readonly Course[]): Course | null {
  const [own, ...others] = courses
  const alike = others.every(({ steps, errorVariance }) => errorVariance !== null && steps.join() === own.steps.join())
  if (others.length === 0 || !alike) return null
  const mean = (of: (course: Course) => number): number =>
    courses.reduce((sum, course) => sum + of(course), 0) / courses.length
  const scores = own.scores.map((_, i) => mean(({ scores }) => scores[i]))
  const flicker = mean(course => course.flicker) / courses.length
  // What all sets do together from one evaluation to the next is the policy's doing: prompts of different sets share no luck.
  const places = [...own.inSet]
  const wobble = jitter(
    places.map(i => own.steps[i]),
    places.map(i => scores[i]),
  )
  const errorVariance = Math.max(flicker, wobble > 0 ? wobble ** 2 : 0)
  return { steps: own.steps, scores, inSet: own.inSet, errorVariance, flicker, ownShare: 1 - flicker / errorVariance }
}

/** Straight between two evaluations, which is what the model expects there. */
function at(steps: readonly number[], course: ArrayLike<number>, step: number): number {
  const after = Math.min(placeOf(steps, step), steps.length - 1)
  if (after === 0 || steps[after] <= step) return course[after]
  const share = (step - steps[after - 1]) / (steps[after] - steps[after - 1])
  return course[after - 1] + share * (course[after] - course[after - 1])
}

/** The first place whose step is not below. */
export function placeOf(steps: ArrayLike<number>, step: number): number {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (steps[middle] < step) low = middle + 1
    else high = middle
  }
  return low
}

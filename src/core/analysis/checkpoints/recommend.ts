import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { Message } from '../../../logs/model/run.js'
import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { greatest, mean } from '../../../stats/descriptive.js'
import { localLevel } from '../../../stats/local-level.js'
import { jitter } from '../../../stats/trend.js'
import { sentence } from '../../../text/answer-schema.js'
import { figure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { stepRange } from '../../store/catalogue.js'
import { thirdOf } from '../conventions.js'
import type { RunView } from '../run-view.js'

/**
 * The one step to take. Not the highest score, which is the luckiest one, and not the earliest of those that cannot be
 * told apart, which on real runs was worse than the highest in 36 of 36: the step at which the course under the noise is
 * highest, among those that exist. Training that goes on is expected to gain a little, so of equals the later is taken,
 * unless the run falls.
 */
export const stepRecommendation = z.object({
  step: z.number(),
  /** Null: nothing tells which steps were saved. False: none of them was. */
  saved: z.boolean().nullable(),
  /** What was scored there; null where it was not evaluated. */
  value: z.number().nullable(),
  /** The smoothed score; null where no error is known. */
  expected: z.number().nullable(),
  why: sentence,
  /** How much better the best step is by the smoothed score, saved or not; in the metric's unit, never below 0. */
  loss: z.number().nullable(),
})

export type StepRecommendation = z.infer<typeof stepRecommendation>

/** The evaluations of one validation set, higher is better, with what is known of their noise. */
export interface EvaluationCurve {
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
    en: 'best smoothed score among the steps that are statistically tied with the best',
    zh: '在统计上与最优并列的 step 中，平滑后的得分在此处最好',
  },
  'take.course-of-sets': {
    en: 'best smoothed score over all {sets} validation sets, among the steps that are statistically tied with the best',
    zh: '在统计上与最优并列的 step 中，{sets} 个验证集合起来的平滑得分在此处最好',
  },
  'take.start': {
    en: 'no saved step is better than the starting model',
    zh: '没有哪个已保存的 step 比训练的起点模型更好',
  },
  'take.no-start': {
    en: 'the starting model was not evaluated (the first evaluation is at step {step}), so no step can be compared with it; evaluate at step 0 (TRL: eval_on_start, verl: val_before_train)',
    zh: '训练的起点模型没有验证过（首次验证在 step {step}），因此任何 step 都无法与之比较；请在 step 0 验证（TRL：eval_on_start，verl：val_before_train）',
  },
  'take.below-first': {
    en: 'step {take} ({value}) is below the first evaluation ({first} at step {step}): by this score training did harm, and the starting model may be better',
    zh: 'step {take}（{value}）低于首次验证（step {step} 的 {first}）：按该得分，训练使模型变差，起点模型可能更好',
  },
  'take.outside': {
    en: 'no step tied with the best was saved; best smoothed score among the saved ones',
    zh: '与最优并列的 step 都没有保存；在已保存的 step 中，平滑后的得分在此处最好',
  },
  'take.highest': {
    en: 'the best value that was logged; its sampling noise is unknown',
    zh: '记录中的最好值；其抽样噪声未知',
  },
  'take.unsaved': {
    en: 'by its settings the run saved no checkpoint; this is the step to use if it had',
    zh: '按配置该 run 没有保存任何 checkpoint；若保存过，应取这一步',
  },
})

/** `sign`: −1 where the courses are losses turned round. The first course is the metric that was asked for. */
export function recommendStep(
  courses: readonly EvaluationCurve[],
  saved: SavedSteps | null,
  sign: 1 | -1,
): StepRecommendation {
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
    if (sets === null) return say('take.course', {})
    return say('take.course-of-sets', { sets: courses.length })
  }
}

function highest(
  own: EvaluationCurve,
  candidates: readonly number[],
  saved: boolean | null,
  sign: 1 | -1,
): StepRecommendation {
  const offered = new Set(candidates)
  const scored = own.steps.flatMap((step, i) => (offered.has(step) ? [{ step, score: own.scores[i] }] : []))
  const among = scored.length > 0 ? scored : own.steps.map((step, i) => ({ step, score: own.scores[i] }))
  const { step } = among.reduce((best, candidate) => (candidate.score >= best.score ? candidate : best))
  return { step, saved, value: scoreAt(own, step, sign), expected: null, loss: null, why: say('take.highest', {}) }
}

function scoreAt({ steps, scores }: EvaluationCurve, step: number, sign: 1 | -1): number | null {
  const place = lowerBound(steps, step)
  return steps[place] === step ? sign * scores[place] : null
}

/** A saved step that was not evaluated is open where the evaluations on both sides of it are. */
function isOpen({ steps, inSet }: EvaluationCurve, step: number): boolean {
  const place = lowerBound(steps, step)
  return inSet.has(place) && (steps[place] === step || inSet.has(place - 1))
}

/** The course, and the little that training is expected to gain: one score's error from the first step to the last. */
function promiseOf(judging: EvaluationCurve, isClipped: boolean): (step: number) => number {
  const { scores, ownShare = 0 } = judging
  const course = courseOf(judging, isClipped).map((level, i) => level + ownShare * (scores[i] - level))
  const [first, last] = [judging.steps[0], judging.steps[judging.steps.length - 1]]
  const gain = last > first && !isFalling(judging) ? Math.sqrt(judging.errorVariance ?? 0) / (last - first) : 0
  return step => at(judging.steps, course, step) + gain * (step - first)
}

/** A run whose last third lies below an earlier one by more than its error has shown that it gains nothing by going on. */
function isFalling({ scores, errorVariance }: EvaluationCurve): boolean {
  const third = thirdOf(scores.length)
  if (third === 0) return false
  const before = [scores.slice(0, third), scores.slice(third, 2 * third)].map(part => mean(part))
  return greatest(before) - mean(scores.slice(-third)) > Math.sqrt((2 * (errorVariance ?? 0)) / third)
}

/**
 * What the advice cannot see: the model that training started from, where it was not evaluated, and that the run ends below
 * what it began with. Harm done before the first evaluation leaves no trace in the curve.
 */
export function aboutStart(own: EvaluationCurve, take: StepRecommendation, sign: 1 | -1): readonly Message[] {
  const [step] = own.steps
  const there = sign * (take.expected ?? take.value ?? Number.NaN)
  const isBelow = take.step > step && there < own.scores[0] - Math.sqrt(own.errorVariance ?? 0)
  const params = { step, first: figure(sign * own.scores[0]), take: take.step, value: figure(sign * there) }
  return [...(step > 0 ? [say('take.no-start', { step })] : []), ...(isBelow ? [say('take.below-first', params)] : [])]
}

/** Steps whose own course lies within one score's error of its top: among them the other sets may decide. */
function nearTop(own: EvaluationCurve, steps: readonly number[]): readonly number[] {
  const promise = promiseOf(own, true)
  const top = greatest(steps.map(promise))
  return steps.filter(step => promise(step) >= top - Math.sqrt(own.errorVariance ?? 0))
}

/**
 * Scores far below those that matter are drawn up to twice their depth: a collapse, or the first steps of learning,
 * would pass for fast wander, and then nothing is smoothed where it counts.
 */
function courseOf({ steps, scores, inSet, errorVariance }: EvaluationCurve, isClipped: boolean): Float64Array {
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
function pooled(courses: readonly EvaluationCurve[]): EvaluationCurve | null {
  const [own, ...others] = courses
  const alike = others.every(({ steps, errorVariance }) => errorVariance !== null && steps.join() === own.steps.join())
  if (others.length === 0 || !alike) return null
  const mean = (of: (course: EvaluationCurve) => number): number =>
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
  const after = Math.min(lowerBound(steps, step), steps.length - 1)
  if (after === 0 || steps[after] <= step) return course[after]
  const share = (step - steps[after - 1]) / (steps[after] - steps[after - 1])
  return course[after - 1] + share * (course[after] - course[after - 1])
}

/** The first place whose step is not below. */
export function lowerBound(steps: ArrayLike<number>, step: number): number {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (steps[middle] < step) low = middle + 1
    else high = middle
  }
  return low
}

/** Which checkpoints there are to take: what lies on disk, else what the settings say was kept. */
export interface SavedSteps {
  readonly steps: readonly number[]
  readonly source: 'files' | 'settings'
}

/** Null where nothing tells. The model that a run started from exists in any case: step 0 is always among them. */
export async function savedSteps(run: RunView): Promise<SavedSteps | null> {
  const found = await stepsOnDisk(run)
  if (found.length > 0) return { steps: withStart(found), source: 'files' }
  const told = stepsBySettings(run)
  return told === null ? null : { steps: withStart(told), source: 'settings' }
}

function withStart(steps: readonly number[]): readonly number[] {
  return [...new Set([0, ...steps])].sort((a, b) => a - b)
}

/** verl's `global_step_50`, Hugging Face's `checkpoint-500`, klens's own `epoch12.safetensors`, and their like. */
const CHECKPOINT = /^(?:global_step|checkpoint|step|epoch|iter|ckpt)[-_]?(\d+)(\.(?:safetensors|pt|pth|bin|ckpt))?$/
/** Keys under which frameworks write where they save. */
const PLACES = /(?:^|\.)(?:default_local_dir|output_dir|save_path|ckpt_path|ckpt\.path)$/

async function stepsOnDisk({ manifest, config, folder }: RunView): Promise<readonly number[]> {
  const logs = manifest.files.filter(({ role }) => role === 'log').map(({ path }) => dirname(path))
  const named = Object.entries(config).flatMap(([key, value]) =>
    PLACES.test(key) && typeof value === 'string' && value !== '' ? logs.map(log => resolve(log, value)) : [],
  )
  const beside = logs.flatMap(log => [
    log,
    join(log, 'checkpoints'),
    ...(CHECKPOINT.test(basename(log)) ? [dirname(log)] : []),
  ])
  const found = new Set<number>()
  for (const place of new Set([join(folder, 'checkpoints'), ...beside, ...named])) {
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => [])) {
      const checkpoint = CHECKPOINT.exec(entry.name)
      if (checkpoint !== null && entry.isDirectory() === (checkpoint[2] === undefined)) found.add(Number(checkpoint[1]))
    }
  }
  return [...found]
}

/** Every so many steps and at the end of training; of these perhaps only the last few were kept. */
function stepsBySettings({ manifest, settings }: RunView): readonly number[] | null {
  const every = numberOf(settings.get('save.every')?.effective)
  const last = stepRange(manifest)?.[1]
  if (every === null || last === undefined) return null
  // verl's −1: nothing is saved, not even at the end.
  if (!(every > 0)) return []
  const steps = Array.from({ length: Math.floor(last / every) }, (_, i) => (i + 1) * every)
  const planned = numberOf(settings.get('steps')?.effective)
  const isOver = manifest.status === 'finished' || (planned !== null && last >= planned)
  if (isOver && !steps.includes(last)) steps.push(last)
  const keep = numberOf(settings.get('save.keep')?.effective)
  return keep !== null && keep > 0 ? steps.slice(-keep) : steps
}

import { mean } from '../../../stats/descriptive.js'
import { jitter, trend } from '../../../stats/trend.js'
import { limitsOf, threshold } from '../rule.js'
import type { Subject } from '../subject.js'
import { between, type Curve, ends, firstOf, inBlocks, medianOf, within } from './curve.js'

/**
 * How the task went while something else happened: which of the logged rewards speak for the task, whether its score
 * fell or rose, and by how much more than batches alone could do.
 */

/** What became of the task while something else went wrong: validation where there is enough of it, else the batch. */
export interface ScoreCourse {
  readonly metric: string
  readonly best: number
  readonly end: number
  /** The end lies a fifth below the best, and by more than the curve's own noise explains. */
  readonly fell: boolean
}

/** To be named in the `uses` of a rule that asks. */
export const SCORES = ['val.score', 'score.mean', 'reward.part', 'reward.mean'] as const

export const SCORE_THRESHOLDS = {
  FALL: threshold(0.2, {
    en: "The score fell: below 0.8 of its best, the UserRL report's own rule for a collapse.",
    zh: '得分下降：低于最好水平的 0.8，即 UserRL 报告自己的崩塌标准。',
  }),
  FALL_IF_NOISE_UNKNOWN: threshold(0.5, {
    en: 'The same where nothing is known of the noise: half, as for validation that collapses.',
    zh: '同上，但噪声未知时取一半，与验证崩塌一致。',
  }),
  FALL_ERRORS: threshold(4, {
    en: 'And by so many standard errors of the difference. Derived: the best of twenty levels lies two above their mean by chance alone.',
    zh: '且超过差值的这么多个标准误。推得：二十个水平中最好的一个，仅凭偶然就高出均值两个标准误。',
  }),
}
const { FALL, FALL_IF_NOISE_UNKNOWN, FALL_ERRORS } = limitsOf(SCORE_THRESHOLDS)
const FEWEST_SCORES = 5
/** Means of a twentieth of the run, and of three points at least: the best of them is not the best of the noise. */
const BLOCKS = 20
const BLOCK_POINTS = 3

/** Of validation and batch the one that fell: greedy validation may hold while the sampled answers fall apart. */
export function scoreCourse(subject: Subject): ScoreCourse | undefined {
  const courses = scoreCurves(subject).map(courseOf)
  const ofTask = courses.filter(({ canonical }) => canonical !== 'reward.mean')
  return ofTask.find(({ fell }) => fell) ?? courses[0]
}

function courseOf({ canonical, curve }: ScoreCurve) {
  const n = curve.values.length
  const blocks = inBlocks(curve, Math.max(1, Math.min(BLOCKS, Math.floor(n / BLOCK_POINTS)))).values
  const ofBlocks = { level: Math.max(...blocks), points: n / blocks.length }
  const start = { level: firstOf(curve), points: 1 }
  const last = ends(curve, Math.max(0.1, BLOCK_POINTS / n)).end
  const end = medianOf(last)
  const noise = jitter(curve.steps, curve.values)
  const fellFrom = ({ level, points }: typeof start): boolean => {
    if (!Number.isFinite(noise)) return end <= level - FALL_IF_NOISE_UNKNOWN * Math.abs(level)
    const error = noise * Math.sqrt(1 / points + 1 / last.values.length)
    return end <= level - FALL * Math.abs(level) && level - end > FALL_ERRORS * error
  }
  const best = Math.max(start.level, ofBlocks.level)
  return { canonical, metric: curve.metric, best, end, fell: fellFrom(start) || fellFrom(ofBlocks) }
}

/** Whether the score demonstrably rose over the second half of the run. */
export function isScoreRising(subject: Subject): boolean {
  const curve = scoreCurves(subject)[0]?.curve
  if (curve === undefined) return false
  const [first, last] = [curve.steps[0], curve.steps[curve.steps.length - 1]]
  const { steps, values } = inBlocks(between(curve, mean([first, last]), last), TREND_BLOCKS)
  if (steps.length < FEWEST_SCORES) return false
  const { slope, p } = trend(steps, values)
  return slope > 0 && p < 0.05
}

/**
 * Whether any score rose demonstrably over the whole run: the batch's, which has most points, or a validation set's.
 * Undefined where none has points enough to tell.
 */
export function hasLearned(subject: Subject): boolean | undefined {
  const curves = scoreCurves(subject).filter(({ curve }) => curve.steps.length >= FEWEST_TO_LEARN)
  if (curves.length === 0) return undefined
  return curves.some(({ curve }) => {
    const { steps, values } = inBlocks(curve, TREND_BLOCKS)
    const { slope, p } = trend(steps, values)
    return slope > 0 && p < 0.05
  })
}

const FEWEST_TO_LEARN = 10

/** The test for a trend looks at every pair. */
const TREND_BLOCKS = 40

/**
 * Whether the task gained from one stretch to a later one: more than the usual margin of 5 % (docs/statistics.md).
 * Undefined where no score is known in both.
 */
export function hasScoreRisen(subject: Subject, until: number, from: number): boolean | undefined {
  const changes = scoreCurves(subject).flatMap(({ curve }) => {
    const before = mean(between(curve, Number.NEGATIVE_INFINITY, until).values)
    const after = mean(between(curve, from, Number.POSITIVE_INFINITY).values)
    return Number.isFinite(before) && Number.isFinite(after) ? [(after - before) / Math.abs(before)] : []
  })
  if (changes.length === 0) return undefined
  return Math.max(...changes) > GAIN && Math.min(...changes) > -GAIN
}

const GAIN = 0.05

interface ScoreCurve {
  readonly canonical: string
  readonly curve: Curve
}

/** Where the score is the optimised sum itself, the parts that pay for the task speak for it. */
function scoreCurves(subject: Subject): readonly ScoreCurve[] {
  const named = (canonical: string): ScoreCurve[] => {
    const curve = subject.curve(canonical)
    return curve === undefined ? [] : [{ canonical, curve }]
  }
  const parts = rewardParts(subject).flatMap(({ curve, ofForm }) =>
    ofForm ? [] : [{ canonical: 'reward.part', curve }],
  )
  const ofBatch =
    isRewardTheScore(subject) && parts.length > 0 ? parts : [...named('score.mean'), ...named('reward.mean')]
  return [...named('val.score'), ...ofBatch].filter(({ curve }) => curve.steps.length >= FEWEST_SCORES)
}

/**
 * The parts that a reward is the sum of, where the log has them (TRL: `rewards/<function>/mean`). Some pay for how an
 * answer looks, the others for what it says; only their names tell which.
 */
export interface RewardPart {
  readonly curve: Curve
  /** Pays for the form of an answer: tags, length, language, steps of reasoning. */
  readonly ofForm: boolean
}

/**
 * The reward functions of open-r1 and of the tutorials that people copy: format, tag_count, xmlcount, soft_format, len,
 * reasoning_steps, repetition_penalty, soft_overlong_punishment, int (the answer is a number), language_consistency.
 */
const FORM =
  /format|tag|xml|len(?:gth)?(?![a-z])|short|long|brev|concis|think|reasoning|steps?(?![a-z])|repet|penal|punish|lang|style|(?<![a-z])int(?![a-z])/i

export function rewardParts({ curves }: Subject): readonly RewardPart[] {
  return curves('reward.part').map(curve => ({ curve, ofForm: FORM.test(curve.metric) }))
}

/**
 * Whether what is optimised is also all that the batch tells of the task: TRL logs the sum of the parts and nothing
 * else, and verl logs one number twice where nothing is taken from the score.
 */
export function isRewardTheScore({ curve }: Subject): boolean {
  const [score, reward] = [curve('score.mean'), curve('reward.mean')]
  if (score === undefined || reward === undefined || score.metric === reward.metric) return true
  return score.values.length === reward.values.length && score.values.every((value, i) => value === reward.values[i])
}

/** How a per-step metric has moved from its first few steps to a later stretch, and whether batches alone could do that. */
export interface LevelChange {
  readonly start: number
  readonly end: number
  /** The difference in its standard errors, from the step-to-step jitter; NaN where nothing moves. */
  readonly errors: number
}

/** The last third unless a stretch is given. The first steps are few: a policy can have learnt to cheat by the tenth. */
export function levelChange(curve: Curve, later: Curve = lastThird(curve)): LevelChange {
  const few = Math.min(20, Math.max(3, Math.round(curve.values.length / 80)))
  const [start, end] = [mean(curve.values.subarray(0, few)), mean(later.values)]
  const noise = jitter(curve.steps, curve.values) * Math.sqrt(1 / few + 1 / later.values.length)
  return { start, end, errors: (end - start) / noise }
}

/** Standard error of the mean over a part of a per-step curve, from the jitter of all of it. */
export function levelError(curve: Curve, part: Curve): number {
  return jitter(curve.steps, curve.values) / Math.sqrt(part.values.length)
}

function lastThird(curve: Curve): Curve {
  const n = curve.values.length
  return within(curve, { from: n - Math.max(3, Math.floor(n / 3)), to: n })
}

import { changePoint } from '../../../stats/change-point.js'
import { type Decline, decline, FEWEST_FOR_DECLINE } from '../../../stats/decline.js'
import { mean } from '../../../stats/descriptive.js'
import { normalCdf, normalQuantile } from '../../../stats/distributions.js'
import { stepDown } from '../../../stats/multiplicity.js'
import { jitter, trend } from '../../../stats/trend.js'
import { limitsOf, threshold } from '../rule.js'
import type { Subject } from '../subject.js'
import { type Curve, combined, inBlocks } from './curve.js'
import { settledFrom } from './lasting.js'
import { evaluationNoise, INFLATION, validationCurves } from './validation.js'

/**
 * Has validation fallen since its earlier level? Three ways to tell, none of which looks at the maximum: below the first
 * evaluation, which nobody selected; below a level that several evaluations held; or, in a curve too short for levels,
 * falling throughout. Higher is better here; a loss is handed in with its sign turned.
 */
export interface Fall {
  readonly how: 'start' | 'level' | 'trend'
  readonly before: number
  readonly after: number
  /** Where the earlier level was measured. */
  readonly beforeSteps: readonly [number, number]
  /** From the first evaluation after it last stood at its earlier level, to the last one. */
  readonly steps: readonly [number, number]
  readonly p: number | null
  /** An earlier fall, as deep or nearly so, from which the curve came back. */
  readonly wander: Wander | null
}

export interface Wander {
  readonly depth: number
  readonly steps: readonly [number, number]
}

export const FALL_THRESHOLDS = {
  SMALLEST_FALL: threshold(0.05, {
    en: 'A fall that matters: the share of the earlier level that docs/statistics.md takes as its usual margin.',
    zh: '有意义的下降：docs/statistics.md 的常用界限，按原水平的比例计。',
  }),
  LEVEL_P: threshold(0.01, {
    en: 'Below an earlier level: the bootstrap is near its nominal 1 % on noise of the kind that real runs have. Holm over the validation sets, as are the other levels.',
    zh: '低于此前的水平：在真实 run 那样的噪声上，bootstrap 的误报率接近名义的 1%。与其他显著性水平一样，对各验证集用 Holm 校正。',
  }),
  START_ERRORS: threshold(4, {
    en: 'Below the first evaluation, in standard errors, about 1 in 30,000. Derived: the noise is estimated, and every run is asked.',
    zh: '低于首次验证，以标准误计，约三万分之一。推得：噪声是估计的，而且每个 run 都要检查。',
  }),
  WANDER: threshold(1.25, {
    en: 'A fall no deeper than so many times an earlier one from which the curve came back is how it wanders: a note. Derived: a policy whose level drifts by a tenth shows such falls in 7 to 47 % of long runs, and they pass.',
    zh: '不深于此前一次已恢复的下跌的这么多倍，则属于曲线自身的游走：只作提示。推得：水平漂移一成的策略，在 7% ~ 47% 的长 run 中会出现这样的下跌，随后又会恢复。',
  }),
  FEWEST_FOR_TREND: threshold(5, {
    en: 'Evaluations for a fall throughout: an exact Mann-Kendall test needs five.',
    zh: '一路下降所需的验证次数：精确的 Mann-Kendall 检验需要五个点。',
  }),
  TREND_P: threshold(0.05, {
    en: 'How improbable such a trend must be by chance.',
    zh: '这样的趋势纯属偶然的概率须低于此值。',
  }),
}
const { SMALLEST_FALL, LEVEL_P, START_ERRORS, WANDER, TREND_P } = limitsOf(FALL_THRESHOLDS)
export const { FEWEST_FOR_TREND } = limitsOf(FALL_THRESHOLDS)
/** The bootstrap redraws the curve a thousand times. */
const MOST_POINTS = 100

/** `noise`: what one evaluation can be off by, NaN where unknown. `sets`: how many curves are asked the same. */
export function fallOf(whole: Curve, noise: number, { smallest = SMALLEST_FALL, sets = 1 } = {}): Fall | null {
  const curve = inBlocks(whole, MOST_POINTS)
  const found = falling(curve, sets) ?? deeper(belowLevel(whole, curve, sets), belowStart(curve, noise, sets), noise)
  if (found === null || found.before - found.after < smallest * Math.abs(found.before)) return null
  const [onset] = found.steps
  return {
    ...found,
    steps: [onset, whole.steps[whole.steps.length - 1]],
    wander: wanderBefore(curve, onset, found.before - found.after, noise),
  }
}

type Found = Omit<Fall, 'wander'>

/**
 * The deepest fall before `onset` from which the curve came back, most of the way, where one now so deep is no deeper
 * than that by much. Between means of a twentieth of the evaluations; what their noise alone does is none.
 */
export function wanderBefore(curve: Curve, onset: number, depth: number, noise: number): Wander | null {
  const { steps, values } = curve
  const window = Math.max(3, Math.round(values.length / 20))
  const level = (i: number): number => mean(values.subarray(i, i + window))
  let peak = { level: level(0), at: 0 }
  let lowest = peak
  let deepest: Wander | null = null
  for (let i = 1; i + window <= values.length && steps[i + window - 1] < onset; i += 1) {
    const here = { level: level(i), at: i }
    if (here.level < lowest.level) lowest = here
    const fallen = peak.level - lowest.level
    if (here.level >= peak.level - CAME_BACK * fallen && fallen > (deepest?.depth ?? 0)) {
      deepest = { depth: fallen, steps: [steps[peak.at + window - 1], steps[i]] }
    }
    if (here.level >= peak.level) [peak, lowest] = [here, here]
  }
  const error = noise / Math.sqrt(window)
  if (deepest === null || !(deepest.depth >= NOISE_RANGE * error)) return null
  // The highest and the lowest of several means each overshoot by about an error.
  return depth > WANDER * (deepest.depth - 2 * error) ? null : deepest
}

/** Within a third of the depth. Derived. */
const CAME_BACK = 1 / 3
/** Highest and lowest of ten independent means lie three errors apart; correlated ones less. Derived. */
const NOISE_RANGE = 4

/** As decline.ts has it. */
function windowOf(n: number): number {
  return Math.max(3, Math.round(n / 6))
}

/** The first evaluation may have stood higher than any level that was held later, and by more than chance. */
function deeper(level: Found | null, start: Found | null, noise: number): Found | null {
  if (level === null || start === null) return level ?? start
  return start.before > level.before + 2 * noise ? start : level
}

/** Several rules ask about one curve, and the test redraws it a thousand times. */
const declines = new WeakMap<Float64Array, Decline | null>()

function declineOf(whole: Curve, { values }: Curve, sets: number): Decline | null {
  const known = declines.get(whole.values)
  if (known !== undefined) return known
  const rough = decline(values)
  // A thousand draws cannot tell a thousandth from less; only what may count at all is looked at so closely.
  const isFine = rough === null || sets === 1 || rough.p >= LEVEL_P
  const found = isFine ? rough : decline(values, { draws: DRAWS_PER_SET * sets })
  declines.set(whole.values, found)
  return found
}

const DRAWS_PER_SET = 500

function belowLevel(whole: Curve, curve: Curve, sets: number): Found | null {
  const found = declineOf(whole, curve, sets)
  if (found === null || found.p >= LEVEL_P / sets) return null
  const { before, after, start, end, p } = found
  const beforeSteps = [curve.steps[start], curve.steps[end - 1]] as const
  return { how: 'level', before, after, beforeSteps, steps: fallenSince(curve, start + 1, before, after), p }
}

function belowStart(curve: Curve, noise: number, sets: number): Found | null {
  const { steps, values } = curve
  const window = windowOf(values.length)
  if (values.length <= window || !(noise >= 0)) return null
  const before = values[0]
  const after = mean(values.subarray(values.length - window))
  const error = noise * Math.sqrt(1 + INFLATION / window)
  const errors = normalQuantile(1 - normalCdf(-START_ERRORS) / sets)
  if (!(before - after > errors * error)) return null
  const beforeSteps = [steps[0], steps[0]] as const
  return { how: 'start', before, after, beforeSteps, steps: fallenSince(curve, 1, before, after), p: null }
}

function falling(curve: Curve, sets: number): Found | null {
  const { steps, values } = curve
  const n = values.length
  if (n < FEWEST_FOR_TREND || n >= FEWEST_FOR_DECLINE) return null
  const { p, slope } = trend(steps, values)
  if (!(slope < 0 && p < TREND_P / sets)) return null
  const third = Math.floor(n / 3)
  const [before, after] = [mean(values.subarray(0, third)), mean(values.subarray(n - third))]
  return { how: 'trend', before, after, beforeSteps: [steps[0], steps[third - 1]], steps: [steps[0], steps[n - 1]], p }
}

/** From where it last stood at its earlier level, give or take its jitter, before it went below half the way down. */
function fallenSince(
  { metric, steps, values }: Curve,
  earliest: number,
  before: number,
  after: number,
): readonly [number, number] {
  const middle = (before + after) / 2
  const later = { metric, steps: steps.subarray(earliest), values: values.subarray(earliest) }
  const rough = jitter(steps, values)
  const still = Math.max(middle, before - (Number.isFinite(rough) ? 2 * rough : 0))
  const settled = settledFrom(later, value => value < middle)
  let onset = earliest + Math.max(0, settled)
  while (onset > earliest && values[onset - 1] < still) onset -= 1
  return [steps[Math.min(onset, steps.length - 1)], steps[steps.length - 1]]
}

/** The change point of a curve, where it is one downwards. */
export function dateOf(whole: Curve): { readonly step: number; readonly p: number } | null {
  const { steps, values } = inBlocks(whole, MOST_POINTS)
  const change = changePoint(values)
  if (change === null || change.after >= change.before) return null
  return { step: steps[change.index], p: Math.max(change.p, change.conservativeP) }
}

/** What became of one validation set, or of all of them together. */
export interface ValidationFall {
  readonly curve: Curve
  readonly fall: Fall
  /** `alone`: the mean over all sets holds. `wander`: no deeper than what it came back from before. */
  readonly standing: 'fell' | 'alone' | 'wander'
}

/**
 * The validation sets that fell, each asked at a level that allows for their number. Among several, one that falls while
 * their mean holds is worth knowing and no more; and where the mean falls but no single set can be told, it stands alone.
 */
export function validationFalls(subject: Subject): readonly ValidationFall[] {
  const known = fallsOfSubject.get(subject)
  if (known !== undefined) return known
  const sets = validationCurves(subject).filter(({ steps }) => steps.length >= FEWEST_FOR_TREND)
  const { together, common } = commonFall(sets)
  const standingOf = ({ wander }: Fall): ValidationFall['standing'] => {
    if (wander !== null) return 'wander'
    return together === undefined || (common !== null && common.wander === null) ? 'fell' : 'alone'
  }
  const fallen = stepDown(sets, (curve, left) => fallOf(curve, evaluationNoise(subject, curve), { sets: left }))
  const each = sets.flatMap((curve): ValidationFall[] => {
    const fall = fallen.get(curve)
    return fall === undefined ? [] : [{ curve, fall, standing: standingOf(fall) }]
  })
  const isOnlyCommon = each.length === 0 && together !== undefined && common !== null
  const falls = isOnlyCommon ? [{ curve: together, fall: common, standing: standingOf(common) }] : each
  fallsOfSubject.set(subject, falls)
  return falls
}

/** Whether several sets fell together; undefined where there is one set, or they share too few steps to tell. */
export function haveFallenTogether(subject: Subject): boolean | undefined {
  const { together, common } = commonFall(validationCurves(subject))
  return together === undefined ? undefined : common !== null
}

function commonFall(sets: readonly Curve[]) {
  const together = sets.length > 1 ? meanOfSets(sets) : undefined
  const common = together === undefined ? null : fallOf(together, jitter(together.steps, together.values))
  return { together, common }
}

const fallsOfSubject = new WeakMap<Subject, readonly ValidationFall[]>()

/** At the steps that all have; undefined where they share too few. */
function meanOfSets(sets: readonly Curve[]): Curve | undefined {
  const sum = sets.reduce((one, other) => combined(one, other, (a, b) => a + b))
  if (sum.steps.length < FEWEST_FOR_TREND) return undefined
  return {
    metric: `val.score (${sets.length})`,
    steps: sum.steps,
    values: sum.values.map(value => value / sets.length),
  }
}

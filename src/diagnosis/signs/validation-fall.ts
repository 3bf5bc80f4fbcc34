import { jitter } from '../../stats/best.js'
import { changePoint } from '../../stats/change-point.js'
import { type Decline, decline, FEWEST_FOR_DECLINE } from '../../stats/decline.js'
import { mean } from '../../stats/descriptive.js'
import { trend } from '../../stats/trend.js'
import { type Thresholds, valuesOf } from '../threshold.js'
import { type Curve, inBlocks } from './curve.js'
import { settledFrom } from './lasting.js'

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
}

export const FALL_THRESHOLDS = {
  SMALLEST_FALL: {
    value: 0.05,
    en: 'A fall that matters: the share of the earlier level that docs/statistics.md takes as its usual margin.',
    zh: '有意义的下降：docs/statistics.md 的常用界限，按原水平的比例计。',
  },
  LEVEL_P: {
    value: 0.01,
    en: 'Below an earlier level: the bootstrap is near its nominal 1 % on noise of the kind that real runs have.',
    zh: '低于此前的水平：在真实 run 那样的噪声上，bootstrap 的误报率接近名义的 1%。',
  },
  START_ERRORS: {
    value: 4,
    en: 'Below the first evaluation, in standard errors, about 1 in 30,000. Derived: the noise is estimated, and every run is asked.',
    zh: '低于首次验证，以标准误计，约三万分之一。推得：噪声是估计的，而且每个 run 都要检查。',
  },
  FEWEST_FOR_TREND: {
    value: 5,
    en: 'Evaluations for a fall throughout: an exact Mann-Kendall test needs five.',
    zh: '一路下降所需的验证次数：精确的 Mann-Kendall 检验需要五个点。',
  },
  TREND_P: {
    value: 0.05,
    en: 'How improbable such a trend must be by chance.',
    zh: '这样的趋势纯属偶然的概率须低于此值。',
  },
} as const satisfies Thresholds
const { SMALLEST_FALL, LEVEL_P, START_ERRORS, TREND_P } = valuesOf(FALL_THRESHOLDS)
export const { FEWEST_FOR_TREND } = valuesOf(FALL_THRESHOLDS)
/** Variance of a mean of evaluations with autocorrelation 0.3, the floor of docs/statistics.md, relative to independent ones. */
const INFLATION = 1.3 / 0.7
/** The bootstrap redraws the curve a thousand times. */
const MOST_POINTS = 100

/** `noise`: what one evaluation can be off by, NaN where unknown. */
export function fallOf(whole: Curve, noise: number, smallest = SMALLEST_FALL): Fall | null {
  const curve = inBlocks(whole, MOST_POINTS)
  const found = falling(curve) ?? deeper(belowLevel(whole, curve), belowStart(curve, noise), noise)
  if (found === null || found.before - found.after < smallest * Math.abs(found.before)) return null
  return { ...found, steps: [found.steps[0], whole.steps[whole.steps.length - 1]] }
}

/** The first evaluation may have stood higher than any level that was held later, and by more than chance. */
function deeper(level: Fall | null, start: Fall | null, noise: number): Fall | null {
  if (level === null || start === null) return level ?? start
  return start.before > level.before + 2 * noise ? start : level
}

/** Several rules ask about one curve, and the test redraws it a thousand times. */
const declines = new WeakMap<Float64Array, Decline | null>()

function declineOf(whole: Curve, { values }: Curve): Decline | null {
  const known = declines.get(whole.values)
  if (known !== undefined) return known
  const found = decline(values)
  declines.set(whole.values, found)
  return found
}

function belowLevel(whole: Curve, curve: Curve): Fall | null {
  const found = declineOf(whole, curve)
  if (found === null || found.p >= LEVEL_P) return null
  const { before, after, start, end, p } = found
  const beforeSteps = [curve.steps[start], curve.steps[end - 1]] as const
  return { how: 'level', before, after, beforeSteps, steps: fallenSince(curve, start + 1, before, after), p }
}

function belowStart(curve: Curve, noise: number): Fall | null {
  const { steps, values } = curve
  const window = Math.max(3, Math.round(values.length / 6))
  if (values.length <= window || !(noise >= 0)) return null
  const before = values[0]
  const after = mean(values.subarray(values.length - window))
  const error = noise * Math.sqrt(1 + INFLATION / window)
  if (!(before - after > START_ERRORS * error)) return null
  const beforeSteps = [steps[0], steps[0]] as const
  return { how: 'start', before, after, beforeSteps, steps: fallenSince(curve, 1, before, after), p: null }
}

function falling(curve: Curve): Fall | null {
  const { steps, values } = curve
  const n = values.length
  if (n < FEWEST_FOR_TREND || n >= FEWEST_FOR_DECLINE) return null
  const { p, slope } = trend(steps, values)
  if (!(slope < 0 && p < TREND_P)) return null
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

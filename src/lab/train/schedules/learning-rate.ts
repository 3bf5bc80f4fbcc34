/**
 * The learning rate of a step, and the temperature of the warm-up; steps are counted from 0. A rate warms up in a straight
 * line and then decays; two conventions differ in where the line begins and where the decay ends.
 */

type WarmupStart = 'stride' | 'zero' | 'floor'

interface Warmup {
  /** A share of all steps, rounded down. */
  readonly ratio: number
  /** So many, instead of the ratio. */
  readonly steps: number | null
  readonly from: WarmupStart
}

function warmupStepsOf({ ratio, steps }: Warmup, totalSteps: number): number {
  return steps ?? Math.floor(ratio * totalSteps)
}

/** From `first` to 1. */
function warmupFactor(done: number, steps: number, first: number): number {
  return first + ((1 - first) * done) / steps
}

/** From 1 to the minimum in `cycles` waves; ½ falls once. */
function cosineFactor(progress: number, minimum: number, cycles = 0.5): number {
  return minimum + (1 - minimum) * 0.5 * (1 + Math.cos(2 * Math.PI * cycles * progress))
}

export interface LearningRateSettings {
  readonly schedule: 'constant' | 'linear' | 'cosine'
  readonly warmup: Warmup
  /** Where a decay ends, as a share of the peak. */
  readonly min_ratio: number
}

/**
 * klens's own convention. By default the warm-up climbs to the peak in equal strides whose first is above 0, and a decay
 * reaches its floor only after the last step: a step at rate 0 would be a query paid for and not learned from. Hugging Face
 * and verl do take their first warm-up step at 0, and older verl at the floor of the decay.
 */
export function learningRateAt(
  step: number,
  totalSteps: number,
  peak: number,
  { schedule, warmup, min_ratio: minimum }: LearningRateSettings,
): number {
  const warmupSteps = warmupStepsOf(warmup, totalSteps)
  if (step < warmupSteps) {
    const done = warmup.from === 'stride' ? step + 1 : step
    return peak * warmupFactor(done, warmupSteps, warmup.from === 'floor' ? minimum : 0)
  }
  const progress = Math.min(1, (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps))
  switch (schedule) {
    case 'constant':
      return peak * (minimum + (1 - minimum))
    case 'linear':
      return peak * (minimum + (1 - minimum) * (1 - progress))
    case 'cosine':
      return peak * cosineFactor(progress, minimum)
  }
}

/**
 * The convention of verl and of Hugging Face, as a factor of the peak. `step` is the number of updates done before, so
 * the first update is made at step 0. Both warm up in a straight line from `initialRatio` (UserRL's fork of verl begins at
 * its `minimumRatio`, everybody else at 0: an update that is paid for and moves nothing); past the end of a cosine the
 * rate rises again, as it does there.
 */
export type FrameworkSchedule = 'constant' | 'linear' | 'cosine' | 'warmup-stable-decay'

export interface FrameworkRate {
  readonly schedule: FrameworkSchedule
  readonly warmupSteps: number
  readonly totalSteps: number
  readonly initialRatio: number
  /** Where a cosine ends. A linear decay ends at 0. */
  readonly minimumRatio: number
  /** Waves of the cosine; ½ falls once from 1 to the minimum. */
  readonly cycles: number
  /** Of warmup-stable-decay: which share of what follows the warm-up is stable. */
  readonly stableRatio: number
}

export const USUAL_FRAMEWORK_RATE: Omit<FrameworkRate, 'schedule' | 'totalSteps'> = {
  warmupSteps: 0,
  initialRatio: 0,
  minimumRatio: 0,
  cycles: 0.5,
  stableRatio: 0.9,
}

export function frameworkRateFactor(step: number, rate: FrameworkRate): number {
  const { schedule, warmupSteps, totalSteps, initialRatio, minimumRatio, cycles, stableRatio } = rate
  if (step < warmupSteps) return warmupFactor(step, warmupSteps, initialRatio)
  const left = totalSteps - warmupSteps
  switch (schedule) {
    case 'constant':
      return 1
    case 'linear':
      return Math.max(0, (totalSteps - step) / Math.max(1, left))
    case 'cosine':
      return cosineFactor((step - warmupSteps) / Math.max(1, left), minimumRatio, cycles)
    case 'warmup-stable-decay': {
      const decay = left - Math.floor(left * stableRatio)
      const into = step - (totalSteps - decay)
      if (into < 0) return 1
      return into < decay ? cosineFactor(into / Math.max(1, decay), minimumRatio, cycles) : minimumRatio
    }
  }
}

interface FrameworkRateSettings {
  readonly schedule: FrameworkSchedule
  readonly warmup: Warmup
  readonly min_ratio: number
  readonly cycles: number
  readonly stable_ratio: number
}

export function frameworkLearningRate(
  step: number,
  totalSteps: number,
  peak: number,
  { schedule, warmup, min_ratio: minimumRatio, cycles, stable_ratio: stableRatio }: FrameworkRateSettings,
): number {
  const factor = frameworkRateFactor(step, {
    ...{ schedule, totalSteps, minimumRatio, cycles, stableRatio },
    warmupSteps: warmupStepsOf(warmup, totalSteps),
    initialRatio: warmup.from === 'floor' ? minimumRatio : 0,
  })
  return peak * factor
}

/**
 * The temperature of the RCE weights: a straight line over all steps of the warm-up, first and last included. A warm-up
 * of a single step has the end temperature, as in the original.
 */
export function temperatureAt(
  step: number,
  totalSteps: number,
  { start, end }: { readonly start: number; readonly end: number },
): number {
  if (totalSteps <= 1) return end
  return start + (end - start) * Math.min(1, Math.max(0, step / (totalSteps - 1)))
}

/**
 * The learning rate of verl and of Hugging Face, as a factor of the peak. `step` is the number of updates done before, so
 * the first update is made at step 0. Both warm up in a straight line from `initialRatio` (UserRL's fork of verl begins at
 * its `minimumRatio`, everybody else at 0: an update that is paid for and moves nothing); past the end of a cosine the
 * rate rises again, as it does there. klens's own schedule is in learning-rate.ts.
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
  if (step < warmupSteps) return initialRatio + ((1 - initialRatio) * step) / warmupSteps
  const left = totalSteps - warmupSteps
  const cosine = (progress: number): number =>
    minimumRatio + (1 - minimumRatio) * 0.5 * (1 + Math.cos(2 * Math.PI * cycles * progress))
  switch (schedule) {
    case 'constant':
      return 1
    case 'linear':
      return Math.max(0, (totalSteps - step) / Math.max(1, left))
    case 'cosine':
      return cosine((step - warmupSteps) / Math.max(1, left))
    case 'warmup-stable-decay': {
      const decay = left - Math.floor(left * stableRatio)
      const into = step - (totalSteps - decay)
      if (into < 0) return 1
      return into < decay ? cosine(into / Math.max(1, decay)) : minimumRatio
    }
  }
}

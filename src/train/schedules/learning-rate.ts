/**
 * The learning rate of a step, counted from 0. The warm-up climbs to the peak in equal strides whose first is above 0,
 * and a decay reaches its floor only after the last step: a step at rate 0 would be a query paid for and not learned
 * from. (Hugging Face's schedules take their first warm-up step at 0; rl-frameworks.md V10.)
 */
export type LearningRateSchedule = 'constant' | 'linear' | 'cosine'

export interface LearningRate {
  readonly peak: number
  readonly schedule: LearningRateSchedule
  /** Share of all steps. */
  readonly warmupRatio: number
  /** Where a decay ends, as a share of the peak. */
  readonly minimumRatio: number
}

export function learningRateAt(step: number, totalSteps: number, rate: LearningRate): number {
  const warmupSteps = Math.floor(rate.warmupRatio * totalSteps)
  if (step < warmupSteps) return (rate.peak * (step + 1)) / warmupSteps
  const progress = Math.min(1, (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps))
  return rate.peak * (rate.minimumRatio + (1 - rate.minimumRatio) * remaining(rate.schedule, progress))
}

/** 1 at the peak, 0 at the floor. */
function remaining(schedule: LearningRateSchedule, progress: number): number {
  switch (schedule) {
    case 'constant':
      return 1
    case 'linear':
      return 1 - progress
    case 'cosine':
      return (1 + Math.cos(Math.PI * progress)) / 2
  }
}

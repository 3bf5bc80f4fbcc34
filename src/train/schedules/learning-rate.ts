/**
 * The learning rate of a step, counted from 0. By default the warm-up climbs to the peak in equal strides whose first is
 * above 0, and a decay reaches its floor only after the last step: a step at rate 0 would be a query paid for and not
 * learned from. Hugging Face and verl do take their first warm-up step at 0, and older verl at the floor of the decay.
 */
export type LearningRateSchedule = 'constant' | 'linear' | 'cosine'

export interface LearningRate {
  readonly peak: number
  readonly schedule: LearningRateSchedule
  /** A share of all steps, rounded down, or so many. */
  readonly warmup: ({ readonly ratio: number } | { readonly steps: number }) & { readonly from: WarmupStart }
  /** Where a decay ends, as a share of the peak. */
  readonly minimumRatio: number
}

export type WarmupStart = 'stride' | 'zero' | 'floor'

export function learningRateAt(step: number, totalSteps: number, rate: LearningRate): number {
  const { warmup, minimumRatio, peak } = rate
  const warmupSteps = 'steps' in warmup ? warmup.steps : Math.floor(warmup.ratio * totalSteps)
  if (step < warmupSteps) {
    const first = warmup.from === 'floor' ? minimumRatio : 0
    return peak * (first + ((1 - first) * (warmup.from === 'stride' ? step + 1 : step)) / warmupSteps)
  }
  const progress = Math.min(1, (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps))
  return peak * (minimumRatio + (1 - minimumRatio) * remaining(rate.schedule, progress))
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

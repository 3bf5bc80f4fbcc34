import { clamp } from './group.js'

/**
 * PPO's clipped loss of one beam or token. With r = π / π_old:
 *   max(−A r, −A clip(r, 1 − low, 1 + high)), and where A < 0 at most −A c: the dual clip (Ye et al. 2020), without which
 *   one token that has become much more probable since could weigh without end.
 * The slope is the one in log π; a branch that is constant in r has none.
 */
export interface ClipOptions {
  readonly low: number
  readonly high: number
  /** c; null for none. */
  readonly dual?: number | null
}

interface ClippedLoss {
  readonly ratio: number
  readonly loss: number
  readonly slope: number
  readonly clipped: 'no' | 'ratio' | 'dual'
}

/**
 * CISPO's loss of one beam or token (MiniMax-M1, 2025): −w A log π, w = clip(r, 1 − low, 1 + high) a weight without a slope. A
 * ratio out of the range weighs less than it would, and keeps its gradient, where PPO's clip takes it away.
 */
export function weightedLoss(
  logProb: number,
  logRatio: number,
  advantage: number,
  { low, high }: ClipOptions,
): ClippedLoss {
  const ratio = Math.exp(logRatio)
  const weight = clamp(ratio, 1 - low, 1 + high)
  return {
    ratio,
    loss: -weight * advantage * logProb,
    slope: -weight * advantage,
    clipped: weight === ratio ? 'no' : 'ratio',
  }
}

/** `largestLogRatio`: the logarithm of r is kept within ± this; beyond it there is no slope. */
export function clippedLoss(
  logRatio: number,
  advantage: number,
  { low, high, dual = null }: ClipOptions,
  largestLogRatio = Number.POSITIVE_INFINITY,
): ClippedLoss {
  const ratio = Math.exp(clamp(logRatio, -largestLogRatio, largestLogRatio))
  const free = -advantage * ratio
  const held = -advantage * clamp(ratio, 1 - low, 1 + high)
  const isHeld = held > free
  const loss = isHeld ? held : free
  if (dual !== null && advantage < 0 && loss > -advantage * dual) {
    return { ratio, loss: -advantage * dual, slope: 0, clipped: 'dual' }
  }
  const isFlat = isHeld || Math.abs(logRatio) > largestLogRatio
  return { ratio, loss, slope: isFlat ? 0 : free, clipped: isHeld ? 'ratio' : 'no' }
}

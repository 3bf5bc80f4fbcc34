/**
 * PPO's clipped loss of one token, as verl 0.9 has it. With r = π / π_old (its logarithm kept within ±20):
 *   max(−A r, −A clip(r, 1 − low, 1 + high)), and where A < 0 at most −A c: the dual clip (Ye et al. 2020), without which
 *   one token that has become much more probable since could weigh without end.
 * The slope is the one in log π; a branch that is constant in r has none.
 */
import { clamp } from '../../objectives/group.js'

export interface ClipOptions {
  readonly low: number
  readonly high: number
  /** c; Infinity for none. */
  readonly dual: number
}

export interface ClippedLoss {
  readonly ratio: number
  readonly loss: number
  readonly slope: number
  readonly clipped: 'no' | 'ratio' | 'dual'
}

const LARGEST_LOG_RATIO = 20

export function clippedLoss(logRatio: number, advantage: number, { low, high, dual }: ClipOptions): ClippedLoss {
  const ratio = Math.exp(clamp(logRatio, -LARGEST_LOG_RATIO, LARGEST_LOG_RATIO))
  const free = -advantage * ratio
  const held = -advantage * clamp(ratio, 1 - low, 1 + high)
  const isHeld = held > free
  const loss = isHeld ? held : free
  if (advantage < 0 && loss > -advantage * dual) return { ratio, loss: -advantage * dual, slope: 0, clipped: 'dual' }
  const isFlat = isHeld || Math.abs(logRatio) > LARGEST_LOG_RATIO
  return { ratio, loss, slope: isFlat ? 0 : free, clipped: isHeld ? 'ratio' : 'no' }
}

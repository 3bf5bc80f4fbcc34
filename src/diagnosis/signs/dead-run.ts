import { limitsOf, threshold } from '../rule.js'
import type { Subject } from '../subject.js'
import { type Curve, combined, within } from './curve.js'
import { lastingToTheEnd } from './lasting.js'

export const DEAD_THRESHOLDS = {
  NOTHING: threshold(1e-6, {
    en: 'Gradient and loss both below this; a loss alone is 0 in TRL by design.',
    zh: '梯度与 loss 都低于此值；TRL 中 loss 单独为 0 是正常的。',
  }),
  FEWEST_DEAD: threshold(10, { en: 'Points that it must last. Derived.', zh: '须持续这么多个点。推得。' }),
}
export const { NOTHING, FEWEST_DEAD } = limitsOf(DEAD_THRESHOLDS)

/** Gradient norm and loss as one curve: the larger of the two at each step that has both. */
export function updateSize({ curve }: Subject): Curve | undefined {
  const gradient = curve('grad.norm')
  const loss = curve('loss.policy') ?? curve('loss.total')
  if (gradient === undefined || loss === undefined) return undefined
  return combined(gradient, loss, (norm, size) => Math.max(Math.abs(norm), Math.abs(size)))
}

/** The end of the run in which next to nothing was learned any more. */
export function deadEnd(update: Curve): Curve | undefined {
  const found = lastingToTheEnd(update, isNothing, FEWEST_DEAD)
  return found === undefined ? undefined : within(update, found)
}

/** Steps without any update; a stray gradient now and then does not bring a run back. */
export function deadPoints({ values }: Curve): number {
  return values.filter(isNothing).length
}

function isNothing(value: number): boolean {
  return value < NOTHING
}

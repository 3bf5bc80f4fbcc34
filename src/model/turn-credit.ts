/**
 * Who gets the credit in a dialogue of several turns, after UserRL. A rollout has a score, made of its turns' rewards r_t:
 *   mean        of the rewards, rounded to four digits (UserRL calls it "Sum")
 *   sum         of the rewards
 *   discounted  Σ γ^t r_t ("R2G")
 * A group of rollouts of one prompt turns scores into advantages. Each turn has a credit c_t that shares them out:
 *   equal       1 ("Equalized")
 *   return      r_t + γ c_{t+1} ("R2G")
 *   exponential ½ + ½ (1 − e^−2r) / (1 − e^−2), rounded to four digits ("EM")
 *
 * Each token of turn t gets  A · c_t · (tokens with a credit) / (sum of credits over tokens).
 *
 * Two things that follow from these rules: with `return`, a rollout that earned nothing has no credits and is never
 * pushed down; and in a rollout below its group's mean the better turns are pushed down harder.
 */
export const TRAJECTORY_SCORES = ['mean', 'sum', 'discounted'] as const
export type TrajectoryScore = (typeof TRAJECTORY_SCORES)[number]

export const TURN_CREDITS = ['equal', 'return', 'exponential'] as const
export type TurnCredit = (typeof TURN_CREDITS)[number]

export function trajectoryScore(rewards: readonly number[], kind: TrajectoryScore, discount: number): number {
  const sum = rewards.reduce((total, reward) => total + reward, 0)
  switch (kind) {
    case 'mean':
      return rewards.length === 0 ? 0 : roundedAsInPython(sum / rewards.length)
    case 'sum':
      return sum
    case 'discounted':
      return rewards.reduceRight((later, reward) => reward + discount * later, 0)
  }
}

export function turnCredits(rewards: readonly number[], kind: TurnCredit, discount: number): readonly number[] {
  switch (kind) {
    case 'equal':
      return rewards.map(() => 1)
    case 'return': {
      const credits = [...rewards]
      for (let turn = credits.length - 2; turn >= 0; turn--) credits[turn] += discount * credits[turn + 1]
      return credits
    }
    case 'exponential':
      return rewards.map(reward => roundedAsInPython(0.5 + (0.5 * Math.expm1(-2 * reward)) / Math.expm1(-2)))
  }
}

/** What each token of each turn gets of the rollout's advantage. `lengths`: the model's own tokens of each turn. */
export function sharedAdvantages(
  advantage: number,
  credits: readonly number[],
  lengths: readonly number[],
): readonly number[] {
  let [sum, tokens] = [0, 0]
  credits.forEach((credit, turn) => {
    sum += credit * lengths[turn]
    if (credit !== 0) tokens += lengths[turn]
  })
  return credits.map(credit => (sum === 0 ? 0 : (advantage * credit * tokens) / sum))
}

/**
 * Python's round(x, 4): the exact decimal value decides, and a tie goes to the even digit. `toFixed` decides by the exact
 * value too but takes ties upwards; with four digits only odd multiples of 1/32 can tie.
 */
export function roundedAsInPython(x: number): number {
  const isTie = Math.abs((x * 32) % 2) === 1
  if (!isTie) return Number(x.toFixed(4))
  const below = Math.floor(x * 10_000)
  return (below % 2 === 0 ? below : below + 1) / 10_000
}

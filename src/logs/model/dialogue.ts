/**
 * A dialogue of several turns as it is kept with the scores of samples: one text that shows turn by turn what was said,
 * heard and earned, and the figures beside its score. Whoever played it (klens's own gym, UserRL's evaluation, a trainer
 * whose dump or console is read), the samples look alike, so that they can be laid side by side.
 */
export interface KeptTurn {
  readonly said: string
  /** What came back; one text for each call. */
  readonly heard: readonly string[]
  /** Null where nobody judged it. */
  readonly reward: number | null
  /** What the turn has found of what was looked for, in words. */
  readonly found?: readonly string[]
}

/** `why` is how it ended, where that is known. */
export function dialogueText(turns: readonly KeptTurn[], why: string | null): string {
  return [...turns.map(turnText), ...(why === null ? [] : [`— ${why}`])].join('\n')
}

function turnText({ said, heard, reward, found = [] }: KeptTurn, index: number): string {
  const told = `${index + 1}. ${said}\n   → ${heard.join('\n   → ') || '–'}  (${reward ?? '?'})`
  return [told, ...found.map(thing => `   + ${thing}`)].join('\n')
}

export interface DialogueFigures {
  readonly score: number
  readonly turns: number
  /** Share of what was looked for that was found. */
  readonly coverage?: number
  /** Turns that found nothing. */
  readonly wasted?: number
  /** Turns that asked for several things at once. */
  readonly compound?: number
  /** Calls that nobody could read. */
  readonly malformed?: number
}

/** Each figure as a metric: `eval.` makes `eval.score`, `eval.turns`, …; `val/` makes `val/score`. */
export function dialogueScores(prefix: string, figures: DialogueFigures): (readonly [metric: string, score: number])[] {
  return Object.entries(figures).flatMap(([name, value]) =>
    value === undefined ? [] : [[`${prefix}${name}`, Number(value)] as const],
  )
}

/** Rewards have few digits; the same ones in another order must not make another score. */
export function sumOfRewards(rewards: readonly number[]): number {
  return Math.round(rewards.reduce((sum, reward) => sum + reward, 0) * 1e10) / 1e10
}

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

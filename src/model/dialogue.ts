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

import { z } from 'zod'

/**
 * What a model wrote token by token: how probable each token was when it was drawn, and how far the whole distribution at
 * that place lay from the reference's. Kept with the text of a sample, as short JSON.
 */
export interface TokenScore {
  readonly text: string
  /** ln p of the token; null for what the model did not say itself, such as the reply of a tool. */
  readonly logProb: number | null
  /** KL(policy ‖ reference) over all tokens that might have stood here; null where it was not computed. */
  readonly kl: number | null
}

const kept = z.array(z.tuple([z.string(), z.number().nullable(), z.number().nullable()]))

/** Four digits are more than a colour shows. */
export function tokenScoresText(tokens: readonly TokenScore[]): string {
  const short = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(4)))
  return JSON.stringify(tokens.map(({ text, logProb, kl }) => [text, short(logProb), short(kl)]))
}

/** Null for what is no such list. */
export function tokenScoresIn(text: string | null): readonly TokenScore[] | null {
  if (text === null) return null
  try {
    return kept.parse(JSON.parse(text)).map(([token, logProb, kl]) => ({ text: token, logProb, kl }))
  } catch {
    return null
  }
}

import { type TokenScore, tokenScoresText } from '../../../logs/model/token-scores.js'
import type { LanguageModel } from '../lm/language-model.js'
import { ownTokens, type Rollout } from '../lm/rollouts.js'
import { chunksOf } from '../lm/sequences.js'
import type { Tokenizer } from '../lm/tokenizer/tokenizer.js'

/**
 * Dialogues token by token, to be looked at: how probable each of the model's own tokens was, and the exact KL to the
 * reference at its place. A second pass over a few dialogues; nothing is drawn and nothing learned.
 */
export function tokenScores(
  model: LanguageModel,
  reference: LanguageModel,
  tokenizer: Tokenizer,
  rollouts: readonly Rollout[],
): readonly string[] {
  const scored = chunksOf(rollouts.map(ownTokens)).flatMap(chunk => {
    const { logProbs, reference: other, boundaries } = model.score(chunk, { reference })
    return chunk.map((_, i) => ({
      logProbs: logProbs.slice(boundaries[i], boundaries[i + 1]),
      kl: other?.divergences.slice(boundaries[i], boundaries[i + 1]),
    }))
  })
  return rollouts.map((rollout, i) => {
    const { scored: own } = ownTokens(rollout)
    const from = rollout.turns[0]?.first ?? rollout.tokens.length
    let at = 0
    const tokens = rollout.tokens.slice(from).map((token, k): Piece => {
      if (own[from + k] === 0) return { ids: [token], logProb: null, kl: null }
      const piece = { ids: [token], logProb: scored[i].logProbs[at], kl: scored[i].kl?.[at] ?? null }
      at += 1
      return piece
    })
    return tokenScoresText(readable(tokens, tokenizer))
  })
}

interface Piece {
  readonly ids: readonly number[]
  readonly logProb: number | null
  readonly kl: number | null
}

/** A letter of several bytes may be several tokens: they are shown as one, whose log-probabilities and KL add up. */
function readable(pieces: readonly Piece[], tokenizer: Tokenizer): readonly TokenScore[] {
  const whole: TokenScore[] = []
  let open: Piece | null = null
  for (const piece of pieces) {
    const joined: Piece = open === null ? piece : together(open, piece)
    const text = tokenizer.decode(joined.ids)
    const isBroken = text.endsWith('\ufffd') && joined.ids.length < LONGEST_LETTER
    open = isBroken ? joined : null
    if (!isBroken) whole.push({ text, logProb: joined.logProb, kl: joined.kl })
  }
  return whole
}

/** Bytes. */
const LONGEST_LETTER = 4

function together(one: Piece, other: Piece): Piece {
  const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b)
  return { ids: [...one.ids, ...other.ids], logProb: sum(one.logProb, other.logProb), kl: sum(one.kl, other.kl) }
}

/**
 * A KL in the reward instead of the loss: each turn pays the coefficient times the KL of its own tokens, before anything
 * is scored (verl's `use_kl_in_reward`, carried over to turns).
 */
import { chunksOf } from './chunks.js'
import type { LanguageModel } from './language-model.js'
import { type TokenKlEstimator, tokenKl } from './objectives/token-kl.js'
import { ownTokens, type Rollout } from './rollouts.js'

/** For each rollout the KL of the model to the reference at each of its own tokens. */
export function rolloutKl(
  model: LanguageModel,
  reference: LanguageModel,
  rollouts: readonly Rollout[],
  { estimator, temperature }: { readonly estimator: TokenKlEstimator | 'exact'; readonly temperature: number },
): readonly Float64Array[] {
  return chunksOf(rollouts.map(ownTokens)).flatMap(chunk => {
    const { logProbs, reference: other, boundaries } = model.score(chunk, { temperature, reference })
    const kl =
      estimator === 'exact'
        ? other?.divergences
        : other?.logProbs.map((value, i) => tokenKl(logProbs[i] - value, estimator))
    return chunk.map((_, i) => (kl ?? new Float64Array()).slice(boundaries[i], boundaries[i + 1]))
  })
}

/** `kl` has a number for each own token of the rollout. */
export function penalised(rollout: Rollout, kl: ArrayLike<number>, coefficient: number): Rollout {
  let at = 0
  const turns = rollout.turns.map(turn => {
    let sum = 0
    for (let i = 0; i < turn.logProbs.length; i++) sum += kl[at++]
    return { ...turn, reward: turn.reward - coefficient * sum }
  })
  return { ...rollout, turns }
}

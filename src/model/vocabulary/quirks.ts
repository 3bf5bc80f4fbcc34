import type { Framework } from './framework.js'
import type { NoteKey } from './notes.js'

/**
 * Names whose number is not quite the quantity of their row: another unit, another average, another reference.
 * The note is a text key; a reader should see it wherever the number stands beside one from elsewhere.
 */
export interface Quirk {
  readonly framework: Framework | 'any'
  readonly names: readonly string[]
  /** Absent: the unit of the row. */
  readonly unit?: string | null
  readonly note?: NoteKey
}

// biome-ignore format: a table is read by its lines
export const QUIRKS: readonly Quirk[] = [
  { framework: 'any', names: ['KL值', 'KL散度', 'KL Divergence'], unit: null, note: 'metric-note.kl-unit-unknown' },
  { framework: 'any', names: ['吞吐量', '吞吐', 'tokens_per_second'], unit: 'tokens/s' },
  { framework: 'verl', names: ['actor/lr(1e-4)', 'critic/lr(1e-4)'], unit: '1e-4', note: 'metric-note.lr-scaled' },
  { framework: 'verl', names: ['actor/reward_kl_penalty'], note: 'metric-note.kl-in-reward' },
  { framework: 'verl', names: ['actor/entropy_loss', 'entropy_loss'], note: 'metric-note.entropy-not-loss' },
  { framework: 'verl', names: ['actor/ppo_kl'], note: 'metric-note.kl-may-be-negative' },
  { framework: 'verl', names: ['critic/advantages/mean', 'critic/advantages/std'], note: 'metric-note.adv-token-weighted' },
  { framework: 'verl', names: ['actor/pg_clipfrac_lower'], note: 'metric-note.clip-dual' },
  { framework: 'verl', names: ['rollout_corr/kl'], note: 'metric-note.kl-may-be-negative' },
  { framework: 'trl', names: ['sampling/sampling_logp_difference/mean', 'sampling/sampling_logp_difference/max'], unit: 'nats', note: 'metric-note.logp-difference' },
  { framework: 'trl-ppo', names: ['objective/kl'], unit: 'nats/sequence', note: 'metric-note.kl-per-sequence' },
  { framework: 'trl-ppo', names: ['objective/non_score_reward', 'ppo/mean_non_score_reward'], note: 'metric-note.kl-sign-flipped' },
  { framework: 'trl-ppo', names: ['objective/entropy'], note: 'metric-note.entropy-summed' },
  { framework: 'trl-ppo', names: ['val/ratio', 'val/ratio_var', 'val/clipfrac_avg', 'val/num_eos_tokens'], note: 'metric-note.val-not-validation' },
  { framework: 'trl-ppo', names: ['eps'], unit: 'episodes/s' },
  { framework: 'openrlhf', names: ['group_reward_std'], note: 'metric-note.std-of-groups' },
  { framework: 'openrlhf', names: ['entropy_loss', 'ent_loss'], note: 'metric-note.entropy-not-loss' },
  { framework: 'openrlhf', names: ['logprobs_diff'], unit: 'nats/token', note: 'metric-note.kl-may-be-negative' },
  { framework: 'lever-plus', names: ['kl', 'KL值', 'KL散度', 'KL Divergence'], unit: 'nats/sequence', note: 'metric-note.kl-per-pointers' },
  { framework: 'lever-plus', names: ['mean_ratio'], note: 'metric-note.ratio-to-reference' },
  { framework: 'lever-plus', names: ['max_advantage', 'Adv Max'], note: 'metric-note.adv-max-absolute' },
  { framework: 'lever-plus', names: ['val_loss'], note: 'metric-note.val-loss-is-rce' },
]

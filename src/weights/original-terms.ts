import { isJsonObject, type Json, type JsonObject } from '../model/json.js'

/**
 * What a checkpoint of klens says of itself, in the words of the original: epochs count from 0 in each phase, the KL
 * coefficient is the one in force after the epoch, metrics have the original's names and order.
 */
export const ORIGINAL_METRICS: {
  readonly [phase in 'rce' | 'grpo']: readonly (readonly [theirs: string, ours: string])[]
} = {
  rce: [
    ['rce_loss', 'loss.rce'],
    ['val_loss', 'val.loss'],
  ],
  grpo: [
    ['grpo_loss', 'loss.total'],
    ['ppo_loss', 'loss.policy'],
    ['kl_loss', 'kl.weighted'],
    ['kl', 'kl.ref'],
    ['mean_ratio', 'ratio.mean'],
    ['mean_advantage', 'adv.mean'],
    ['std_advantage', 'adv.std'],
    ['max_advantage', 'adv.max'],
    ['val_loss', 'val.loss'],
  ],
}

/** Null for a file that is no training's own, which already says what it says. */
export function inOriginalTerms({ phase, training, metrics, config }: JsonObject): JsonObject | null {
  if ((phase !== 'rce' && phase !== 'grpo') || !isJsonObject(training)) return null
  const { phaseEpoch, grpo } = training
  if (typeof phaseEpoch !== 'number') return null
  const inForce = within(within(grpo, 'kl'), 'effective') ?? within(config, 'kl.loss.coef')
  return {
    epoch: phaseEpoch - 1,
    phase,
    ...(inForce !== undefined && { kl_beta: inForce }),
    ...(isJsonObject(metrics) && { metrics: renamedMetrics(metrics, ORIGINAL_METRICS[phase]) }),
  }
}

export function renamedMetrics<Value extends Json>(
  metrics: { readonly [ours: string]: Value },
  names: readonly (readonly [theirs: string, ours: string])[],
): { readonly [theirs: string]: Value } {
  return Object.fromEntries(
    names.flatMap(([theirs, ours]) => (metrics[ours] === undefined ? [] : [[theirs, metrics[ours]] as const])),
  )
}

function within(value: Json | undefined, key: string): Json | undefined {
  return value !== undefined && isJsonObject(value) ? value[key] : undefined
}

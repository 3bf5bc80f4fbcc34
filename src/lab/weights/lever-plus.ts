import { isJsonObject, type Json, type JsonObject } from '../../logs/model/json.js'

/**
 * The files of Lever-Plus ("the original") that klens reads and writes beside its own: names of tensors, names of metrics,
 * and the members of both of its checkpoint layouts. Its data files are read in train/tasks/lever, its logs in sources/lever.
 *
 * The names of the selector's parameters: as its trainer (and klens) writes them, and under the prefix that the
 * original's inference takes off. The original's converter also takes the number off the one attention layer, and the
 * model that inference builds knows no such name: it loads what fits, logs the rest, and runs with random attention
 * (docs/identical-results.md). klens reads those files and writes names that both the loader and the model know.
 */

const V2_PREFIX = 'lever_lm.pointer_selector.'
const FIRST_LAYER: readonly (readonly [plain: string, v2: string])[] = [
  ['cross_attn_layers.0.', 'cross_attn.'],
  ['attn_norms.0.', 'attn_norm.'],
]
const LATER_LAYER = /^(?:cross_attn_layers|attn_norms)\.[1-9]/

export function isV2Name(name: string): boolean {
  return name.startsWith(V2_PREFIX)
}

/** Any other name, also of other parts of a Lightning file, is its own plain name. */
export function plainName(name: string): string {
  if (!isV2Name(name)) return name
  const bare = name.slice(V2_PREFIX.length)
  const layer = FIRST_LAYER.find(([, v2]) => bare.startsWith(v2))
  return layer === undefined ? bare : layer[0] + bare.slice(layer[1].length)
}

/** Null for a later attention layer, which that file has no room for. */
export function v2Name(name: string): string | null {
  if (LATER_LAYER.test(name)) return null
  if (name.startsWith('lever_lm.')) return name
  return V2_PREFIX + name
}

export function isUnknownToOriginal(name: string): boolean {
  return isV2Name(name) && FIRST_LAYER.some(([, v2]) => name.startsWith(V2_PREFIX + v2))
}

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

/** Of a single update, which the original keeps to itself, there is also: */
export const ORIGINAL_UPDATE_METRICS = [
  ['clip_fraction', 'clip.frac'],
  ['kl_beta', 'kl.coef'],
  ['grad_norm', 'grad.norm'],
  ['temperature', 'rce.temperature'],
  ['lr', 'lr'],
] as const

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

/** The members of the original's training checkpoint besides its weights. */
export const V3_KEYS = ['epoch', 'phase', 'kl_beta', 'metrics']
/**
 * What the original's own converter writes into every file, whatever was trained: a Lightning file must have them. They
 * say nothing about the training.
 */
export const LIGHTNING: JsonObject = {
  global_step: 0,
  'pytorch-lightning_version': '2.0.0',
  hyper_parameters: { lr: 1e-4, weight_decay: 0.001, warm_steps: 0.05 },
}

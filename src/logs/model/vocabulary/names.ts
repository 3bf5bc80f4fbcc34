/**
 * The same name as different tools write it. Nothing here knows what a name means; it only removes
 * what trackers and report writers add around one.
 */

/**
 * MLflow allows neither `@` nor doubled slashes, TensorBoard no `@`, others no slash at all; verl once filed its rollout
 * metrics under `mismatch/`.
 */
export function trackerName(name: string): string {
  return name
    .trim()
    .replace(/_at_(?=\d)/g, '@')
    .replace(/\/{2,}/g, '/')
    .replace(/^mismatch\//, 'rollout_corr/')
    .replace(FLAT_VALIDATION, 'val-$1/$2/$3/$4@$5')
    .replace(FLAT_AGGREGATE, '$1@$2')
}

const FLAT_VALIDATION = /^val[-_](core|aux)_(.+)_([a-z]+)_(mean|std|maj|best|worst)[@_](\d+)$/
const FLAT_AGGREGATE = /^(val-(?:core|aux)\/.+\/(?:mean|std|maj|best|worst))_(\d+)(?=$|\/)/

/** A name without the signs that trackers change: `acc/mean@1` and `acc/mean_1` are one. */
export function comparableName(name: string): string {
  return name.toLowerCase().replace(/[\s@/_.-]+/g, '_')
}

const TRAINING_PREFIX = /^train(?:ing)?[/_.](?=.)/

/** `train/kl` is `kl`: Hugging Face, OpenRLHF and most own loops file training metrics so. */
export function withoutTrainingPrefix(name: string): string {
  return name.replace(TRAINING_PREFIX, '')
}

/**
 * A name without the freedoms people take with it: case, spaces or hyphens for underscores, Markdown emphasis,
 * emoji, a remark in brackets. `**KL散度** (KL Divergence)` and `kl散度` are one name.
 */
export function looseName(name: string): string {
  return name
    .replace(DECORATION, '')
    .replace(REMARK, '')
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(UNDERSCORE_AT_HAN, '')
}

/** A loose name as trackers and exporters write it that allow no slash: `actor/pg_loss` is `actor_pg_loss`. */
export function flatName(name: string): string {
  return looseName(name).replace(/[/.]+/g, '_')
}

const DECORATION = /[*`\p{Extended_Pictographic}\u2190-\u21ff]|\ufe0f/gu
const REMARK = /[(（][^()（）]*[)）]\s*$/
const UNDERSCORE_AT_HAN = /(?<=\p{Script=Han})_|_(?=\p{Script=Han})/gu

/**
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

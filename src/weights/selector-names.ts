/**
 * The names of the selector's parameters: as its trainer (and klens) writes them, and as the file for the original's
 * inference scripts has them: under a prefix, with one attention layer whose name carries no number.
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
  const layer = FIRST_LAYER.find(([plain]) => name.startsWith(plain))
  return V2_PREFIX + (layer === undefined ? name : layer[1] + name.slice(layer[0].length))
}

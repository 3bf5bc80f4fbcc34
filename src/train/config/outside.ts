/** Settings that name files, folders or servers: whoever trains for others does not let them say these. */
const OUTSIDE = /^\s*(?:data\.(?:train|val|query_embeddings|candidate_embeddings|examples)|llm\.)/

export function isOutside(key: string): boolean {
  return OUTSIDE.test(key)
}

/** The first of some `key=value` that is one; null where none is. */
export function outsideAmong(given: unknown): string | null {
  const words = Array.isArray(given) ? given.map(String) : []
  return words.find(isOutside)?.split('=')[0] ?? null
}

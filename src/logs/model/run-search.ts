interface Searched {
  readonly name: string
  readonly id: string
  readonly source: string
  readonly status: string
  readonly tags: readonly string[]
}

/** Which runs a search finds: all of its words stand in the name, id, source, status or tags, in any order. */
export function searchMatcher(search: string): (run: Searched) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return ({ name, id, source, status, tags }) => {
    const text = [name, id, source, status, ...tags].join('\n').toLowerCase()
    return words.every(word => text.includes(word))
  }
}

/** The known word that was probably meant, or null when none is close: at most two edits, and fewer in short words. */
export function closestWord(word: string, known: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Math.min(2, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** Names that begin, or else go on somewhere, as a text or pattern does, as far as any do: what there is for somebody who found nothing. */
export function namesNear(text: string, names: readonly string[], most: number): readonly string[] {
  const [literal = ''] = /^[^*?[\](){}|^$+\\]*/.exec(text.toLowerCase()) ?? []
  for (let length = literal.length; length > 1; length -= 1) {
    const start = literal.slice(0, length)
    const near = names.filter(name => name.toLowerCase().startsWith(start))
    const found = near.length > 0 ? near : names.filter(name => name.toLowerCase().includes(start))
    if (found.length > 0) return found.slice(0, most)
  }
  return names.slice(0, most)
}

/** Levenshtein's distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const change = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[to.length] ?? 0
}

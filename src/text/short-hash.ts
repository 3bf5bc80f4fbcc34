/** As much of a hash as people are shown, the same everywhere so that two of them can be compared by eye. */
export function shortHash(hash: string): string {
  return hash.slice(0, 12)
}

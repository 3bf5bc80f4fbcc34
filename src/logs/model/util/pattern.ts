/** Whether a text fits a pattern with `*` and `?`. A regular expression would need exponential time for a pattern of many stars; this goes back to the last one only. */
export function fitsPattern(text: string, pattern: string): boolean {
  let [at, i] = [0, 0]
  let star: { readonly after: number; taken: number } | null = null
  while (at < text.length) {
    if (pattern[i] === '*') {
      i += 1
      star = { after: i, taken: at }
    } else if (pattern[i] === '?' || pattern[i] === text[at]) {
      i += 1
      at += 1
    } else if (star !== null) {
      star.taken += 1
      i = star.after
      at = star.taken
    } else {
      return false
    }
  }
  while (pattern[i] === '*') i += 1
  return i === pattern.length
}

/**
 * Every match of a global pattern, as `matchAll` gives them. That one copies the pattern and reads its flags by name with
 * each call, which on a sentence costs more than the search itself.
 */
export function everyMatch(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  pattern.lastIndex = 0
  let match = pattern.exec(text)
  if (match === null) return NO_MATCHES
  const matches: RegExpExecArray[] = []
  for (; match !== null; match = pattern.exec(text)) {
    matches.push(match)
    if (match[0] === '') pattern.lastIndex += 1
  }
  return matches
}

const NO_MATCHES: readonly RegExpExecArray[] = []

/**
 * Answers about short texts (labels, headers, names) that a long report repeats thousands of times, asked once each. The
 * memory is emptied when it is full, so that a report of a million different labels costs no more than it is long.
 */
export function remembered<Answer>(ask: (text: string) => Answer, most = 4_000): (text: string) => Answer {
  const known = new Map<string, Answer>()
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= most) known.clear()
    const answer = ask(text)
    known.set(text, answer)
    return answer
  }
}

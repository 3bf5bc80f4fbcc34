/** A function whose answer is made once for each object, and kept as long as the object is there. */
export function remembered<Key extends object, Answer extends object | string | number | boolean | null>(
  make: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new WeakMap<Key, Answer>()
  return key => {
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = make(key)
    answers.set(key, answer)
    return answer
  }
}

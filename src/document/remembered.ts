/** A function whose answer is made once for each object, and kept as long as the object is there. */
export function remembered<Key extends object, Answer>(make: (key: Key) => Answer): (key: Key) => Answer {
  const answers = new WeakMap<Key, { readonly answer: Answer }>()
  return key => {
    const known = answers.get(key)
    if (known !== undefined) return known.answer
    const answer = make(key)
    answers.set(key, { answer })
    return answer
  }
}

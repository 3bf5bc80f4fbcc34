/** Functions that compute an answer once and keep it: without an argument, for each object, for each text, for the last arguments. */

export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The answer is kept for as long as the object is there. */
export function memoByObject<Key extends object, Answer extends object | string | number | boolean | null>(
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

/** A process can be asked about any number of texts: when `most` answers are kept, all of them are dropped. */
export function memoByText<Text extends string, Answer extends object | string | number | boolean | null>(
  make: (text: Text) => Answer,
  most = 100_000,
): (text: Text) => Answer {
  const answers = new Map<Text, Answer>()
  return text => {
    const known = answers.get(text)
    if (known !== undefined) return known
    const answer = make(text)
    if (answers.size >= most) answers.clear()
    answers.set(text, answer)
    return answer
  }
}

/** Only the last answer is kept: for questions that several ask in turn before the next thing is looked at. */
export function memoOfLast<Arguments extends readonly unknown[], Answer>(
  make: (...given: Arguments) => Answer,
): (...given: Arguments) => Answer {
  let last: { readonly given: Arguments; readonly answer: Answer } | undefined
  return (...given) => {
    if (last === undefined || given.some((one, i) => one !== last?.given[i])) last = { given, answer: make(...given) }
    return last.answer
  }
}

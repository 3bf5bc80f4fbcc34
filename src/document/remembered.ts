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

/** So much text is kept before all of it is forgotten. */
const MOST_CHARACTERS = 300_000

/**
 * The same for texts, which are no objects to hang an answer on. Names, titles and the clauses of a sentence are asked
 * about again and again; what was asked long ago is not.
 */
export function rememberedText<Answer extends object>(make: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>()
  let characters = 0
  let [lastText, lastAnswer]: [string, Answer | undefined] = ['', undefined]
  return text => {
    if (lastText === text && lastAnswer !== undefined) return lastAnswer
    const known = answers.get(text)
    const answer = known ?? make(text)
    ;[lastText, lastAnswer] = [text, answer]
    if (known !== undefined) return known
    characters += text.length
    if (characters > MOST_CHARACTERS) {
      answers.clear()
      characters = text.length
    }
    answers.set(text, answer)
    return answer
  }
}

/** So much text is kept before all of it is forgotten. */
const MOST_CHARACTERS = 400_000

/**
 * A function whose answer is made once for each text. Names, titles and the clauses of a sentence are asked
 * about again and again; what was asked long ago is not.
 */
export function rememberedText<Answer extends object | boolean>(
  make: (text: string) => Answer,
): (text: string) => Answer {
  const answers = new Map<string, Answer>()
  let characters = 0
  memories.push(answers)
  return text => {
    const known = answers.get(text)
    if (known !== undefined) return known
    // Short as it may be, its answer takes room too.
    characters += Math.max(32, text.length)
    if (characters > MOST_CHARACTERS) {
      answers.clear()
      characters = 0
    }
    const answer = make(text)
    answers.set(text, answer)
    return answer
  }
}

const memories: Map<string, unknown>[] = []

/** A piece keeps the whole text in memory that it was cut from: who begins with others says so. */
export function forgetTexts(): void {
  for (const answers of memories) answers.clear()
}

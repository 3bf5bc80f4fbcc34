import { Problem } from '../../src/model/problem.js'
import { render } from '../../src/text/sentences.js'

/** The English sentence of the problem in which a promise ends. */
export async function problemIn(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Problem) return render(error.sentence, 'en')
    throw error
  }
  throw new Error('there was no problem')
}

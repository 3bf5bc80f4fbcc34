import type { Message } from '../model/run.js'
import { message, type TextKey, type TextParams } from '../text/say.js'

/** A file that cannot be read, compared or converted: why, as a sentence that names the file. */
export class WeightsError extends Error {
  readonly problem: Message

  constructor(problem: Message) {
    super(`${problem.key} ${JSON.stringify(problem.params)}`)
    this.problem = problem
  }
}

export function weightsError<Key extends TextKey>(key: Key, params: TextParams<Key>): WeightsError {
  return new WeightsError(message(key, params))
}

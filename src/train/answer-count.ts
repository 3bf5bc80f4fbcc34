import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import { message } from '../text/say.js'
import type { RewardedGroup } from './rewarded-group.js'

/**
 * How many rewards a pass over the data could have. Some may be missing: they are left out. When all of them are, the
 * task is dead (an endpoint that is down, a reward that the data cannot give), and going on would train nothing.
 */
export class AnswerCount {
  #scored = 0
  #missing = 0
  #reason: Message | null = null

  add({ beams, missing, missingReason }: RewardedGroup): void {
    this.#scored += beams.length
    this.#missing += missing
    this.#reason ??= missingReason
  }

  /** Nothing where nothing is missing. */
  metrics(): { readonly [name: string]: number } {
    return this.#missing === 0 ? {} : { 'answers.missing': this.#missing, 'answers.scored': this.#scored }
  }

  check(): void {
    if (this.#scored > 0 || this.#missing === 0) return
    const cause = this.#reason === null ? undefined : new Problem('unreachable', this.#reason)
    throw new Problem('unreachable', message('train.all-missing', { count: this.#missing }), { cause })
  }
}

import type { Message } from '../model/run.js'
import { render } from '../text/sentences.js'

/** A training that cannot begin or go on: why, and what to do. The CLI says it in the reader's language. */
export class TrainError extends Error {
  readonly detail: Message
  /** Where one sentence needs another: why the task could give no score. */
  readonly because: Message | null

  constructor(detail: Message, because: Message | null = null) {
    super([detail, ...(because === null ? [] : [because])].map(said => render(said, 'en')).join(' '))
    this.detail = detail
    this.because = because
  }
}

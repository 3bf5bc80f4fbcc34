import type { Message } from '../../model/run.js'
import { render } from '../../text/sentences.js'

/** Data or settings that no task can be made of. The message names the file and the record; the CLI says it in the reader's language. */
export class TaskError extends Error {
  readonly detail: Message

  constructor(detail: Message) {
    super(render(detail, 'en'))
    this.detail = detail
  }
}

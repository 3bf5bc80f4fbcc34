import type { RunEvent } from '../../model/events.js'
import { consoleSource } from '../console/console-source.js'
import { createConsoleReader, newConsoleState, verlStateSchema } from './console-reader.js'

/**
 * What verl (and EasyR1, UserRL and other forks) print: the log of a job whose `trainer.logger` contains `console`.
 * See docs/sources/verl.md.
 */
export const verlConsole = consoleSource({
  id: 'verl',
  unit: 'line',
  recognise: (head, file) => TELL_TALE.test(head) || holdsRow(head, file.size > file.head.length),
  runName: head => EXPERIMENT_NAME.exec(head)?.[1],
  state: verlStateSchema,
  newState: newConsoleState,
  open: createConsoleReader,
})

/** What verl prints before its first step, which may be more than the head shows. */
const TELL_TALE =
  /^(?:\x1b\[[\d;]*m)?\((?:\w*TaskRunner|main_task|WorkerDict) pid=\d+|'actor_rollout_ref': \{|Total training steps: \d+/m

const EXPERIMENT_NAME = /(?:["']experiment_name["']: ["']|\btrainer\.experiment_name=['"]?)([^\s'"$]+)/

function holdsRow(head: string, isCut: boolean): boolean {
  const lastNewline = isCut ? head.lastIndexOf('\n') : -1
  const whole = Buffer.from(lastNewline < 0 ? head : head.slice(0, lastNewline))
  const events: RunEvent[] = []
  createConsoleReader(newConsoleState()).read(whole, events, () => {})
  return events.some(event => event.type === 'row')
}

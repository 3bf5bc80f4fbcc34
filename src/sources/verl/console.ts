import { extname } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import { message } from '../../text/say.js'
import { readLines } from '../files.js'
import type { Source, SourceFile } from '../source.js'
import { belongingOf } from './belonging.js'
import { createConsoleReader } from './console-reader.js'
import { type ConsoleState, consoleCursorSchema, newConsoleState } from './console-state.js'

/**
 * What verl (and EasyR1, UserRL and other forks) print: the log of a job whose `trainer.logger` contains `console`.
 * See docs/sources/verl.md. A last line without its end is never read: half a number is a wrong number.
 */
export const verlConsole: Source = {
  id: 'verl',
  role: 'log',
  grows: true,
  keep: 'all',

  recognise(file) {
    if (NOT_A_LOG.has(extname(file.path).toLowerCase()) || file.head.includes(0)) return false
    const head = headText(file)
    if (/^\s*(?:\{"|\[\s*[{["])/.test(head)) return false
    return TELL_TALE.test(head) || holdsRun(head, file.size > file.head.length)
  },

  async describe(file) {
    const head = headText(file)
    return [belongingOf(file, head, EXPERIMENT_NAME.exec(head)?.[1])]
  },

  async *read(file, { cursor }) {
    const resumed = consoleCursorSchema.safeParse(cursor)
    const state = resumed.success ? resumed.data.state : newConsoleState()
    const reader = createConsoleReader(state)
    for await (const batch of readLines(file.path, resumed.success ? resumed.data.offset : 0)) {
      const events: RunEvent[] = []
      for (const line of batch.lines) reader.line(line, events)
      state.overlongLines += batch.overlong
      const isLast = batch.lines.length === 0
      const mayChange = isLast && state.initial !== null
      if (isLast) {
        reader.end(events)
        events.push({ type: 'tail', unreadBytes: batch.restBytes }, ...totals(state))
      }
      const cursor = mayChange ? null : { offset: batch.end, state: structuredClone(state) }
      events.push({ type: 'cursor', cursor })
      yield events
    }
  },
}

/** Documents and programs that quote log lines. */
const NOT_A_LOG = new Set(['.md', '.markdown', '.rst', '.html', '.ipynb', '.py', '.sh'])

/** What verl prints before its first step, which may be more than the head shows. */
const TELL_TALE =
  /^(?:\x1b\[[\d;]*m)?\((?:\w*TaskRunner|main_task|WorkerDict) pid=\d+|'actor_rollout_ref': \{|Total training steps: \d+/m

const EXPERIMENT_NAME = /(?:["']experiment_name["']: ["']|\btrainer\.experiment_name=['"]?)([^\s'"$]+)/

function headText(file: SourceFile): string {
  return Buffer.from(file.head).toString('utf8')
}

function holdsRun(head: string, isCut: boolean): boolean {
  const lines = head.split('\n')
  if (isCut && lines.length > 1) lines.pop()
  const events: RunEvent[] = []
  const reader = createConsoleReader(newConsoleState())
  for (const line of lines) reader.line(line, events)
  return events.some(event => event.type === 'row')
}

/** Counts so far; a later reading says them again, grown. */
function totals({ badValues, overlongLines }: ConsoleState): RunEvent[] {
  const events: RunEvent[] = []
  if (badValues.count > 0) events.push({ type: 'warning', message: message('verl.bad-values', badValues) })
  if (overlongLines > 0) {
    events.push({ type: 'warning', message: message('source.overlong-lines', { count: overlongLines }) })
  }
  return events
}

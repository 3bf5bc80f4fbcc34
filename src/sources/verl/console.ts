import type { RunEvent } from '../../model/events.js'
import { overlongLines, warning } from '../complaints.js'
import { consoleHead } from '../console/head.js'
import { canResume, headText, readTextBlocks } from '../encoding.js'
import { loneLog } from '../lone-log.js'
import { markPlaces } from '../place.js'
import type { Source } from '../source.js'
import { turnLineTotals } from '../userrl/turn-lines.js'
import {
  type ConsoleReader,
  type ConsoleState,
  consoleCursorSchema,
  createConsoleReader,
  newConsoleState,
} from './console-reader.js'
import { say } from './texts.js'

/**
 * What verl (and EasyR1, UserRL and other forks) print: the log of a job whose `trainer.logger` contains `console`.
 * See docs/sources/verl.md. A last line without its end is never read: half a number is a wrong number.
 */
export const verlConsole: Source = {
  id: 'verl',
  role: 'log',
  grows: true,
  keep: 'all',
  precision: 'printed',

  recognise(file) {
    const head = consoleHead(file)
    return head !== null && (TELL_TALE.test(head) || holdsRun(head, file.size > file.head.length))
  },

  async describe(file) {
    const head = headText(file) ?? ''
    return [loneLog('verl', file, head, EXPERIMENT_NAME.exec(head)?.[1])]
  },

  async *read(file, { cursor, places = false }) {
    const resumed = consoleCursorSchema.safeParse(cursor)
    const state = resumed.success ? resumed.data.state : newConsoleState()
    const reader = createConsoleReader(state)
    let line = 0
    for await (const block of readTextBlocks(file, resumed.success ? resumed.data.offset : 0)) {
      const events: RunEvent[] = []
      if (block.body !== null) {
        readBody(reader, block.body, events, from => {
          line += 1
          if (places) markPlaces(events, from, 'line', line)
        })
      }
      state.overlongLines += block.overlong
      const isLast = block.body === null
      const mayChange = isLast && state.initial !== null
      if (isLast) {
        reader.end(events)
        events.push({ type: 'tail', unreadBytes: block.restBytes }, ...totals(state))
      }
      const cursor = mayChange || !canResume(file) ? null : { offset: block.end, state: structuredClone(state) }
      events.push({ type: 'cursor', cursor })
      yield events
    }
  },
}

/** What verl prints before its first step, which may be more than the head shows. */
const TELL_TALE =
  /^(?:\x1b\[[\d;]*m)?\((?:\w*TaskRunner|main_task|WorkerDict) pid=\d+|'actor_rollout_ref': \{|Total training steps: \d+/m

const EXPERIMENT_NAME = /(?:["']experiment_name["']: ["']|\btrainer\.experiment_name=['"]?)([^\s'"$]+)/

function holdsRun(head: string, isCut: boolean): boolean {
  const lastNewline = isCut ? head.lastIndexOf('\n') : -1
  const events: RunEvent[] = []
  readBody(
    createConsoleReader(newConsoleState()),
    Buffer.from(lastNewline < 0 ? head : head.slice(0, lastNewline)),
    events,
  )
  return events.some(event => event.type === 'row')
}

const NEWLINE = 0x0a
const RETURN = 0x0d

/** `read`: told after each line, with how many events there were before it. */
function readBody(reader: ConsoleReader, body: Buffer, events: RunEvent[], read?: (before: number) => void): void {
  for (let start = 0; start <= body.length; ) {
    const newline = body.indexOf(NEWLINE, start)
    const next = newline < 0 ? body.length : newline
    const end = next > start && body[next - 1] === RETURN ? next - 1 : next
    const before = events.length
    reader.line(body, start, end, events)
    read?.(before)
    start = next + 1
  }
}

/** Counts so far; a later reading says them again, grown. */
function totals(state: ConsoleState): RunEvent[] {
  const bad = state.badValues.count === 0 ? [] : [warning(say('verl.bad-values', state.badValues))]
  return [...bad, ...overlongLines(state.overlongLines), ...turnLineTotals(state.turnLines)]
}

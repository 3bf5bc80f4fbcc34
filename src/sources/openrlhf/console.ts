import type { RunEvent } from '../../model/events.js'
import { overlongLines, warning } from '../complaints.js'
import { consoleHead } from '../console/head.js'
import { canResume, readTextLines } from '../encoding.js'
import { loneLog } from '../lone-log.js'
import { markPlaces } from '../place.js'
import type { Source } from '../source.js'
import { type ConsoleState, consoleCursorSchema, createConsoleReader, newConsoleState } from './console-reader.js'
import { say } from './texts.js'

/**
 * What OpenRLHF's PPO trainers print, with or without Ray. See docs/sources/openrlhf.md. A last text without its end is
 * never read: half a number is a wrong number.
 */
export const openrlhfConsole: Source = {
  id: 'openrlhf',
  role: 'log',
  grows: true,
  keep: 'all',
  precision: 'printed',

  recognise(file) {
    const head = consoleHead(file)
    return head !== null && TELL_TALE.test(head)
  },

  async describe(file) {
    const head = consoleHead(file) ?? ''
    return [loneLog('openrlhf', file, head, RUN_NAME.exec(head)?.[1])]
  },

  async *read(file, { cursor, places = false }) {
    const resumed = consoleCursorSchema.safeParse(cursor)
    const state = resumed.success ? resumed.data.state : newConsoleState()
    const reader = createConsoleReader(state)
    const from = resumed.success ? resumed.data.offset : 0
    let number = 0
    for await (const batch of readTextLines(file, from, { returns: true })) {
      const events: RunEvent[] = []
      for (const line of batch.lines) {
        const before = events.length
        if (line !== '') reader.line(line, events)
        number += 1
        if (places) markPlaces(events, before, 'text', number)
      }
      state.overlongLines += batch.overlong
      const isLast = batch.lines.length === 0
      // A whole step of a log that has shown nothing but bars for longer is final; else a status line may follow.
      const mayChange = isLast && reader.end(events) && !state.onlyBars
      if (isLast) events.push({ type: 'tail', unreadBytes: batch.restBytes }, ...totals(state))
      const cursor = mayChange || !canResume(file) ? null : { offset: batch.end, state: structuredClone(state) }
      events.push({ type: 'cursor', cursor })
      yield events
    }
  },
}

const TELL_TALE =
  /^(?:\x1b\[[\d;]*m)?\((?:PPOTrainer(?:Async)?|PolicyModelActor|CriticModelActor|ActorModelRayActor|CriticModelRayActor) pid=\d|^(?:[A-Z]+ [\d:. -]+ [\w.-]+:\d+\] )?✨ Global step \d+: \{'|^namespace\([^\r\n]*\balgo=namespace\(|^Namespace\([^\r\n]*\binit_kl_coef=|(?:^|[\r\n])Train epoch \[\d+\/\d+\]: +\d+%\|[^|\r\n]{0,400}\|[^[\r\n]{0,100}\[[^\]\r\n]{0,100}\b(?:act_loss|pg|critic_loss)=/m

const RUN_NAME = /\b(?:run_name=|--logger\.wandb\.run_name |--wandb_run_name )['"]?([^\s'",)]+)/

/** Counts so far; a later reading says them again, grown. */
function totals(state: ConsoleState): RunEvent[] {
  const bad = state.badLines.count === 0 ? [] : [warning(say('openrlhf.bad-status', state.badLines))]
  return [...bad, ...overlongLines(state.overlongLines)]
}

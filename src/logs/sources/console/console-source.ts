import { extname } from 'node:path'
import { z } from 'zod'
import type { RunEvent } from '../../model/events.js'
import { canResume, headText, readTextBlocks, splitLines } from '../encoding.js'
import { NEWLINE, RETURN } from '../files.js'
import { loneLog } from '../run-identity.js'
import type { Source, SourceFile } from '../source.js'
import { markPlaces, overlongLines } from '../source-helpers.js'

/**
 * Logs that are read line by line, by a reader that remembers what it must in a state. Offsets, half-written last lines,
 * places and cursors live here; what differs between formats is a `LineReader`. A last line without its end is left for
 * a later reading, unless the reader can tell that it is whole: half a number is a wrong number.
 */
interface LineLog<State extends { overlongLines: number }> {
  /** `text`: a carriage return ends one too, because bars of tqdm return to the beginning of their line. */
  readonly unit: 'line' | 'text'
  /** All that must be remembered between two lines; plain JSON, because cursors carry it. */
  readonly state: z.ZodType<State>
  newState(): State
  /** A reader that changes `state` in place. */
  open(state: State): LineReader
}

export interface LineReader {
  /** Reads a block of whole lines, and calls `lineRead` after each with how many events there were before it. */
  read(block: Buffer, events: RunEvent[], lineRead: (before: number) => void): void
  /** Says what was held back for a line that did not come, and what stands behind the last line end where it is whole. */
  end(events: RunEvent[], rest: string): LogEnd
  /** Counts so far; a later reading says them again, grown. */
  totals(): RunEvent[]
}

/** Whether what was said at the end stands, may turn out otherwise once more is printed, or holds the last line too. */
type LogEnd = 'settled' | 'may-change' | 'took-rest'

export function readLineLog<State extends { overlongLines: number }>(format: LineLog<State>): Source['read'] {
  const { unit, newState, open } = format
  const cursorSchema = z.object({ offset: z.int().nonnegative(), state: format.state })

  return async function* read(file, { cursor, places = false }) {
    const resumed = cursorSchema.safeParse(cursor)
    const { offset, state } = resumed.success ? resumed.data : { offset: 0, state: newState() }
    const reader = open(state)
    let number = 0
    for await (const block of readTextBlocks(file, offset, { returns: unit === 'text' })) {
      const events: RunEvent[] = []
      let end: LogEnd = 'settled'
      state.overlongLines += block.overlong
      if (block.body === null) {
        end = reader.end(events, block.rest.toString('utf8'))
        if (places && end === 'took-rest') markPlaces(events, 0, unit, number + 1)
        events.push({ type: 'tail', unreadBytes: end === 'took-rest' ? 0 : block.restBytes })
        events.push(...reader.totals(), ...overlongLines(state.overlongLines))
      } else {
        reader.read(block.body, events, before => {
          number += 1
          if (places) markPlaces(events, before, unit, number)
        })
      }
      const isResumable = end === 'settled' && canResume(file)
      events.push({ type: 'cursor', cursor: isResumable ? { offset: block.end, state: structuredClone(state) } : null })
      yield events
    }
  }
}

/** Reads blocks as lines of text. */
export function textLines(
  unit: 'line' | 'text',
  take: (line: string, events: RunEvent[]) => void,
): Pick<LineReader, 'read'> {
  return {
    read(block, events, lineRead) {
      for (const line of splitLines(block.toString('utf8'), unit === 'text')) {
        const before = events.length
        take(line, events)
        lineRead(before)
      }
    },
  }
}

/** Reads blocks as lines of bytes, between two places, for a reader that decodes few of them. */
export function byteLines(
  take: (bytes: Buffer, start: number, end: number, events: RunEvent[]) => void,
): Pick<LineReader, 'read'> {
  return {
    read(block, events, lineRead) {
      for (let start = 0; start <= block.length; ) {
        const newline = block.indexOf(NEWLINE, start)
        const next = newline < 0 ? block.length : newline
        const before = events.length
        take(block, start, next > start && block[next - 1] === RETURN ? next - 1 : next, events)
        lineRead(before)
        start = next + 1
      }
    },
  }
}

interface ConsoleFormat<State extends { overlongLines: number }>
  extends LineLog<State>,
    Pick<Source, 'id' | 'namesElsewhere'> {
  /** Whether a file that begins so is ours. */
  recognise(head: string, file: SourceFile): boolean
  /** What a log that begins so calls its run. */
  runName?(head: string): string | undefined
  /** Of a file that only begins as ours do: whether it holds a run. */
  holdsRun?(head: string, file: SourceFile): Promise<boolean>
}

/** What a trainer prints, kept in a file: a source whose run is the file. */
export function consoleSource<State extends { overlongLines: number }>(format: ConsoleFormat<State>): Source {
  const { id, namesElsewhere, runName, holdsRun } = format
  return {
    id,
    role: 'log',
    grows: true,
    keep: 'all',
    precision: 'printed',
    ...(namesElsewhere && { namesElsewhere }),

    recognise(file) {
      const head = consoleHead(file)
      return head !== null && format.recognise(head, file)
    },

    async describe(file) {
      const head = headText(file) ?? ''
      const isOurs = holdsRun === undefined || (await holdsRun(head, file))
      return isOurs ? [loneLog(id, file, head, runName?.(head))] : []
    },

    read: readLineLog(format),
  }
}

/** Documents and programs that quote log lines. */
const NOT_A_LOG = new Set(['.md', '.markdown', '.rst', '.html', '.ipynb', '.py', '.sh'])

/** The beginning of what a program has printed; null of a file that is no such text. */
export function consoleHead(file: SourceFile): string | null {
  const head = NOT_A_LOG.has(extname(file.path).toLowerCase()) ? null : headText(file)
  return head === null || /^\s*(?:\{"|\[\s*[{["])/.test(head) ? null : head
}

/**
 * What surrounds a line of verl's output on its way into a file: colours, carriage returns of progress bars, and the
 * name of the process that Ray puts in front.
 */

const COLOUR = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|[@-Z\\^_])/g

/** The texts that stood on the screen one after another where this line is; mostly one, the line itself. */
export function screenTexts(line: string): readonly string[] {
  const plain = line.includes('\x1b') ? line.replace(COLOUR, '') : line
  return plain.includes('\r') ? plain.split('\r').filter(text => text !== '') : [plain]
}

const OPENING = 0x28
/** `(TaskRunner pid=247607, ip=10.0.0.1) `, with the task number that `srun --label` puts before it. */
const PROCESS = /^(?:\d{1,6}: ?)?\([^()]{0,200}\bpid=\d+[^()]{0,200}\) ?/

/** Where the text of the process begins, behind Ray's `(name pid=1) `. */
export function bodyStart(text: string): number {
  const first = text.charCodeAt(0)
  const maybePrefixed = first === OPENING || (first >= 0x30 && first <= 0x39)
  return maybePrefixed ? (PROCESS.exec(text)?.[0].length ?? 0) : 0
}

/** A line of tqdm, which says nothing about what its process prints next. */
export function isProgressBar(text: string): boolean {
  return text.includes('%|')
}

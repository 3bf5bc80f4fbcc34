import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import type { Message } from '../../model/run.js'

/**
 * How a process ended, as far as its output tells: the error of its last traceback, an allocator or NCCL that gave up, a
 * scheduler that ended it. Much of this is printed by processes that live on, so it counts only as long as no further
 * step follows, and not at all once the run is known to be finished.
 */
export const endingSchema = z.object({
  /** The process whose traceback is being printed. */
  traceback: z.string().nullable(),
  failure: z.object({ kind: z.enum(['error', 'memory', 'communication', 'killed']), text: z.string() }).nullable(),
  /** A failure was said, and has to be taken back when the run goes on. */
  isSaid: z.boolean(),
})

type Ending = z.infer<typeof endingSchema>

type Failure = NonNullable<Ending['failure']>

export function newEnding(): Ending {
  return { traceback: null, failure: null, isSaid: false }
}

/** One of these stands in every line that matters here; most lines have none and cost one look. */
const MAY_MATTER = /Traceback|rror|NCCL|Killed|Terminated|Segmentation|Aborted|CANCELLED|oom|out of memory/

const TRACEBACK = /(?:^|\s)Traceback \(most recent call last\):\s*$/
/** The line that closes a traceback: `RuntimeError: …`, `ray.exceptions.RayTaskError(ValueError): …`, `KeyboardInterrupt`. */
const ERROR = /^[A-Za-z_][\w.]{2,120}(?:\(\w{1,80}\))?(?::\s.*|:?\s*)$/s
const BETWEEN_TRACEBACKS = /^(?:During handling of the above|The above exception was)/

const MARKS: readonly (readonly [Failure['kind'], RegExp])[] = [
  ['memory', /CUDA out of memory|HIP out of memory|\bOutOfMemoryError\b|oom[-_ ]?kill/i],
  [
    'communication',
    /NCCL (?:error|WARN .{0,1000}(?:failed|timeout))|nccl(?:System|Internal|Remote|UnhandledCuda)Error|Watchdog caught collective operation timeout/,
  ],
  ['killed', /DUE TO TIME LIMIT|\bCANCELLED AT\b|^(?:Killed|Terminated)\s*$|: line \d+: +\d+ (?:Killed|Terminated)\b/],
  ['error', /^Fatal Python error: |^(?:Segmentation fault|Bus error|Aborted)(?: \(core dumped\))?\s*$/],
]

/** Of an error that quotes a whole batch. */
const LONGEST_TEXT = 300

/** Takes a printed line into account. `process` is what Ray puts before it. */
export function noteLine(ending: Ending, body: string, process: string): void {
  if (ending.traceback === process && noteWithinTraceback(ending, body)) return
  if (!MAY_MATTER.test(body)) return
  if (TRACEBACK.test(body)) {
    ending.traceback = process
    return
  }
  const kind = MARKS.find(([, pattern]) => pattern.test(body))?.[0]
  if (kind !== undefined) ending.failure = stronger(ending.failure, { kind, text: shortened(body) })
}

/** Whether the line is part of the traceback or its end. */
function noteWithinTraceback(ending: Ending, body: string): boolean {
  if (body.trim() === '' || /^\s/.test(body) || BETWEEN_TRACEBACKS.test(body)) return true
  if (!ERROR.test(body)) {
    ending.traceback = null
    return false
  }
  const kind = MARKS.find(([, pattern]) => pattern.test(body))?.[0]
  const isInterrupt = /^(?:KeyboardInterrupt|SystemExit)\b/.test(body)
  ending.failure = { kind: isInterrupt ? 'killed' : (kind ?? 'error'), text: shortened(body) }
  return true
}

/** What explains a failure is not given up for the noise that other processes make about it. */
function stronger(known: Failure | null, next: Failure): Failure {
  return known !== null && known.kind !== 'error' && next.kind === 'error' ? known : next
}

function shortened(body: string): string {
  const text = body.trim()
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`
}

/** A further step: whatever was complained of, the run went on. */
export function noteStepAfter(ending: Ending): void {
  ending.traceback = null
  ending.failure = null
}

/** What there is to say at the end of a reading. */
export function endingEvents(ending: Ending): RunEvent[] {
  if (ending.failure === null) {
    if (!ending.isSaid) return []
    ending.isSaid = false
    return [{ type: 'status', status: 'unknown' }]
  }
  ending.isSaid = true
  const { kind } = ending.failure
  return [{ type: 'status', status: kind === 'killed' ? 'killed' : 'failed', reason: sentenceFor(ending.failure) }]
}

function sentenceFor({ kind, text }: Failure): Message {
  switch (kind) {
    case 'error':
      return say('ending.error', { error: text })
    case 'memory':
      return say('ending.memory', { error: text })
    case 'communication':
      return say('ending.communication', { error: text })
    case 'killed':
      return say('ending.killed', { error: text })
  }
}

/** What is said about how a process ended. */
const say = sentences({
  'ending.error': { en: 'it ended in an error: {error}', zh: '因异常退出：{error}' },
  'ending.memory': { en: 'it ran out of memory: {error}', zh: '显存或内存不足：{error}' },
  'ending.communication': {
    en: 'communication between the processes failed: {error}',
    zh: '进程间通信失败：{error}',
  },
  'ending.killed': { en: 'it was killed from outside: {error}', zh: '被外部终止：{error}' },
})

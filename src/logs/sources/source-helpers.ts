import { sentences } from '../../text/sentences.js'
import type { LogPosition, RunEvent } from '../model/events.js'
import type { Message } from '../model/run.js'
import type { SourceFile } from './source.js'

/** What readers have to say, whatever the format. It is stored with the run, and said whenever somebody asks. */
export const sayCommon = sentences({
  'source.bad-lines': {
    en: '{count} {count|line|lines} could not be read (first: line {line})',
    zh: '有 {count} 行无法解析（首个在第 {line} 行）',
  },
  'source.overlong-lines': {
    en: '{count} {count|line|lines} longer than 16 MiB {count|was|were} left out',
    zh: '有 {count} 行超过 16 MiB，已略过',
  },
  'source.bad-step': {
    en: '{count} {count|row has|rows have} a step that is not a usable number (first: {step}); left out',
    zh: '有 {count} 行的 step 不是可用的数字（首个：{step}），已略过',
  },
  'source.unreadable': { en: 'it could not be read: {reason}', zh: '无法读取：{reason}' },
})

export function warning(message: Message): RunEvent {
  return { type: 'warning', message }
}

/** Of a count that grows as a log does: nothing as long as it is zero. */
export function overlongLines(count: number): RunEvent[] {
  return count === 0 ? [] : [warning(sayCommon('source.overlong-lines', { count }))]
}

/**
 * Marks where in its file what was just read stands: the rows behind `from`. Readers do so only where they are asked to
 * (`ReadRequest.places`); an import has no use for it. A reader that holds a row back until it knows its step marks where
 * it let it go, which is a little further on.
 */
export function markPlaces(events: RunEvent[], from: number, unit: LogPosition['unit'], number: number): void {
  for (let i = from; i < events.length; i += 1) {
    const event = events[i]
    if (event?.type === 'row') events[i] = { ...event, at: { unit, number } }
  }
}

/** What counts as a step, and when a log has gone back to an earlier one. */

/** Beyond 2^53 whole numbers are no longer told apart, so such a step is no place on an axis. */
const LARGEST_STEP = 2 ** 53

export function isUsableStep(step: number): boolean {
  return Math.abs(step) <= LARGEST_STEP
}

export interface StepGate {
  /** False, and counted, for what is no place on an axis. `shown` is what the complaint quotes. */
  admits(step: number | null | undefined, shown?: unknown): step is number
  complaints(): RunEvent[]
}

/** A hostile cell must not make a complaint of a megabyte. */
const LONGEST_QUOTE = 60

export function stepGate(isPlace: (step: number) => boolean = isUsableStep): StepGate {
  let count = 0
  let first = ''
  return {
    admits(step, shown = step): step is number {
      if (step !== null && step !== undefined && isPlace(step)) return true
      if (count === 0) first = String(shown).slice(0, LONGEST_QUOTE)
      count += 1
      return false
    },
    complaints: () => (count === 0 ? [] : [warning(sayCommon('source.bad-step', { count, step: first }))]),
  }
}

/**
 * When a step lower than the last one means that the process was started again. Going back alone does not: a fully
 * asynchronous verl logs a validation at the step whose weights it judged, long after later steps. Logging the same
 * metrics at a lower step does.
 */
interface StepOrder {
  /** The highest step of the process that writes now; null before its first. */
  lastStep: number | null
  /** The first metric logged at that step. */
  lastMetric: string
}

export function goesBack(order: StepOrder, step: number, metrics: readonly string[]): boolean {
  return order.lastStep !== null && step < order.lastStep && metrics[0] === order.lastMetric
}

export function noteStep(order: StepOrder, step: number, metrics: readonly string[]): void {
  if (order.lastStep !== null && step < order.lastStep) return
  order.lastStep = step
  order.lastMetric = metrics[0] ?? ''
}

/** When a row was written. Trackers write Unix time in any of four units, or ISO 8601; klens keeps Unix seconds. */

/** The year 1985 to 2128 in seconds; smaller numbers are time since the start, which is a metric like any other. */
const EARLIEST = 5e8
const LATEST = 5e9

export function timeFromNumber(value: number): number | null {
  for (const unit of [1, 1e3, 1e6, 1e9]) {
    if (value >= EARLIEST * unit && value <= LATEST * unit) return value / unit
  }
  return null
}

const ISO_8601 =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i

/** A time without a zone is taken as UTC: the log does not say where it was written, and this machine may be elsewhere. */
export function timeFromText(text: string): number | null {
  const match = ISO_8601.exec(text)
  if (match === null) return null
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '0', zone = 'Z'] = match
  const milliseconds = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second)
  const seconds = milliseconds / 1000 + Number(`0.${fraction}`) - zoneSeconds(zone)
  return seconds >= EARLIEST && seconds <= LATEST ? seconds : null
}

function zoneSeconds(zone: string): number {
  if (/^[zu]/i.test(zone)) return 0
  const digits = zone.slice(1).replace(':', '')
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2)) * 60
  return zone.startsWith('-') ? -seconds : seconds
}

/**
 * Makes equal lists of metric names the same array. Who stores rows looks the names up only when the array changes,
 * and logs alternate between a few lists (training rows, evaluation rows).
 */
export function nameLists(): (names: readonly string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  let last: readonly string[] = []
  return names => {
    if (isSameList(names, last)) return last
    const key = names.join('\0')
    const list = known.get(key)
    last = list ?? names
    if (list === undefined && known.size < MOST_LISTS) known.set(key, names)
    return last
  }
}

/** The same for rows of one metric each, as long tables have them. */
export function nameAlone(): (name: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return name => {
    const list = known.get(name) ?? [name]
    if (known.size < MOST_LISTS) known.set(name, list)
    return list
  }
}

/** More kinds of rows than any log has; a file with ever new names must not fill the memory. */
const MOST_LISTS = 4096

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false
  return true
}

/** A clone or a copy writes a file in one go, and then has nothing to add. */
const IN_ONE_GO_MS = 250

export function isWrittenInOneGo({ modifiedMs, createdMs = Number.NEGATIVE_INFINITY }: SourceFile): boolean {
  return modifiedMs - createdMs <= IN_ONE_GO_MS
}

import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type JsonObject } from '../../model/json.js'
import { bodyStart, consoleSource, type LineReader, screenTexts, textLines } from '../console/console-source.js'
import { endingEvents, endingSchema, newEnding, noteLine, noteStepAfter } from '../console/ending.js'
import { printedNumberIn, readPythonLiteral } from '../console/python-literal.js'
import { readTextLines } from '../encoding.js'
import type { SourceFile } from '../source.js'
import { nameLists, sayCommon, warning } from '../source-helpers.js'
import { namesElsewhere } from './trainer-state.js'

/**
 * What Hugging Face's Trainer prints, and so TRL's trainers: a dict for each logging step,
 * `{'loss': '0.0123', 'reward': '0.52', 'epoch': '0.1'}`, between states of a progress bar. The dict does not tell its
 * step; the bar that tqdm draws again right behind it does. Where a log has no bars, because only standard output was
 * kept, the epoch tells the step as soon as the log says how many steps an epoch has, or how many lie between two rows;
 * else rows stand on the axis that they do tell, the epoch, and that is said. See docs/sources/trainer-state.md.
 */
const say = sentences({
  'hf.counts-epochs': {
    en: 'counted in epochs: the console has no progress bar after its rows, and neither the steps per epoch nor logging_steps',
    zh: '以 epoch 计数：控制台输出的各行后没有进度条，也没有给出每个 epoch 的 step 数或 logging_steps',
  },
})

/** What stands before the first dict of a job that loads a large model first. */
const TELL_TALE =
  /\[transformers\]|^Loading (?:checkpoint shards|weights): +\d+%\||\btrl\b.*\btrainer\b|\baccelerate launch\b/im
/** How far a log is searched for its first dict. */
const SEARCHED_BYTES = 8 << 20

async function holdsLoggedLater(file: SourceFile): Promise<boolean> {
  for await (const { lines, end } of readTextLines(file, 0, { returns: true })) {
    if (lines.some(line => holdsLogged(line))) return true
    if (end > SEARCHED_BYTES) return false
  }
  return false
}

/** Whether a dict that the Trainer logged begins a line: it always ends in the epoch. */
function holdsLogged(text: string): boolean {
  return LOGGED.test(text)
}

const LOGGED = /(?:^|[\r\n\]: ]|\x1b\[A)\{'[\w/.-]{1,200}': [^\r\n{}]{1,60000}'epoch': '?\d[\d.e+-]*'?\}\s*(?:$|[\r\n])/
const STARTS_LOGGED = /^\{'[\w/.-]{1,200}': /

/** `[rank0]:` and its like, which torchrun puts before a line. */
const RANK = /^\[(?:default|rank)?\d{1,5}\]:\s?/
/** A bar without a name; those of data sets and checkpoints have one. */
const BAR = /^\s*\d{1,3}%\|[^|]{0,400}\|\s*(\d{1,12})\/(\d{1,12}) \[/

const PRINTED_STEPS =
  /^\s*(Num update steps per epoch|Total optimization steps) = ([\d,]{1,15})\s*$|(?:^|[\s,({'"])(logging_steps)['"]?\s*[=:]\s*(\d{1,9})\b/

const barSchema = z.object({ done: z.number(), total: z.number() })
const rowSchema = z.object({
  metrics: z.array(z.string()),
  values: z.array(z.union([z.number(), z.string()])),
  decimals: z.array(z.number().nullable()),
})

const stateSchema = z.object({
  /** How rows are placed: null until the first can be. */
  axis: z.enum(['bars', 'epoch']).nullable(),
  /** The steps of the whole training, by its bar. */
  total: z.number().nullable(),
  bar: barSchema.nullable(),
  /** Rows whose step is not known yet, and the bar that stood before them. */
  waiting: z.array(z.object({ row: rowSchema, before: barSchema.nullable() })),
  lastStep: z.number().nullable(),
  /** What the log says of its steps, where no bar does. */
  rhythm: z
    .object({
      perEpoch: z.number().nullable(),
      loggingSteps: z.number().nullable(),
      /** The part of an epoch between two rows. */
      epochPerRow: z.number().nullable(),
      countsEpochs: z.boolean(),
    })
    .default(newRhythm),
  finished: z.boolean(),
  badLines: z.object({ count: z.number(), line: z.number() }),
  linesRead: z.number(),
  overlongLines: z.number(),
  ending: endingSchema,
})

function newRhythm() {
  return {
    perEpoch: null as number | null,
    loggingSteps: null as number | null,
    epochPerRow: null as number | null,
    countsEpochs: false,
  }
}

type State = z.infer<typeof stateSchema>
type LoggedRow = z.infer<typeof rowSchema>
type Bar = z.infer<typeof barSchema>

function newState(): State {
  return {
    axis: null,
    total: null,
    bar: null,
    waiting: [],
    lastStep: null,
    rhythm: newRhythm(),
    finished: false,
    badLines: { count: 0, line: 0 },
    linesRead: 0,
    overlongLines: 0,
    ending: newEnding(),
  }
}

/** The reader keeps what it must remember in `state`, which it changes in place. */
function createReader(state: State): LineReader {
  const shared = nameLists()
  let events: RunEvent[] = []

  function readText(text: string): void {
    const start = bodyStart(text)
    const body = text.slice(start).replace(RANK, '')
    const bar = BAR.exec(body)
    if (bar !== null) takeBar({ done: Number(bar[1]), total: Number(bar[2]) })
    const dict = body.trimStart()
    if (STARTS_LOGGED.test(dict)) takeLogged(dict.trimEnd())
    else if (bar === null) {
      noteLine(state.ending, body, text.slice(0, start))
      noteRhythm(body)
    }
  }

  /** `Num update steps per epoch = 1,869`, `Total optimization steps = 200`, `logging_steps=5`. */
  function noteRhythm(body: string): void {
    const [, counted, much, logging, between] = PRINTED_STEPS.exec(body) ?? []
    const name = counted ?? logging
    const digits = much ?? between ?? ''
    if (name === undefined) return
    const count = Number(digits.replaceAll(',', ''))
    if (count <= 0) return
    if (name.startsWith('Num')) state.rhythm.perEpoch = count
    else if (name.startsWith('logging')) state.rhythm.loggingSteps = count
    else if (state.total === null) events.push({ type: 'config', config: { max_steps: count } })
  }

  function takeLogged(text: string): void {
    const value = readPythonLiteral(text)
    if (!isJsonObject(value) || !('epoch' in value)) {
      if (!text.includes("'epoch': ")) return
      if (state.badLines.count === 0) state.badLines.line = state.linesRead
      state.badLines.count += 1
      return
    }
    if (state.axis !== 'epoch' && state.waiting.length > 0) {
      state.axis ??= 'epoch'
      const first = state.waiting[0]?.row
      const between = printedNumberIn(value.epoch ?? null) ?? 0
      if (first !== undefined) state.rhythm.epochPerRow ??= between - epochOf(first)
      release()
    }
    state.waiting.push({ row: rowOf(value), before: state.bar })
    if (state.axis === 'epoch') release()
    if ('train_runtime' in value) finish()
  }

  /** Bars are drawn for evaluations too; the training's own is known by its length. */
  function takeBar(bar: Bar): void {
    const [first] = state.waiting
    state.bar = bar
    if (first === undefined) return
    if (state.total !== null && bar.total !== state.total && bar.total !== first.before?.total) return
    if (bar.total !== state.total) events.push({ type: 'config', config: { max_steps: bar.total } })
    state.total = bar.total
    state.axis = 'bars'
    for (const { row } of state.waiting) place(row, bar.done)
    state.waiting = []
  }

  /** Rows behind which no bar was drawn: the one before them is the best there is. */
  function release(): void {
    for (const { row, before } of state.waiting) {
      const isOwn = before !== null && (state.total === null || before.total === state.total)
      if (state.axis === 'bars' && isOwn) place(row, before.done)
      else sayOnEpochs(row)
    }
    state.waiting = []
  }

  function place(row: LoggedRow, step: number): void {
    if (state.lastStep !== null && step < state.lastStep) restart()
    state.lastStep = step
    push(row, { step })
  }

  /** The step that an epoch is, by what the log said of its steps; null where it said nothing, or one of the rows stood on epochs. */
  function stepAt(epoch: number): number | null {
    const { perEpoch, loggingSteps, epochPerRow, countsEpochs } = state.rhythm
    if (countsEpochs || !Number.isFinite(epoch)) return null
    if (perEpoch !== null) return Math.round(epoch * perEpoch)
    if (loggingSteps === null || epochPerRow === null || epochPerRow <= 0) return null
    const rows = Math.round(epoch / epochPerRow)
    // The further on, the better the epoch tells how much of it a row is.
    if (rows > 0) state.rhythm.epochPerRow = epoch / rows
    return Math.max(1, rows * loggingSteps)
  }

  function sayOnEpochs(row: LoggedRow): void {
    const epoch = epochOf(row)
    const counted = stepAt(epoch)
    if (counted !== null) {
      place(row, counted)
      return
    }
    state.rhythm.countsEpochs = true
    if (state.lastStep !== null && epoch < state.lastStep) restart()
    state.lastStep = epoch
    push(row, { step: epoch, axis: 'epoch' })
  }

  function push(
    { metrics, values, decimals }: LoggedRow,
    place: { readonly step: number; readonly axis?: string },
  ): void {
    const isPrinted = decimals.some(count => count !== null)
    noteStepAfter(state.ending)
    events.push({
      type: 'row',
      time: null,
      ...place,
      metrics: shared(metrics),
      values: values.map(Number),
      ...(isPrinted && { decimals }),
    })
  }

  function finish(): void {
    state.finished = true
    events.push({ type: 'status', status: 'finished' })
  }

  function restart(): void {
    events.push({ type: 'restart' })
    if (!state.finished) return
    state.finished = false
    events.push({ type: 'status', status: 'unknown' })
  }

  return {
    ...textLines('text', (line, into) => {
      if (line === '') return
      events = into
      state.linesRead += 1
      for (const text of screenTexts(line)) readText(text)
    }),
    /** Says what still waits, which may turn out otherwise once more has been printed. */
    end(into) {
      events = into
      const isSettled = state.waiting.length === 0
      if (!isSettled) release()
      if (!state.finished) events.push(...endingEvents(state.ending))
      return isSettled ? 'settled' : 'may-change'
    },
    totals: () => [
      ...(state.badLines.count === 0 ? [] : [warning(sayCommon('source.bad-lines', state.badLines))]),
      ...(state.rhythm.countsEpochs ? [warning(say('hf.counts-epochs', {}))] : []),
    ],
  }
}

function epochOf({ metrics, values }: LoggedRow): number {
  return Number(values[metrics.indexOf('epoch')])
}

/** Since transformers 5 numbers are printed as texts of four significant digits. */
const SIGNIFICANT_DIGITS = 4

function rowOf(dict: JsonObject): LoggedRow {
  const metrics: string[] = []
  const values: (number | string)[] = []
  const decimals: (number | null)[] = []
  for (const [metric, item] of Object.entries(dict)) {
    const value = printedNumberIn(item)
    if (value === null) continue
    metrics.push(metric)
    values.push(Number.isFinite(value) ? value : String(value))
    decimals.push(typeof item === 'string' ? decimalsOf(value) : null)
  }
  return { metrics, values, decimals }
}

function decimalsOf(value: number): number | null {
  if (value === 0 || !Number.isFinite(value)) return null
  return Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(Math.abs(value))))
}

export const trainerConsole = consoleSource({
  id: 'hf',
  unit: 'text',
  namesElsewhere,
  recognise: (head, file) => holdsLogged(head) || (file.size > file.head.length && TELL_TALE.test(head)),
  holdsRun: async (head, file) => holdsLogged(head) || (await holdsLoggedLater(file)),
  state: stateSchema,
  newState,
  open: createReader,
})

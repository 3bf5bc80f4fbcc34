import { extname } from 'node:path'
import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import type { Message } from '../../model/run.js'
import { decodeText, headText, readTextLines, splitLines } from '../encoding.js'
import { loneLog } from '../run-identity.js'
import type { Source, SourceFile } from '../source.js'
import { goesBack, isUsableStep, nameLists, noteStep } from '../source-helpers.js'
import { csv } from '../table/csv.js'
import { bodyStart, consoleHead, type LineReader, readLineLog, screenTexts, textLines } from './console-source.js'
import type { CounterKey } from './counters.js'
import { endingEvents, endingSchema, newEnding, noteLine, noteStepAfter } from './ending.js'
import { type PrintedLine, type PrintedValue, readPrintedLine } from './printed-line.js'
import { closeSettings, settingsSchema, takeSettingLine } from './printed-settings.js'
import { boxSchema, closeBox, inBlock, newBox, readColumns, takeBoxLine } from './printed-table.js'
import { isTrainingName, nameInPlan, planSteps, type StepPlan } from './step-plan.js'

/**
 * What training scripts print that no reader knows by name: lines with a counter and numbers, tables and blocks under a
 * counter, among any other text. See docs/sources/console.md. Which counter is the step is decided once, from the first
 * lines that count; a text whose counters do not advance, or whose names no training uses, is none.
 */
export const stepConsole: Source = {
  id: 'console',
  role: 'steps',
  grows: true,
  keep: 'all',
  precision: 'printed',

  // Rows of numbers under their names alone are a table.
  recognise: file => isPlan(planOfEnds(file)) && !csv.recognise(file),

  async describe(file) {
    const planned = await planOf(file)
    if (planned === null) return []
    return [{ ...loneLog('console', file, headText(file) ?? ''), metrics: planned.plan.names }]
  },

  async *read(file, request) {
    const planned = await planOf(file)
    if (planned === null) return
    const { plan, isSettled } = planned
    const open = (state: State): LineReader => createReader(state, plan, isSettled)
    yield* readLineLog({ unit: 'text', state: stateSchema, newState, open })(file, request)
  },

  lacks(file) {
    const refusal = planOfEnds(file)
    return refusal === null || isPlan(refusal) ? null : (REFUSALS[refusal] ?? null)
  },
}

type Planned = ReturnType<typeof planSteps>

function isPlan(planned: Planned | null): planned is StepPlan {
  return planned !== null && typeof planned === 'object'
}

/** Tables and programs, whose lines may look like printed ones. */
const NO_CONSOLE = new Set(
  '.csv .tsv .json .jsonl .yaml .yml .toml .ini .cfg .xml .tex .c .cc .cpp .h .java .go .rs .r .sql .diff .patch'.split(
    ' ',
  ),
)
/** So many lines decide; more only of a file that the head shows in part. */
const DECIDING_LINES = 200
/** How far a log is searched for them: scripts print their own source first. */
const SEARCHED_BYTES = 8 << 20

/** Most texts have no counter with a number, and cost one look. */
const MAY_COUNT =
  /(?:step|steps|iter|iters|iterations?|itr|updates?|batch|episodes?|ep|epochs?|frames?|gen|game|round|iteraci.n|итерация|эпоха|[eé]poca|epoche|шаг|paso|it)[^\nA-Za-z]{0,40}\d|^s[:=]\d|第\s?\d|^[ \t]{0,8}[[(]{1,2}\s?\d|^[ \t|]{0,40}(?:step|iter|epoch|episode)/im

const seen = new WeakMap<SourceFile, Planned | null>()

/** By the first and the last bytes alone; null of what is no console. */
function planOfEnds(file: SourceFile): Planned | null {
  const known = seen.get(file)
  if (known !== undefined) return known
  const planned = planFromEnds(file)
  seen.set(file, planned)
  return planned
}

function planFromEnds(file: SourceFile): Planned | null {
  const head = NO_CONSOLE.has(extname(file.path).toLowerCase()) ? null : consoleHead(file)
  if (head === null) return null
  if (!MAY_COUNT.test(head) && (file.tail === undefined || !MAY_COUNT.test(decodeText(file.tail)))) return null
  const planned = planSteps(linesIn(splitLines(head, true)), head)
  if (isPlan(planned) || file.tail === undefined || file.size <= file.head.length) return planned
  const tail = decodeText(file.tail)
  const late = planSteps(linesIn(splitLines(tail, true)), head + tail)
  return isPlan(late) ? late : planned
}

function linesIn(texts: readonly string[]): PrintedLine[] {
  const reader = printedLines()
  const lines: PrintedLine[] = []
  for (const text of texts) {
    lines.push(...reader.take(text))
    if (lines.length >= DECIDING_LINES) break
  }
  return [...lines, ...reader.close()]
}

/** The plan of the first lines that count, wherever they begin; settled once there are so many that more change nothing. */
async function planOf(file: SourceFile): Promise<{ readonly plan: StepPlan; readonly isSettled: boolean } | null> {
  if (consoleHead(file) === null) return null
  const reader = printedLines()
  const lines: PrintedLine[] = []
  let isSettled = false
  for await (const batch of readTextLines(file, 0, { returns: true })) {
    for (const text of batch.lines) {
      if (lines.length < DECIDING_LINES) lines.push(...reader.take(text))
    }
    isSettled = lines.length >= DECIDING_LINES
    if (isSettled || batch.end > SEARCHED_BYTES) break
  }
  const plan = planSteps(lines, headText(file) ?? '')
  return isPlan(plan) ? { plan, isSettled } : null
}

/** Screen texts as printed lines; a table is one once it is closed. */
function printedLines(box = newBox()) {
  function* take(text: string): Generator<PrintedLine> {
    for (const shown of screenTexts(text)) {
      const body = plainBody(shown)
      const part = takeBoxLine(box, body)
      if (part === 'row') continue
      if (part === 'closed') yield* close()
      const line = inBlock(box, body, readColumns(box, body) ?? readPrintedLine(body))
      if (line !== null && (line.counters.length > 0 || line.isPure)) yield line
    }
  }
  function close(): readonly PrintedLine[] {
    const line = closeBox(box)
    return line === null ? [] : [line]
  }
  return { take, close }
}

/** Without the name of the process, and without what backspaces have wiped out. */
function plainBody(text: string): string {
  const shown = text.includes('\b') ? text.slice(text.lastIndexOf('\b') + 1) : text
  return shown.slice(bodyStart(shown)).replace(RANK, '')
}

const RANK = /^\[(?:default|rank)?\d{1,5}\]:\s?/

const stateSchema = z.object({
  box: boxSchema,
  settings: settingsSchema,
  step: z.number().nullable(),
  epoch: z.number().nullable(),
  /** The number of the first epoch: scripts count from 0 or from 1. */
  firstEpoch: z.number().nullable(),
  /** The counter of the last line, and whether it begins again with each epoch; null until an epoch has passed. */
  inner: z.number(),
  isPerEpoch: z.boolean().nullable(),
  lastStep: z.number().nullable(),
  lastMetric: z.string(),
  /** Seconds in the unit that a time was first printed with. */
  units: z.array(z.tuple([z.string(), z.number()])),
  hasRows: z.boolean(),
  announced: z.number(),
  overlongLines: z.number(),
  ending: endingSchema,
})

type State = z.infer<typeof stateSchema>

function newState(): State {
  return {
    box: newBox(),
    settings: [],
    step: null,
    epoch: null,
    firstEpoch: null,
    inner: 0,
    isPerEpoch: null,
    lastStep: null,
    lastMetric: '',
    units: [],
    hasRows: false,
    announced: 0,
    overlongLines: 0,
    ending: newEnding(),
  }
}

/** More names with units than any console has. */
const MOST_UNITS = 500

function createReader(state: State, plan: StepPlan, isSettled: boolean): LineReader {
  const shared = nameLists()
  const known = new Set(plan.names)
  const printed = printedLines(state.box)
  let events: RunEvent[] = []

  function readText(text: string): void {
    noteLine(state.ending, text, '')
    let isPrinted = false
    for (const line of printed.take(text)) isPrinted = takeLine(line) || isPrinted
    if (!isPrinted && !state.hasRows) pushConfig(takeSettingLine(state.settings, text))
  }

  function pushConfig(config: ReturnType<typeof takeSettingLine>): void {
    if (config !== null) events.push({ type: 'config', config })
  }

  /** Whether the line says something of the step that it stands at. */
  function takeLine(line: PrintedLine): boolean {
    const isCounted = takeCounters(line)
    const values = isCounted || line.counters.length > 0 ? line.values : line.values.filter(isKnown)
    const others = line.counters.filter(({ key }) => !isAxis(key) && key !== 'batch')
    if (state.step === null || (values.length === 0 && (isCounted || others.length === 0 || !state.hasRows))) {
      return isCounted
    }
    const further = others.map(({ name, value }) => ({ name, value, decimals: 0, seconds: null }))
    const told = [...values, ...further.filter(({ name }) => !values.some(value => value.name === name))]
    const named = told.map(value => ({ ...value, name: nameInPlan(plan, line, value.name) }))
    push(state.step, unique(named), line.time)
    return true
  }

  function isAxis(key: CounterKey): boolean {
    return key === plan.axis || plan.aliases.includes(key)
  }

  function isKnown({ name }: PrintedValue): boolean {
    return known.has(name) || isTrainingName(name)
  }

  /** Whether the line shows the counter that is the step. */
  function takeCounters({ counters, values }: PrintedLine): boolean {
    const epoch = counters.find(({ key }) => key === 'epoch')?.value
    const isNewEpoch = epoch !== undefined && state.epoch !== null && epoch > state.epoch
    if (epoch !== undefined) {
      state.epoch = epoch
      state.firstEpoch ??= epoch === 0 ? 0 : 1
    }
    const counter = counters.find(({ key }) => isAxis(key))
    if (counter === undefined || !isUsableStep(counter.value)) return false
    if (state.announced < plan.announced) {
      if (values.length > 0) state.announced += 1
      return false
    }
    const { value, total } = counter
    if (isNewEpoch && state.isPerEpoch === null && total !== null && state.step !== null) {
      state.isPerEpoch = value < state.inner || (value === state.inner && value === total)
    }
    state.inner = value
    const before = state.isPerEpoch && total !== null ? ((state.epoch ?? 0) - (state.firstEpoch ?? 0)) * total : 0
    state.step = before + value
    return true
  }

  function push(step: number, values: readonly PrintedValue[], time: number | null): void {
    if (!isUsableStep(step)) return
    const metrics = shared(values.map(({ name }) => name))
    if (goesBack(state, step, metrics)) {
      events.push({ type: 'restart' })
      state.lastStep = null
    }
    noteStep(state, step, metrics)
    noteStepAfter(state.ending)
    pushConfig(closeSettings(state.settings))
    state.hasRows = true
    const decimals = values.map(value => value.decimals)
    events.push({ type: 'row', step, time, metrics, values: values.map(inFirstUnit), decimals })
  }

  /** A time that was printed in milliseconds first stays in them: `time 980ms`, then `time 1.02s`. */
  function inFirstUnit({ name, value, seconds }: PrintedValue): number {
    if (seconds === null) return value
    const first = state.units.find(([known]) => known === name)?.[1]
    if (first === undefined && state.units.length < MOST_UNITS) state.units.push([name, seconds])
    return first === undefined || first === seconds ? value : (value * seconds) / first
  }

  return {
    ...textLines('text', (line, into) => {
      events = into
      if (line !== '') readText(line)
    }),
    end(into) {
      events = into
      const isWhole = state.box.rows.length === 0
      if (!isWhole) for (const line of printed.close()) takeLine(line)
      events.push(...endingEvents(state.ending))
      return isSettled && isWhole ? 'settled' : 'may-change'
    },
    totals: () => [],
  }
}

/** Of two numbers of one name on a line the first: the second is a part of prose. */
function unique(values: readonly PrintedValue[]): PrintedValue[] {
  const seen = new Set<string>()
  return values.filter(({ name }) => seen.size < seen.add(name).size)
}

const say = sentences({
  'skip.console-no-values': {
    en: 'a console log with a counter, but without named numbers next to it',
    zh: '控制台输出里有计数，但旁边没有带名称的数值',
  },
  'skip.console-not-advancing': {
    en: 'a console log with numbers, but no counter (step, iteration, episode, epoch) advances from line to line',
    zh: '控制台输出里有数值，但没有逐行递增的计数（step、iteration、episode、epoch）',
  },
  'skip.console-no-training': {
    en: 'a console log with a counter, but without a metric that trainings print at several steps (loss, reward, accuracy …)',
    zh: '控制台输出里有计数，但没有训练中会在多个 step 打印的名称（loss、reward、accuracy 等）',
  },
})

const REFUSALS: { readonly [refusal: string]: Message } = {
  'no-values': say('skip.console-no-values', {}),
  'not-advancing': say('skip.console-not-advancing', {}),
  'no-training': say('skip.console-no-training', {}),
}

import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { Row, RunEvent } from '../../model/events.js'
import {
  bodyStart,
  byteLines,
  consoleSource,
  isProgressBar,
  type LineReader,
  screenTexts,
} from '../console/console-source.js'
import { endingEvents, endingSchema, newEnding, noteLine, noteStepAfter } from '../console/ending.js'
import { goesBack, noteStep, warning } from '../source-helpers.js'
import {
  newTurnLines,
  stepLogged,
  takeTurnLine,
  turnLinesSchema,
  turnLineTotals,
  turnsEnded,
} from '../userrl/turn-lines.js'
import {
  blockSchema,
  type Capture,
  captureSchema,
  configFromPrint,
  extended,
  isContinuation,
  metricsFromPrint,
  readBlockLine,
} from './printed.js'
import {
  createDecimals,
  createFieldReader,
  type Fields,
  readUsualStep,
  type UsualStart,
  usualStart,
} from './step-line.js'

/**
 * Turns the lines of a verl console log into run events. Most lines of such a log are chatter of workers and servers,
 * so a line first has to look like one of the few that matter; the rest is passed over in silence.
 */

const say = sentences({
  'verl.bad-values': {
    en: '{count} {count|value|values} in step lines could not be read as {count|a number|numbers} (first: "{field}" at step {step}); left out',
    zh: 'step 行中有 {count} 个值不是可读的数字（首个：step {step} 的“{field}”），已略过',
  },
  'verl.config-unreadable': {
    en: 'The config printed at line {line} could not be read, so the settings of this run are unknown; put a config.yaml beside the log (verl keeps one in outputs/<date>/<time>/.hydra/)',
    zh: '第 {line} 行起打印的配置无法解析，该 run 的配置未知；可把 config.yaml 放到日志旁边（verl 在 outputs/<日期>/<时间>/.hydra/ 下留有一份）',
  },
  'verl.several-experiments': {
    en: 'This log contains more than one experiment ("{first}", then "{second}" from line {line}); they were read as one run with restarts. Split the file to separate them',
    zh: '该日志包含不止一个实验（先是“{first}”，第 {line} 行起是“{second}”），已按同一个 run 的多次重启读取；如需区分，请拆分文件',
  },
})

/** All that must be remembered between two lines; plain JSON, because cursors carry it. */
const verlStateSchema = z.object({
  linesRead: z.number(),
  lastStep: z.number().nullable(),
  lastMetric: z.string(),
  /** Where a resumed process says it goes on. */
  resumedAt: z.number().nullable(),
  totalSteps: z.number().nullable(),
  finished: z.boolean(),
  /** A line was seen that no fixed format printed. */
  printsInFull: z.boolean(),
  experiment: z.string().nullable(),
  versionKnown: z.boolean(),
  capture: captureSchema.nullable(),
  /** Validation metrics from before the first step, until a step line shows whether it repeats them. */
  initial: z.object({ process: z.string(), text: z.string() }).nullable(),
  /** Metrics that may follow on lines of their own. */
  block: blockSchema.nullable(),
  badValues: z.object({ count: z.number(), step: z.number(), field: z.string() }),
  overlongLines: z.number(),
  ending: endingSchema.default(newEnding),
  /** Dialogues that UserRL prints turn by turn. */
  turnLines: turnLinesSchema.default(newTurnLines),
})

type ConsoleState = z.infer<typeof verlStateSchema>

function newConsoleState(): ConsoleState {
  return {
    linesRead: 0,
    lastStep: null,
    lastMetric: '',
    resumedAt: null,
    totalSteps: null,
    finished: false,
    printsInFull: false,
    experiment: null,
    versionKnown: false,
    capture: null,
    initial: null,
    block: null,
    badValues: { count: 0, step: 0, field: '' },
    overlongLines: 0,
    ending: newEnding(),
    turnLines: newTurnLines(),
  }
}

/** `step:12 - …`; an old EasyR1 writes `step 12: - …`. */
const STEP = /step(?::(\d{1,15})|\s(\d{1,15}):)(?= - )/y
/** What may stand before a step in the middle of a line: a progress bar, a timestamp, but no word, path or quote. */
const MAY_PRECEDE_STEP = /[\s\])|>]/
/** A step that announces metrics on lines of their own. */
const BARE_STEP = /^step(?::\s?|\s)(\d{1,15}):?\s*$/i
const CONFIG_START = /^\{'[\w-]+': \{|^\{\s*$/
const MARK =
  /\(?["']?(Initial|Final) validation metrics: |Total training steps: (\d{1,15})|Setting global step to (\d{1,15})|Resuming from +\S*global_step_\d|Training from scratch|Training Progress:\s+\d+%\|[^|]*\|\s*(\d+)\/(\d+)/
const VERSION = /\bverl(?:==|-|_version[:=]?\s*|\s+version:?\s*|\s+v?)(\d+\.\d+(?:\.\w+)*)/i

/** The reader keeps what it must remember in `state`, which it changes in place. */
function createConsoleReader(state: ConsoleState): LineReader {
  const readFields = createFieldReader()
  const decimalsOf = createDecimals(state)
  let events: RunEvent[] = []
  let usual: UsualStart | null = null
  /** The process of a step line that began with its step. */
  let stepProcess: string | null = null

  /** Most lines; every other is decoded and looked at from all sides. */
  function readUsualLine(bytes: Buffer, start: number, end: number): boolean {
    const found = usual === null ? undefined : readUsualStep(usual, bytes, start, end)
    if (usual === null || found === undefined) return false
    const fields = readFields(bytes, found.end, end)
    if (fields === undefined || !fields.isUsual) return false
    takeStepLine(found.step, fields, usual.process)
    return true
  }

  function readText(text: string): void {
    const start = bodyStart(text)
    const process = text.slice(0, start)
    if (readStepLine(text, start, process)) return
    const body = text.slice(start)
    if (takeTurnLine(state.turnLines, body, process)) return
    noteLine(state.ending, body, process)
    if (state.capture !== null && isContinuation(state.capture, process, body)) extendCapture(state.capture, body)
    else if (state.block?.process === process && readInBlock(body)) return
    else if (isProgressBar(body)) readMark(body, process)
    else readNews(body, process)
  }

  /** A line that goes on with nothing before it. */
  function readNews(body: string, process: string): void {
    if (state.block?.process === process) state.block = null
    if (body === '') return
    if (state.initial?.process === process) settleInitial([])
    const bareStep = BARE_STEP.exec(body)
    if (bareStep !== null) state.block = { bareStep: true, process, step: Number(bareStep[1]), sections: [] }
    else if (CONFIG_START.test(body)) startCapture('config', process, body)
    else readMark(body, process)
  }

  function readStepLine(text: string, start: number, process: string): boolean {
    const found = findStep(text, start)
    if (found === undefined) return false
    const bytes = Buffer.from(text.slice(found.end))
    const fields = readFields(bytes, 0, bytes.length)
    if (fields === undefined || (found.at > start && !fields.metrics[0]?.includes('/'))) return false
    takeStepLine(found.step, fields, process)
    stepProcess = found.at === start ? process : null
    return true
  }

  function takeStepLine(step: number, fields: Fields, process: string): void {
    if (state.capture?.process === process) dropCapture()
    pushFields(step, fields)
    state.block = { bareStep: false, process, step, sections: [] }
  }

  function readInBlock(body: string): boolean {
    const block = state.block
    const line = block === null ? undefined : readBlockLine(block, body)
    if (block === null || line === undefined) return false
    if (line.kind === 'section') {
      state.block = line.block
    } else if (line.kind === 'leaf') {
      const decimals = line.decimals === null ? undefined : [line.decimals]
      pushRow(block.step, [line.metric], [line.value], decimals)
    } else if (line.kind === 'fields') {
      const bytes = Buffer.from(line.text)
      const fields = readFields(bytes, 0, bytes.length)
      if (fields === undefined || !fields.metrics[0]?.includes('/')) return false
      pushFields(block.step, fields)
    }
    return true
  }

  function readMark(body: string, process: string): void {
    if (!state.versionKnown && state.lastStep === null && body.includes('verl')) readVersion(body)
    const mark = MARK.exec(body)
    if (mark === null) return
    const [, validation, total, globalStep, done, all] = mark
    if (validation === 'Initial') {
      startCapture('initial', process, body.slice(mark.index))
    } else if (validation === 'Final') {
      finish()
    } else if (total !== undefined) {
      state.totalSteps = Number(total)
      events.push({ type: 'config', config: { 'trainer.total_training_steps': state.totalSteps } })
    } else if (all !== undefined) {
      if (done === all && Number(all) > 0) finish()
    } else {
      if (state.lastStep !== null) restart()
      if (globalStep !== undefined) state.resumedAt = Number(globalStep)
    }
  }

  function readVersion(body: string): void {
    const version = VERSION.exec(body)?.[1]
    if (version === undefined) return
    state.versionKnown = true
    events.push({ type: 'about', about: { versions: { verl: version } } })
  }

  function pushFields(step: number, fields: Fields): void {
    pushRow(step, fields.metrics, fields.values, decimalsOf(fields.printing, fields.values.length))
    if (fields.badCount === 0) return
    if (state.badValues.count === 0) state.badValues = { count: 0, step, field: fields.firstBad }
    state.badValues.count += fields.badCount
  }

  function pushRow(step: number, metrics: Row['metrics'], values: Row['values'], decimals: Row['decimals']): void {
    settleInitial(metrics)
    if (goesBack(state, step, metrics)) restart()
    events.push({ type: 'row', step, time: null, metrics, values, ...(decimals && { decimals }) })
    noteStepAfter(state.ending)
    noteStep(state, step, metrics)
    if (state.turnLines.waiting.length > 0) events.push(...stepLogged(state.turnLines, step))
    if (state.totalSteps !== null && step >= state.totalSteps) finish()
  }

  function startCapture(kind: Capture['kind'], process: string, body: string): void {
    // A lone brace may open anything; it must not end the config that another process is printing.
    if (body.trimEnd() === '{' && state.capture !== null && state.capture.process !== process) return
    dropCapture()
    extendCapture({ kind, process, firstLine: state.linesRead, text: '', depth: 0 }, body)
  }

  function extendCapture(capture: Capture, body: string): void {
    state.capture = extended(capture, body)
    if (state.capture === null) {
      warnOfConfig(capture)
    } else if (state.capture.depth <= 0) {
      const { kind, process, text } = state.capture
      if (kind === 'config') readConfig(state.capture)
      else state.initial = { process, text }
      state.capture = null
    }
  }

  function dropCapture(): void {
    if (state.capture !== null) warnOfConfig(state.capture)
    state.capture = null
  }

  function warnOfConfig(capture: Capture): void {
    if (capture.kind !== 'config' || !capture.text.includes('actor_rollout_ref')) return
    events.push(warning(say('verl.config-unreadable', { line: capture.firstLine })))
  }

  function readConfig(capture: Capture): void {
    const config = configFromPrint(capture.text)
    if (config === null) warnOfConfig(capture)
    if (config === null || config === undefined) return
    if (state.lastStep !== null) restart()
    events.push({ type: 'config', config })
    const name = config['trainer.experiment_name']
    const project = config['trainer.project_name']
    if (typeof name !== 'string') return
    events.push({ type: 'about', about: { name, ...(typeof project === 'string' && { project }) } })
    if (state.experiment !== null && state.experiment !== name) {
      const params = { first: state.experiment, second: name, line: capture.firstLine }
      events.push(warning(say('verl.several-experiments', params)))
    }
    state.experiment = name
  }

  /** verl prints the first validation and then logs it as a step line; only where that line is missing is it a row. */
  function settleInitial(logged: readonly string[]): void {
    if (state.initial === null) return
    const printed = metricsFromPrint(state.initial.text)
    state.initial = null
    if (printed === undefined || printed.metrics.some(metric => logged.includes(metric))) return
    events.push({ type: 'row', step: state.resumedAt ?? 0, time: null, ...printed })
  }

  function finish(): void {
    if (state.finished) return
    state.finished = true
    events.push(...turnsEnded(state.turnLines))
    events.push({ type: 'status', status: 'finished' })
  }

  function restart(): void {
    events.push({ type: 'restart' })
    state.lastStep = null
    state.resumedAt = null
    if (!state.finished) return
    state.finished = false
    events.push({ type: 'status', status: 'unknown' })
  }

  return {
    ...byteLines((bytes, start, end, into) => {
      events = into
      state.linesRead += 1
      if (readUsualLine(bytes, start, end)) return
      stepProcess = null
      for (const text of screenTexts(bytes.toString('utf8', start, end))) readText(text)
      if (stepProcess !== null) usual = usualStart(bytes, start, end, stepProcess) ?? usual
    }),
    end(into) {
      events = into
      // A step line may follow that repeats the validation before the first step.
      const isSettled = state.initial === null
      settleInitial([])
      if (!state.finished) events.push(...endingEvents(state.ending))
      return isSettled ? 'settled' : 'may-change'
    },
    totals() {
      const bad = state.badValues.count === 0 ? [] : [warning(say('verl.bad-values', state.badValues))]
      return [...bad, ...turnLineTotals(state.turnLines)]
    },
  }
}

function findStep(text: string, from: number): { at: number; end: number; step: number } | undefined {
  for (let at = text.indexOf('step', from); at >= 0; at = text.indexOf('step', at + 4)) {
    if (at > from && !MAY_PRECEDE_STEP.test(text.charAt(at - 1))) continue
    STEP.lastIndex = at
    const match = STEP.exec(text)
    if (match !== null) return { at, end: STEP.lastIndex, step: Number(match[1] ?? match[2]) }
  }
  return undefined
}

/** What verl prints before its first step, which may be more than the head shows. */
const TELL_TALE =
  /^(?:\x1b\[[\d;]*m)?\((?:\w*TaskRunner|main_task|WorkerDict) pid=\d+|'actor_rollout_ref': \{|Total training steps: \d+/m

const EXPERIMENT_NAME = /(?:["']experiment_name["']: ["']|\btrainer\.experiment_name=['"]?)([^\s'"$]+)/

/** Without one of these no line of a head is a row; most texts are passed by here. */
const MAY_HOLD_ROW = /step[:\s]\s?\d|validation metrics/i

function holdsRow(head: string, isCut: boolean): boolean {
  if (!MAY_HOLD_ROW.test(head)) return false
  const lastNewline = isCut ? head.lastIndexOf('\n') : -1
  const whole = Buffer.from(lastNewline < 0 ? head : head.slice(0, lastNewline))
  const events: RunEvent[] = []
  createConsoleReader(newConsoleState()).read(whole, events, () => {})
  return events.some(event => event.type === 'row')
}

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

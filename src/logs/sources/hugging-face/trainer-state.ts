import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { flatten, numbersIn, parsePythonJson } from '../python-json.js'
import { runNameFromPath } from '../run-identity.js'
import type { Source, SourceFile } from '../source.js'
import { markPlaces, nameLists, stepGate, warning } from '../source-helpers.js'

/**
 * The Trainer logs `loss` and `eval_loss`; the trackers that it reports to get `train/loss` and `eval/loss`
 * (`rewrite_logs` of transformers).
 */
export const namesElsewhere = {
  outward(metric: string): string {
    const [, stage] = /^(eval|test)_/.exec(metric) ?? []
    return stage === undefined ? `train/${metric}` : `${stage}/${metric.slice(stage.length + 1)}`
  },
  inward(metric: string): string {
    if (metric.startsWith('train/')) return metric.slice('train/'.length)
    return metric.replace(/^(eval|test)\//, '$1_')
  },
}

/**
 * trainer_state.json of Hugging Face's Trainer, which TRL's trainers are. Each checkpoint carries the whole history up
 * to its step, so the newest one says everything; it is one JSON object and has to be read as a whole.
 * See docs/sources/trainer-state.md.
 */
export const trainerState: Source = {
  id: 'hf',
  role: 'log',
  grows: true,
  keep: 'newest',
  namesElsewhere,

  recognise(file) {
    const head = headText(file)
    if (!/^\s*\{/.test(head)) return false
    return LOG_HISTORY.test(head) || (GLOBAL_STEP.test(head) && TELL_TALE.test(head))
  },

  async describe(file) {
    const brief = briefFromHead(headText(file)) ?? briefFromState(await wholeState(file))
    if (brief === undefined) return []
    const folder = dirname(file.path)
    const isCheckpoint = /^checkpoint-\d+$/.test(basename(folder))
    const output = isCheckpoint ? dirname(folder) : folder
    return [
      {
        run: `hf:${output}`,
        name: runNameFromPath(`${output}/trainer_state.json`),
        folder: output,
        // `trainer.save_state()` writes after the last checkpoint, with a summary row more at the same step.
        order: isCheckpoint ? brief.globalStep : brief.globalStep + 0.5,
        firstRecord: scalarsOf(brief.firstRow),
      },
    ]
  },

  async *read(file, { places = false }) {
    if (file.size > LARGEST_BYTES) {
      yield [warning(say('trainer-state.too-large', { limit: LARGEST_BYTES >> 20 }))]
      return
    }
    const state = await wholeState(file)
    if (state === undefined) {
      yield [warning(say('trainer-state.unreadable', {}))]
      return
    }
    yield aboutEvents(state)
    yield* rowBatches(Array.isArray(state.log_history) ? state.log_history : [], places)
  },
}

/** Far beyond real files (a million steps with five metrics have about 150 MB); parsing takes several times as much. */
const LARGEST_BYTES = 256 << 20
const ROWS_PER_BATCH = 4096

const LOG_HISTORY = /"log_history"\s*:\s*\[/
const GLOBAL_STEP = /"global_step"\s*:\s*(\d+)/
const TELL_TALE = /"(?:is_world_process_zero|stateful_callbacks)"\s*:/

const SETTINGS = [
  'max_steps',
  'num_train_epochs',
  'logging_steps',
  'eval_steps',
  'save_steps',
  'train_batch_size',
  'trial_name',
  'trial_params',
]

function headText(file: SourceFile): string {
  return Buffer.from(file.head).toString('utf8')
}

async function wholeState(file: SourceFile): Promise<JsonObject | undefined> {
  if (file.size > LARGEST_BYTES) return undefined
  const state = parsePythonJson(await readFile(file.path, 'utf8'))
  return isJsonObject(state) ? state : undefined
}

interface Brief {
  readonly globalStep: number
  readonly firstRow: JsonObject
}

/** The keys are sorted, so the step and the first row stand near the beginning. */
function briefFromHead(head: string): Brief | undefined {
  const history = LOG_HISTORY.exec(head)
  const step = GLOBAL_STEP.exec(head)
  if (history === null || step === null || step.index > history.index) return undefined
  const rowStart = history.index + history[0].length
  const rowEnd = head.indexOf('}', rowStart)
  const firstRow = rowEnd < 0 ? undefined : parsePythonJson(head.slice(rowStart, rowEnd + 1))
  return isJsonObject(firstRow) ? { globalStep: Number(step[1]), firstRow } : undefined
}

function briefFromState(state: JsonObject | undefined): Brief | undefined {
  if (state === undefined || !Array.isArray(state.log_history)) return undefined
  const firstRow: unknown = state.log_history[0]
  return isJsonObject(firstRow) ? { globalStep: numberFromJson(state.global_step) ?? 0, firstRow } : undefined
}

/** Not the text itself, whose indentation differs between copies; and nothing nested, which could be bottomless. */
function scalarsOf(row: JsonObject): string {
  return JSON.stringify(Object.entries(row).filter(([, value]) => typeof value !== 'object'))
}

function aboutEvents(state: JsonObject): RunEvent[] {
  const events: RunEvent[] = [{ type: 'config', config: settingsOf(state) }]
  const globalStep = numberFromJson(state.global_step) ?? 0
  const maxSteps = numberFromJson(state.max_steps) ?? 0
  if (maxSteps > 0 && globalStep >= maxSteps) events.push({ type: 'status', status: 'finished' })
  return events
}

/** What the trainer was told. Its results (best_metric, total_flos) are no settings, and its bookkeeping is neither. */
function settingsOf(state: JsonObject): Config {
  const settings = new Map<string, Json>()
  for (const key of SETTINGS) {
    const value = state[key]
    if (value !== undefined && value !== null) flatten(value, key, settings)
  }
  return Object.fromEntries(settings)
}

function* rowBatches(history: readonly Json[], places: boolean): Generator<RunEvent[]> {
  const shared = nameLists()
  let events: RunEvent[] = []
  const gate = stepGate()
  for (const [i, row] of history.entries()) {
    const before = events.length
    const step = isJsonObject(row) ? numberFromJson(row.step) : undefined
    if (!gate.admits(step, shown(isJsonObject(row) ? row.step : row)) || !isJsonObject(row)) continue
    const { step: _, ...logged } = row
    const { metrics, values } = numbersIn(logged)
    if (metrics.length > 0) events.push({ type: 'row', step, time: null, metrics: shared(metrics), values })
    if (places) markPlaces(events, before, 'entry', i + 1)
    if (events.length >= ROWS_PER_BATCH) {
      yield events
      events = []
    }
  }
  yield [...events, ...gate.complaints()]
}

function shown(value: Json | undefined): string {
  return typeof value === 'object' ? typeof value : String(value)
}

/** What the readers of Hugging Face's trainers have to say. */
const say = sentences({
  'trainer-state.too-large': {
    en: 'trainer_state.json is larger than {limit} MiB and was not read; import the W&B or TensorBoard log of this run instead',
    zh: 'trainer_state.json 超过 {limit} MiB，未读取；请改为导入该 run 的 W&B 或 TensorBoard 日志',
  },
  'trainer-state.unreadable': {
    en: 'trainer_state.json is not complete JSON, perhaps truncated while it was saved or copied; import the one of an earlier checkpoint',
    zh: 'trainer_state.json 不是完整的 JSON，可能在保存或复制时被截断；请导入更早的 checkpoint 里的那一份',
  },
})

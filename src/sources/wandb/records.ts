import type { Json } from '../../model/json.js'
import type { Config, RunAbout } from '../../model/run.js'
import { type Message, parseMessage } from '../binary/protobuf-message.js'
import { flatten, parsePythonJson } from '../python-json.js'
import type { MetricDefinition } from './axes.js'

/**
 * The records of a W&B log that come once or a few times per run; field numbers from `wandb_internal.proto`. Fields
 * that klens does not know are passed over: every W&B release adds some.
 */

export interface RunRecord {
  readonly id: string
  readonly about: RunAbout
  readonly config: Config
}

/** A run record tells the whole state each time: the first makes the run, later ones a new name, tags or notes. */
export function readRun(bytes: Buffer): RunRecord {
  const run = parseMessage(bytes)
  const telemetry = run.message(19)
  const id = run.text(1)
  const about = {
    trackerId: id,
    entity: run.text(2),
    project: run.text(3),
    group: run.text(6),
    name: run.text(8),
    notes: run.text(9),
    tags: run.texts(10),
    host: run.text(13),
    startedAt: run.seconds(17),
    versions: telemetry && versionsOf(telemetry),
    ...gitOf(run.message(21)),
  }
  const config = run.message(4)
  return { id, about: said(about), config: config === undefined ? {} : configOf(config) }
}

/** Where and how the process was started. Comes in several pieces. */
export function readEnvironment(bytes: Buffer): RunAbout {
  const environment = parseMessage(bytes)
  const args = environment.texts(5)
  return said({
    program: environment.text(6),
    args: args.length > 0 ? args : undefined,
    host: environment.text(12),
    ...gitOf(environment.message(9)),
  })
}

export function readConfig(bytes: Buffer): Config {
  return configOf(parseMessage(bytes))
}

export function readMetricDefinition(bytes: Buffer): MetricDefinition | undefined {
  const metric = parseMessage(bytes)
  const glob = metric.text(2)
  const isPrefix = glob.endsWith('*')
  const name = isPrefix ? glob.slice(0, -1) : metric.text(1)
  if (name === '' && !isPrefix) return undefined
  return { name, isPrefix, stepMetric: metric.text(4) }
}

export interface ExitRecord {
  readonly code: number
  readonly runtimeSeconds: number
}

export function readExit(bytes: Buffer): ExitRecord {
  const exit = parseMessage(bytes)
  return { code: exit.integer(1), runtimeSeconds: exit.integer(2) }
}

/** ConfigRecord. A value may be a whole tree under one key. `_wandb` is the tracker's own business. */
function configOf(record: Message): Config {
  const leaves = new Map<string, Json>()
  for (const item of record.messages(1)) {
    const path = item.texts(2)
    const key = path.length > 0 ? path.join('.') : item.text(1)
    if (key === '' || key === '_wandb' || key.startsWith('_wandb.')) continue
    const text = item.text(16)
    const value = parsePythonJson(text)
    flatten(value === undefined ? text : value, key, leaves)
  }
  return Object.fromEntries(leaves)
}

function gitOf(git: Message | undefined): RunAbout {
  return { remote: git?.text(1), commit: git?.text(2) }
}

/** TelemetryRecord. Version traps are decided by these. */
function versionsOf(telemetry: Message): RunAbout['versions'] {
  const versions = { python: telemetry.text(4), wandb: telemetry.text(5) }
  return Object.fromEntries(Object.entries(versions).filter(([, version]) => version !== ''))
}

/** Only what was really said: an empty text in protobuf is one that nobody set. */
function said(about: RunAbout): RunAbout {
  return Object.fromEntries(Object.entries(about).filter(([, value]) => value !== '' && value !== undefined))
}

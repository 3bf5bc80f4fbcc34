import { z } from 'zod'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import type { Config, RunAbout } from '../../model/run.js'
import {
  bytesField,
  enter,
  leave,
  MalformedMessage,
  readBytes,
  readTag,
  rewire,
  skipField,
  wireOver,
} from '../binary/protobuf.js'
import { type Message, parseMessage } from '../binary/protobuf-message.js'
import type { RecordDecoder, RecordLogEnd } from '../binary/record-log-source.js'
import { flatten, parsePythonJson } from '../python-json.js'
import { axesFrom, type MetricDefinition } from './columns.js'
import { type HistoryMemory, historyReader } from './history.js'

/** The records of a W&B log, one after the other, become run events. */

/** Record: which kind it is, told by the number of the field that is set. */
const HISTORY = bytesField(2)
const CONFIG = bytesField(5)
const METRIC = bytesField(12)
const RUN = bytesField(17)
const EXIT = bytesField(18)
const ENVIRONMENT = bytesField(26)

const Cursor = z.object({
  offset: z.int().nonnegative(),
  definitions: z.array(z.object({ name: z.string(), isPrefix: z.boolean(), stepMetric: z.string() })),
  axisValues: z.array(z.tuple([z.string(), z.number()])),
  nextStep: z.number(),
  lastTime: z.number().nullable(),
  startedAt: z.number().nullable(),
  exit: z.object({ code: z.number(), runtimeSeconds: z.number() }).nullable(),
})

export function wandbDecoder(from: Json): RecordDecoder {
  // A cursor as this version of klens writes it; anything else starts from the beginning.
  const cursor = Cursor.safeParse(from).data
  const axes = axesFrom(cursor?.definitions ?? [])
  const memory: HistoryMemory = {
    nextStep: cursor?.nextStep ?? 0,
    lastTime: cursor?.lastTime ?? null,
    axisValues: new Map(cursor?.axisValues),
  }
  const history = historyReader(axes, memory)
  const wire = wireOver(Buffer.alloc(0))
  let startedAt = cursor?.startedAt ?? null
  let exit = cursor?.exit ?? null

  function decode(record: Buffer, events: RunEvent[]): boolean {
    rewire(wire, record)
    try {
      for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) decodeField(tag, events)
      return true
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error
      return false
    }
  }

  function decodeField(tag: number, events: RunEvent[]): void {
    switch (tag) {
      case HISTORY: {
        const outer = enter(wire)
        for (const row of history.read(wire)) events.push(row)
        leave(wire, outer)
        return
      }
      case RUN: {
        const { about, config } = readRun(readBytes(wire))
        startedAt = about.startedAt ?? startedAt
        events.push({ type: 'about', about }, { type: 'config', config })
        return
      }
      case CONFIG:
        events.push({ type: 'config', config: readConfig(readBytes(wire)) })
        return
      case ENVIRONMENT: {
        const about = readEnvironment(readBytes(wire))
        if (Object.keys(about).length > 0) events.push({ type: 'about', about })
        return
      }
      case METRIC: {
        const definition = readMetricDefinition(readBytes(wire))
        if (definition !== undefined && axes.define(definition)) history.axesChanged()
        return
      }
      case EXIT:
        exit = readExit(readBytes(wire))
        return
      default:
        skipField(wire, tag)
    }
  }

  function cursorAt(offset: number): Json {
    return {
      offset,
      definitions: axes.definitions().map(({ name, isPrefix, stepMetric }) => ({ name, isPrefix, stepMetric })),
      axisValues: [...memory.axisValues],
      nextStep: memory.nextStep,
      lastTime: memory.lastTime,
      startedAt,
      exit: exit && { ...exit },
    }
  }

  return {
    offset: cursor?.offset,
    decode,
    cursorAt,
    end: () => ({
      steps: history.steps,
      ended: exit && howItEnded(exit, startedAt),
      lastTime: memory.lastTime,
    }),
  }
}

function howItEnded({ code, runtimeSeconds }: ExitRecord, startedAt: number | null): RecordLogEnd['ended'] {
  return { status: code === 0 ? 'finished' : 'failed', at: startedAt === null ? null : startedAt + runtimeSeconds }
}

/**
 * The records of a W&B log that come once or a few times per run; field numbers from `wandb_internal.proto`. Fields
 * that klens does not know are passed over: every W&B release adds some.
 */

interface RunRecord {
  readonly id: string
  readonly about: RunAbout
  readonly config: Config
}

/** A run record tells the whole state each time: the first makes the run, later ones a new name, tags or notes. */
function readRun(bytes: Buffer): RunRecord {
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
function readEnvironment(bytes: Buffer): RunAbout {
  const environment = parseMessage(bytes)
  const args = environment.texts(5)
  return said({
    program: environment.text(6),
    args: args.length > 0 ? args : undefined,
    host: environment.text(12),
    ...gitOf(environment.message(9)),
  })
}

function readConfig(bytes: Buffer): Config {
  return configOf(parseMessage(bytes))
}

function readMetricDefinition(bytes: Buffer): MetricDefinition | undefined {
  const metric = parseMessage(bytes)
  const glob = metric.text(2)
  const isPrefix = glob.endsWith('*')
  const name = isPrefix ? glob.slice(0, -1) : metric.text(1)
  if (name === '' && !isPrefix) return undefined
  return { name, isPrefix, stepMetric: metric.text(4) }
}

interface ExitRecord {
  readonly code: number
  readonly runtimeSeconds: number
}

function readExit(bytes: Buffer): ExitRecord {
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

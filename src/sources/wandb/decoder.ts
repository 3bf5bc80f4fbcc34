import { z } from 'zod'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
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
import type { RecordDecoder, RecordLogEnd } from '../binary/record-log-source.js'
import { axesFrom } from './axes.js'
import { type HistoryMemory, historyReader } from './history.js'
import { type ExitRecord, readConfig, readEnvironment, readExit, readMetricDefinition, readRun } from './records.js'

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

import { z } from 'zod'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import type { RunAbout, RunStatus } from '../../model/run.js'
import type { RecordDecoder } from '../binary/record-log-source.js'
import { stepGate } from '../source-helpers.js'

/**
 * What a SwanLab log has said so far, whichever version wrote it, and what a later reading needs to go on.
 *
 * A metric may count in another metric (`define_metric("eval/*", x_axis="epoch")`). Both are scalars of one `log` call,
 * in either order, so a point on such an axis waits until the call is over: until a scalar with another time comes.
 */

const cursorSchema = z.object({
  offset: z.int().nonnegative(),
  /** Metrics that count in another metric, and that one's name. */
  axes: z.array(z.tuple([z.string(), z.string()])),
  /** The last value of each metric that others count in. */
  places: z.array(z.tuple([z.string(), z.number()])),
  waiting: z.array(z.object({ metric: z.string(), step: z.number(), value: z.union([z.number(), z.string()]) })),
  waitingTime: z.number().nullable(),
  ended: z.object({ status: z.enum(['finished', 'failed', 'killed']), at: z.number().nullable() }).nullable(),
  lastTime: z.number().nullable(),
})

/** A metric as the records name it millions of times. */
export interface Column {
  readonly name: string
  readonly metrics: readonly [string]
  /** Load of processor, memory and disk, sampled by a clock: no training metric. */
  readonly isSystem: boolean
}

export function columnOf(name: string): Column {
  return { name, metrics: [name], isSystem: name.startsWith('__swanlab__.') }
}

interface Ended {
  readonly status: Extract<RunStatus, 'finished' | 'failed' | 'killed'>
  readonly at: number | null
}

/** Where the records of either version say what they hold. */
export interface SwanlabMemory {
  scalar(column: Column, step: number, value: number, time: number | null): void
  axis(metric: string, axis: string): void
  about(about: RunAbout): void
  end(ended: Ended): void
}

/** Reads one record into memory; false when it is no record. */
type RecordReader = (record: Buffer) => boolean

/** More axes, or points in one call, than anyone has; a made-up file must not fill cursors. */
const MOST_AXES = 4096
const MOST_WAITING = 4096

export function swanlabDecoder(from: Json, records: (memory: SwanlabMemory) => RecordReader): RecordDecoder {
  // A cursor as this version of klens writes it; anything else starts from the beginning.
  const cursor = cursorSchema.safeParse(from).data
  const axes = new Map(cursor?.axes)
  const places = new Map(cursor?.places)
  const axisNames = new Set(axes.values())
  let waiting = (cursor?.waiting ?? []).map(point => ({ ...point, value: Number(point.value) }))
  let waitingTime = cursor?.waitingTime ?? null
  let ended: Ended | null = cursor?.ended ?? null
  let lastTime = cursor?.lastTime ?? null
  let events: RunEvent[] = []
  const steps = stepGate(Number.isSafeInteger)

  function release(): void {
    if (waiting.length === 0) return
    for (const { metric, step, value } of waiting) {
      const axis = axes.get(metric) ?? ''
      const place = places.get(axis)
      const where = place === undefined ? { step } : { step: place, axis }
      events.push({ type: 'row', ...where, time: waitingTime, metrics: [metric], values: [value] })
    }
    waiting = []
  }

  const readRecord = records({
    scalar({ name, metrics, isSystem }, step, value, time) {
      if (isSystem) return
      if (!steps.admits(step)) return
      if (time !== null) lastTime = time
      if (waiting.length > 0 && (time !== waitingTime || waiting.length >= MOST_WAITING)) release()
      if (axisNames.has(name) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) places.set(name, value)
      if (!axes.has(name)) {
        events.push({ type: 'row', step, time, metrics, values: [value] })
        return
      }
      waiting.push({ metric: name, step, value })
      waitingTime = time
    },
    axis(metric, axis) {
      if (axes.size >= MOST_AXES) return
      axes.set(metric, axis)
      axisNames.add(axis)
    },
    about: about => void events.push({ type: 'about', about }),
    end(how) {
      release()
      ended = how
    },
  })

  return {
    offset: cursor?.offset,
    decode(record, into) {
      events = into
      return readRecord(record)
    },
    end: () => ({ steps, ended, lastTime }),
    release(into) {
      events = into
      release()
    },
    cursorAt: offset => ({
      offset,
      axes: [...axes],
      places: [...places],
      waiting: waiting.map(point => ({
        ...point,
        value: Number.isFinite(point.value) ? point.value : `${point.value}`,
      })),
      waitingTime,
      ended: ended && { ...ended },
      lastTime,
    }),
  }
}

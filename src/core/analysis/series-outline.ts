import { lstatSync } from 'node:fs'
import { z } from 'zod'
import { type JsonNumber, jsonNumber } from '../../logs/model/json.js'
import { figure, list } from '../../logs/model/schema.js'
import { outlineSeries, type SeriesOutline } from '../store/envelope.js'
import { partFiles } from '../store/series.js'
import { perWorkspace } from '../store/workspace.js'
import type { RunView } from './run-view.js'

/**
 * Series along their steps as a picture needs them, as plain data. What has been made is remembered as long as the workspace
 * is open: a page that is opened again asks for the same outlines, and those of twenty runs take half a second of CPU. They
 * hold while the files that they were made from look the same; of a run that is being logged nothing is remembered.
 */

export interface Window {
  readonly from: number
  readonly to: number
}

export const exactPoints = z.object({
  shown: z.literal('exact'),
  /** Points in the window. */
  total: z.number(),
  x: list(z.number()),
  y: list(figure),
  /** At which step each was logged, where the axis is another. */
  steps: list(z.number()).optional(),
})

export const ranges = z.object({
  shown: z.literal('ranges'),
  /** Points in the window. */
  total: z.number(),
  /** Of each stretch, in the unit of the axis. */
  size: z.number(),
  from: list(z.number()),
  to: list(z.number()),
  low: list(figure),
  high: list(figure),
  mean: list(figure),
})

export type ExactPoints = z.infer<typeof exactPoints>
export type Ranges = z.infer<typeof ranges>

export type Outlines = ReadonlyMap<string, ExactPoints | Ranges>

/** A metric that the run lacks, or that has no point in the window, is not in the map. */
export async function alongSteps(
  run: RunView,
  metrics: readonly string[],
  window: Window,
  most: number,
): Promise<Outlines> {
  const memory = memoryOf(run.workspace)
  const files = filesOf(run)
  const keyOf = (metric: string): string => JSON.stringify([files, metric, window, most])
  const known = new Map(
    metrics.flatMap(metric => {
      const outline = files === null ? undefined : memory.get(keyOf(metric))
      return outline === undefined ? [] : [[metric, outline] as const]
    }),
  )
  const missing = metrics.filter(metric => !known.has(metric))
  if (missing.length === 0) return known
  const made = await outlineSeries(run, missing, { most, ...rangeOf(window) })
  const found = Array.from(made, ([metric, outline]) => [metric, outlineAnswer(outline)] as const)
  for (const [metric, outline] of found) {
    if (files !== null && run.manifest.metrics.has(metric)) keep(memory, keyOf(metric), outline)
  }
  return new Map([...known, ...found])
}

/** A point more at each side would need another query; the line ends at the window's edge instead. */
function rangeOf({ from, to }: Window) {
  return {
    ...(Number.isFinite(from) && { after: from - Math.max(1e-9, Math.abs(from) * 1e-12) }),
    ...(Number.isFinite(to) && { upTo: to }),
  }
}

function outlineAnswer(outline: SeriesOutline): ExactPoints | Ranges {
  if (outline.kind === 'exact') {
    const { steps, values } = outline.points
    return {
      shown: 'exact',
      total: outline.total,
      x: Array.from(steps),
      y: Array.from(values, value => jsonNumber(value)),
    }
  }
  const { from, to, low, high, mean } = outline.buckets
  const span = to[to.length - 1] - from[0]
  return {
    shown: 'ranges',
    total: outline.total,
    size: span / from.length,
    from: Array.from(from),
    to: Array.from(to),
    low: Array.from(low, drawn),
    high: Array.from(high, drawn),
    mean: Array.from(mean, drawn),
  }
}

const DRAWN_DIGITS = 7
/** Up to here a power of ten is exact. */
const MOST_DECIMALS = 22

/** What is only drawn needs no more digits than a single-precision number has; exact points keep all of theirs. */
export function drawn(value: number): JsonNumber {
  const decimals = DRAWN_DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)))
  // Writing a number to read it again takes ten times as long.
  if (!(decimals >= 0 && decimals <= MOST_DECIMALS)) return jsonNumber(Number(value.toPrecision(DRAWN_DIGITS)))
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}

/** Each is as long as a picture is wide: some tens of megabytes in all. */
const MOST_REMEMBERED = 4000

const memoryOf = perWorkspace((): Map<string, ExactPoints | Ranges> => new Map())

function keep(memory: Map<string, ExactPoints | Ranges>, key: string, outline: ExactPoints | Ranges): void {
  memory.set(key, outline)
  const [oldest] = memory.keys()
  if (memory.size > MOST_REMEMBERED && oldest !== undefined) memory.delete(oldest)
}

/** What the files of a run look like; null where they are not all that it has, or where one is gone. */
function filesOf(run: RunView): readonly string[] | null {
  if (run.live !== null) return null
  const looks = partFiles(run).map(path => ({ path, file: lstatSync(path, { throwIfNoEntry: false }) }))
  if (looks.some(({ file }) => file === undefined)) return null
  return looks.map(({ path, file }) => `${path} ${file?.mtimeMs} ${file?.size} ${file?.ino}`)
}

import type { KnownFiles } from './checksums.js'
import { ownParquetGroups, type ParquetGroup } from './parquet-read.js'
import { inStepOrder, joined, picked, type SeriesPoints, type SeriesSelection, slice, within } from './series-points.js'

/**
 * Points of some metrics out of parts that klens wrote itself, in step order and of equal steps in the order in which they
 * came. Null where DuckDB has to read them: parts that it has merged, long ones, and damaged ones, of which it says what is
 * wrong.
 */
export async function pointsInOwnParts(
  known: KnownFiles,
  files: readonly string[],
  metrics: readonly string[],
  selection: SeriesSelection,
): Promise<ReadonlyMap<string, SeriesPoints> | null> {
  const pieces = new Map(metrics.map(metric => [metric, [] as SeriesPoints[]]))
  for (const path of files) {
    const bytes = await known.bytesAsWritten(path, MOST_BYTES)
    try {
      const groups = bytes === null ? null : ownParquetGroups(bytes)
      if (groups === null) return null
      for (const group of groups) takePoints(group, pieces, selection)
    } catch {
      return null
    }
  }
  const read = [...pieces].filter(([, found]) => found.length > 0)
  return new Map(read.map(([metric, found]) => [metric, inStepOrder(joined(...found))]))
}

/** More is read in pieces. */
const MOST_BYTES = 32 << 20

function takePoints(
  group: ParquetGroup,
  pieces: ReadonlyMap<string, SeriesPoints[]>,
  { quality = 'measured', ...range }: SeriesSelection,
): void {
  const series = group.textRuns('metric')
  if (!series.some(([metric]) => pieces.has(metric))) return
  const [steps, values, times, segments] = ['step', 'value', 'time', 'segment'].map(group.numbers)
  const qualities = group.textRuns('quality')
  const isPlain = qualities.length === 1 && qualities[0][0] === quality
  const held = isPlain ? [] : qualities.flatMap(([each, rows]) => Array<string>(rows).fill(each))
  let from = 0
  for (const [metric, rows] of series) {
    const points = slice({ steps, values, times, segments }, from, from + rows)
    const first = from
    const chosen = within(isPlain ? points : picked(points, i => held[first + i] === quality), range)
    if (chosen.steps.length > 0) pieces.get(metric)?.push(chosen)
    from += rows
  }
}

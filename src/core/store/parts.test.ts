import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import { QUALITIES, type Quality } from '../../logs/model/run.js'
import { KnownFiles } from './checksums.js'
import { sqlFiles } from './duck.js'
import { pointsInOwnParts } from './own-parts.js'
import { writePart } from './parts.js'
import { PointBuffer } from './point-buffer.js'
import type { SeriesSelection } from './series-points.js'
import { workspaceAt } from './workspace.js'

const { duck } = workspaceAt('/nowhere')

interface Line {
  readonly step: number
  readonly time: number | null
  readonly segment: number
  readonly points: readonly (readonly [metric: string, value: number, quality: Quality, decimals: number | null])[]
}

function bufferOf(lines: readonly Line[]): PointBuffer {
  const buffer = new PointBuffer()
  for (const { step, time, segment, points } of lines) {
    buffer.startLine(step, time, segment)
    buffer.push(
      points.map(([metric]) => buffer.idOf(metric)),
      points.map(([, value]) => value),
      points.map(([, , quality]) => quality),
      points.map(([, , , decimals]) => decimals),
    )
  }
  return buffer
}

/** What DuckDB finds in the file that is written here without it. */
async function readBack(path: string): Promise<readonly unknown[][]> {
  const rows = await duck.readRows(
    `SELECT * FROM read_parquet(${sqlFiles([path])}, file_row_number = true) ORDER BY ALL`,
  )
  return rows.map(({ metric, step, value, time, segment, quality, decimals }) => [
    metric,
    step,
    value,
    time,
    segment,
    quality,
    decimals,
  ])
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function expected(lines: readonly Line[]): readonly unknown[][] {
  const rows = lines.flatMap(({ step, time, segment, points }) =>
    points.map(([metric, value, quality, decimals]) => [
      metric,
      step,
      quality === 'missing' ? null : value,
      time,
      segment,
      quality,
      decimals,
    ]),
  )
  return rows.toSorted((a, b) => byName(String(a[0]), String(b[0])) || Number(a[1]) - Number(b[1]))
}

const aLine = fc.record({
  step: fc.double({ noNaN: true, noDefaultInfinity: true }),
  time: fc.option(fc.double({ min: 1e9, max: 2e9, noNaN: true })),
  segment: fc.constantFrom(0, 1, 255, 999),
  points: fc.array(
    fc.tuple(
      fc.constantFrom('a', 'b/c', '损失', 'zü', '𝄞'),
      fc.double(),
      fc.constantFrom(...QUALITIES),
      fc.option(fc.integer({ min: 0, max: 20 })),
    ),
    { maxLength: 12 },
  ),
})

test('any points come back from the file as they went, whatever is missing, with segments of any number', async () => {
  const folder = temporaryFolder()
  let nth = 0
  await fc.assert(
    fc.asyncProperty(fc.array(aLine, { minLength: 1, maxLength: 30 }), async lines => {
      fc.pre(lines.some(({ points }) => points.length > 0))
      nth += 1
      const path = join(folder, `${nth}.parquet`)
      await writePart(path, bufferOf(lines))
      const found = (await readBack(path)).map(String).toSorted()
      expect(found).toEqual(expected(lines).map(String).toSorted())
    }),
    { numRuns: 60, seed: 11 },
  )
})

/** Metrics that move all the time, seldom and never, over several row groups. */
function log(steps: number): Line[] {
  return Array.from({ length: steps }, (_, step) => ({
    step,
    time: 1.7e9 + 10 * step,
    segment: 0,
    points: [
      ['grad', Math.sin(step * 12.9898) * 43758.5453, 'measured', null],
      ['lr', step < 10 ? step * 1e-7 : 1e-6, 'measured', null],
      ['clip', 0.2, 'measured', null],
    ],
  }))
}

test('a reader finds one metric of many without the others, by the ranges that row groups have', async () => {
  const path = join(temporaryFolder(), '0.parquet')
  await writePart(path, bufferOf(log(20_000)))
  const groups = await duck.readRows(
    `SELECT stats_min_value AS low, stats_max_value AS high FROM parquet_metadata(${sqlFiles([path])})
     WHERE path_in_schema = 'metric' ORDER BY row_group_id`,
  )
  expect(groups.map(({ low, high }) => [low, high])).toEqual([
    ['clip', 'clip'],
    ['clip', 'grad'],
    ['grad', 'lr'],
    ['lr', 'lr'],
  ])
})

test('what repeats itself takes little room: step, time and value together less than half a double', async () => {
  const path = join(temporaryFolder(), '0.parquet')
  const lines = log(20_000).map(line => ({ ...line, points: line.points.slice(1) }))
  await writePart(path, bufferOf(lines))
  expect(statSync(path).size).toBeLessThan(4 * 40_000)
})

/** What DuckDB reads of a metric, in the order of `readSeries`. */
async function queried(paths: readonly string[], metric: string, { quality, after, upTo }: SeriesSelection) {
  const rows = await duck.readRows(
    `SELECT step, coalesce(value, 'nan'::DOUBLE) AS value, coalesce(time, 'nan'::DOUBLE) AS time, segment
     FROM read_parquet(${sqlFiles(paths)}, file_row_number = true)
     WHERE metric = '${metric}' AND quality = '${quality}' AND step > ${after}::DOUBLE AND step <= ${upTo}::DOUBLE
     ORDER BY step, file_index, file_row_number`,
  )
  return rows.map(({ step, value, time, segment }) => [step, value, time, segment].map(String))
}

test('klens reads its own parts as DuckDB reads them, several together, by quality and range', async () => {
  const folder = temporaryFolder()
  let nth = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(aLine, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...QUALITIES),
      fc.tuple(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
      async (parts, quality, [after, upTo]) => {
        fc.pre(parts.every(lines => lines.some(({ points }) => points.length > 0)))
        const paths: string[] = []
        for (const lines of parts) {
          nth += 1
          paths.push(join(folder, `${nth}.parquet`))
          await writePart(paths[paths.length - 1], bufferOf(lines))
        }
        for (const selection of [
          { quality, after, upTo },
          { quality, after: -1e308, upTo: 1e308 },
        ]) {
          const read = await pointsInOwnParts(new KnownFiles(), paths, ['a', 'zü', 'none'], selection)
          for (const metric of ['a', 'zü', 'none']) {
            const { steps, values, times, segments } = read?.get(metric) ?? { steps: [] }
            const found = Array.from(steps, (step, i) => [step, values?.[i], times?.[i], segments?.[i]].map(String))
            expect(found).toEqual(await queried(paths, metric, selection))
          }
        }
      },
    ),
    { numRuns: 40, seed: 12 },
  )
})

test('long series come back over several row groups, packed and plain', async () => {
  const path = join(temporaryFolder(), '0.parquet')
  await writePart(path, bufferOf(log(20_000)))
  const read = await pointsInOwnParts(new KnownFiles(), [path], ['grad', 'lr', 'clip'], {})
  for (const metric of ['grad', 'lr', 'clip']) {
    const { steps, values, times, segments } = read?.get(metric) ?? { steps: [] }
    const found = Array.from(steps, (step, i) => [step, values?.[i], times?.[i], segments?.[i]].map(String))
    const range = { quality: 'measured', after: -1, upTo: 1e9 } as const
    expect(found).toEqual(await queried([path], metric, range))
  }
})

test('a part with any byte changed is read or left to DuckDB, and never hangs', async () => {
  const path = join(temporaryFolder(), '0.parquet')
  await writePart(path, bufferOf(log(20)))
  const whole = readFileSync(path)
  for (let at = 0; at < whole.length; at += 1) {
    for (const byte of [0, 0xff]) {
      const changed = Buffer.from(whole)
      changed[at] = byte
      writeFileSync(path, changed)
      expect((await pointsInOwnParts(new KnownFiles(), [path], ['grad', 'lr'], {}))?.size ?? 0).toBeLessThanOrEqual(2)
    }
  }
})

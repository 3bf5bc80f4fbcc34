import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { logFile } from '../../../test/support/log-file.js'
import { temporaryWorkspace } from '../../../test/workspace.js'
import type { RunEvent } from '../../logs/model/events.js'
import { loadRun } from './catalogue.js'
import { outlineSeries, type SeriesOutline } from './envelope.js'
import { RunWriter } from './run-writer.js'
import { readSeries, type SeriesPoints, type StepRange, seriesInPieces } from './series.js'

type Point = readonly [step: number, value: number]

function row([step, value]: Point): RunEvent {
  return { type: 'row', step, time: null, metrics: ['m', 'other'], values: [value, -value] }
}

/** A run whose points lie in two parts and in the live file, as those of a training that runs do. */
async function growing(first: readonly Point[], second: readonly Point[], live: readonly Point[]) {
  const workspace = await temporaryWorkspace()
  const writer = await RunWriter.open(workspace, { id: 'a-run', name: 'a run', source: 'jsonl' }, 'follow')
  const file = await writer.trackFile(null, logFile('/log'))
  await writer.write(first.map(row), file)
  await writer.flush()
  await writer.write(second.map(row), file)
  await writer.goLive()
  await writer.write(live.map(row), file)
  onTestFinished(() => writer.abandon())
  const run = await loadRun(workspace, 'a-run')
  if (run === null) throw new Error('the run that is being written is not there')
  return { run, writer }
}

const ascending = (from: number, to: number): Point[] =>
  Array.from({ length: to - from }, (_, i) => [from + i, Math.sin(from + i)])

describe('the outline of a series', () => {
  it('is exact where there are no more points than asked for, live ones included', async () => {
    const { run } = await growing(ascending(0, 10), ascending(10, 20), ascending(20, 30))
    const outline = (await outlineSeries(run, ['m'], { most: 30 })).get('m')
    const series = (await readSeries(run, ['m'])).get('m')
    expect(outline).toEqual({ kind: 'exact', total: 30, points: series })
  })

  it('is an envelope that holds every point where there are more', async () => {
    const { run } = await growing(ascending(0, 10), ascending(10, 20), ascending(20, 30))
    const outline = (await outlineSeries(run, ['m'], { most: 5 })).get('m')
    if (outline?.kind !== 'envelope') throw new Error(`${outline?.kind} instead of an envelope`)
    expect(outline.total).toBe(30)
    expect([...outline.buckets.from]).toEqual([0, 6, 12, 18, 24])
    expect([...outline.buckets.to]).toEqual([5, 11, 17, 23, 29])
    expect([...outline.buckets.points]).toEqual([6, 6, 6, 6, 6])
    expect(outline.buckets.high[0]).toBe(Math.sin(2))
    expect(outline.buckets.low[0]).toBe(Math.sin(5))
  })

  it('counts what is not finite, and takes no part of it for a value', async () => {
    const { run } = await growing(
      [[0, Number.NaN]],
      [[1, Number.POSITIVE_INFINITY]],
      [
        [2, 7],
        [3, 9],
      ],
    )
    const outline = (await outlineSeries(run, ['m'], { most: 2 })).get('m')
    if (outline?.kind !== 'envelope') throw new Error(`${outline?.kind} instead of an envelope`)
    const { low, high, mean, nonFinite } = outline.buckets
    expect([[...low], [...high], [...mean], [...nonFinite]]).toEqual([
      [Number.NaN, 7],
      [Number.NaN, 9],
      [Number.NaN, 8],
      [2, 0],
    ])
  })

  it('of a metric that the run lacks, or of steps that it has not reached, is not there', async () => {
    const { run } = await growing(ascending(0, 3), [], [])
    expect(await outlineSeries(run, ['none'], { most: 5 })).toEqual(new Map())
    expect(await outlineSeries(run, ['m'], { most: 5, after: 2 })).toEqual(new Map())
  })

  it('is of several metrics at once what it is of each alone, in a window too', async () => {
    const { run: growingRun, writer } = await growing(ascending(0, 10), ascending(10, 20), [])
    const onlyOne: RunEvent = { type: 'row', step: 40, time: null, metrics: ['other'], values: [8] }
    await writer.write([onlyOne], null)
    await writer.close()
    const run = await loadRun(growingRun.workspace, 'a-run')
    if (run === null) throw new Error('the run that was written is not there')
    for (const range of [{}, { after: 3, upTo: 15 }, { after: 25 }]) {
      const both = await outlineSeries(run, ['other', 'none', 'm'], { most: 4, ...range })
      const alone = [
        ...(await outlineSeries(run, ['m'], { most: 4, ...range })),
        ...(await outlineSeries(run, ['other'], { most: 4, ...range })),
      ]
      expect(both).toEqual(new Map(alone))
      expect(both.get('m')?.kind).toBe('after' in range && range.after === 25 ? undefined : 'envelope')
    }
  })

  it('says of any run the same as its points do', { timeout: 60_000 }, async () => {
    const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.double()), { maxLength: 25 })
    const step = fc.option(fc.integer({ min: -1, max: 41 }), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(points, points, points, fc.record({ after: step, upTo: step }), async (a, b, c, range) => {
        const { run, writer } = await growing(a, b, c)
        for (const most of [1, 7]) await expectAgreement(run, range, most)
        await writer.close()
        const closed = await loadRun(run.workspace, 'a-run')
        if (closed !== null) await expectAgreement(closed, range, 7)
      }),
      { numRuns: 10 },
    )
  })
})

describe('a series in pieces', () => {
  it('is the series, though the last of each step may come in the next piece or from the live file', async () => {
    const { run, writer } = await growing(ascending(0, 3000), ascending(1500, 5000), ascending(2040, 2500))
    await expectPieces(run)
    await writer.close()
    const closed = await loadRun(run.workspace, 'a-run')
    if (closed !== null) await expectPieces(closed)
  })

  it('has an empty piece for a metric without points', async () => {
    const { run } = await growing(ascending(0, 3), [], [])
    const pieces: unknown[] = []
    for await (const [metric, { steps }] of seriesInPieces(run, ['none', 'm'])) pieces.push([metric, ...steps])
    expect(pieces).toEqual([['none'], ['m', 0, 1, 2]])
  })
})

async function expectPieces(run: Parameters<typeof readSeries>[0]): Promise<void> {
  const pieces: SeriesPoints[] = []
  for await (const [, piece] of seriesInPieces(run, ['m'], 0)) pieces.push(piece)
  const whole = (await readSeries(run, ['m'])).get('m')
  expect(pieces.length).toBeGreaterThan(1)
  for (const column of ['steps', 'values', 'segments'] as const) {
    expect(pieces.flatMap(piece => [...piece[column]])).toEqual([...(whole?.[column] ?? [])])
  }
}

async function expectAgreement(run: Parameters<typeof readSeries>[0], range: StepRange, most: number): Promise<void> {
  const outline = (await outlineSeries(run, ['m'], { ...range, most })).get('m')
  const points = (await readSeries(run, ['m'], range)).get('m')
  const whole = (await readSeries(run, ['m'])).get('m')
  const kept = [...(whole?.steps ?? [])].filter(
    step => step > (range.after ?? Number.NEGATIVE_INFINITY) && step <= (range.upTo ?? Number.POSITIVE_INFINITY),
  )
  expect([...(points?.steps ?? [])]).toEqual(kept)
  expect(outline?.total ?? 0).toBe(kept.length)
  expect(outline?.kind).toBe(kept.length === 0 ? undefined : kept.length <= most ? 'exact' : 'envelope')
  if (outline?.kind === 'envelope' && points !== undefined)
    expectCovered(outline, [...points.steps], [...points.values])
}

/** Every point lies in just one stretch, and each stretch's range is that of its points. */
function expectCovered(
  { buckets }: SeriesOutline & { readonly kind: 'envelope' },
  steps: readonly number[],
  values: readonly number[],
): void {
  let seen = 0
  buckets.from.forEach((from, i) => {
    const inside = values.filter((_, at) => steps[at] >= from && steps[at] <= buckets.to[i])
    const finite = inside.filter(Number.isFinite)
    seen += inside.length
    expect(buckets.points[i]).toBe(inside.length)
    expect(buckets.nonFinite[i]).toBe(inside.length - finite.length)
    expect(buckets.low[i] + 0).toBe(finite.length === 0 ? Number.NaN : Math.min(...finite) + 0)
    expect(buckets.high[i] + 0).toBe(finite.length === 0 ? Number.NaN : Math.max(...finite) + 0)
  })
  expect(seen).toBe(steps.length)
}

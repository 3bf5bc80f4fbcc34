import { type Axis, lengthOn } from '../../../logs/model/axis.js'
import type { Message } from '../../../logs/model/run.js'
import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { sentences } from '../../../text/sentences.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import type { RunView } from '../run-view.js'
import type { AxisSpec } from './specification.js'

/** How far along the axis a run is at a step; NaN where its log does not tell. */
export type Counter = (step: number) => number

/** Null where the log does not tell. */
export async function counterOf(run: RunView, by: Axis, metric: string): Promise<Counter | null> {
  switch (by) {
    case 'steps':
      return step => step
    case 'tokens':
      return (await total(run, 'tokens.total')) ?? (await sum(run, 'tokens'))
    case 'samples':
      return (await total(run, 'episodes')) ?? (await sum(run, 'samples')) ?? bySettings(run)
    case 'time':
      return (await sum(run, 'time.step')) ?? (await byClock(run, metric))
  }
}

async function logged(run: RunView, canonical: string): Promise<SeriesPoints | null> {
  const [name] = run.metricsNamed(canonical)
  if (name === undefined) return null
  const points = (await readSeries(run, [name])).get(name)
  return points === undefined || points.steps.length === 0 ? null : points
}

/** A count that the log keeps itself. One that begins again, as after a restart, goes on from where it was. */
async function total(run: RunView, canonical: string): Promise<Counter | null> {
  const points = await logged(run, canonical)
  if (points === null) return null
  let [sum, before] = [0, 0]
  const sums = points.values.map(value => {
    sum += value >= before ? value - before : value
    before = value
    return sum
  })
  return between(points.steps, sums)
}

/** What each step took, added up. A row stands for all steps since the row before. */
async function sum(run: RunView, canonical: string): Promise<Counter | null> {
  const points = await logged(run, canonical)
  if (points === null) return null
  let [sum, before] = [0, points.steps[0] - (points.steps.length > 1 ? points.steps[1] - points.steps[0] : 1)]
  const sums = points.values.map((value, i) => {
    sum += value * (points.steps[i] - Math.max(before, 0))
    before = points.steps[i]
    return sum
  })
  return between(points.steps, sums)
}

/** Prompts times answers to each, at every step. */
function bySettings({ settings, framework }: RunView): Counter | null {
  const [prompts, answers] = ['batch.prompts', 'group.size'].map(key => numberOf(settings.get(key)?.effective))
  // One generation of TRL's lasts for several steps, and how many is not always written down.
  const steps = framework === 'trl' ? numberOf(settings.get('steps.per_generation')?.effective) : 1
  if (prompts === null || steps === null || !(prompts > 0) || !(steps > 0)) return null
  return step => (step * prompts * (answers ?? 1)) / steps
}

/** Since the first evaluation, by the clock of whoever logged; pauses count, as they do for who waits. */
async function byClock(run: RunView, metric: string): Promise<Counter | null> {
  const points = (await readSeries(run, [metric])).get(metric)
  if (points === undefined || points.times.length < 2 || !points.times.every(Number.isFinite)) return null
  const start = Math.min(run.manifest.about.startedAt ?? Number.POSITIVE_INFINITY, points.times[0])
  return between(
    points.steps,
    points.times.map(time => time - start),
  )
}

/** A count is known between two rows as well: it grows evenly there. Behind the last row nothing is known. */
function between(steps: Float64Array, counts: Float64Array): Counter {
  return step => {
    const next = steps.findIndex(at => at >= step)
    if (next < 0) return Number.NaN
    if (steps[next] === step) return counts[next]
    const [from, base] = next === 0 ? [0, 0] : [steps[next - 1], counts[next - 1]]
    return base + ((counts[next] - base) * (step - from)) / (steps[next] - from)
  }
}

/** The series along the axis: evaluations of which nobody knows where they are, or that did not move on, are left out. */
export function seriesAlong({ steps, values, times, segments }: SeriesPoints, counter: Counter): SeriesPoints {
  const places = steps.map(counter)
  let last = Number.NEGATIVE_INFINITY
  const kept = Array.from(places.keys()).filter(i => {
    if (!Number.isFinite(places[i]) || !Number.isFinite(values[i]) || places[i] <= last) return false
    last = places[i]
    return true
  })
  const pick = (column: Float64Array): Float64Array => Float64Array.from(kept, i => column[i])
  return { steps: pick(places), values: pick(values), times: pick(times), segments: pick(segments) }
}

const say = sentences({
  'axis.evaluations': {
    en: '{n} shared {n|evaluation|evaluations}',
    zh: '{n} 次共同验证',
  },
  'axis.windows': {
    en: '{n} {n|window|windows} of {width}',
    zh: '{n} 个宽 {width} 的窗口',
  },
  'axis.unaligned': {
    en: 'the runs were evaluated at different places, so each window uses the mean of their curves',
    zh: '各 run 的验证位置不同，因此按窗口取曲线的平均高度来比较',
  },
})

/** So many things that were compared: shared evaluations, or windows. */
export function countText({ by, windows }: AxisSpec, n: number): Message {
  return windows === null ? say('axis.evaluations', { n }) : say('axis.windows', { n, width: lengthOn(by, windows) })
}

/** Why windows, where they are. */
export function whyWindows({ windows }: AxisSpec): readonly Message[] {
  return windows === null ? [] : [say('axis.unaligned', {})]
}

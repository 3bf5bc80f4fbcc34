import { groupBy } from '../../../logs/model/util/group-by.js'
import { median } from '../../../stats/descriptive.js'
import type { Manifest, MetricRecord } from '../../store/manifest.js'
import { type LoadedRun, readSeries, type SeriesPoints } from '../../store/series.js'
import { limitsOf, threshold } from '../rule.js'
import type { Curve } from './curve.js'

/** Series that stand out whatever they mean: with a value far beyond the others, or equal to another series. */

/**
 * Values that are orders of magnitude beyond the usual, in whatever metric. The manifest tells which metrics can hold
 * one, so that only those are read.
 */
export const JUMP_THRESHOLDS = {
  JUMP: threshold(1e5, {
    en: 'Times the median size. Derived: gradient norms and ratios, the heaviest tails of healthy logs, reach 1e3 to 1e4 times theirs; public data had a loss of 6e11 among 1e4.',
    zh: '相对于绝对值中位数的倍数。推得：健康日志中尾部最重的梯度范数和 ratio 达到中位数的 1e3 ~ 1e4 倍；公开数据中曾在 1e4 量级的 loss 里出现 6e11。',
  }),
  LEAST: threshold(10, {
    en: 'Smaller values do not count. Derived: on-policy losses are rounding errors of 1e-9, and 1e-4 among them is nothing.',
    zh: '更小的值不计。推得：on-policy 的 loss 是 1e-9 量级的舍入误差，其中出现 1e-4 不算什么。',
  }),
}
const { JUMP, LEAST } = limitsOf(JUMP_THRESHOLDS)

/** Points before a jump that say what was usual. Derived: one may be the odd one itself. */
const FEWEST_BEFORE = 2

/** First and last value may be this far from the usual themselves. Derived. */
const SLACK = 100

/** By the ends and the extremes of a metric alone; most are out of the question. */
export function mayHaveJumped({ metrics }: Manifest): readonly string[] {
  return [...metrics].flatMap(([name, { first, last, min, max, finite }]) => {
    const extreme = Math.max(Math.abs(min), Math.abs(max))
    const end = Math.min(Math.abs(first), Math.abs(last))
    return finite > 2 && extreme >= LEAST && !(extreme < (JUMP / SLACK) * end) ? [name] : []
  })
}

export interface Jump {
  readonly metric: string
  /** The most extreme value. */
  readonly value: number
  readonly step: number
  /** Median size of the values that are not 0. */
  readonly usual: number
  /** From the first such value to the last. */
  readonly steps: readonly [number, number]
}

export function jumpIn({ metric, steps, values }: Curve): Jump | undefined {
  const sizes = values.map(Math.abs)
  const usual = median(sizes.filter(size => size > 0))
  const beyond = Array.from(sizes.keys()).filter(i => sizes[i] >= LEAST && sizes[i] > JUMP * usual)
  if (beyond.length === 0) return undefined
  const farthest = beyond.reduce((most, i) => (sizes[i] > sizes[most] ? i : most))
  // A value loss that falls from 40 to 1e-7 has not jumped at its start: what came before must have been small as well.
  const before = sizes.subarray(0, beyond[0]).filter(size => size > 0)
  if (before.length < FEWEST_BEFORE || !(sizes[farthest] > JUMP * median(before))) return undefined
  return {
    metric,
    value: values[farthest],
    step: steps[farthest],
    usual,
    steps: [steps[beyond[0]], steps[beyond[beyond.length - 1]]],
  }
}

/**
 * Metrics of one run that are equal to each other at every step. Only those whose summaries agree are read at all.
 * A constant says nothing: two zeros are not copies of each other, nor are two shares that go from 0.975 to their limit.
 */
export async function twins(run: LoadedRun): Promise<readonly (readonly string[])[]> {
  const varying = [...run.manifest.metrics].filter(([, record]) => record.finite > 1 && record.min !== record.max)
  const bySum = groupBy(varying, ([, { sum }]) => sum)
  const alikeInSum = varying.filter(([, { sum }]) => (bySum.get(sum)?.length ?? 0) > 1)
  const alike = [...groupBy(alikeInSum, ([, record]) => summaryKey(record)).values()].filter(({ length }) => length > 1)
  if (alike.length === 0) return []
  const series = await readSeries(
    run,
    alike.flat().map(([name]) => name),
  )
  return alike.flatMap(group => {
    const read = group.flatMap(([name]) => {
      const points = series.get(name)
      return points === undefined || !isTelling(points.values) ? [] : [{ name, points }]
    })
    const equal = [...groupBy(read, ({ points }) => pointsKey(points)).values()]
    return equal.filter(same => same.length > 1).map(same => same.map(({ name }) => name))
  })
}

/** Different values that two metrics must share before one is called a copy. Derived. */
const FEWEST_VALUES = 5

export function isTelling(values: Float64Array): boolean {
  const seen = new Set<number>()
  for (const value of values) if (seen.add(value).size >= FEWEST_VALUES) return true
  return false
}

function summaryKey({ n, first, last, min, minStep, max, maxStep, sum }: MetricRecord): string {
  return [n, first, last, min, minStep, max, maxStep, sum].join()
}

function pointsKey({ steps, values }: SeriesPoints): string {
  return `${steps.join()};${values.join()}`
}

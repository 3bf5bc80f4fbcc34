import { mean } from '../../../stats/descriptive.js'
import { wilson } from '../../../stats/proportion.js'
import {
  chanceOfGrowth,
  forecastGrowth,
  type GrowthForecast,
  halfWidthAt,
  type KnownCurve,
} from '../../../stats/similar-growth.js'

/** Where a training will end, by finished runs that stood where it stands. Pure: curves in, a forecast out. */

export interface EvaluatedCurve {
  readonly steps: readonly number[]
  readonly values: readonly number[]
}

export interface FinishedCurve extends EvaluatedCurve {
  readonly setting: string
}

export interface ScoreForecast {
  /** The level at the last evaluation that is seen. */
  readonly now: number
  readonly estimate: number
  /** Null: too few finished runs stood where this one stands. */
  readonly interval: readonly [number, number] | null
  /** As if so many finished runs had stood exactly here. */
  readonly similar: number
  /** How likely it ends at this score or higher. */
  readonly chanceOf: (score: number) => number
}

/** Of the interval. */
export const FORECAST_LEVEL = 0.8

/** A level is the mean of the evaluations in the last eighth of the training: ten of them at most. */
const LEVEL_SHARE = 1 / 8
const MOST_AVERAGED = 10

/** The score around a step, of a training that lasts so many; null where nothing was evaluated by then. */
export function levelAt({ steps, values }: EvaluatedCurve, at: number, until: number): number | null {
  const last = steps.findLastIndex(step => step <= at)
  if (last < 0) return null
  const lately = steps.findIndex(step => step > at - LEVEL_SHARE * until)
  const first = lately < 0 ? last : Math.min(last, lately)
  return mean(values.slice(Math.max(first, last - MOST_AVERAGED + 1), last + 1))
}

/** Level, and gain since half of the way; before the first evaluation of a trained policy there is none. */
function placeOf(curve: EvaluatedCurve, at: number, until: number): readonly [number, number] | null {
  const level = levelAt(curve, at, until)
  if (level === null) return null
  return [level, level - (levelAt(curve, at / 2, until) ?? curve.values[0])]
}

function knownCurves(finished: readonly FinishedCurve[], at: number, until: number): readonly KnownCurve[] {
  return finished.flatMap(curve => {
    const [place, end] = [placeOf(curve, at, until), levelAt(curve, until, until)]
    return place === null || end === null ? [] : [{ place, growth: end - place[0], setting: curve.setting }]
  })
}

/** Null where the run has no evaluation by this step, or nothing is known to forecast it from. */
export function forecastScore(
  curve: EvaluatedCurve,
  finished: readonly FinishedCurve[],
  { at, until, setting }: { readonly at: number; readonly until: number; readonly setting: string | null },
): ScoreForecast | null {
  const place = placeOf(curve, at, until)
  const known = knownCurves(finished, at, until)
  if (place === null || known.length === 0) return null
  const isShare = [curve, ...finished].every(({ values }) => values.every(value => value >= 0 && value <= 1))
  return scoreForecast(place[0], forecastGrowth(place, known, setting), isShare ? [0, 1] : EVERYWHERE)
}

const EVERYWHERE: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

/** Scores that are shares end between 0 and 1. */
function scoreForecast(now: number, growth: GrowthForecast, [least, most]: readonly [number, number]): ScoreForecast {
  const half = halfWidthAt(growth, FORECAST_LEVEL)
  const within = (score: number): number => Math.min(most, Math.max(least, score))
  const estimate = within(now + growth.estimate)
  return {
    now,
    estimate,
    interval: half === null ? null : [within(estimate - half), within(estimate + half)],
    similar: growth.similar,
    chanceOf: score => chanceOfGrowth(growth, score - now),
  }
}

/** Enough for a rate; more would only take time. */
const MOST_CHECKED = 60

export interface ForecastCheck {
  /** Finished runs that got an interval at this step, each from all others. */
  readonly runs: number
  /** How many of them ended within it. */
  readonly covered: number
}

/** The same forecast of finished runs, whose end is known. */
export function checkForecast(finished: readonly FinishedCurve[], at: number, until: number): ForecastCheck {
  const every = Math.max(1, Math.ceil(finished.length / MOST_CHECKED))
  const checked = finished.flatMap((curve, i) => {
    const others = i % every === 0 ? finished.filter(other => other !== curve) : []
    const forecast = forecastScore(curve, others, { at, until, setting: curve.setting })
    const end = levelAt(curve, until, until)
    if (forecast?.interval == null || end === null) return []
    return [end >= forecast.interval[0] && end <= forecast.interval[1]]
  })
  return { runs: checked.length, covered: checked.filter(Boolean).length }
}

/** Whether the intervals of finished runs here hold less than they promise, chance excluded. */
export function fallsShort({ runs, covered }: ForecastCheck): boolean {
  return runs > 0 && wilson(covered / runs, runs).high < FORECAST_LEVEL
}

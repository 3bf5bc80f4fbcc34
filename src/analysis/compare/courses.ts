import type { Verdict } from '../../model/verdict.js'
import { FEWEST_EVALUATIONS } from '../../stats/paired-mean.js'
import type { SeriesPoints } from '../../store/series.js'
import { message } from '../../text/say.js'
import { align, meanSeries } from '../align.js'
import { scopeOf } from '../conventions.js'
import { counted, SHARED_STEPS } from './axis.js'
import { type Asked, undetermined } from './judge.js'

/** Two sides at the steps that all of their runs share: what speed and stability are read from. */
export interface Courses {
  readonly steps: readonly number[]
  /** The mean of each side. */
  readonly means: readonly (readonly number[])[]
  /** Every run of each side. */
  readonly runs: readonly (readonly (readonly number[])[])[]
}

export function coursesOf(baseline: readonly SeriesPoints[], other: readonly SeriesPoints[]): Courses {
  const { steps, values } = align([...baseline, ...other])
  const means = align([meanSeries(baseline), meanSeries(other)]).values
  return { steps, means, runs: [values.slice(0, baseline.length), values.slice(baseline.length)] }
}

export function manyRuns({ runs }: Courses): boolean {
  return scopeOf(runs.map(side => side.length)) === 'configs'
}

export function tooFewShared(asked: Asked, { steps }: Courses): Verdict {
  const count = counted(asked.along ?? SHARED_STEPS, steps.length)
  const reasons = [message('compare.too-few', { count, needed: FEWEST_EVALUATIONS })]
  return undetermined(asked, { scope: 'runs', reasons })
}

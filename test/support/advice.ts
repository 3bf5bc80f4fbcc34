import { rankCheckpoints } from '../../src/core/analysis/checkpoints/ranking.js'
import { recommendStep } from '../../src/core/analysis/checkpoints/recommend.js'
import type { LabName, LabRun } from './labs.js'
import { points } from './real-runs.js'

/** The checkpoint that klens advises to take of a run of the labs, and what it and the others are truly worth. */

export const SETS = {
  addition: [{ metric: 'val-aux/addition/exact/mean@1', file: 'val_exact', set: 'all' }],
  sorting: ['short', 'medium', 'long'].map(set => ({
    metric: `val-core/sort_${set}/acc/mean@4`,
    file: `val_${set}`,
    set,
  })),
}

/** In the sorting lab the truth was measured just where checkpoints were saved; in the other the settings tell nothing. */
const SAVED_EVERY = { addition: 20, sorting: 50 }

export interface Advised {
  /** The smoothed score at the step to take, and the highest score of a saved step. */
  readonly expected: number
  readonly highestScore: number
  readonly taken: number
  readonly highest: number
  readonly last: number
  readonly peak: number
}

export function advised(name: LabName, run: LabRun): Advised[] {
  const ranked = SETS[name].map(({ metric, file }) => {
    const { steps, values } = run.metrics.get(metric) ?? { steps: [], values: [] }
    const scores = run.samples.get(file)?.byStep ?? new Map<number, Float64Array>()
    return rankCheckpoints(points(steps, values), 'max', { scores, prompts: null })
  })
  const courses = ranked.flatMap(each => each?.course ?? [])
  return SETS[name].map(({ metric, set }, i) => {
    const { steps, values } = run.metrics.get(metric) ?? { steps: [], values: [] }
    const saved = steps.filter(step => step % SAVED_EVERY[name] === 0)
    const truth = new Map((run.truth.get(set) ?? []).map(({ step, exact }) => [step, exact]))
    const trueAt = (step: number): number => truth.get(step) ?? Number.NaN
    const scored = (step: number): number => values[steps.indexOf(step)]
    const trained = saved.filter(step => step > 0)
    const ordered = [courses[i], ...courses.filter((_, k) => k !== i)]
    const take = recommendStep(ordered, { steps: saved, source: 'settings' }, 1)
    const highest = trained.reduce((best, step) => (scored(step) > scored(best) ? step : best))
    return {
      expected: take.expected ?? take.value ?? Number.NaN,
      highestScore: scored(highest),
      taken: trueAt(take.step),
      highest: trueAt(highest),
      last: trueAt(trained[trained.length - 1]),
      peak: Math.max(...saved.map(trueAt)),
    }
  })
}

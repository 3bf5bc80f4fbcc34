import type { SideEvidence } from '../../src/core/analysis/compare/evidence.js'
import type { PromptScores } from '../../src/core/analysis/prompt-scores.js'
import type { SeriesPoints } from '../../src/core/store/series.js'
import { type LabRun, readLab } from './labs.js'

/** The runs of the addition lab as sides of a comparison, with what 4,000 fresh prompts said every 20 steps. */

export const HEALTHY = ['kl-0.0', 'kl-0.01', 'kl-0.1', 'kl-0.3', 'kl-ent-cosine', 'ent-only', 'cosine-only']

export interface RealRun {
  readonly group: string
  readonly seed: string
  readonly reward: SeriesPoints
  readonly exact: SeriesPoints
  readonly scores: PromptScores
  /** By step: reward and exact accuracy on fresh prompts. */
  readonly truth: ReadonlyMap<number, { readonly reward: number; readonly exact: number }>
}

export function readRealRuns(groups: readonly string[] = HEALTHY): readonly RealRun[] {
  return readLab('addition')
    .filter(({ group }) => groups.includes(group))
    .map(realRun)
}

function realRun({ group, seed, metrics, samples, truth }: LabRun): RealRun {
  const series = (metric: string): SeriesPoints => {
    const { steps, values } = metrics.get(metric) ?? { steps: [], values: [] }
    return points(steps, values)
  }
  const { prompts, byStep } = samples.get('val_exact') ?? { prompts: [], byStep: new Map() }
  return {
    group,
    seed,
    reward: series('val-core/addition/reward/mean@1'),
    exact: series('val-aux/addition/exact/mean@1'),
    scores: { metric: 'val_exact', prompts, byStep },
    truth: new Map((truth.get('all') ?? []).map(({ step, reward, exact }) => [step, { reward, exact }])),
  }
}

export function points(steps: readonly number[], values: readonly number[]): SeriesPoints {
  const unknown = new Float64Array(steps.length).fill(Number.NaN)
  return { steps: Float64Array.from(steps), values: Float64Array.from(values), times: unknown, segments: unknown }
}

/** What a perfect evaluation would have said at a step; truth was measured every 20 steps, and is drawn straight between. */
export function truthAt({ truth }: RealRun, step: number, metric: 'reward' | 'exact'): number {
  const before = 20 * Math.min(Math.floor(step / 20), 19)
  const [low, high] = [truth.get(before)?.[metric] ?? Number.NaN, truth.get(before + 20)?.[metric] ?? Number.NaN]
  return low + ((high - low) * (step - before)) / 20
}

export function sideOf(
  label: string,
  runs: readonly RealRun[],
  metric: 'reward' | 'exact',
  withScores = true,
): SideEvidence {
  return {
    label,
    series: runs.map(run => run[metric]),
    scores: withScores ? runs.map(({ scores }) => scores) : null,
    prompts: 200,
  }
}

/** All pairs of runs of one setting. */
export function sameSettingPairs(runs: readonly RealRun[]): readonly (readonly [RealRun, RealRun])[] {
  return runs.flatMap((first, i) =>
    runs.slice(i + 1).flatMap(second => (second.group === first.group ? [[first, second] as const] : [])),
  )
}

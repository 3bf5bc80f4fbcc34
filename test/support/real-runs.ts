import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Side } from '../../src/analysis/compare/questions.js'
import type { PromptScores } from '../../src/analysis/prompt-scores.js'
import type { SeriesPoints } from '../../src/store/series.js'

/**
 * Real GRPO runs with known truth: 0.6 M parameters, three-digit addition, 81 evaluations on 200 prompts each, and the
 * accuracy on 4,000 fresh prompts every 20 steps. A few are shipped as examples; the whole set lies beside the project
 * where it was developed, and tests that need it are skipped elsewhere.
 */
const ARCHIVE = fileURLToPath(new URL('../../../shared/fixtures/grpo-runs.tar.gz', import.meta.url))

export const HAS_REAL_RUNS = existsSync(ARCHIVE)

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

export function realRunsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'klens-real-'))
  execFileSync('tar', ['xzf', ARCHIVE, '-C', folder])
  return folder
}

export function readRealRuns(groups: readonly string[] = HEALTHY): readonly RealRun[] {
  const folder = realRunsFolder()
  try {
    return groups.flatMap(group =>
      readdirSync(join(folder, group)).map(seed => readRealRun(join(folder, group, seed), group, seed)),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readRealRun(folder: string, group: string, seed: string): RealRun {
  const rows = table(join(folder, 'val_exact.csv'))
  const truth = table(join(folder, 'truth.csv'))
  const lines: { step: number; data: { [metric: string]: number } }[] = readFileSync(
    join(folder, 'metrics.jsonl'),
    'utf8',
  )
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const evaluated = lines.filter(({ data }) => 'val-core/addition/reward/mean@1' in data)
  const series = (metric: string): SeriesPoints =>
    points(
      evaluated.map(({ step }) => step),
      evaluated.map(({ data }) => data[metric]),
    )
  return {
    group,
    seed,
    reward: series('val-core/addition/reward/mean@1'),
    exact: series('val-aux/addition/exact/mean@1'),
    scores: {
      metric: 'val_exact',
      prompts: rows[0].slice(1).map((_, i) => `p${i}`),
      byStep: new Map(rows.map(([step, ...scores]) => [step, Float64Array.from(scores)])),
    },
    truth: new Map(truth.map(([step, reward, exact]) => [step, { reward, exact }])),
  }
}

function table(path: string): number[][] {
  const [, ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map(line => line.split(',').map(Number))
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

export function sideOf(label: string, runs: readonly RealRun[], metric: 'reward' | 'exact', withScores = true): Side {
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

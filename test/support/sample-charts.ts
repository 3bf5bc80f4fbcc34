import type { Chart } from '../../src/core/charts/chart.js'
import { curvesChart, panelsChart } from '../../src/core/charts/curves.js'
import { differenceChart } from '../../src/core/charts/difference.js'
import { heatmapChart } from '../../src/core/charts/heatmap.js'
import { intervalsChart } from '../../src/core/charts/intervals.js'
import { rankingChart } from '../../src/core/charts/ranking.js'
import type { ChartLine } from '../../src/core/charts/request.js'
import { scatterChart } from '../../src/core/charts/scatter.js'
import type { Language } from '../../src/text/language.js'
import { exampleRun } from './example-run.js'

/** One chart of each kind, of shipped runs; `name` stands wherever somebody else's text does. */

const SCORE = 'val-core/addition/reward/mean@1'
const SETTINGS = ['kl-0.0', 'kl-0.1', 'kl-0.3'] as const
const runs = new Map(SETTINGS.map(setting => [setting, exampleRun(`grpo-addition/${setting}/seed0`).metrics]))

export function exampleLine(setting: (typeof SETTINGS)[number], metric: string): ChartLine {
  const points = (runs.get(setting)?.[metric] ?? []).filter(point => typeof point !== 'number')
  return { steps: points.map(([step]) => step), values: points.map(([, value]) => value) }
}

export type ChartKind = 'curves' | 'difference' | 'scatter' | 'panels' | 'heatmap' | 'intervals' | 'ranking'

export function sampleCharts(
  language: Language,
  name: (usual: string) => string = usual => usual,
): ReadonlyMap<ChartKind, () => Chart> {
  const scores = SETTINGS.map(setting => exampleLine(setting, SCORE))
  const metric = { name: name(SCORE), goal: 'max' } as const
  const findings = [
    { from: 120, to: 180, label: name('entropy collapse'), severity: 'error' },
    { from: 122, to: 300, label: name('validation worsened'), severity: 'warning' },
    { from: 350, to: 350, label: name('gradient spike'), severity: 'note' },
  ] as const
  const spread = (values: ArrayLike<number>, by: number): number[] => Array.from(values, value => value + by)
  const points = Array.from(scores[0].steps, (step, i) => ({ step, value: scores[0].values[i] }))
  const best = points.reduce((top, point) => (point.value > top.value ? point : top))
  return new Map<ChartKind, () => Chart>([
    [
      'curves',
      () =>
        curvesChart({
          language,
          metric,
          sides: SETTINGS.map((setting, i) => ({
            label: name(setting),
            line: scores[i],
            replicates: [scores[i]],
            band: {
              steps: scores[i].steps,
              low: spread(scores[i].values, -0.02),
              high: spread(scores[i].values, 0.02),
            },
          })),
          sharedSteps: Array.from(scores[0].steps),
          findings,
        }),
    ],
    [
      'difference',
      () =>
        differenceChart({
          language,
          metric,
          baseline: name('kl-0.0'),
          other: name('kl-0.3'),
          steps: scores[0].steps,
          differences: Array.from(scores[0].steps, (_, i) => scores[2].values[i] - scores[0].values[i]),
          estimate: -0.045,
          interval: [-0.06, -0.03],
          window: [270, 400],
          margin: 0.02,
        }),
    ],
    [
      'scatter',
      () =>
        scatterChart({
          language,
          across: { name: name('actor/kl_loss') },
          up: { name: name('critic/score/mean') },
          sides: SETTINGS.map(setting => {
            const kl = exampleLine(setting, 'actor/kl_loss')
            return {
              label: name(setting),
              steps: kl.steps,
              across: kl.values,
              up: exampleLine(setting, 'critic/score/mean').values,
            }
          }),
        }),
    ],
    [
      'panels',
      () =>
        panelsChart({
          language,
          title: name(language === 'zh' ? '训练过程' : 'Course of training'),
          sides: SETTINGS.map(name),
          panels: ['actor/entropy', 'actor/grad_norm', 'actor/kl_loss'].map((raw, i) => ({
            metric: { name: name(raw) },
            lines: SETTINGS.map((setting, side) => (i === 1 && side === 2 ? null : exampleLine(setting, raw))),
          })),
          findings,
        }),
    ],
    [
      'heatmap',
      () =>
        heatmapChart({
          language,
          metric,
          down: name('kl.loss.coef'),
          across: name('step'),
          rows: SETTINGS.map(name),
          columns: ['100', '200', '300'].map(name),
          cells: [
            [{ value: 0.75, spread: 0.02 }, { value: 0.8 }, { missing: 'run' }],
            [{ value: 0.75 }, { missing: 'evaluation' }, { value: 0.86 }],
            [{ missing: 'training' }, { value: Number.NaN }, { value: 0.7 }],
          ],
          identical: [
            [
              [0, 0],
              [1, 0],
            ],
          ],
        }),
    ],
    [
      'intervals',
      () =>
        intervalsChart({
          language,
          metric,
          rows: (['better', 'worse', 'same', 'different-but-small', 'undetermined', 'higher', 'lower'] as const).map(
            (answer, i) => ({
              label: name(`kl-0.1 − kl-0.0, ${i}`),
              estimate: i === 5 ? null : 0.01 * i - 0.03,
              interval: i > 4 ? null : [0.01 * i - 0.05, 0.01 * i - 0.01],
              margin: i % 2 === 0 ? 0.02 : null,
              answer,
            }),
          ),
        }),
    ],
    [
      'ranking',
      () =>
        rankingChart({
          language,
          metric,
          scores: points.map(({ step, value }) => ({ step, value, interval: [value - 0.03, value + 0.03] })),
          best: { ...best, shrunken: best.value - 0.02, interval: [best.value - 0.04, best.value] },
          indistinguishable: points.filter(({ value }) => value > best.value - 0.03).map(({ step }) => step),
        }),
    ],
  ])
}

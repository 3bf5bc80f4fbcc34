import { readFileSync } from 'node:fs'
import { seriesOf } from '../src/core/analysis/align.js'
import type { SideEvidence } from '../src/core/analysis/compare/evidence.js'
import { compareSides, headline } from '../src/core/analysis/compare/judge-sides.js'
import { finalCount } from '../src/core/analysis/conventions.js'
import { groupBy } from '../src/logs/model/util/group-by.js'
import { mean } from '../src/stats/descriptive.js'
import { gapMean, pairedMean } from '../src/stats/paired-mean.js'
import { intervalOf } from '../src/stats/student-estimate.js'
import { isSick, type LabName, type LabRun, type LearnedLab, labRunsIn } from '../test/support/labs.js'
import { type Named, table } from './table.js'
import { claims, OUT_OF_REACH } from './verdicts.js'

/** Different settings of four labs, several runs or one a side, against what fresh prompts said of the same runs. */

interface Validation {
  readonly lab: LabName | LearnedLab
  readonly metric: string
  readonly set: string
  /** Prompts of one evaluation, and the file with their scores where there is one. */
  readonly prompts: number
  readonly file: string | null
}

const GOLD = { metric: 'eval_rewards/gold/mean', set: 'all', file: null }
const LEARNED: readonly Validation[] = [
  { lab: 'letters', ...GOLD, prompts: 80 },
  { lab: 'vowels', ...GOLD, prompts: 100 },
]
const SCORED: readonly Validation[] = [
  { lab: 'addition', metric: 'val-aux/addition/exact/mean@1', set: 'all', prompts: 200, file: 'val_exact' },
  ...([100, 60, 40] as const).map((prompts, i) => {
    const set = ['short', 'medium', 'long'][i]
    return { lab: 'sorting' as const, metric: `val-core/sort_${set}/acc/mean@4`, set, prompts, file: `val_${set}` }
  }),
]

type Evidence = 'curve' | 'count' | 'scores'

export function settingTables(): Named[] {
  return [
    ['lab-settings', settingTable()],
    ['lab-gaps', gapTable()],
  ]
}

/** Pairs of settings, several runs a side: how many are told apart, and whether the interval holds the true difference. */
function settingTable(): string {
  const words: Readonly<Record<Evidence, string>> = { curve: 'curves alone', count: 'n known', scores: 'scores' }
  const kinds: readonly Evidence[] = ['curve', 'count', 'scores']
  return table(
    ['lab, set', 'runs a side', 'pairs', ...kinds.flatMap(kind => [`${words[kind]}: claimed`, 'covers'])],
    [...SCORED, ...LEARNED].flatMap(validation =>
      [3, 5].map(runs => {
        const pairs = pairsOf(healthyRuns(validation), runs)
        return [
          `${validation.lab}, ${validation.set}`,
          String(runs),
          String(pairs.length),
          ...kinds.flatMap(kind => {
            if (kind === 'scores' && validation.file === null) return ['–', '–']
            const found = pairs.map(([first, second]) => judged(first, second, validation, kind))
            return [share(found, ({ claimed }) => claimed), share(found, ({ covered }) => covered)]
          }),
        ]
      }),
    ),
  )
}

/** Settings with each other; of the runs the first so many, and the next where there are enough of them. */
function pairsOf(runs: readonly LabRun[], count: number): readonly (readonly [readonly LabRun[], readonly LabRun[]])[] {
  const groups = [...groupBy(runs, ({ group }) => group).values()]
  const parts = (group: readonly LabRun[]) => [group.slice(0, count), group.slice(-count)]
  return groups.flatMap((first, i) =>
    groups.slice(i + 1).flatMap(second => parts(first).map((part, k) => [part, parts(second)[k]] as const)),
  )
}

function judged(first: readonly LabRun[], second: readonly LabRun[], validation: Validation, kind: Evidence) {
  const sides = [first, second].map((runs, i) => sideOf(String(i), runs, validation, kind))
  const { verdicts } = compareSides(sides, { metric: validation.metric, goal: null, margin: OUT_OF_REACH })
  const main = headline(verdicts)
  const all = [...sides[0].series[0].steps].filter(step => step > 0)
  const steps = main.question === 'final' ? all.slice(-finalCount(all.length)) : all
  const truth = trueMean(second, validation, steps) - trueMean(first, validation, steps)
  const [low, high] = main.interval ?? [Number.NaN, Number.NaN]
  return { claimed: claims(main), covered: low <= truth && truth <= high }
}

/** Two runs of different settings by how far they truly lie apart: the error around the mean gap, and around its line. */
function gapTable(): string {
  const bins = [0.02, 0.06, 0.15].map((from, i, all) => ({ from, to: all[i + 1] ?? 1 }))
  const methods = [pairedMean, gapMean]
  return table(
    [
      'lab',
      'true gap',
      'pairs',
      ...['around the mean', 'around the line'].flatMap(of => [`${of}: found`, 'covers', 'wrong way']),
    ],
    LEARNED.flatMap(validation => {
      const runs = healthyRuns(validation)
      const pairs = runs.flatMap((first, i) =>
        runs.slice(i + 1).flatMap(second => {
          if (second.group === first.group) return []
          const [a, b] = [first, second].map(run => trained(run, validation))
          const steps = a.steps
          const truth = trueMean([second], validation, steps) - trueMean([first], validation, steps)
          const gaps = a.values.map((value, k) => b.values[k] - value)
          return [{ truth, intervals: methods.map(method => intervalOf(method(gaps))) }]
        }),
      )
      return bins.map(({ from, to }) => {
        const within = pairs.filter(({ truth }) => Math.abs(truth) >= from && Math.abs(truth) < to)
        return [
          validation.lab,
          to === 1 ? `from ${from}` : `${from}–${to}`,
          String(within.length),
          ...methods.flatMap((_, m) => {
            const found = within.map(({ truth, intervals }) => ({ truth, ...intervals[m] }))
            return [
              share(found, ({ low, high }) => low > 0 || high < 0),
              share(found, ({ low, high, truth }) => low <= truth && truth <= high),
              share(found, ({ low, high, truth }) => (truth > 0 ? high < 0 : low > 0)),
            ]
          }),
        ]
      })
    }),
  )
}

function healthyRuns({ lab }: Validation): readonly LabRun[] {
  const pack = readFileSync(new URL(`../../test/data/labs/${lab}.json.br`, import.meta.url))
  return labRunsIn(pack).filter(run => !isSick(run))
}

/** Evaluations of a trained policy. */
function trained(
  run: LabRun,
  { metric }: Validation,
): { readonly steps: readonly number[]; readonly values: readonly number[] } {
  const { steps, values } = run.metrics.get(metric) ?? { steps: [], values: [] }
  const kept = steps.flatMap((step, i) => (step > 0 ? [i] : []))
  return { steps: kept.map(i => steps[i]), values: kept.map(i => values[i]) }
}

function sideOf(label: string, runs: readonly LabRun[], validation: Validation, kind: Evidence): SideEvidence {
  const series = runs.map(run => {
    const { steps, values } = trained(run, validation)
    return seriesOf(steps, values)
  })
  const { file, prompts } = validation
  const scores =
    kind === 'scores' && file !== null
      ? runs.map(run => ({
          metric: file,
          ...(run.samples.get(file) ?? { prompts: [], byStep: new Map<number, Float64Array>() }),
        }))
      : null
  return { label, series, scores, prompts: kind === 'count' ? prompts : null }
}

function trueMean(runs: readonly LabRun[], { set }: Validation, steps: readonly number[]): number {
  return mean(
    runs.map(run => {
      const measured = run.truth.get(set) ?? []
      return mean(
        steps.map(step => {
          const after = Math.max(
            1,
            measured.findIndex(each => each.step >= step),
          )
          const [low, high] = [measured[after - 1], measured[after]]
          return low.exact + ((high.exact - low.exact) * (step - low.step)) / (high.step - low.step)
        }),
      )
    }),
  )
}

function share<Item>(items: readonly Item[], is: (item: Item) => boolean): string {
  return ((100 * items.filter(is).length) / items.length).toFixed(1)
}

import { describe, expect, it } from 'vitest'
import { choose } from '../../src/core/analysis/compare/choose.js'
import { compareSets, headline } from '../../src/core/analysis/compare/judge-sides.js'
import { chooseRun } from '../../src/core/analysis/decide/decide.js'
import type { Verdict } from '../../src/logs/model/verdict.js'
import { mean } from '../../src/stats/descriptive.js'
import { seededRandom, shuffled } from '../../src/stats/random.js'
import { type Advised, advised, SETS } from '../support/advice.js'
import { isSick, type LabRun, readLab } from '../support/labs.js'
import { points } from '../support/real-runs.js'

/** Advice is judged by the truth: runs of two labs, and what thousands of fresh prompts said of their checkpoints. */

describe.each(['addition', 'sorting'] as const)('the checkpoint to take, %s', name => {
  const healthy = readLab(name)
    .filter(run => !isSick(run))
    .map(run => advised(name, run))
  const sick = readLab(name)
    .filter(isSick)
    .map(run => advised(name, run))

  it.each(SETS[name].map(({ set }, i) => [set, i] as const))('is worth the better of the two habits (%s)', (_, i) => {
    const average = (of: keyof Advised): number => mean(healthy.map(run => run[i][of]))
    expect(average('taken')).toBeGreaterThan(Math.max(average('highest'), average('last')) - 0.002)
  })

  it('is hardly ever more than five points worse than either habit in a healthy run', () => {
    const below = healthy.flat().map(({ taken, highest, last }) => Math.max(highest, last) - taken)
    // One of 150 in the sorting lab: a policy that jumps from step to step, judged by forty prompts.
    expect(below.filter(size => size > 0.05).length / below.length).toBeLessThan(0.01)
    expect(Math.max(...below)).toBeLessThan(0.085)
  })

  it('avoids four fifths of a fall after a peak', () => {
    const falling = [...healthy, ...sick].flat().filter(({ peak, last }) => peak - last > 0.05)
    const avoided =
      mean(falling.map(({ taken, last }) => taken - last)) / mean(falling.map(({ peak, last }) => peak - last))
    expect(falling.length).toBeGreaterThan(10)
    expect(avoided).toBeGreaterThan(0.8)
  })
})

describe('the run to ship of three seeds of every healthy setting, drawn again and again', () => {
  it.each(['addition', 'sorting'] as const)('is truly worth as much as the highest saved score, the habit: %s', lab => {
    const random = seededRandom(11)
    const healthy = readLab(lab).filter(run => !isSick(run))
    const known = healthy.map(run => ({ group: run.group, bySet: advised(lab, run) }))
    const groups = [...new Set(healthy.map(({ group }) => group))]
    const rounds = Array.from({ length: 300 }, () => {
      const drawn = groups.map(label => ({
        label,
        runs: shuffled(
          known.filter(({ group }) => group === label),
          random,
        ).slice(0, 3),
      }))
      return SETS[lab].map((_, set) => {
        const all = drawn.flatMap(({ label, runs }) =>
          runs.map((run, i) => ({ ...run.bySet[set], id: `${label}-${i}` })),
        )
        const candidates = drawn.map(({ label, runs }) => ({
          label,
          runs: runs.map((run, i) => ({ ...UNKNOWN, id: `${label}-${i}`, value: run.bySet[set].expected })),
        }))
        const shipped = all.find(({ id }) => id === chooseRun(candidates, 'score').choice?.run.id)
        const luckiest = all.reduce((best, each) => (each.highestScore > best.highestScore ? each : best))
        return (shipped?.taken ?? 0) - luckiest.highest
      })
    })
    expect(mean(rounds.flat())).toBeGreaterThan(-0.002)
  })
})

const UNKNOWN = { name: '', level: 0, step: 0, saved: null, hours: null, rise: 0 }

/** One run of the sorting lab on its three sets, as sides of a comparison. */
function sideOn(run: LabRun, { metric, file }: (typeof SETS.sorting)[number]) {
  const { steps, values } = run.metrics.get(metric) ?? { steps: [], values: [] }
  const { prompts, byStep } = run.samples.get(file) ?? { prompts: [], byStep: new Map<number, Float64Array>() }
  return {
    label: `${run.group}/${run.seed}`,
    series: [points(steps, values)],
    scores: [{ metric: file, prompts, byStep }],
    prompts: prompts.length,
  }
}

describe('comparisons of sorting runs, on three validation sets at once', () => {
  const runs = readLab('sorting').filter(run => !isSick(run))
  const compared = (first: LabRun, second: LabRun) =>
    compareSets(
      SETS.sorting.map(set => ({ metric: set.metric, sides: [sideOn(first, set), sideOn(second, set)] })),
      // A margin that nothing is within: what would settle it is not asked here, and takes longest.
      { metric: SETS.sorting[0].metric, goal: 'max', margin: { absolute: 1e-9 } },
    ).verdicts
  const claims = ({ answer }: Verdict): boolean => answer === 'better' || answer === 'worse'
  const pairs = runs.flatMap((first, i) =>
    runs.slice(i + 1).flatMap(second => (second.group === first.group ? [[first, second] as const] : [])),
  )

  it('claim a level or an end in at most one of twenty pairs of one setting', () => {
    const claimed = pairs.filter(([first, second]) =>
      compared(first, second).some(verdict => ['level', 'final'].includes(verdict.question) && claims(verdict)),
    )
    expect(pairs).toHaveLength(100)
    expect(claimed.length / pairs.length).toBeLessThanOrEqual(0.05)
  })

  it('are right wherever a choice between single runs is called at least nine in ten sure', () => {
    const finalTruth = (group: string): number =>
      mean(
        runs
          .filter(run => run.group === group)
          .map(run => mean((run.truth.get('short') ?? []).filter(({ step }) => step >= 400).map(({ exact }) => exact))),
      )
    const chosen = runs.flatMap((first, i) =>
      runs.slice(i + 1).flatMap((second, k) => {
        if (second.group === first.group || k % 5 > 0) return []
        const choice = choose(headline(compared(first, second)), 'max', [1, 1], { size: 0.012, source: 'workspace' })
        if (choice === null || choice.probability < 0.9) return []
        const isSecond = choice.side === `${second.group}/${second.seed}`
        return [isSecond === finalTruth(second.group) > finalTruth(first.group)]
      }),
    )
    expect(chosen.length).toBeGreaterThan(20)
    expect(chosen.filter(Boolean).length / chosen.length).toBeGreaterThan(0.95)
  })
})

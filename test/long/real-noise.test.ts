import { beforeAll, describe, expect, it } from 'vitest'
import { rankCheckpoints } from '../../src/core/analysis/checkpoints/ranking.js'
import type { ScoreEvidence } from '../../src/core/analysis/compare/evidence.js'
import { compareSides, headline } from '../../src/core/analysis/compare/judge-sides.js'
import { compareLevel } from '../../src/core/analysis/compare/level.js'
import type { Verdict } from '../../src/logs/model/verdict.js'
import { mean } from '../../src/stats/descriptive.js'
import { type RealRun, readRealRuns, sameSettingPairs, sideOf, truthAt } from '../support/real-runs.js'

/** What verdicts are worth on real runs of one setting, and against what 4,000 fresh prompts say. */
describe('on real GRPO runs', () => {
  let runs: readonly RealRun[] = []
  beforeAll(() => {
    runs = readRealRuns()
  }, 120_000)

  const group = (name: string): RealRun[] => runs.filter(run => run.group === name)
  const claims = ({ answer }: Verdict): boolean => answer === 'better' || answer === 'worse'
  const judged = (
    first: readonly RealRun[],
    second: readonly RealRun[],
    window: { from: number; to: number },
    scores = true,
  ) =>
    compareSides([sideOf('first', first, 'exact', scores), sideOf('second', second, 'exact', scores)], {
      metric: 'exact',
      goal: 'max',
      margin: null,
      window,
    }).verdicts
  const NINE = { from: 5, to: 45 }
  const ALL = { from: 5, to: 400 }

  it.each([true, false])(
    'claims a difference from nine evaluations in at most 5 % of equal pairs (scores: %s)',
    scores => {
      const pairs = sameSettingPairs(runs)
      const claimed = pairs.filter(([a, b]) => claims(headline(judged([a], [b], NINE, scores)))).length
      expect(pairs).toHaveLength(196)
      // 5 % of 196 pairs and one Monte Carlo standard error (1.6 %).
      expect(claimed / pairs.length).toBeLessThanOrEqual(0.066)
    },
  )

  it('never speaks about settings from single runs', () => {
    for (const [a, b] of sameSettingPairs(runs).slice(0, 40)) {
      expect(judged([a], [b], ALL).some(({ scope }) => scope === 'configs')).toBe(false)
    }
  })

  it('claims a difference of settings between four and four seeds of one setting in at most 5 %', () => {
    let claimed = 0
    let all = 0
    for (const name of new Set(runs.map(run => run.group))) {
      const seeds = group(name)
      // Each split of eight seeds into two fours, once.
      for (let mask = 0; mask < 128; mask += 1) {
        const first = seeds.filter((_, i) => i === 7 || (mask >> i) & 1)
        if (first.length !== 4) continue
        const second = seeds.filter(run => !first.includes(run))
        const level = judged(first, second, ALL).find(({ question }) => question === 'level')
        all += 1
        if (level !== undefined && claims(level)) claimed += 1
      }
    }
    expect(all).toBe(7 * 35)
    expect(claimed / all).toBeLessThanOrEqual(0.05)
  })

  it.each([
    ['reward', 'level'],
    ['reward', 'final'],
    ['exact', 'level'],
    ['exact', 'final'],
  ] as const)('covers the difference on fresh prompts in 95 % of pairs (%s, %s)', (metric, question) => {
    const asked = { question, metric, goal: 'max', baseline: 'first', other: 'second', margin: null } as const
    const window = question === 'final' ? { from: 270, to: 400 } : ALL
    const steps = Array.from(runs[0].exact.steps).filter(step => step >= window.from)
    const measured = (run: RealRun): ScoreEvidence => ({ series: [run[metric]], scores: [run.scores] })
    let covered = 0
    let all = 0
    for (const [i, first] of runs.entries()) {
      for (const second of runs.slice(i + 1).filter((_, k) => k % 4 === 0)) {
        const truth = mean(steps.map(step => truthAt(second, step, metric) - truthAt(first, step, metric)))
        const [low, high] = compareLevel(asked, measured(first), measured(second), { window }).interval ?? [1, 0]
        all += 1
        if (low <= truth && truth <= high) covered += 1
      }
    }
    expect(all).toBeGreaterThan(350)
    expect(covered / all).toBeGreaterThanOrEqual(0.95)
  })

  it('finds that KL 0.3 costs performance, with eight seeds and with three', () => {
    for (const seeds of [8, 3]) {
      const verdicts = judged(group('kl-0.0').slice(0, seeds), group('kl-0.3').slice(0, seeds), ALL)
      expect(headline(verdicts)).toMatchObject({ answer: 'worse', scope: 'configs' })
    }
  })

  it('finds no effect of the confounded treatment, nor of any of its three settings alone', () => {
    for (const name of ['kl-ent-cosine', 'kl-0.01', 'ent-only', 'cosine-only']) {
      expect(headline(judged(group('kl-0.0'), group(name), ALL))).toMatchObject({
        answer: 'undetermined',
        scope: 'configs',
      })
    }
  })

  it('brings the best checkpoint nearer to its true value than its reported score', () => {
    const errors = runs.map(run => {
      const noise = {
        scores: new Map([...run.scores.byStep].map(([step, scores]) => [step, [...scores]])),
        prompts: 200,
      }
      const best = rankCheckpoints(run.exact, 'max', noise)?.best
      const truth = truthAt(run, best?.step ?? 0, 'exact')
      return { reported: Math.abs((best?.value ?? 0) - truth), shrunken: Math.abs(Number(best?.shrunken ?? 0) - truth) }
    })
    const average = (which: 'reported' | 'shrunken'): number => mean(errors.map(error => error[which]))
    expect(average('shrunken')).toBeLessThan(0.6 * average('reported'))
  })
})

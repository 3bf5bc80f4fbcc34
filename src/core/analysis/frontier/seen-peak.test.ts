import { describe, expect, it } from 'vitest'
import { isSick, type LearnedLab, readLab } from '../../../../test/support/labs.js'
import { levelAt } from '../forecast/forecast.js'
import { pathOf } from './paths.js'
import { passesPeak, type SeenPath, seenPeak } from './seen-peak.js'

interface LabPath extends SeenPath {
  readonly isHealthy: boolean
}

/** A healthy run, by the score of fresh prompts, ends above its start. */
function pathsOf(lab: LearnedLab): readonly LabPath[] {
  return readLab(lab).flatMap(run => {
    const [scores, kl] = [run.metrics.get('eval_rewards/gold/mean'), run.metrics.get('kl')]
    const truth = run.truth.values().next().value ?? []
    if (scores === undefined || kl === undefined || truth.length === 0) return []
    const until = scores.steps[scores.steps.length - 1]
    const points = kl.steps.map((step, i) => ({ step, kl: kl.values[i] })).filter(point => Number.isFinite(point.kl))
    const path = pathOf(
      new Map(scores.steps.flatMap((step, i) => (step > 0 ? [[step, scores.values[i]]] : []))),
      points,
    )
    const trues = truth.map(({ reward }) => reward)
    const [start, end] = [trues[0], trues[trues.length - 1]]
    const level = levelAt(scores, until, until) ?? Number.NaN
    return [{ setting: run.group, path, level, isHealthy: !isSick(run) && end > start }]
  })
}

/** The step at which it is stopped, by all other runs, or by those of other settings. */
function stoppedAt(run: LabPath, all: readonly LabPath[], { isScored = true, own = true } = {}): number | null {
  const others = all.filter(each => each !== run && (own || each.setting !== run.setting))
  const peak = seenPeak('gold', others)
  if (peak === null) return null
  const at = run.path.findIndex((_, i) => passesPeak(run.path.slice(0, i + 1), peak, { isScored }))
  return at < 0 ? null : run.path[at].step
}

describe.each(['letters', 'vowels'] as const)('runs of the lab %s, each by the others', lab => {
  const all = pathsOf(lab)

  it.each([
    { isScored: true, own: true },
    { isScored: true, own: false },
    { isScored: false, own: true },
    { isScored: false, own: false },
  ])('stops no healthy run: %o', how => {
    const healthy = all.filter(({ isHealthy }) => isHealthy)
    expect(healthy.length).toBeGreaterThan(25)
    expect(healthy.filter(run => stoppedAt(run, all, how) !== null).map(({ setting }) => setting)).toEqual([])
  })
})

describe('the peak of a workspace', () => {
  it('stops runs that chase a learned reward without a penalty, early on', () => {
    const all = pathsOf('letters')
    const chased = all.filter(({ setting }) => setting === 'beta-0.0').map(run => stoppedAt(run, all))
    expect(chased).toHaveLength(5)
    expect(chased.every(step => step !== null && step <= 250)).toBe(true)
  })

  it('is not known where too few runs went far and did badly, or scores are negative', () => {
    const all = pathsOf('letters')
    expect(
      seenPeak(
        'gold',
        all.filter(({ isHealthy }) => isHealthy),
      ),
    ).toBeNull()
    const negative = all.map(each => ({ ...each, path: each.path.map(point => ({ ...point, score: -1 })) }))
    expect(seenPeak('gold', negative)).toBeNull()
  })
})

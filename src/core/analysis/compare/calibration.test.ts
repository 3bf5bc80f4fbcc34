import { describe, expect, it } from 'vitest'
import { measure } from '../../../../calibration/measure.js'
import { STUDIES } from '../../../../calibration/studies/index.js'
import type { Cell } from '../../../../calibration/study.js'

/**
 * The short version of `npm run calibrate`: a few cells of every study, few repetitions, the same seeds each time. A rate
 * may lie above its promise by three standard errors of so few repetitions.
 */
function rates(name: string, where: Cell, repetitions: number) {
  const study = STUDIES.find(study => study.name === name)
  const index = study?.cells.findIndex(cell => Object.entries(where).every(([key, value]) => cell[key] === value)) ?? -1
  if (study === undefined || index < 0) throw new Error(`no cell ${JSON.stringify(where)} in ${name}`)
  return measure(study, index, repetitions).averages
}

function expectAtMost(promise: number, rate: { readonly mean: number; readonly count: number }): void {
  expect(rate.mean).toBeLessThanOrEqual(promise + 3 * Math.sqrt((promise * (1 - promise)) / rate.count))
}

describe('what klens compare says about two runs', () => {
  it.each([
    [9, 0.3],
    [9, 0.5],
    [20, 0.3],
    [20, 0.5],
    [50, 0.3],
    [50, 0.5],
  ])('is a false difference in at most one of twenty equal pairs: %i evaluations, autocorrelation %d', (T, rho) => {
    const found = rates('level', { T, rho, gap: 0 }, 400)
    expectAtMost(0.05, found['level.claimed'])
    expectAtMost(0.05, found['headline.claimed'])
    expect(found.aboutSettings.mean).toBe(0)
  })

  it('is a false difference in at most 8 % of equal pairs at an autocorrelation of 0.6', () => {
    for (const T of [9, 20]) expectAtMost(0.08, rates('level', { T, rho: 0.6, gap: 0 }, 400)['headline.claimed'])
  })

  it('names the wrong side in at most 2.5 %, and calls a gap of just the margin the same in at most 5 %', () => {
    const found = rates('level', { T: 50, rho: 0.3, gap: 0.0967 }, 400)
    expectAtMost(0.025, found['headline.wrong'])
    expectAtMost(0.05, found['level.same'])
    expect(found['level.claimed'].mean).toBeGreaterThan(0.55)
  })

  it('finds at twenty evaluations what a third of them, six, could not', () => {
    const found = rates('level', { T: 20, rho: 0.3, gap: 0.15 }, 400)
    expect(found['headline.claimed'].mean).toBeGreaterThan(0.15)
  })

  it('holds at four hundred evaluations when a slow wander hides under sampling noise, or logs are smoothed', () => {
    for (const kind of ['slow-half', 'slow-quarter', 'smoothed-5']) {
      expectAtMost(0.09, rates('robustness', { kind, T: 400 }, 120)['level.claimed'])
    }
  })

  it.each(['t3', 'skewed', 'outliers', 'shrinking-20', 'unequal-spread', 'growing', 'moving-gap'])(
    'holds for noise it was not made for: %s',
    kind => {
      expectAtMost(0.05, rates('robustness', { kind, T: 20, rho: 0.3 }, 300)['level.claimed'])
    },
  )

  it('holds when half of the noise is sampling, which hides how slowly the other half wanders', () => {
    expectAtMost(0.05, rates('robustness', { kind: 'white-part', T: 50, rho: 0.5 }, 400)['level.claimed'])
  })

  it('seldom says who was steadier or sooner when neither was', () => {
    expectAtMost(0.05, rates('stability', { kind: 'normal', T: 20, rho: 0.3, ratio: 1 }, 300).claimed)
    expectAtMost(0.05, rates('speed', { T: 20, rho: 0.3, speed: 1 }, 100).claimed)
  })
})

describe('much asked at once', () => {
  it('claims anything about eight equal others in at most one of twenty comparisons', () => {
    expectAtMost(0.05, rates('several-others', { others: 8, T: 20 }, 250).anyHeadline)
  })

  it('claims anything on ten validation sets of equal runs in at most one of twenty comparisons', () => {
    const found = rates('several-sets', { sets: 10, T: 50 }, 200)
    expectAtMost(0.05, found.anyLevel)
    expectAtMost(0.05, found.anyFinal)
  })
})

describe('a sweep in which nothing has an effect', () => {
  it.each(['normal', 'collapse-20', 'two-humps', 'tight-humps'])('seldom claims that it has, with seeds: %s', kind => {
    for (const settings of [5, 8]) expectAtMost(0.06, rates('sweeps', { kind, settings, seeds: 3, gap: 0 }, 200).any)
  })

  it('finds one setting that is five seed stds ahead', () => {
    expect(rates('sweeps', { kind: 'normal', settings: 5, seeds: 3, gap: 5 }, 100).last.mean).toBeGreaterThan(0.6)
  })
})

describe('who is steadier', () => {
  it.each(['t3', 'skewed', 'outliers', 'shrinking-20'])('is seldom said of equal pairs when the noise is %s', kind => {
    for (const T of [9, 50]) expectAtMost(0.05, rates('stability', { kind, T, ratio: 1 }, 300).claimed)
  })

  it('is found when one wobbles twice as much, from fifty evaluations on', () => {
    for (const rho of [0.3, 0.6]) {
      const found = rates('stability', { kind: 'normal', T: 50, rho, ratio: 2 }, 500).claimed
      expect(found.mean).toBeGreaterThan(0.8)
    }
  })

  it.each([0.01, 0.03])('is not read off how a curve bends where one learns three times as fast, spread %d', sd => {
    for (const [T, rho] of [
      [20, 0],
      [50, 0.6],
      [100, 0.3],
    ]) {
      expectAtMost(0.06, rates('stability', { course: 'unlike', sd, T, rho }, 300).claimed)
      if (T !== 100) expectAtMost(0.06, rates('stability-runs', { course: 'unlike', sd, K: 10, T, rho }, 150).claimed)
    }
  })

  it('is said without a caveat of equal runs whose noise comes in phases in at most 6 %', () => {
    for (const T of [20, 50, 100]) expectAtMost(0.06, rates('stability', { kind: 'phases', T, ratio: 1 }, 400).firm)
    expectAtMost(0.06, rates('stability', { kind: 'phases', T: 200, ratio: 1 }, 300).claimed)
    expectAtMost(0.06, rates('stability-runs', { kind: 'phases', K: 10, T: 20 }, 200).claimed)
  })
})

describe('a gap that grows', () => {
  it('is found, and equal runs are no more often called different for it', () => {
    for (const [T, rho] of [
      [16, 0.3],
      [50, 0.5],
    ]) {
      expectAtMost(0.05, rates('growing-gap', { T, rho, grows: 0 }, 1_000).claimed)
    }
    const grown = rates('growing-gap', { T: 16, rho: 0.3, grows: 10, course: 'straight' }, 500)
    expect(grown.claimed.mean).toBeGreaterThan(grown.plain.mean + 0.3)
    expect(grown.covered.mean).toBeGreaterThan(0.95)
  })
})

describe('what klens says about settings, prompts and checkpoints', () => {
  it('is a false difference of settings in at most 5 % with three runs a side', () => {
    const found = rates('seeds', { K: 3, tau: 0.05, gap: 0 }, 500)
    expect(found.aboutSettings.mean).toBe(1)
    expectAtMost(0.05, found['level.claimed'])
  })

  it.each(['normal', 'collapse-20', 'collapse-50'])(
    'is a false difference of settings in at most 5 % with three runs against ten that scatter like %s',
    kind => {
      expectAtMost(0.05, rates('unequal-seeds', { kind, second: 10, gap: 0 }, 300).claimed)
    },
  )

  it('is a false difference on the same prompts in at most 5 %, samples of one prompt counted once', () => {
    expectAtMost(0.05, rates('prompts', { n: 200, discordance: 0.1, gap: 0 }, 500).claimed)
    expectAtMost(0.05, rates('graded-prompts', { n: 100, repeats: 4 }, 500).claimed)
  })

  it('is no surer of a choice than it may be, even where settings hardly differ', () => {
    const near = rates('choices', { gaps: 0.25, T: 20 }, 500)
    expect(near.stated.mean - near.right.mean).toBeLessThan(0.13)
    expect(near.sure.mean).toBeLessThan(0.06)
    const far = rates('choices', { gaps: 3, T: 20 }, 400)
    expect(far.sureRight.mean).toBeGreaterThan(far.sureStated.mean - 0.04)
    expect(far.lossStated.mean).toBeLessThan(3 * far.lossTrue.mean)
  })

  it('keeps the best checkpoint in the set, and shrinks its score', () => {
    const found = rates('best', { k: 9, truth: 'equal' }, 1_000)
    expectAtMost(0.05, found.missed)
    expect(Math.abs(found.biasShrunken.mean)).toBeLessThan(found.biasReported.mean / 2)
  })
})

describe('alarms', () => {
  it('date a fall or a turn that is not there in at most 5 %, at an autocorrelation of 0.3', () => {
    expectAtMost(0.05, rates('onset-level', { T: 20, rho: 0.3, fall: 0 }, 300).headline)
    expectAtMost(0.05, rates('onset-slope', { T: 20, rho: 0.3, turn: 0 }, 300).headline)
  })

  it('are ever false in about 5 % of equal runs that are compared while they grow', () => {
    const found = rates('peeking', { rho: 0.3, gap: 0 }, 150)
    expectAtMost(0.06, found.ever)
    expect(found.naive.mean).toBeGreaterThan(0.15)
  })
})

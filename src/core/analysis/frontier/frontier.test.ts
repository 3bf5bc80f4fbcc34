import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../stats/random.js'
import { judgeFigures } from '../judge-figures.js'
import { frontierPairs, peakOf, settingFigures } from './frontier.js'
import type { FrontierRun, FrontierSetting } from './setting.js'
import { bestWithin } from './within.js'

const DRAWS = 1_000

interface Truth {
  readonly score: number
  readonly logKl: number
  readonly scatter: number
  readonly klScatter: number
  /** A run that does well wanders farther. */
  readonly together: number
}

type Normal = () => number

function normals(seed: number): Normal {
  const random = seededRandom(seed)
  return () => random.normal()
}

function drawn(label: string, truth: Truth, seeds: number, normal: Normal): FrontierSetting {
  const runs = Array.from({ length: seeds }, (_, i): FrontierRun => {
    const [own, other] = [normal(), normal()]
    const shared = truth.together * own + Math.sqrt(1 - truth.together ** 2) * other
    return {
      id: `${label}-${i}`,
      score: truth.score + truth.scatter * own,
      kl: Math.exp(truth.logKl + truth.klScatter * shared),
      optimised: null,
    }
  })
  return { values: [label], label, runs }
}

function pairOf(first: FrontierSetting, second: FrontierSetting) {
  const asked = { metric: 'val.score', goal: 'max', baseline: first.label, other: second.label, margin: null } as const
  const [a, b] = [first, second].map(({ runs }) => runs.map(({ score }) => score))
  return frontierPairs(first, [second], [judgeFigures(asked, a, b)])[0]
}

const NARROW: Truth = { score: 0.5, logKl: -2, scatter: 0.02, klScatter: 0.1, together: 0.6 }
const WIDE: Truth = { score: 0.46, logKl: -2.6, scatter: 0.04, klScatter: 0.4, together: -0.5 }

describe('a pair of settings', () => {
  it.each([3, 5, 8])('holds true score and KL together in at least 93 % of draws: %i seeds', seeds => {
    const normal = normals(11 + seeds)
    let held = 0
    for (let i = 0; i < DRAWS; i += 1) {
      const { joint } = pairOf(drawn('a', NARROW, seeds, normal), drawn('b', WIDE, seeds, normal))
      const [gain, ratio] = [WIDE.score - NARROW.score, Math.expm1(WIDE.logKl - NARROW.logKl)]
      if (joint !== null && isWithin(gain, joint.region.score) && isWithin(ratio, joint.region.kl)) held += 1
    }
    expect(held / DRAWS).toBeGreaterThan(0.93)
  })

  it.each([3, 5, 8])('claims something about equal settings in at most 5 % of draws: %i seeds', seeds => {
    const normal = normals(31 + seeds)
    let claimed = 0
    for (let i = 0; i < DRAWS; i += 1) {
      const [first, second] = ['a', 'b'].map(label => drawn(label, NARROW, seeds, normal))
      const { score, kl } = pairOf(first, second)
      // A sweep gives the headline its share of the level.
      if ((score.p ?? 1) / 0.7 < 0.05 || kl?.answer !== 'undetermined') claimed += 1
    }
    expect(claimed / DRAWS).toBeLessThan(0.055)
  })

  it('says nothing sure about single runs, and keeps a run without KL in the scores', () => {
    const normal = normals(1)
    const single = pairOf(drawn('a', NARROW, 1, normal), drawn('b', WIDE, 1, normal))
    expect(single.kl).toMatchObject({ interval: null, p: null, answer: 'undetermined' })
    expect(single.joint).toBeNull()
    const silent = drawn('b', WIDE, 3, normal)
    const without = { ...silent, runs: silent.runs.map(run => ({ ...run, kl: null })) }
    expect(pairOf(drawn('a', NARROW, 3, normal), without).kl).toBeNull()
    expect(settingFigures([without], 1)[0]).toMatchObject({ kl: null, dominated: false })
  })
})

const OVEROPTIMISED: readonly Truth[] = [
  { ...NARROW, score: 0.17, logKl: 0.3 },
  { ...NARROW, score: 0.55, logKl: -1.3 },
  { ...NARROW, score: 0.57, logKl: -2.3 },
  { ...NARROW, score: 0.48, logKl: -3.5 },
]

describe('the best setting', () => {
  it.each([3, 5])('has its KL within the interval of the peak in at least 95 % of draws: %i seeds', seeds => {
    const normal = normals(51 + seeds)
    let held = 0
    for (let i = 0; i < DRAWS; i += 1) {
      const peak = peakOf(
        OVEROPTIMISED.map((truth, at) => drawn(String(at), truth, seeds, normal)),
        1,
      )
      if (peak !== null && isWithin(Math.exp(-2.3), peak.interval)) held += 1
    }
    expect(held / DRAWS).toBeGreaterThan(0.95)
  })

  it('is among the candidates as often where all settings are equally good', () => {
    const normal = normals(7)
    let held = 0
    for (let i = 0; i < DRAWS; i += 1) {
      const settings = ['a', 'b', 'c', 'd'].map(label => drawn(label, NARROW, 3, normal))
      if (peakOf(settings, 1)?.candidates.includes('a')) held += 1
    }
    expect(held / DRAWS).toBeGreaterThan(0.95)
  })

  it('calls a setting dominated by accident in at most 5 % of draws, and one that is far off nearly always', () => {
    const normal = normals(9)
    let [false_, found] = [0, 0]
    for (let i = 0; i < DRAWS; i += 1) {
      const equal = ['a', 'b', 'c'].map(label => drawn(label, NARROW, 5, normal))
      if (settingFigures(equal, 1).some(({ dominated }) => dominated)) false_ += 1
      const apart = OVEROPTIMISED.map((truth, at) => drawn(String(at), truth, 5, normal))
      if (settingFigures(apart, 1)[0].dominated) found += 1
    }
    expect(false_ / DRAWS).toBeLessThan(0.05)
    expect(found / DRAWS).toBeGreaterThan(0.99)
  })

  it('names what went beyond the peak, and turns with the goal', () => {
    const normal = normals(3)
    const settings = OVEROPTIMISED.map((truth, at) => drawn(String(at), truth, 5, normal))
    expect(peakOf(settings, 1)?.beyond.map(({ setting }) => setting)).toContain('0')
    expect(peakOf(settings, -1)?.setting).toBe('0')
  })
})

describe('the best setting within a KL', () => {
  it.each([0.12, 0.1, 0.3])('is a candidate in at least 95 % of draws: a limit of %f', max => {
    const normal = normals(71)
    const inside = OVEROPTIMISED.map((truth, at) => ({ ...truth, at })).filter(({ logKl }) => Math.exp(logKl) <= max)
    const best = inside.reduce((first, next) => (next.score > first.score ? next : first))
    let held = 0
    for (let i = 0; i < DRAWS; i += 1) {
      const settings = OVEROPTIMISED.map((truth, at) => drawn(String(at), truth, 3, normal))
      if (bestWithin(settings, max, 1).candidates.includes(String(best.at))) held += 1
    }
    expect(held / DRAWS).toBeGreaterThan(0.95)
  })

  it('leaves out what is shown to be beyond, and what logs no KL, and says so', () => {
    const normal = normals(3)
    const settings = OVEROPTIMISED.map((truth, at) => drawn(String(at), truth, 5, normal))
    const silent = { ...settings[3], runs: settings[3].runs.map(run => ({ ...run, kl: null })) }
    const found = bestWithin([...settings.slice(0, 3), silent], 0.15, 1)
    expect(found.best).toBe('2')
    expect(found.settings.map(({ state }) => state)).toEqual(['beyond', 'beyond', 'within', 'unknown'])
    expect(bestWithin(settings.slice(0, 2), 0.01, 1)).toMatchObject({ best: null, candidates: [] })
  })
})

function isWithin(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high
}

import { describe, expect, it } from 'vitest'
import { type LoopSetting, type LoopWorld, playGate, playHabit } from '../../../../test/support/loops.js'
import { type Random, seededRandom } from '../../../stats/random.js'
import { errorOfTry, judgeTry, LOOP_ERROR, type TryEvidence } from './rule.js'

const TRY: TryEvidence = {
  baseline: [0, 1, -1, 0.5, -0.5],
  fresh: [0],
  candidate: [],
  candidateBefore: 0,
  candidateLooked: 0,
  others: [],
  isUnmeasured: false,
  progress: 1,
}

describe('one try', () => {
  it('never keeps on one run, however high', () => {
    expect(judgeTry({ ...TRY, candidate: [1000] }, 0.05)).toMatchObject({ decision: 'more', level: 0 })
  })

  it('keeps only above runs of the incumbent from this try', () => {
    const candidate = [30, 31, 30.5]
    expect(judgeTry({ ...TRY, candidate }, 0.05).decision).toBe('keep')
    expect(judgeTry({ ...TRY, candidate, fresh: [] }, 0.05).more).toEqual({ what: 'baseline', n: 1 })
    // The old bar is far below, but what runs today is as high as the candidate.
    expect(judgeTry({ ...TRY, candidate, fresh: [30] }, 0.05).decision).not.toBe('keep')
  })

  it('spends no more than its error, in whatever portions the runs come', () => {
    const level = (runs: number, looked: number): number =>
      judgeTry({ ...TRY, candidate: Array(runs).fill(2), candidateLooked: looked }, 1).level
    expect(level(2, 1) + level(3, 2) + level(4, 3) + level(5, 4) + level(6, 5)).toBeCloseTo(1, 12)
    expect(level(3, 0) + level(6, 3)).toBeCloseTo(1, 12)
    expect(level(9, 0)).toBeCloseTo(1, 12)
  })

  it('is not blinded by one setting of which a run collapsed', () => {
    const others = [
      [0, 0.9],
      [0.2, -0.7],
      [0.1, -60],
    ]
    const candidate = [9, 9.5]
    expect(judgeTry({ ...TRY, candidate, others }, 0.01).decision).toBe('keep')
  })

  it('is certain where scores never vary', () => {
    const flat = { ...TRY, baseline: [0, 0, 0], fresh: [0] }
    expect(judgeTry({ ...flat, candidate: [0] }, 0.05).decision).toBe('discard')
    expect(judgeTry({ ...flat, candidate: [1, 1] }, 0.05).decision).toBe('keep')
    expect(judgeTry({ ...flat, candidate: [-1] }, 0.05).decision).toBe('discard')
  })
})

describe('all tries together', () => {
  it('spend less than the error of the loop', () => {
    let sum = 0
    for (let t = 1; t <= 1_000_000; t += 1) sum += errorOfTry(t)
    expect(sum).toBeLessThan(LOOP_ERROR)
    expect(sum).toBeGreaterThan(0.99 * LOOP_ERROR)
  })

  const same = (noise: (random: Random) => number, random: Random): LoopWorld => {
    let made = 0
    const setting = (): LoopSetting => {
      made += 1
      return {
        id: String(made),
        truth: 0,
        train: () => {
          const score = noise(random)
          return { score, last: score + random.normal() }
        },
      }
    }
    return { start: setting(), propose: setting }
  }

  it.each([
    ['normal', (random: Random) => random.normal()],
    ['skewed', (random: Random) => Math.exp(0.8 * random.normal())],
    ['with collapses', (random: Random) => (random.next() < 0.05 ? -10 : 0) + random.normal()],
  ])('keep nothing in 19 of 20 loops of fifty equal tries, %s runs; the habit keeps in nearly all', (_, noise) => {
    const random = seededRandom(37)
    const loops = Array.from({ length: 300 }, () => same(noise, random))
    const share = (of: (world: LoopWorld) => number): number => loops.filter(world => of(world) > 0).length / 300
    expect(share(world => playGate(world, { tries: 50 }).kept)).toBeLessThanOrEqual(LOOP_ERROR)
    expect(share(world => playHabit(world, { tries: 50 }).kept)).toBeGreaterThan(0.9)
  })
})

import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../stats/random.js'
import { type ArmCourse, hopeless, levelAfter, pilotArms, stillOpen } from './drop.js'

const random = seededRandom(5)

/** Forty evaluations that rise to a level. */
function course(level: number): readonly number[] {
  const end = level + 0.01 * random.normal()
  return Array.from({ length: 40 }, (_, i) => end * (1 - Math.exp(-(i + 1) / 10)) + 0.01 * random.normal())
}

const HOUSE = [0.5, 0.55, 0.6, 0.5].map(level => Array.from({ length: 4 }, () => course(level)))
const LOOK = { share: 0.5, planned: 40, looks: 3 }

function arm(name: string, level: number, seeds = 3): ArmCourse {
  return { arm: name, runs: Array.from({ length: seeds }, () => course(level)) }
}

describe('dropping', () => {
  it('leaves an arm that is far behind, with its evidence, and no other', () => {
    const arms = [arm('best', 0.6), arm('near', 0.59), arm('far', 0.3)]
    const out = hopeless(arms, stillOpen(HOUSE, 0.5), LOOK)
    expect(out.map(({ arm: name }) => name)).toEqual(['far'])
    const { evidence } = out[0]
    expect(evidence.leader === 'best' || evidence.leader === 'near').toBe(true)
    expect(evidence.leaderLevel - (evidence.level ?? 0)).toBeGreaterThan(evidence.reach ?? 1)
  })

  it('drops nothing without finished runs, but what is dead', () => {
    expect(stillOpen([[course(0.5)], [course(0.6)]], 0.5)).toBeNull()
    const dead = { arm: 'dead', runs: [course(0.5).map(() => Number.NaN), course(0.5).map(() => Number.NaN)] }
    const out = hopeless([arm('good', 0.6), arm('far', 0.1), dead], null, LOOK)
    expect(out.map(({ arm: name }) => name)).toEqual(['dead'])
  })

  it('keeps an arm of which one run died: its other seeds may still count', () => {
    const half = { arm: 'half', runs: [course(0.6), course(0.6).map(() => Number.NaN)] }
    expect(hopeless([arm('good', 0.6), half], stillOpen(HOUSE, 0.5), LOOK)).toEqual([])
  })

  it('loses the best of nine close arms in at most one of twenty studies', () => {
    let lost = 0
    for (let study = 0; study < 300; study += 1) {
      const arms = Array.from({ length: 9 }, (_, i) => arm(String(i), 0.6 - 0.004 * i))
      const gone = [0.25, 0.5, 0.75].some(share =>
        hopeless(arms, stillOpen(HOUSE, share), { ...LOOK, share }).some(({ arm: name }) => name === '0'),
      )
      if (gone) lost += 1
    }
    expect(lost / 300).toBeLessThanOrEqual(0.05)
  })

  it('measures a level by the last evaluations up to a share of the run', () => {
    const values = Array.from({ length: 40 }, (_, i) => i)
    expect(levelAfter(values, 0.5)).toBe(17)
    expect(levelAfter(values.slice(0, 20), 0.5, 40)).toBe(17)
    expect(levelAfter([3, 4], 0.5, 4)).toBe(4)
  })

  it('finishes baseline and leader of a first study from half of the steps on, and learns from those', () => {
    const arms = [arm('baseline', 0.5), arm('near', 0.55), arm('best', 0.6), arm('far', 0.13)]
    expect(pilotArms(arms, 'baseline', 0.25, 40)).toEqual([])
    expect(pilotArms(arms, 'baseline', 0.5, 40)).toEqual(['baseline', 'best'])
    expect(pilotArms([arm('baseline', 0.5, 1), arm('best', 0.6)], 'baseline', 0.5, 40)).toEqual([])
    const finished = [arms[0].runs, arms[2].runs]
    expect(hopeless(arms, stillOpen(finished, 0.25), { ...LOOK, share: 0.25 })).toEqual([])
    expect(hopeless(arms, stillOpen(finished, 0.5), LOOK).map(({ arm: name }) => name)).toEqual(['far'])
  })

  it('keeps an arm that is rising fast enough, while few settings tell how arms learn', () => {
    const late = Array.from({ length: 3 }, () => course(0.6).map((value, i) => value / (1 + Math.exp(-(i - 22) / 3))))
    const arms = [arm('baseline', 0.5), arm('best', 0.6), { arm: 'late', runs: late }]
    expect(hopeless(arms, stillOpen([arms[0].runs, arms[1].runs], 0.5), LOOK)).toEqual([])
    expect(hopeless(arms, stillOpen(HOUSE, 0.5), LOOK).map(({ arm: name }) => name)).toContain('late')
  })
})

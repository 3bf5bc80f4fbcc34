import { describe, expect, it } from 'vitest'
import { type Random, seededRandom } from '../../../stats/random.js'
import { inOrder, settlePlan, settleSeeds } from './sequential.js'

const PLAN = settlePlan(20)
const STUDIES = 600

/** Seeds of mean 0 and spread 1. */
const SEEDS: { readonly [kind: string]: (random: Random) => number } = {
  normal: random => random.normal(),
  // exp of a normal of spread 0.8, with its own mean and spread taken out.
  lognormal: random => (Math.exp(0.8 * random.normal()) - Math.exp(0.32)) / Math.sqrt(Math.exp(1.28) - Math.exp(0.64)),
  // One in five collapses, five spreads of the others below them.
  bimodal: random => (random.normal() - (random.next() < 0.2 ? 5 : 0) + 1) / Math.sqrt(5),
}

interface Tally {
  readonly claims: number
  readonly same: number
  readonly seeds: number
}

function simulated(kind: string, gap: number, margin: number | null): Tally {
  const random = seededRandom(18)
  const draw = SEEDS[kind]
  const side = (shift: number): readonly number[] => Array.from({ length: 20 }, () => draw(random) + shift)
  let [claims, same, seeds] = [0, 0, 0]
  for (let study = 0; study < STUDIES; study += 1) {
    const { answer, looks } = settleSeeds(1, inOrder(side(0), [side(gap)]), margin, PLAN)[0]
    if (answer === 'higher' || answer === 'lower') claims += 1
    if (answer === 'same') same += 1
    seeds += looks[looks.length - 1].seeds
  }
  return { claims: claims / STUDIES, same: same / STUDIES, seeds: seeds / STUDIES }
}

const withinTwoErrors = (rate: number): number => rate + 2 * Math.sqrt((rate * (1 - rate)) / STUDIES)

describe('settling by seeds', () => {
  it.each([
    ['normal', 0.05],
    ['lognormal', 0.05],
    ['bimodal', 0.06],
  ])('claims a difference between equal arms in at most its share: %s', (kind, allowed) => {
    expect(simulated(kind, 0, 1).claims).toBeLessThanOrEqual(withinTwoErrors(allowed))
  })

  it.each(['normal', 'lognormal', 'bimodal'])(
    'calls arms the same that differ by the margin in at most one of twenty: %s',
    kind => {
      expect(simulated(kind, 1, 1).same).toBeLessThanOrEqual(withinTwoErrors(0.05))
    },
  )

  it('finds two spreads almost always, with well under half of the seeds', () => {
    const { claims, seeds } = simulated('normal', 2, 1)
    expect(claims).toBeGreaterThan(0.95)
    expect(seeds).toBeLessThan(9)
  })

  it('finds equal arms the same within a margin of one spread more often than not', () => {
    expect(simulated('normal', 0, 1).same).toBeGreaterThan(0.6)
  })

  it('shares the 5 % among several arms, and passes on what a claim has used', () => {
    const random = seededRandom(7)
    const side = (gap: number): readonly number[] => Array.from({ length: 20 }, () => random.normal() + gap)
    let any = 0
    for (let study = 0; study < 500; study += 1) {
      const settled = settleSeeds(3, inOrder(side(0), [side(0), side(0), side(0)]), 1, PLAN)
      if (settled.some(({ why }) => why === 'claim')) any += 1
    }
    expect(any / 500).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / 500))
    const [clear, open] = settleSeeds(2, inOrder(side(0), [side(20), side(0)]), null, PLAN)
    expect(clear.why).toBe('claim')
    expect(open.looks[0].claimBound).toBe(PLAN.claimBounds(1)[0])
  })

  it('waits for the seeds of the next look, on the side that has fewer', () => {
    const noise = [0.1, -0.2, 0.3, -0.1, 0, 0.15, -0.3]
    expect(settleSeeds(1, inOrder(noise, [noise.slice(0, 4)]), 0.01, PLAN)[0]).toEqual({
      looks: [],
      answer: null,
      why: null,
    })
    const [same] = settleSeeds(1, inOrder(noise, [noise.map(value => -value)]), 1, PLAN)
    expect(same.looks.length).toBeGreaterThan(0)
  })

  it('gives up where the last look could not settle it either', () => {
    // Equal means, and a margin far below what twenty seeds could show.
    const seeds = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 1 : -1) * (1 + i / 100))
    const other = seeds.map(value => -value)
    const { answer, why, looks } = settleSeeds(1, inOrder(seeds, [other]), 0.01, PLAN)[0]
    expect({ answer, why }).toEqual({ answer: 'undetermined', why: 'futile' })
    expect(looks[looks.length - 1].seeds).toBeLessThan(20)
  })

  it('never looks before five seeds a side, and last at the most', () => {
    expect(PLAN.looks).toEqual([5, 6, 8, 10, 12, 14, 17, 20])
    expect(settlePlan(10).looks).toEqual([5, 6, 7, 9, 10])
    expect(settlePlan(5).looks).toEqual([5])
  })
})

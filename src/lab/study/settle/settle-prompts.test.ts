import { describe, expect, it } from 'vitest'
import { bettingMartingale } from '../../../stats/betting-martingale.js'
import { seededRandom } from '../../../stats/random.js'
import { settlePrompts } from './sequential.js'

const LOOKS = { looks: [100, 200, 300, 400], isAll: true }

/** Answers, right or wrong, of a policy that agrees with another on most prompts. */
function answers(random: ReturnType<typeof seededRandom>, up: number, down: number): readonly [number[], number[]] {
  const first: number[] = []
  const second: number[] = []
  for (let i = 0; i < 400; i += 1) {
    const luck = random.next()
    first.push(luck < up ? 0 : luck < up + down ? 1 : 0)
    second.push(luck < up ? 1 : 0)
  }
  return [first, second]
}

describe('settling by prompts', () => {
  it('claims nothing false more often than once in twenty, at four looks, of two arms together', () => {
    const random = seededRandom(3)
    let [wrong, same] = [0, 0]
    for (let study = 0; study < 400; study += 1) {
      const [baseline, one] = answers(random, 0.1, 0.1)
      const settled = settlePrompts(baseline, [one, baseline.map((_, i) => one[399 - i])], 0.2, LOOKS)
      if (settled.some(({ why }) => why === 'claim')) wrong += 1
      if (settled.every(({ answer }) => answer === 'same')) same += 1
    }
    expect(wrong / 400).toBeLessThan(0.05)
    expect(same / 400).toBeGreaterThan(0.9)
  })

  it('finds a clear difference long before the last prompt, and never calls it the same', () => {
    const [baseline, other] = answers(seededRandom(4), 0.25, 0.05)
    const [{ answer, looks }] = settlePrompts(baseline, [other], 0.05, LOOKS)
    expect(answer).toBe('higher')
    expect(looks.length).toBeLessThan(4)
  })

  it('goes on while there are prompts to ask, and says so when there are none', () => {
    const [baseline, other] = answers(seededRandom(5), 0.02, 0.02)
    expect(settlePrompts(baseline, [other], null, { looks: [100], isAll: false })[0].answer).toBeNull()
    expect(settlePrompts(baseline, [other], null, { looks: [100], isAll: true })[0].why).toBe('last-look')
  })
})

describe('a bet on a mean', () => {
  it('ever reaches twenty to one in at most one of twenty where the mean is at the bound', () => {
    const random = seededRandom(6)
    let reached = 0
    for (let round = 0; round < 400; round += 1) {
      const values = Array.from({ length: 200 }, () => (random.next() < 0.55 ? 1 : -1) * (0.5 + random.below(2) / 2))
      const looks = [50, 100, 150, 200].map(n => bettingMartingale(values.slice(0, n), 0.075))
      if (looks.some(evidence => evidence >= 20)) reached += 1
    }
    expect(reached / 400).toBeLessThan(0.05)
  })
})

import { describe, expect, it } from 'vitest'
import { mean } from '../../../stats/descriptive.js'
import { seededRandom } from '../../../stats/random.js'
import { componentsOf, offersFor } from './offers.js'

describe('what to buy next', () => {
  it('tells the scatter of seeds from the luck of prompts', () => {
    const random = seededRandom(1)
    const found = Array.from({ length: 60 }, () =>
      componentsOf(
        [0, 0.3].map(gap => {
          const ease = Array.from({ length: 80 }, () => random.normal())
          return Array.from({ length: 6 }, () => {
            const level = gap + 0.1 * random.normal()
            return ease.map(each => level + each + 0.5 * random.normal())
          })
        }),
      ),
    )
    expect(mean(found.map(({ seeds }) => seeds))).toBeCloseTo(0.01, 2)
    expect(mean(found.map(({ prompts }) => prompts))).toBeCloseTo(0.25, 1)
  })

  it('is prompts where they scatter and cost little, seeds where those scatter', () => {
    const prices = { run: 100, prompt: 0.01 }
    const next = { seeds: 6, prompts: 200 }
    const best = (components: { seeds: number; prompts: number }) =>
      offersFor({ ...components, asked: 100 }, { seeds: 5, arms: 2 }, prices, next)[0].kind
    expect(best({ seeds: 0.0001, prompts: 0.25 })).toBe('prompts')
    expect(best({ seeds: 0.01, prompts: 0.01 })).toBe('seeds')
  })

  it('is nothing where there is nothing left', () => {
    const components = { seeds: 1, prompts: 1, asked: 10 }
    expect(offersFor(components, { seeds: 5, arms: 2 }, { run: 1, prompt: 1 }, { seeds: null, prompts: null })).toEqual(
      [],
    )
  })
})

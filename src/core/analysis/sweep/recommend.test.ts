import { describe, expect, it } from 'vitest'
import { mean } from '../../../stats/descriptive.js'
import { type Random, seededRandom } from '../../../stats/random.js'
import type { SweepRun } from './matrix.js'
import { sweepOver } from './sweep.js'

const SCATTER = 0.012
const STEPS = Array.from({ length: 40 }, (_, i) => 10 * (i + 1))

function runsAt(random: Random, dose: number, level: number, count: number): SweepRun[] {
  return Array.from({ length: count }, (_, i) => {
    const own = level + SCATTER * random.normal()
    return {
      id: `${dose}-${i}`,
      label: `${dose}-${i}`,
      knobs: [{ key: 'kl.loss.coef', effective: dose, configured: dose, reason: null }],
      block: 'one',
      scores: [
        {
          metric: 'acc',
          condition: {},
          points: new Map(STEPS.map(step => [step, own + 0.01 * random.normal()])),
          marked: [],
          estimated: 0,
          n: null,
          prompts: null,
        },
      ],
      promptScores: new Map(),
      training: new Map(),
      klCoefficient: dose,
    }
  })
}

function swept(random: Random, levels: ReadonlyMap<number, number>, count: number, baseline = 0) {
  const runs = [...levels].flatMap(([dose, level]) => runsAt(random, dose, level, count))
  const request = { keys: ['kl.loss.coef'], metric: 'acc', goal: 'max', margin: null, others: [] } as const
  return sweepOver(runs, { ...request, baseline: `${baseline}-0` })
}

describe('the value to take', () => {
  const HARM_AT_END = new Map([
    [0, 0.8],
    [0.01, 0.8],
    [0.1, 0.798],
    [0.3, 0.73],
  ])

  it('keeps the baseline where nothing speaks against it, says where harm begins, and what costs nothing', () => {
    const kept = swept(seededRandom(2), HARM_AT_END, 8).take
    expect(kept).toMatchObject({ value: 0, alike: [0, 0.01, 0.1], harmful: [0.3] })
    expect(kept?.why.map(({ key }) => key)).toEqual(['sweep-take.keep', 'sweep-take.harm'])
    const other = swept(seededRandom(2), HARM_AT_END, 8, 0.01).take
    expect(other?.value).toBe(0.01)
    expect(other?.why.map(({ key }) => key)).toContain('sweep-take.no-reference')
  })

  it('looks past a run that differs in something else', () => {
    const random = seededRandom(2)
    const runs = [...HARM_AT_END].flatMap(([dose, level]) => runsAt(random, dose, level, 8))
    const stranger = runsAt(random, 0.03, 0.9, 1).map(run => ({ ...run, block: 'another' }))
    const request = { keys: ['kl.loss.coef'], metric: 'acc', goal: 'max', margin: null, others: [] } as const
    const { take } = sweepOver([...runs, ...stranger], { ...request, baseline: '0-0' })
    expect(take).toMatchObject({ value: 0, alike: [0, 0.01, 0.1] })
  })

  it('moves to what was shown to be better', () => {
    const gain = new Map([
      [0, 0.7],
      [0.01, 0.78],
      [0.1, 0.79],
    ])
    const { take } = swept(seededRandom(2), gain, 5)
    expect(take?.why[0].key).toBe('sweep-take.change')
    expect(take?.value).not.toBe(0)
  })

  it('is not named from one or two runs a setting', () => {
    expect(swept(seededRandom(2), HARM_AT_END, 2).take).toBeNull()
  })

  it('is truly as good as the value with the highest mean, which is the habit', () => {
    const random = seededRandom(8)
    const regrets = Array.from({ length: 150 }, () => {
      const slope = 0.01 * random.normal()
      const levels = new Map([0, 0.01, 0.03, 0.1, 0.3].map((dose, i) => [dose, 0.8 + slope * i]))
      const { take, settings } = swept(random, levels, 4)
      const means = settings.map(({ runs, values }) => ({
        value: Number(values[0]),
        mean: mean(runs.map(({ scores }) => mean([...scores[0].points.values()]))),
      }))
      const highest = means.reduce((best, each) => (each.mean > best.mean ? each : best))
      return { taken: levels.get(Number(take?.value)) ?? 0, habit: levels.get(highest.value) ?? 0 }
    })
    expect(mean(regrets.map(({ taken }) => taken))).toBeGreaterThan(mean(regrets.map(({ habit }) => habit)) - 0.002)
  })
})

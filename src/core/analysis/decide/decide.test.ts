import { describe, expect, it } from 'vitest'
import { isSick, type LabName, readLab } from '../../../../test/support/labs.js'
import { mean } from '../../../stats/descriptive.js'
import { type Random, seededRandom, shuffled } from '../../../stats/random.js'
import { valueOfInformation } from '../../../stats/value-of-information.js'
import type { Candidate } from './beliefs.js'
import { decide } from './decide.js'

function setting(
  label: string,
  levels: readonly number[],
  more: { readonly hours?: number; readonly rise?: number } = {},
): Candidate {
  const { hours = null, rise = 0 } = more
  return {
    label,
    runs: levels.map((level, i) => ({
      id: `${label}-${i}`,
      name: `${label}-${i}`,
      level,
      step: 400,
      saved: true,
      worth: level,
      hours,
      rise,
    })),
  }
}

describe('what to ship', () => {
  it('differs by what counts: the mean, the worst seed, or the cost', () => {
    const steady = setting('steady', [0.8, 0.8, 0.801, 0.799], { hours: 4 })
    const wild = setting('wild', [0.7, 0.9, 0.95, 0.72], { hours: 4 })
    const cheap = setting('cheap', [0.79, 0.8, 0.78, 0.79], { hours: 1 })
    const { aims, ship } = decide([steady, wild, cheap], { aim: 'worst-seed', prompts: null })
    expect(aims).toEqual({ score: 'wild', 'worst-seed': 'steady', cost: 'cheap' })
    expect(ship?.setting).toBe('steady')
  })

  it('is nothing where there is nothing', () => {
    expect(decide([], { aim: 'score', prompts: null })).toMatchObject({ ship: null, next: [], expectedLoss: null })
  })

  it('does as well on real runs as taking the run that scored highest, which is the habit', () => {
    const random = seededRandom(11)
    for (const lab of ['addition', 'sorting'] as const) {
      const { chosen, habit } = againstTruth(lab, random)
      expect(chosen).toBeGreaterThan(habit - 0.001)
    }
  })
})

/** Three seeds of every healthy setting, again and again: the true score of what is shipped, and of the luckiest run. */
function againstTruth(lab: LabName, random: Random) {
  const groups = new Map<string, { readonly level: number; readonly truth: number }[]>()
  for (const run of readLab(lab)) {
    const [course] = [...run.metrics].filter(([name]) => /^val.*reward\/mean/.test(name)).map(([, series]) => series)
    const truth = [...run.truth.values()][0].at(-1)?.reward
    if (isSick(run) || course === undefined || truth === undefined) continue
    const level = mean(course.values.slice(-Math.floor(course.values.length / 3)))
    groups.set(run.group, [...(groups.get(run.group) ?? []), { level, truth }])
  }
  const rounds = Array.from({ length: 200 }, () => {
    const drawn = [...groups].map(([label, runs]) => ({ label, runs: shuffled(runs, random).slice(0, 3) }))
    const candidates = drawn.map(({ label, runs }) =>
      setting(
        label,
        runs.map(({ level }) => level),
      ),
    )
    const { ship } = decide(candidates, { aim: 'score', prompts: null })
    const all = drawn.flatMap(({ label, runs }) => runs.map((run, i) => ({ ...run, id: `${label}-${i}` })))
    const luckiest = all.reduce((best, each) => (each.level > best.level ? each : best))
    return { chosen: all.find(({ id }) => id === ship?.run)?.truth ?? 0, habit: luckiest.truth }
  })
  return { chosen: mean(rounds.map(({ chosen }) => chosen)), habit: mean(rounds.map(({ habit }) => habit)) }
}

describe('what to buy next', () => {
  it('is a seed of the setting that is known least, where two are close', () => {
    const { next } = decide(
      [setting('old', [0.8, 0.81, 0.79, 0.8], { hours: 2 }), setting('new', [0.81], { hours: 2 })],
      {
        aim: 'score',
        prompts: null,
      },
    )
    expect(next[0]).toMatchObject({ buy: 'seed', setting: 'new', cost: 2 })
    expect(next[0].gain).toBeGreaterThan(next[1]?.gain ?? 0)
  })

  it('is nothing where one setting is far ahead', () => {
    const { next, expectedLoss } = decide([setting('a', [0.9, 0.91, 0.9]), setting('b', [0.5, 0.51, 0.5])], {
      aim: 'score',
      prompts: 200,
    })
    expect(next).toEqual([])
    expect(expectedLoss).toBeLessThan(1e-9)
  })

  it('is more steps for a run that still rises', () => {
    const { next } = decide([setting('a', [0.8], { hours: 8, rise: 0.01 })], { aim: 'score', prompts: null })
    expect(next).toMatchObject([{ buy: 'steps', cost: 2, gain: 0.01 }])
  })

  it('is worth what a simulation of buying it says', () => {
    const random = seededRandom(3)
    const [difference, now, after] = [0.4, 1, 0.6]
    const moves = Math.sqrt(now ** 2 - after ** 2)
    const draws = Array.from({ length: 200_000 }, () => Math.max(0, -(difference + moves * random.normal())))
    expect(valueOfInformation(difference, now, after)).toBeCloseTo(mean(draws), 2)
  })
})

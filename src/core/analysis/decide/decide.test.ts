import { describe, expect, it } from 'vitest'
import { mean } from '../../../stats/descriptive.js'
import { seededRandom } from '../../../stats/random.js'
import { valueOfInformation } from '../../../stats/value-of-information.js'
import { seriesOf } from '../align.js'
import { withReasonKeys } from '../answer-fields.js'
import { choiceSentence, choose } from '../compare/choose.js'
import { compareSides, headline } from '../compare/judge-sides.js'
import type { Candidate, JudgedRival } from './candidate.js'
import { type Aim, chooseRun, type Decision, decide } from './decide.js'

function setting(
  label: string,
  values: readonly number[],
  more: { readonly hours?: number; readonly rise?: number; readonly level?: number } = {},
): Candidate {
  const { hours = null, rise = 0, level } = more
  return {
    label,
    runs: values.map((value, i) => ({
      id: `${label}-${i}`,
      name: `${label}-${i}`,
      level: level ?? value,
      step: 400,
      saved: true,
      value,
      hours,
      rise,
    })),
  }
}

const random = seededRandom(4)
const STEPS = Array.from({ length: 30 }, (_, i) => 10 * (i + 1))

/** Curves that jitter about each run's value, judged as a comparison judges them. */
function judgedAgainst(side: Candidate, rival: Candidate, noise: number, prompts: number | null): JudgedRival {
  const evidence = ({ label, runs }: Candidate) => ({
    label,
    prompts,
    series: runs.map(({ value }) =>
      seriesOf(
        STEPS,
        STEPS.map(() => value + noise * random.normal()),
      ),
    ),
  })
  const spec = { metric: 'val', goal: 'max', margin: null } as const
  const verdict = headline(compareSides([evidence(rival), evidence(side)], spec).verdicts)
  const seeds = [rival.runs.length, side.runs.length] as const
  const made = choose(verdict, 'max', seeds, { size: 0.025 * side.runs[0].value, source: 'assumed' })
  const chosen = made === null ? null : { ...made, sentence: choiceSentence(made) }
  return { rival, judged: { verdict: withReasonKeys(verdict), choose: chosen, unused: [], seeds } }
}

function decided(
  candidates: readonly Candidate[],
  { aim = 'score', prompts = null, noise = 0.01 }: { aim?: Aim; prompts?: number | null; noise?: number } = {},
): Decision {
  const chosen = chooseRun(candidates, aim)
  const side = chosen.choice?.side
  const rivals = candidates
    .filter(each => each !== side)
    .flatMap(rival => (side === undefined ? [] : [judgedAgainst(side, rival, noise, prompts)]))
  return decide(candidates, chosen, rivals, { aim, prompts })
}

describe('what to ship', () => {
  it('is the run that scores highest at its own step, not the one with the highest mean', () => {
    const fast = setting('fast', [0.8], { level: 0.79 })
    const late = setting('late', [0.83], { level: 0.75 })
    expect(decided([fast, late]).ship).toMatchObject({ run: 'late-0', value: 0.83 })
  })

  it('differs by what counts: the score, the worst seed, or the cost', () => {
    const steady = setting('steady', [0.8, 0.8, 0.801, 0.799], { hours: 4 })
    const wild = setting('wild', [0.7, 0.9, 0.95, 0.72], { hours: 4 })
    const cheap = setting('cheap', [0.79, 0.8, 0.78, 0.79], { hours: 1 })
    const { aims, ship } = decided([steady, wild, cheap], { aim: 'worst-seed' })
    expect(aims).toEqual({ score: 'wild', 'worst-seed': 'steady', cost: 'cheap' })
    expect(ship?.setting).toBe('steady')
    expect(decided([steady, wild, cheap]).ship?.run).toBe('wild-2')
  })

  it('is nothing where nothing tells the cost that is asked for', () => {
    expect(decided([setting('a', [0.8])], { aim: 'cost' })).toMatchObject({ ship: null, next: [], expectedLoss: null })
  })
})

describe('what to run next', () => {
  it('is seeds of the setting that is known least, where two are close', () => {
    const { next } = decided(
      [setting('old', [0.8, 0.81, 0.79, 0.8], { hours: 2 }), setting('new', [0.815], { hours: 2 })],
      { noise: 0.03 },
    )
    expect(next[0]).toMatchObject({ buy: 'seed', setting: 'new', count: 2, cost: 4 })
  })

  it('is nothing where one setting is far ahead with three seeds of each', () => {
    const { next, expectedLoss } = decided([setting('a', [0.9, 0.91, 0.9]), setting('b', [0.5, 0.51, 0.5])], {
      prompts: 200,
    })
    expect(next).toEqual([])
    expect(expectedLoss).toBeLessThan(1e-6)
  })

  it('is never nothing after one seed of each, however far ahead one of them is', () => {
    const { next } = decided([setting('a', [0.9]), setting('b', [0.5])])
    expect(next.map(({ buy, setting: of, count }) => [buy, of, count])).toEqual([
      ['seed', 'b', 2],
      ['seed', 'a', 2],
    ])
  })

  it('is more steps for a run that still rises', () => {
    const { next } = decided([setting('a', [0.8], { hours: 8, rise: 0.01 })])
    expect(next).toMatchObject([{ buy: 'steps', cost: 2, gain: 0.01 }])
  })

  it('improves the choice by what a simulation of running it says', () => {
    const [difference, now, after] = [0.4, 1, 0.6]
    const moves = Math.sqrt(now ** 2 - after ** 2)
    const draws = Array.from({ length: 200_000 }, () => Math.max(0, -(difference + moves * random.normal())))
    expect(valueOfInformation(difference, now, after)).toBeCloseTo(mean(draws), 2)
  })
})

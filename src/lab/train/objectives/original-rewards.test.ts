import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nextKlCoefficient } from '../schedules/kl-coefficient.js'
import { temperatureAt } from '../schedules/learning-rate.js'
import { rankScores } from './group.js'
import {
  lackedField,
  normalisedRewards,
  ORIGINAL_REWARD_MODES,
  REWARD_MODES,
  type RewardOptions,
  reward,
} from './rewards.js'

/** What the original's own functions gave (fixtures/rewards.json). */

interface Candidate {
  readonly beam_score?: number | null
  readonly logprob_score?: number | null
  readonly vqa_correct: number | null
  readonly vqa_acc_score: number
  readonly vqa_gt_prob?: number | null
  readonly vqa_rel_score?: number | null
}

interface Settings {
  readonly reward_mode: string
  readonly hard_weight?: number
  readonly soft_weight?: number
  readonly rel_weight?: number
  readonly reward_alpha?: number
  readonly reward_beta?: number
  readonly reward_correctness_mode?: '01' | 'pm1'
  readonly use_logprob?: boolean
}

interface Fixture {
  readonly groups: readonly (readonly Candidate[])[]
  readonly modes: readonly {
    readonly settings: Settings
    readonly groups: readonly {
      readonly group: number
      readonly kept: readonly number[]
      readonly rewards: readonly number[]
      readonly normalised: readonly number[]
      readonly rank?: readonly number[]
    }[]
  }[]
  readonly temperature: readonly {
    readonly step: number
    readonly total: number
    readonly start: number
    readonly end: number
    readonly temperature: number
  }[]
  readonly adaptive_beta: readonly { readonly kl: number; readonly beta: number; readonly after: number }[]
}

const original: Fixture = JSON.parse(readFileSync(new URL('./fixtures/rewards.json', import.meta.url), 'utf8'))

function optionsOf(settings: Settings): RewardOptions {
  const name = settings.reward_mode
  const mode = ORIGINAL_REWARD_MODES[name] ?? REWARD_MODES.find(each => each === name.replace('_plus_', '+'))
  if (mode === undefined) throw new Error(`no mode ${name}`)
  return {
    mode,
    hard_weight: settings.hard_weight ?? 1,
    soft_weight: settings.soft_weight ?? 1,
    relevance_weight: settings.rel_weight ?? 0.1,
    alpha: settings.reward_alpha ?? 0,
    beta: settings.reward_beta ?? 0,
    quality: settings.use_logprob === true ? 'log-probability' : 'beam-score',
    correctness: settings.reward_correctness_mode === 'pm1' ? 'plus-minus' : 'zero-one',
  }
}

function rewardOf(candidate: Candidate, options: RewardOptions): number | null {
  return reward(
    {
      hard: candidate.vqa_correct,
      soft: candidate.vqa_acc_score,
      probability: candidate.vqa_gt_prob ?? null,
      relevance: candidate.vqa_rel_score ?? null,
      beamScore: candidate.beam_score ?? null,
      logProbability: candidate.logprob_score ?? null,
    },
    options,
  )
}

describe.each(original.modes.map(mode => ({ ...mode, name: JSON.stringify(mode.settings) })))('$name', mode => {
  it('gives the rewards of the original, or none where it takes what is absent for 0', () => {
    const options = optionsOf(mode.settings)
    let compared = 0
    for (const { group, kept, rewards } of mode.groups) {
      for (const [i, position] of kept.entries()) {
        const ours = rewardOf(original.groups[group][position], options)
        if (ours === null) continue
        expect(ours).toBeCloseTo(rewards[i], 9)
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(55)
  })

  it('normalises them alike, by z-scores and by ranks', () => {
    for (const { rewards, normalised, rank } of mode.groups) {
      const isTied = new Set(rewards).size < 2
      // Where all are equal the original passes them on as they are; an equal share of nothing is no difference either.
      if (!isTied) expectClose(normalisedRewards(Float64Array.from(rewards), 3), normalised)
      if (rank !== undefined) expectClose(rankScores(rewards), rank)
    }
  })
})

it('lowers the temperature of the warm-up step by step as the original does', () => {
  for (const { step, total, start, end, temperature } of original.temperature) {
    expect(temperatureAt(step, total, { start, end })).toBeCloseTo(temperature, 8)
  }
})

it('moves the coefficient by the original band', () => {
  const band = { kind: 'band', coefficient: 0.1, low: 0.01, high: 0.1, factor: 1.5, floor: 0.001, ceiling: 10 } as const
  for (const { kl, beta, after } of original.adaptive_beta) {
    const { effective } = nextKlCoefficient(band, { step: 0, effective: beta }, { kl, batchSize: 1, totalSteps: 9 })
    expect(effective).toBeCloseTo(after, 8)
  }
})

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(found.length).toBe(expected.length)
  for (let i = 0; i < expected.length; i += 1) expect(found[i]).toBeCloseTo(expected[i], 8)
}

describe('a choice that a mode cannot pay', () => {
  const options = { quality: 'beam-score' } as RewardOptions
  it.each([
    ['hard+probability', { hard: 1, soft: 1 }, 'vqa_gt_prob'],
    ['hard+probability+relevance', { hard: 0, soft: 0, probability: 0.2 }, 'vqa_rel_score'],
    ['legacy', { hard: 0, soft: 0 }, 'beam_score'],
    ['hard', { hard: null, soft: 1 }, null],
  ] as const)('by %s lacks what the file would call so', (mode, judgement, field) => {
    expect(lackedField(judgement, { ...options, mode })).toBe(field)
  })
})

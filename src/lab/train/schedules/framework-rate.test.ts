/** Against the factors of verl 0.9.1, of UserRL's fork and of transformers (fixtures/framework-rates.json). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type FrameworkSchedule, frameworkRateFactor, USUAL_FRAMEWORK_RATE } from './learning-rate.js'

interface Expected {
  readonly name: string
  readonly warmup: number
  readonly total?: number
  readonly min_ratio?: number
  readonly cycles?: number
  readonly init_ratio?: number
  readonly stable_ratio?: number
  readonly steps: readonly number[]
  readonly factors: readonly number[]
}

const { schedules }: { readonly schedules: readonly Expected[] } = JSON.parse(
  readFileSync(new URL('fixtures/framework-rates.json', import.meta.url), 'utf8'),
)

const SCHEDULE: Readonly<Record<string, FrameworkSchedule>> = {
  ...{ 'verl-cosine': 'cosine', 'verl-fork-cosine': 'cosine', 'verl-cosine-one-indexed': 'cosine' },
  ...{ 'hf-cosine': 'cosine', 'hf-cosine-min': 'cosine', 'hf-linear': 'linear' },
  ...{ 'verl-constant': 'constant', 'hf-constant': 'constant', 'verl-wsd': 'warmup-stable-decay' },
}

describe('the learning rate of other trainers', () => {
  it.each(schedules.map(expected => ({ expected, title: `${expected.name}, warm-up ${expected.warmup}` })))(
    'is the same for $title',
    ({ expected }) => {
      const { name, warmup, total, min_ratio = 0, cycles = 0.5, init_ratio, stable_ratio = 0.9 } = expected
      const isFork = name === 'verl-fork-cosine'
      const rate = {
        ...USUAL_FRAMEWORK_RATE,
        schedule: SCHEDULE[name],
        warmupSteps: warmup,
        totalSteps: total ?? 100,
        ...{ initialRatio: isFork ? min_ratio : (init_ratio ?? 0), minimumRatio: min_ratio, cycles },
        stableRatio: stable_ratio,
      }
      const shift = name === 'verl-cosine-one-indexed' ? 1 : 0
      expected.steps.forEach((step, i) => {
        expect(frameworkRateFactor(step + shift, rate), `step ${step}`).toBeCloseTo(expected.factors[i], 8)
      })
    },
  )
})

import { describe, expect, it } from 'vitest'
import { cases } from '../../../../test/support/rule-cases.js'
import { madeUpSubject } from '../../../../test/support/subject.js'
import { seededRandom } from '../../../stats/random.js'
import { examine } from '../diagnose.js'
import { trainInferenceMismatch } from './mismatch.js'
import { passAtKFalls } from './pass-at-k.js'
import { rolloutDiscarded, rolloutStale } from './rollouts.js'

const random = seededRandom(9)
const N = 100

function course(level: (part: number) => number, noise = 0.05): number[] {
  return Array.from({ length: N }, (_, i) => level((i + 1) / N) * (1 + noise * random.normal()))
}

describe('rollout-stale', () => {
  const older = course(part => 1 + 9 * part)
  cases(rolloutStale, [
    {
      name: 'notes rollouts that become ever older',
      metrics: { 'rollout.staleness': older },
      expected: ['note', 'rollout-stale.rising', 1, N],
    },
    {
      name: 'and warns where the score fell meanwhile',
      metrics: { 'rollout.staleness': older, 'critic/score/mean': course(part => 0.8 - 0.6 * part) },
      expected: ['warning', 'rollout-stale.rising.harm', 1, N],
    },
    {
      name: 'passes a constant age, however large',
      metrics: { 'rollout.staleness': course(() => 16) },
      expected: null,
    },
    {
      name: 'passes a queue that fills up at the start',
      metrics: { 'rollout.staleness': course(part => Math.min(4, 40 * part)) },
      expected: null,
    },
    {
      name: 'knows what each framework allows',
      metrics: { 'rollout.staleness': course(() => 4) },
      config: { 'rollout.max_head_offpolicyness': 2 },
      expected: ['note', 'rollout-stale.limit', 1, N],
    },
    {
      name: 'and takes an age of one more for another way to count',
      metrics: { 'rollout.staleness': course(() => 2.9, 0) },
      config: { 'grpo.async_grpo.max_trajectory_age_steps': 2 },
      expected: null,
    },
    { name: 'says nothing of a short log', metrics: { 'rollout.staleness': [1, 2, 4, 8] }, expected: 'unchecked' },
  ])
})

describe('rollout-discarded', () => {
  cases(rolloutDiscarded, [
    {
      name: 'notes a tenth',
      metrics: { 'rollout.rejected': course(() => 0.2) },
      expected: ['note', 'rollout-discarded', 1, N],
    },
    {
      name: 'warns of a half',
      metrics: { 'rollout.stale_frac': course(() => 0.7) },
      expected: ['warning', 'rollout-discarded', 1, N],
    },
    { name: 'passes a hundredth', metrics: { 'rollout.rejected.sequence': course(() => 0.01) }, expected: null },
  ])
})

describe('train-inference-mismatch', () => {
  cases(trainInferenceMismatch, [
    {
      name: 'sees the difference of log-probabilities',
      metrics: { 'rollout.logprob_diff': course(() => 0.4) },
      expected: ['warning', 'train-inference-mismatch', 1, N],
    },
    {
      name: 'passes that of a healthy engine',
      metrics: { 'rollout.logprob_diff': course(() => 0.011) },
      expected: null,
    },
    {
      name: "notes what is beyond NeMo-RL's own limit",
      metrics: { 'rollout.prob_error': course(() => 1.2, 0.01) },
      expected: ['note', 'train-inference-mismatch', 1, N],
    },
    { name: 'and passes what is not', metrics: { 'rollout.prob_error': course(() => 1.02, 0.001) }, expected: null },
  ])
})

it('takes neither distillation nor the mismatch of engines for the KL to the reference', () => {
  const rising = course(part => 0.02 + 20 * part)
  const { findings } = examine(
    madeUpSubject({ metrics: { 'kl.teacher': rising, 'loss.distill': rising, 'kl.train_infer': rising } }),
  )
  expect(findings.filter(({ rule }) => rule.startsWith('kl-'))).toEqual([])
})

describe('pass-at-k-falls', () => {
  const up = course(part => 0.3 + 0.3 * part)
  cases(passAtKFalls, [
    {
      name: 'notes a best of eight that falls while the mean rises',
      metrics: { 'val-core/math/acc/mean@8': up, 'val-core/math/acc/best@8/mean': course(part => 0.9 - 0.2 * part) },
      expected: ['note', 'pass-at-k-falls', 1, N],
    },
    {
      name: 'compares within one data set',
      metrics: { 'val-core/math/acc/mean@8': up, 'val-core/code/acc/best@8/mean': course(part => 0.9 - 0.2 * part) },
      expected: 'unchecked',
    },
    {
      name: 'passes one that stays',
      metrics: { eval_math_pass1: up, eval_math_pass8: course(() => 0.9) },
      expected: null,
    },
    {
      name: 'passes a policy that loses both',
      metrics: { eval_math_pass1: course(part => 0.6 - 0.3 * part), eval_math_pass8: course(part => 0.9 - 0.2 * part) },
      expected: null,
    },
    { name: 'cannot tell from one number', metrics: { eval_math_pass1: up }, expected: 'unchecked' },
    {
      name: 'reads every attempt where the samples have them',
      metrics: { eval_reward: [0.5, 0.5] },
      samples: Array.from({ length: 20 }, (_, step) => ({
        metric: 'eval.score',
        step,
        condition: {},
        ids: Array.from({ length: 400 }, (_, i) => `prompt ${i % 100}`),
        repeats: Array.from({ length: 400 }, (_, i) => Math.floor(i / 100)),
        // At first every prompt is solved now and then; at the end seven in ten nearly always, the others never.
        scores: Array.from({ length: 400 }, (_, i) => {
          const solved = i % 100 < 100 - (30 * step) / 19
          const chance = 0.45 + 0.026 * step
          return solved && random.next() < chance ? 1 : 0
        }),
      })),
      expected: ['note', 'pass-at-k-falls', 0, 19],
    },
  ])
})

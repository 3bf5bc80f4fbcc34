import { describe, expect, it } from 'vitest'
import { type MadeUp, madeUpSubject } from '../../../../test/support/subject.js'
import { seededRandom } from '../../../stats/random.js'
import { examine } from '../diagnose.js'
import { RULES } from '../registry.js'
import type { RunRule } from '../run-rule.js'
import { lengthCollapse, lengthExplosion, truncation } from './answer-length.js'
import { environmentOutage } from './environment-outage.js'
import { groupsDegenerate } from './groups-degenerate.js'
import { trainInferenceMismatch } from './mismatch.js'
import { rewardAbsorbing } from './reward-absorbing.js'
import { throughputDecay } from './throughput-decay.js'

const random = seededRandom(11)

/** Steps 1 … n of a course with relative noise. */
function course(n: number, level: (step: number) => number, noise = 0.05): number[] {
  return Array.from({ length: n }, (_, i) => level(i + 1) * (1 + noise * random.normal()))
}

function look(rule: RunRule, madeUp: MadeUp) {
  const { findings, notChecked } = examine(madeUpSubject(madeUp), [rule])
  return { findings, notChecked: notChecked.map(({ reason }) => reason.key) }
}

function seen(rule: RunRule, madeUp: MadeUp) {
  return look(rule, madeUp).findings.map(({ severity, steps, message }) => [severity, ...steps, message.key])
}

describe('environment-outage', () => {
  const reward = (zero: (step: number) => boolean) => course(200, step => (zero(step) ? 0 : 1.2), 0.1)
  const alive = course(200, () => 1.4)
  const length = course(200, () => 2_900)

  it('tells the steps of an outage during which gradients live on', () => {
    const metrics = { 'critic/score/mean': reward(step => step >= 140), 'actor/grad_norm': alive }
    expect(seen(environmentOutage, { metrics })).toEqual([['error', 140, 200, 'environment-outage']])
  })

  it('sees one that ended', () => {
    const metrics = {
      'critic/score/mean': reward(step => step >= 140 && step < 150),
      'actor/grad_norm': alive,
    }
    const [finding] = look(environmentOutage, { metrics }).findings
    expect(finding).toMatchObject({
      steps: [140, 149],
      evidence: { recovered: 150 },
      remedy: { key: 'environment-outage.recovered.remedy' },
    })
  })

  it('believes unchanged answers where tied rewards leave no gradient', () => {
    const zero = (step: number) => step >= 140
    const metrics = {
      'critic/score/mean': reward(zero),
      'actor/grad_norm': course(200, step => (zero(step) ? 0 : 1.4)),
      'response_length/mean': length,
    }
    expect(seen(environmentOutage, { metrics })).toEqual([['error', 140, 200, 'environment-outage.frozen']])
  })

  it('leaves the UserRL collapse to the rules about the policy: it took 15 steps, and everything died with it', () => {
    const fading = (step: number) => (step < 131 ? 1 : step > 145 ? 0 : (146 - step) / 16)
    const metrics = {
      'critic/score/mean': course(200, step => 2.1 * fading(step)),
      'actor/grad_norm': course(200, step => 1.417 * fading(step)),
      'response_length/mean': course(200, step => 315 + 2_645 * fading(step)),
      'actor/entropy': course(200, step => 0.115 + 0.067 * fading(step)),
    }
    expect(seen(environmentOutage, { metrics })).toEqual([])
  })

  it('does not call a policy’s sudden death an outage', () => {
    const zero = (step: number) => step >= 140
    const metrics = {
      'critic/score/mean': reward(zero),
      'actor/grad_norm': course(200, step => (zero(step) ? 0 : 1.4)),
      'response_length/mean': course(200, step => (zero(step) ? 12 : 2_900)),
    }
    expect(seen(environmentOutage, { metrics })).toEqual([])
  })

  it.each([
    ['two zeros', reward(step => step === 140 || step === 141)],
    ['rare successes that fail to come for a while', course(200, step => (step % 3 === 0 ? 0.02 : 0), 0)],
    ['a reward that was never there', Array(200).fill(0)],
  ])('keeps silent about %s', (_, score) => {
    expect(seen(environmentOutage, { metrics: { 'critic/score/mean': score, 'actor/grad_norm': alive } })).toEqual([])
  })

  it('says that it cannot tell without any sign of life', () => {
    const metrics = { 'critic/score/mean': reward(step => step >= 140) }
    expect(look(environmentOutage, { metrics }).notChecked).toEqual(['environment-outage.cannot.blind'])
  })

  /** Lab 2: rewards of 0 from step 220 to 249, everything else as before, a little gradient from the KL. */
  const lost = {
    'critic/score/mean': course(300, () => 0.8),
    'critic/rewards/mean': course(300, step => (step >= 220 && step < 250 ? 0 : 0.8)),
    'critic/rewards/max': course(300, step => (step >= 220 && step < 250 ? 0 : 1), 0),
    'critic/rewards/min': course(300, () => 0, 0),
    'grpo/frac_reward_zero_std': course(300, step => (step >= 220 && step < 250 ? 1 : 0.2), 0.01),
    'actor/grad_norm': course(300, step => (step >= 220 && step < 250 ? 0.08 : 3)),
  }

  it('sees rewards that are lost while the answers still score', () => {
    expect(seen(environmentOutage, { metrics: lost })).toEqual([['error', 220, 249, 'environment-outage.score']])
  })

  it('sees validation live on while rewards are all 0', () => {
    const { 'critic/score/mean': _, ...alone } = lost
    const validation = Array.from({ length: 30 }, (_, i) => [10 * (i + 1), 0.7 + 0.01 * (i % 3)] as const)
    const metrics = { ...alone, 'val-core/task/acc/mean@1': validation }
    expect(seen(environmentOutage, { metrics })).toEqual([['error', 220, 249, 'environment-outage.validation']])
  })

  it('does not take it for life when validation falls to 0 with a policy that stopped writing', () => {
    const zero = (step: number) => step >= 140
    const validation = Array.from({ length: 40 }, (_, i) => [5 * (i + 1), zero(5 * (i + 1)) ? 0 : 0.7] as const)
    const metrics = {
      'critic/rewards/mean': reward(zero),
      'actor/grad_norm': course(200, step => (zero(step) ? 0 : 1.4)),
      'response_length/mean': course(200, step => (zero(step) ? 12 : 2_900)),
      'val-core/task/acc/mean@1': validation,
    }
    expect(seen(environmentOutage, { metrics })).toEqual([])
  })

  it('is the one finding about those steps: tied groups and equal rewards follow from it', () => {
    const subject = madeUpSubject({ metrics: lost })
    const together = [environmentOutage, groupsDegenerate, rewardAbsorbing]
    expect(examine(subject, together).findings.map(({ rule }) => rule)).toEqual(['environment-outage'])
  })

  it('looks like no death and no collapse while it lasts, though nothing is updated and validation is 0 too', () => {
    const zero = (step: number) => step >= 140
    const metrics = {
      'critic/score/mean': reward(zero),
      'actor/grad_norm': course(200, step => (zero(step) ? 0 : 1.4)),
      'actor/pg_loss': course(200, step => (zero(step) ? 0 : 0.1)),
      'response_length/mean': length,
      'val-core/task/acc/mean@1': Array.from(
        { length: 40 },
        (_, i) => [5 * (i + 1), i < 27 ? 0.7 + 0.01 * (i % 3) : 0] as const,
      ),
    }
    const { findings } = examine(madeUpSubject({ metrics }), RULES)
    expect(findings.filter(({ severity }) => severity !== 'note').map(({ rule }) => rule)).toEqual([
      'environment-outage',
    ])
  })

  it('leaves groups that stay tied after an outage to their own rules', () => {
    const metrics = {
      ...lost,
      'grpo/frac_reward_zero_std': course(300, step => (step >= 220 ? 1 : 0.2), 0.001),
    }
    const { findings } = examine(madeUpSubject({ metrics }), [environmentOutage, groupsDegenerate])
    expect(findings.map(({ rule, steps }) => [rule, steps[0]])).toEqual([
      ['environment-outage', 220],
      ['groups-degenerate', 250],
    ])
  })

  it('sees tools that fail at once, not a policy that learns to use them', () => {
    const broken = course(100, step => (step >= 60 && step < 70 ? 0.8 : 0.1))
    const learning = course(100, step => Math.max(0.05, 0.8 - step / 80))
    expect(seen(environmentOutage, { metrics: { 'tools/failure_frequency': broken } })).toEqual([
      ['error', 60, 69, 'environment-outage.failures'],
    ])
    expect(seen(environmentOutage, { metrics: { 'tools/failure_frequency': learning } })).toEqual([])
  })
})

describe('length-collapse', () => {
  it.each([
    [0.4, 1],
    [0.6, 0],
  ])('draws its line at a half: to %f', (to, expected) => {
    const metrics = { 'response_length/mean': course(200, step => 1_000 * (step < 100 ? 1 : to), 0.03) }
    expect(seen(lengthCollapse, { metrics })).toHaveLength(expected)
  })

  it('tells from where to where', () => {
    const back = course(200, step => (step >= 100 && step < 150 ? 200 : 1_000), 0.03)
    expect(seen(lengthCollapse, { metrics: { 'response_length/mean': back } })).toEqual([
      ['warning', 100, 149, 'length-collapse'],
    ])
  })

  it('is graver when the score falls too', () => {
    const metrics = {
      'response_length/mean': course(200, step => (step < 100 ? 1_000 : 100)),
      'critic/score/mean': course(200, step => (step < 100 ? 0.6 : 0.1)),
    }
    expect(seen(lengthCollapse, { metrics })).toEqual([['error', 100, 200, 'length-collapse.score']])
  })

  it('lets a policy become brief over two hundred steps', () => {
    const metrics = { 'response_length/mean': course(200, step => 1_000 * 0.993 ** step) }
    expect(seen(lengthCollapse, { metrics })).toEqual([])
  })

  it('lets it become so over any time when the score rises, and warns when it does not', () => {
    const shrinking = course(150, step => 40 + 270 * Math.exp(-step / 25))
    const look = (score: number[]) =>
      seen(lengthCollapse, { metrics: { 'response_length/mean': shrinking, 'critic/score/mean': score } })
    expect(look(course(150, step => 0.3 + 0.3 * (1 - Math.exp(-step / 25))))).toEqual([])
    const [[severity, from, to, key]] = look(course(150, () => 0.3))
    expect([severity, to, key]).toEqual(['warning', 150, 'length-collapse.between'])
    expect(from).toBeLessThan(20)
  })

  it('asks the part of the reward that pays for the task where nothing else tells', () => {
    const metrics = {
      'completions/mean_length': course(150, step => 40 + 270 * Math.exp(-step / 25)),
      reward: course(150, step => 1.2 - 0.5 * Math.exp(-step / 25)),
      'rewards/format_reward/mean': course(150, step => 1 - 0.8 * Math.exp(-step / 25), 0.02),
      'rewards/accuracy_reward/mean': course(150, step => 0.12 + 0.3 * Math.exp(-step / 25)),
    }
    expect(seen(lengthCollapse, { metrics })).toMatchObject([
      ['error', expect.any(Number), 150, 'length-collapse.between.score'],
    ])
  })

  it('says between which rows it happened when these lie apart', () => {
    const rows = Array.from({ length: 30 }, (_, i): [number, number] => [10 * (i + 1), i < 15 ? 800 + i : 150])
    const [finding] = look(lengthCollapse, { metrics: { 'completions/mean_length': rows } }).findings
    expect(finding).toMatchObject({
      severity: 'warning',
      steps: [160, 300],
      message: { key: 'length-collapse.between', params: { from: 150, to: 160 } },
    })
  })

  it('does not take one noisy batch for a best score that was lost', () => {
    const steps = [52, 92, 122, 383, 384, 385, 386, 387, 388, 389]
    const at = (values: readonly number[]) => values.map((value, i): [number, number] => [steps[i], value])
    const metrics = {
      'response_length/mean': at([144, 58, 61, 35, 35, 35, 35, 35, 35, 35]),
      'critic/score/mean': at([0.038, 0.094, 0.094, 0.156, 0.184, 0.128, 0.184, 0.269, 0.269, 0.213]),
    }
    const [finding] = look(lengthCollapse, { metrics }).findings
    expect(finding).toMatchObject({
      severity: 'note',
      message: { key: 'length-collapse.between', params: { before: '144', from: 52, to: 383 } },
    })
  })
})

describe('length-explosion', () => {
  const longer = course(200, step => (step < 50 ? 500 : 900), 0.02)

  it.each([
    ['the score falls', course(200, step => (step < 50 ? 0.5 : 0.4)), 1],
    ['the score rises', course(200, step => (step < 50 ? 0.5 : 0.7)), 0],
  ])('asks what the length buys: %s', (_, score, expected) => {
    const metrics = { 'response_length/mean': longer, 'critic/score/mean': score }
    expect(seen(lengthExplosion, { metrics })).toHaveLength(expected)
  })

  it('needs half as much again', () => {
    const score = course(200, step => (step < 50 ? 0.5 : 0.4))
    const metrics = {
      'response_length/mean': course(200, step => (step < 50 ? 500 : 650), 0.02),
      'critic/score/mean': score,
    }
    expect(seen(lengthExplosion, { metrics })).toEqual([])
  })

  it('sees answers that run into the limit, and where', () => {
    const metrics = {
      'response_length/mean': longer,
      'response_length/clip_ratio': longer.map(length => (length > 700 ? 0.8 : 0)),
    }
    expect(seen(lengthExplosion, { metrics })).toEqual([['warning', 50, 200, 'length-explosion.truncated']])
  })
})

describe('truncation', () => {
  it.each([
    [0.09, 0],
    [0.12, 1],
  ])('follows verl’s limit of a tenth: %f', (share, expected) => {
    expect(seen(truncation, { metrics: { 'response_length/clip_ratio': course(100, () => share) } })).toHaveLength(
      expected,
    )
  })

  it('only notes what is over', () => {
    const metrics = { 'completions/clipped_ratio': course(100, step => (step <= 30 ? 0.3 : 0.02)) }
    expect(seen(truncation, { metrics })).toEqual([['note', 1, 30, 'truncation.over']])
  })

  it('is not moved by single batches', () => {
    const metrics = { 'response_length/clip_ratio': course(100, step => (step % 10 === 0 ? 0.3 : 0.02)) }
    expect(seen(truncation, { metrics })).toEqual([])
  })
})

describe('train-inference-mismatch', () => {
  it.each([
    ['training/rollout_probs_diff_mean', 0.004, 0],
    ['training/rollout_probs_diff_mean', 0.02, 1],
    ['rollout_corr/kl', -0.05, 0],
    ['rollout_corr/kl', -0.2, 1],
    ['rollout_corr/rollout_is_mean', 1.1, 0],
    ['rollout_corr/rollout_is_mean', 0.3, 1],
    ['rollout_corr/rollout_is_eff_sample_size', 0.6, 0],
    ['rollout_corr/rollout_is_eff_sample_size', 0.2, 1],
    ['sampling/sampling_logp_difference/mean', 0.011, 0],
    ['sampling/sampling_logp_difference/mean', 0.86, 1],
  ])('%s = %f', (metric, level, expected) => {
    expect(seen(trainInferenceMismatch, { metrics: { [metric]: course(50, () => level) } })).toHaveLength(expected)
  })

  it('is an error where the weights explode, and names all gauges that are off', () => {
    const metrics = {
      'rollout_corr/chi2_token': course(50, step => (step < 20 ? 0.2 : 3)),
      'rollout_corr/kl': course(50, step => (step < 30 ? 0.02 : 0.3)),
    }
    const [finding] = look(trainInferenceMismatch, { metrics }).findings
    expect(finding).toMatchObject({
      severity: 'error',
      steps: [20, 50],
      evidence: { metrics: ['rollout_corr/chi2_token', 'rollout_corr/kl'] },
    })
  })
})

describe('throughput-decay', () => {
  const slowing = (factor: number) => course(200, step => 100 * (1 + ((factor - 1) * step) / 200), 0.03)

  it.each([
    [1.1, []],
    [1.5, ['note']],
    [2, ['warning']],
  ])('of a step time that grows to %f times', (factor, expected) => {
    const found = look(throughputDecay, { metrics: { 'timing_s/step': slowing(factor) } }).findings
    expect(found.map(({ severity }) => severity)).toEqual(expected)
  })

  it('does not blame longer answers on the machine', () => {
    const metrics = { 'timing_s/step': slowing(2), 'response_length/mean': slowing(2) }
    expect(seen(throughputDecay, { metrics })).toEqual([])
  })

  it('does not take short answers for slow ones', () => {
    const metrics = {
      'perf/throughput': course(200, step => (step < 140 ? 382 : 124)),
      'response_length/mean': course(200, step => (step < 140 ? 2_960 : 315)),
    }
    expect(seen(throughputDecay, { metrics })).toEqual([])
  })

  it('reads tokens per second alone', () => {
    const metrics = { 'perf/throughput': course(200, step => 382 / (1 + step / 200)) }
    expect(seen(throughputDecay, { metrics })).toHaveLength(1)
  })

  it('is not moved by slow steps now and then', () => {
    const metrics = { 'timing_s/step': course(200, step => (step % 5 === 0 ? 250 : 100)) }
    expect(seen(throughputDecay, { metrics })).toEqual([])
  })
})

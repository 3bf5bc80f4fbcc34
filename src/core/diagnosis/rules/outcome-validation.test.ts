import { describe, expect, it } from 'vitest'
import { type MadeUp, madeUpSubject } from '../../../../test/support/subject.js'
import type { SampleScores } from '../../../logs/model/evaluation.js'
import { seededRandom } from '../../../stats/random.js'
import { examine } from '../diagnose.js'
import type { RunRule } from '../run-rule.js'
import { evalsIdentical, meanImpossible } from './evaluation-values.js'
import { bestIsLast, evalNoise, evalsInWarmup } from './evaluations.js'
import { rewardHacking } from './reward-hacking.js'
import { validationCollapse, validationWorsened } from './validation.js'

const VAL = 'val-core/task/reward/mean@1'
const random = seededRandom(5)

type Points = [step: number, value: number][]

/** Evaluations every five steps from step 5 on. */
function every5(values: readonly number[], first = 5): Points {
  return values.map((value, i) => [first + 5 * i, value])
}

function wobble(size: number): number {
  return size * random.normal()
}

function look(rule: RunRule, madeUp: MadeUp) {
  const { findings, notChecked } = examine(madeUpSubject(madeUp), [rule])
  return { findings, notChecked: notChecked.map(({ reason }) => reason.key) }
}

function seen(rule: RunRule, madeUp: MadeUp) {
  return look(rule, madeUp).findings.map(({ severity, steps, message }) => [severity, ...steps, message.key])
}

describe('validation-collapse', () => {
  /** The UserRL 4B run as it was published, its wobble made up between the figures that are known. */
  const userRl: Points = every5(
    Array.from({ length: 92 }, (_, i) => {
      const step = 5 + 5 * i
      if (step === 75) return 2.21
      if (step <= 125) return 1.69 + 0.45 * Math.min(1, step / 75) + wobble(0.06)
      return { 130: 2.148, 135: 1.597, 140: 0.425, 145: 0.11 }[step] ?? 0
    }),
  )

  it('dates the collapse of the UserRL run', () => {
    expect(seen(validationCollapse, { metrics: { [VAL]: userRl } })).toEqual([
      ['error', 135, 460, 'validation-collapse'],
    ])
  })

  it('sends people to a checkpoint that was saved', () => {
    const remedy = (config: MadeUp['config']) =>
      look(validationCollapse, { metrics: { [VAL]: userRl }, config: config ?? {} }).findings[0]?.remedy.params.before
    expect(remedy({})).toBe(130)
    expect(remedy({ 'trainer.save_freq': 50, 'actor_rollout_ref.actor.optim.lr': 1e-6 })).toBe(100)
    expect(remedy({ 'trainer.save_freq': -1, 'actor_rollout_ref.actor.optim.lr': 1e-6 })).toBe(130)
  })

  it('sees nothing before it happens', () => {
    expect(seen(validationCollapse, { metrics: { [VAL]: userRl.slice(0, 26) } })).toEqual([])
  })

  it('takes a single bad evaluation for what it is', () => {
    expect(seen(validationCollapse, { metrics: { [VAL]: userRl.slice(0, 27) } })).toEqual([])
  })

  it('does not date fewer than twelve evaluations', () => {
    const values = [0.6, 0.62, 0.61, 0.63, 0.62, 0.2, 0.1, 0.1]
    expect(seen(validationCollapse, { metrics: { [VAL]: every5(values) } })).toEqual([
      ['error', 30, 40, 'validation-collapse.undated'],
    ])
  })

  it('names the steps of a collapse that came back', () => {
    const values = Array.from({ length: 60 }, (_, i) => (i >= 20 && i < 40 ? 0.2 : 0.6) + wobble(0.02))
    expect(seen(validationCollapse, { metrics: { [VAL]: every5(values) } })).toEqual([
      ['error', 105, 200, 'validation-collapse.back'],
    ])
  })

  it.each([
    ['0.75 of the best', 0.6, 1],
    ['0.85 of the best', 0.68, 0],
  ])('draws its line at a fifth: %s', (_, level, expected) => {
    const values = Array.from({ length: 40 }, (_, i) => (i < 20 ? 0.8 : level) + wobble(0.01))
    expect(seen(validationCollapse, { metrics: { [VAL]: every5(values) } })).toHaveLength(expected)
  })

  it('does not call three evaluations of unknown size a collapse unless half is gone', () => {
    expect(seen(validationCollapse, { metrics: { [VAL]: every5([0.5, 0.36, 0.35]) } })).toEqual([])
    expect(seen(validationCollapse, { metrics: { [VAL]: every5([0.5, 0.2, 0.2]) } })).toHaveLength(1)
  })

  it('judges every data set by itself', () => {
    const fallen = Array.from({ length: 40 }, (_, i) => (i < 20 ? 0.8 : 0.3) + wobble(0.01))
    const metrics = {
      [VAL]: every5(fallen),
      'val-core/other/reward/mean@1': every5(fallen.map(() => 0.5 + wobble(0.01))),
    }
    expect(look(validationCollapse, { metrics }).findings.map(({ evidence }) => evidence.metric)).toEqual([VAL])
  })
})

describe('validation-worsened', () => {
  it('sees a level lost, from where it was last held', () => {
    const values = Array.from({ length: 60 }, (_, i) => 0.6 - 0.1 * Math.max(0, (i - 30) / 30) + wobble(0.01))
    const [finding] = look(validationWorsened, { metrics: { [VAL]: every5(values) } }).findings
    expect(finding).toMatchObject({ severity: 'warning', message: { key: 'validation-worsened' } })
    expect(finding.steps[0]).toBeGreaterThan(150)
    expect(finding.steps[0]).toBeLessThan(215)
    expect(finding.steps[1]).toBe(300)
  })

  it('sees a fall below the first evaluation', () => {
    const values = [0.6, ...Array.from({ length: 40 }, () => 0.5 + wobble(0.01))]
    expect(seen(validationWorsened, { metrics: { [VAL]: every5(values, 0) } })).toEqual([
      ['warning', 5, 200, 'validation-worsened.start'],
    ])
  })

  it('leaves a collapse to the rule for it', () => {
    const values = [0.6, ...Array.from({ length: 40 }, () => 0.3 + wobble(0.01))]
    const { findings, notChecked } = look(validationWorsened, { metrics: { [VAL]: every5(values, 0) } })
    expect(findings).toEqual([])
    expect(notChecked).toEqual(['validation-worsened.cannot.collapse'])
  })

  it('does not take the luck of a best evaluation for a level', () => {
    const values = Array.from({ length: 80 }, (_, i) => 0.5 + 0.3 * (1 - Math.exp(-i / 20)) + wobble(0.03))
    values[40] += 0.1
    expect(seen(validationWorsened, { metrics: { [VAL]: every5(values) } })).toEqual([])
  })

  it('lets a loss of 3 % pass and not one of 8 %', () => {
    const falling = (by: number) =>
      every5(Array.from({ length: 60 }, (_, i) => (i < 30 ? 0.6 : 0.6 * (1 - by)) + wobble(0.002)))
    expect(seen(validationWorsened, { metrics: { [VAL]: falling(0.03) } })).toEqual([])
    expect(seen(validationWorsened, { metrics: { [VAL]: falling(0.08) } })).toEqual([
      ['warning', 155, 300, 'validation-worsened'],
    ])
  })

  it('reads a rising loss as a note', () => {
    const epochs = [1, 2, 3, 4, 5, 22, 49, 50]
    const losses = [5.1533, 5.1515, 5.1536, 5.1568, 5.1596, 5.2115, 5.2274, 5.2343]
    const loss = losses.map((value, i): [number, number] => [epochs[i], value])
    expect(seen(validationWorsened, { metrics: { val_loss: loss } })).toEqual([
      ['note', 1, 50, 'validation-worsened.loss'],
    ])
  })

  it('says how many evaluations it needs', () => {
    expect(look(validationWorsened, { metrics: { [VAL]: every5([1, 0.5, 0.2]) } }).notChecked).toEqual([
      'diagnose.too-short',
    ])
  })
})

describe('reward-hacking', () => {
  const course = (from: number, to: number, noise: number): number[] =>
    Array.from({ length: 200 }, (_, i) => from + (to - from) * Math.min(1, i / 50) + wobble(noise))

  it('sees reward up and task score down', () => {
    const metrics = { 'critic/rewards/mean': course(1, 1.5, 0.03), 'critic/score/mean': course(0.5, 0.3, 0.03) }
    const [finding] = look(rewardHacking, { metrics }).findings
    expect(finding).toMatchObject({ severity: 'error', message: { key: 'reward-hacking' } })
    expect(finding.steps[0]).toBeGreaterThan(15)
    expect(finding.steps[0]).toBeLessThan(35)
    expect(finding.steps[1]).toBe(200)
  })

  it.each([
    ['the score holds', course(1, 1.5, 0.03), course(0.5, 0.5, 0.03), {}],
    ['both rise', course(1, 1.5, 0.03), course(0.5, 0.7, 0.03), {}],
    ['both fall', course(1, 0.5, 0.03), course(0.5, 0.3, 0.03), {}],
    ['the score loses 3 %', course(1, 1.5, 0.001), course(0.5, 0.485, 0.001), {}],
    [
      'the reward holds the KL penalty',
      course(-1, 0, 0.03),
      course(0.5, 0.3, 0.03),
      { 'algorithm.use_kl_in_reward': true, 'algorithm.kl_ctrl.kl_coef': 0.1 },
    ],
  ])('sees none where %s', (_, reward, score, config) => {
    const metrics = { 'critic/rewards/mean': reward, 'critic/score/mean': score }
    expect(seen(rewardHacking, { metrics, config })).toEqual([])
  })

  const format = course(0.2, 1, 0.02)
  const total = course(0.62, 1.12, 0.04)

  it('sees one part of the reward given up for another', () => {
    const metrics = {
      reward: total,
      'rewards/format_reward/mean': format,
      'rewards/accuracy_reward/mean': course(0.42, 0.12, 0.03),
    }
    const [finding] = look(rewardHacking, { metrics }).findings
    expect(finding).toMatchObject({
      severity: 'warning',
      evidence: { reward: 'rewards/format_reward/mean', metric: 'rewards/accuracy_reward/mean' },
      message: { key: 'reward-hacking.parts' },
    })
    expect(finding.steps[0]).toBeLessThan(40)
  })

  it.each([
    ['both parts rise', format, course(0.42, 0.6, 0.03)],
    ['a part loses a tenth', format, course(0.42, 0.38, 0.003)],
    ['the form is given up for the task', course(0.8, 0.4, 0.02), course(0.2, 0.9, 0.03)],
  ])('sees none where %s', (_, ofFormat, ofAccuracy) => {
    const metrics = {
      reward: total,
      'rewards/format_reward/mean': ofFormat,
      'rewards/accuracy_reward/mean': ofAccuracy,
    }
    expect(look(rewardHacking, { metrics })).toEqual({ findings: [], notChecked: [] })
  })

  it('only notes a trade between two parts of the task', () => {
    const metrics = { reward: total, 'rewards/algebra/mean': format, 'rewards/geometry/mean': course(0.42, 0.12, 0.03) }
    expect(look(rewardHacking, { metrics }).findings).toMatchObject([{ severity: 'note' }])
  })

  it.each([
    ['TRL’s reward, which is also its score', { reward: total, reward_std: total }],
    ['verl’s two names for one number', { 'critic/rewards/mean': total, 'critic/score/mean': total }],
  ])('cannot say anything about %s, without validation', (_, metrics) => {
    expect(look(rewardHacking, { metrics })).toEqual({ findings: [], notChecked: ['reward-hacking.cannot.same'] })
  })

  it('warns where only validation tells', () => {
    const metrics = {
      reward: course(0.3, 0.8, 0.03),
      eval_reward: every5(Array.from({ length: 40 }, (_, i) => (i < 15 ? 0.5 : 0.4) + wobble(0.01))),
    }
    expect(seen(rewardHacking, { metrics })).toEqual([['warning', 80, 200, 'reward-hacking.validation']])
  })
})

describe('evals-in-warmup', () => {
  const nine = every5([1.695, 1.992, 1.768, 1.915, 1.97, 1.828, 1.84, 2.123, 2.005])
  const verl = (settings: { readonly [key: string]: number }) => ({
    'actor_rollout_ref.actor.use_kl_loss': true,
    ...Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [
        key === 'steps' ? 'trainer.total_training_steps' : `actor_rollout_ref.actor.optim.${key}`,
        value,
      ]),
    ),
  })

  it.each([
    [465, 1],
    [440, 0],
  ])('counts a tenth of %i steps', (steps, expected) => {
    const config = verl({ lr_warmup_steps_ratio: 0.1, steps })
    expect(seen(evalsInWarmup, { metrics: { [VAL]: nine }, config })).toHaveLength(expected)
  })

  it('believes the logged rate first', () => {
    const config = verl({ lr_warmup_steps: 400 })
    const peaked = Array.from({ length: 60 }, (_, i) => 1e-6 * Math.min(1, (i + 1) / 20))
    expect(seen(evalsInWarmup, { metrics: { [VAL]: nine, 'actor/lr': peaked }, config })).toEqual([])
    const rising = peaked.map((_, i) => 1e-8 * (i + 1))
    expect(seen(evalsInWarmup, { metrics: { [VAL]: nine, 'actor/lr': rising }, config })).toEqual([
      ['warning', 5, 45, 'evals-in-warmup.rising'],
    ])
  })

  it('falls back on the config where the rate prints as 0.000', () => {
    const metrics = { [VAL]: nine, 'actor/lr': Array(45).fill(0) }
    expect(seen(evalsInWarmup, { metrics, config: verl({ lr_warmup_steps: 50 }) })).toHaveLength(1)
    expect(look(evalsInWarmup, { metrics }).notChecked).toEqual(['diagnose.setting-unknown'])
  })

  it('has nothing to say about the evaluation before training', () => {
    const metrics = { [VAL]: [[0, 0.5]] as const }
    expect(look(evalsInWarmup, { metrics, config: verl({ lr_warmup_steps: 50 }) }).notChecked).toEqual([
      'evals-in-warmup.cannot.none',
    ])
  })
})

describe('eval-noise', () => {
  const config = { 'data.val_size': 200 }
  const around = (spread: number) => every5(Array.from({ length: 40 }, () => 0.5 + wobble(spread)))

  it.each([
    [0.03, 1],
    [0.06, 0],
  ])('compares a spread of %f with the error of 200 prompts', (spread, expected) => {
    expect(seen(evalNoise, { metrics: { [VAL]: around(spread) }, config })).toHaveLength(expected)
  })

  it('sees a trend that is smaller than the error', () => {
    const values = Array.from({ length: 40 }, (_, i) => 0.5 + 0.001 * i + wobble(0.005))
    expect(seen(evalNoise, { metrics: { [VAL]: every5(values) }, config })).toEqual([])
  })

  it('needs the number of prompts, and for other than shares their scores', () => {
    expect(look(evalNoise, { metrics: { [VAL]: around(0.03) } }).notChecked).toEqual(['eval-noise.cannot.unknown'])
    const rewards = every5([1.8, 2.1, 1.9, 2, 1.7])
    expect(look(evalNoise, { metrics: { [VAL]: rewards }, config }).notChecked).toEqual(['eval-noise.cannot.unknown'])
  })

  it('takes the prompts’ own scores where they are known', () => {
    const ofPrompts = seededRandom(1)
    const samples = Array.from({ length: 12 }, (_, i): SampleScores => {
      const scores = Array.from({ length: 50 }, () => 2 * ofPrompts.next())
      return { metric: 'x', step: 5 + 5 * i, condition: {}, ids: scores.map((_, at) => `p${at}`), scores }
    })
    const means = samples.map(({ scores }) => scores.reduce((sum, score) => sum + score, 0) / scores.length)
    expect(seen(evalNoise, { metrics: { [VAL]: every5(means) }, samples })).toHaveLength(1)
  })
})

describe('best-is-last', () => {
  it.each([
    [[1, 2, 3], 1],
    [[1, 3, 3], 0],
    [[3, 2, 1], 0],
  ])('of %j', (values, expected) => {
    expect(seen(bestIsLast, { metrics: { [VAL]: every5(values) } })).toHaveLength(expected)
  })

  it('does not speak of two evaluations', () => {
    expect(look(bestIsLast, { metrics: { [VAL]: every5([1, 2]) } }).notChecked).toEqual(['diagnose.too-short'])
  })
})

describe('evals-identical', () => {
  const moving = Array.from({ length: 20 }, (_, i) => 0.4 + 0.005 * ((7 * i) % 11))

  it('warns when most of the run repeats itself', () => {
    const metrics = { [VAL]: every5(Array(20).fill(0.5975), 0) }
    expect(seen(evalsIdentical, { metrics })).toEqual([['warning', 0, 95, 'evals-identical']])
  })

  it('notes a repetition within a run that moves, with its steps', () => {
    const values = [...moving, ...Array(8).fill(0.5125), ...moving]
    expect(seen(evalsIdentical, { metrics: { [VAL]: every5(values) }, config: { 'data.val_size': 400 } })).toEqual([
      ['note', 105, 140, 'evals-identical'],
    ])
  })

  it.each([
    ['three equal shares of 30 prompts are chance', [...moving, 0.2, 0.2, 0.2], 30],
    ['zeros are the matter of other rules', Array(30).fill(0), 200],
  ])('keeps silent: %s', (_, values, prompts) => {
    expect(seen(evalsIdentical, { metrics: { [VAL]: every5(values) }, config: { 'data.val_size': prompts } })).toEqual(
      [],
    )
  })

  it('counts the numbers of shots together: two epochs with four equal accuracies are no chance', () => {
    const metrics = {
      'shot_num=1': [57, 57],
      'shot_num=2': [56.1, 56.1],
      'shot_num=3': [55.1, 55.1],
      'shot_num=4': [55.2, 55.2],
    }
    expect(seen(evalsIdentical, { metrics, config: { 'data.val_size': 200, KL_BETA: 0.12 } })).toHaveLength(1)
    expect(seen(evalsIdentical, { metrics: { 'shot_num=1': [57, 57] }, config: { 'data.val_size': 200 } })).toEqual([])
  })
})

describe('mean-impossible', () => {
  const EXACT = 'val-aux/task/exact/mean@1'
  const config = { 'data.val_size': 200 }

  it.each([
    ['multiples of 1/200', [0.38, 0.455, 0.5], 0],
    ['float32 noise on a multiple', [0.38, 0.4549999833106995, 0.5], 0],
    ['a third', [0.38, 0.3333, 0.5], 1],
  ])('checks %s', (_, values, expected) => {
    expect(seen(meanImpossible, { metrics: { [EXACT]: every5(values) }, config })).toHaveLength(expected)
  })

  it('names the step of the impossible value', () => {
    const metrics = { [EXACT]: every5([0.38, 0.3333, 0.5]) }
    expect(seen(meanImpossible, { metrics, config })).toEqual([['warning', 10, 10, 'mean-impossible']])
  })

  it('counts the answers of mean@4, and leaves bootstrapped folds alone', () => {
    const quarter = every5([0.38125, 0.5])
    expect(seen(meanImpossible, { metrics: { 'val-aux/task/exact/mean@4': quarter }, config })).toEqual([])
    expect(seen(meanImpossible, { metrics: { [EXACT]: quarter }, config })).toHaveLength(1)
    expect(look(meanImpossible, { metrics: { 'val-aux/task/exact/best@4/mean': quarter }, config }).notChecked).toEqual(
      ['mean-impossible.cannot.unknown'],
    )
  })

  it('blames the stated size when most values do not fit', () => {
    const metrics = { [EXACT]: every5([0.3333, 0.6667, 0.5]) }
    expect(seen(meanImpossible, { metrics, config })[0][0]).toBe('note')
  })
})

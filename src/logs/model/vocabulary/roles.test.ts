import { describe, expect, test } from 'vitest'
import type { Config } from '../run.js'
import { detectFramework } from './detect.js'
import { vocabularyFor } from './resolve.js'
import { goalOfRun, type RunGoal, type UserGoal } from './run-goal.js'
import type { SeriesSummary } from './training-reward.js'

/** A series of five values by its mean and how far it moves; two of the same numbers are equal. */
function summary(mean = 0.5, spread = 0.2, n = 5): SeriesSummary {
  return { n, first: mean - spread, last: mean + spread, min: mean - spread, max: mean + spread, sum: n * mean }
}

type Names = { readonly [metric: string]: SeriesSummary | undefined }

/** Series without a summary of their own all differ. */
function goalIn(names: Names | readonly string[], config: Config = {}, wish: UserGoal | null = null): RunGoal {
  const listed: Names = Array.isArray(names)
    ? Object.fromEntries(names.map(name => [name, undefined]))
    : (names as Names)
  const metrics = new Map(
    Object.entries(listed).map(([name, given], i) => [name, given ?? summary(0.3 + i / 50, 0.1 + i / 300)]),
  )
  const framework = detectFramework(metrics.keys(), Object.keys(config))
  const { read } = vocabularyFor({ framework })
  return goalOfRun({ metrics, read, framework, config }, wish)
}

function roles({ series }: RunGoal): { readonly [metric: string]: string } {
  return Object.fromEntries(series.map(({ metric, role }) => [metric, role]))
}

const judges = ({ yardsticks }: RunGoal): readonly string[] => yardsticks.map(({ metric }) => metric)
const paid = ({ optimised }: RunGoal): readonly string[] => optimised.map(({ metric }) => metric)

const TRL = ['loss', 'grad_norm', 'learning_rate', 'completions/mean_length', 'reward', 'reward_std']
const VERL = ['actor/pg_loss', 'actor/kl_loss', 'critic/score/mean', 'critic/rewards/mean', 'response_length/mean']

describe('TRL', () => {
  test('a reward that only validation knows is the yardstick, whatever it is called', () => {
    for (const name of ['gold', 'quality', 'x']) {
      const found = goalIn([
        ...TRL,
        'rewards/reward_model/mean',
        'eval_reward',
        'eval_rewards/reward_model/mean',
        `eval_rewards/${name}/mean`,
      ])
      expect(roles(found)).toEqual({
        eval_reward: 'optimised',
        'eval_rewards/reward_model/mean': 'optimised',
        [`eval_rewards/${name}/mean`]: 'independent',
      })
      expect(judges(found)).toEqual([`eval_rewards/${name}/mean`])
      expect(paid(found)).toEqual(['eval_reward'])
      expect(found.rewardKind.kind).toBe('learned')
    }
  })

  test('one that equals what is paid is what is paid, and keeps its name', () => {
    const same = summary()
    const found = goalIn({
      reward: undefined,
      'rewards/reward_model/mean': undefined,
      eval_reward: same,
      'eval_rewards/reward_model/mean': same,
      'eval_rewards/gold/mean': same,
    })
    expect(roles(found)['eval_rewards/gold/mean']).toBe('optimised')
    expect(judges(found)).toEqual(['eval_rewards/gold/mean'])
    expect(paid(found)).toEqual([])
  })

  test('parts of a reward are parts, and their sum is the yardstick', () => {
    const found = goalIn([
      ...TRL,
      'rewards/accuracy/mean',
      'rewards/format/mean',
      'eval_reward',
      'eval_rewards/accuracy/mean',
      'eval_rewards/format/mean',
      'eval_rewards/format/std',
    ])
    expect(roles(found)).toEqual({
      eval_reward: 'optimised',
      'eval_rewards/accuracy/mean': 'part',
      'eval_rewards/format/mean': 'part',
    })
    expect(judges(found)).toEqual(['eval_reward'])
    expect(found.rewardKind.kind).toBe('composite')
  })

  const weighted = (reward: number): Names => ({
    reward: summary(reward),
    'rewards/judge/mean': summary(0.4),
    'rewards/correct/mean': summary(0.7),
    eval_reward: undefined,
    'eval_rewards/judge/mean': undefined,
    'eval_rewards/correct/mean': undefined,
  })

  test('a part of weight 0 is independent where the parts add up to the reward', () => {
    const found = goalIn(weighted(0.4), { reward_weights: [1, 0], beta: 0, num_generations: 8 })
    expect(roles(found)['eval_rewards/correct/mean']).toBe('independent')
    expect(roles(found)['eval_rewards/judge/mean']).toBe('optimised')
    expect(judges(found)).toEqual(['eval_rewards/correct/mean'])
  })

  test('weights in an order that does not add up are not believed', () => {
    const found = goalIn(weighted(0.7), { reward_weights: [1, 0], beta: 0, num_generations: 8 })
    expect(roles(found)['eval_rewards/correct/mean']).toBe('part')
  })

  test('named reward functions say which weight is whose', () => {
    const config = { reward_weights: [1, 0], reward_funcs: ['correct', 'judge'], num_generations: 8 }
    expect(roles(goalIn(weighted(0.7), config))['eval_rewards/judge/mean']).toBe('independent')
  })

  test('a run that was trained on labels is judged by its loss, one with a reward is not', () => {
    expect(judges(goalIn(['loss', 'learning_rate', 'eval_loss', 'eval_runtime']))).toEqual(['eval_loss'])
    expect(judges(goalIn([...TRL, 'eval_loss']))).toEqual([])
    expect(judges(goalIn(['loss', 'eval_loss', 'eval_accuracy']))).toEqual(['eval_accuracy'])
  })
})

describe('klens', () => {
  const SELECTOR = ['kl.ref', 'loss.policy', 'reward.mean', 'val.score', 'val.score.hard', 'val.reward']

  test('the score of the task is independent where a reward model pays, and what is optimised where the task pays', () => {
    const learned = goalIn(SELECTOR, { 'reward.source': 'learned' })
    expect(judges(learned)).toEqual(['val.score'])
    expect(paid(learned)).toEqual(['val.reward'])
    expect(learned.rewardKind.kind).toBe('learned')
    const paidByTask = goalIn(SELECTOR.slice(0, -1), { 'reward.source': 'task' })
    expect(roles(paidByTask)).toMatchObject({ 'val.score': 'optimised' })
  })
})

describe('verl', () => {
  test.each([
    ['val-core/gsm8k/acc/mean@1', 'val-aux/gsm8k/reward/mean@1'],
    ['val-core/gsm8k/acc/mean_1', 'val-aux/gsm8k/reward/mean_1'],
    ['val-core/gsm8k/acc/mean_at_1', 'val-aux/gsm8k/reward/mean_at_1'],
    ['val_core_gsm8k_acc_mean_1', 'val_aux_gsm8k_reward_mean_1'],
    ['val-aux/gsm8k/acc/mean@1', 'val-core/gsm8k/reward/mean@1'],
    ['val-core/gsm8k/gold/mean@1', 'val-core/gsm8k/reward/mean@1'],
  ])('accuracy beside the reward is independent: %s', (acc, reward) => {
    const found = goalIn([...VERL, acc, reward])
    expect(roles(found)).toEqual({ [acc]: 'independent', [reward]: 'optimised' })
    expect(found.yardsticks[0]).toMatchObject({ metric: acc, dataset: 'gsm8k', goal: 'max' })
    expect(paid(found)).toEqual([reward])
  })

  test.each([summary(0.6, 0.1), { n: 5, first: 0, last: 0.4, min: 0, max: 0.4, sum: 1 }])(
    'accuracy that is paid is optimised by a rule',
    reward => {
      const acc = { ...summary(0.6, 0.1) }
      const from = reward.first === 0 ? { n: 5, first: 0.5, last: 0.7, min: 0.5, max: 0.7, sum: 3 } : acc
      const found = goalIn({
        ...Object.fromEntries(VERL.map(name => [name, undefined])),
        'val-core/math/acc/mean@4': from,
        'val-aux/math/reward/mean@4': reward,
      })
      expect(roles(found)['val-core/math/acc/mean@4']).toBe('optimised')
      expect(judges(found)).toEqual(['val-core/math/acc/mean@4'])
      expect(found.rewardKind.kind).toBe('rule')
    },
  )

  test('the reward alone is optimised; what else its function returns is no yardstick', () => {
    const found = goalIn([...VERL, 'val-core/addition/reward/mean@1', 'val-aux/addition/exact/mean@1'])
    expect(judges(found)).toEqual(['val-core/addition/reward/mean@1'])
    expect(roles(found)['val-aux/addition/exact/mean@1']).toBe('part')
    expect(found.rewardKind.kind).toBe('unknown')
    const learned = { 'reward_model.enable': true }
    expect(goalIn([...VERL, 'val-core/x/reward/mean@1'], learned).rewardKind.kind).toBe('learned')
  })

  test('every data set has its yardstick, in an order that no tracker changes', () => {
    const names = ['val-core/openai/gsm8k/reward/mean@1', 'val-core/aime_2024/reward/mean@32']
    const flat = names.map(name => name.replace('@', '_'))
    for (const order of [names, names.toReversed()]) {
      expect(judges(goalIn([...VERL, ...order]))).toEqual(['val-core/aime_2024/reward/mean@32', names[0]])
    }
    expect(judges(goalIn([...VERL, ...flat]))).toEqual([flat[1], flat[0]])
    expect(goalIn([...VERL, ...flat]).yardsticks.map(({ dataset }) => dataset)).toEqual(['aime_2024', 'openai/gsm8k'])
  })

  test('a mean speaks before a vote and a best of n, more repeats before fewer', () => {
    const names = ['best@8/mean', 'maj@8/mean', 'mean@4', 'mean@8'].map(name => `val-core/x/acc/${name}`)
    expect(judges(goalIn([...VERL, ...names]))).toEqual(['val-core/x/acc/mean@8'])
  })
})

describe('other trainers', () => {
  test('OpenRLHF computes pass@k from the reward it trains on', () => {
    const names = ['train/policy_loss', 'train/reward', 'train/return', 'train/ppo_clip_ratio', 'eval/eval_gsm8k_pass1']
    const found = goalIn([...names, 'eval/eval_gsm8k_pass4'])
    expect(judges(found)).toEqual(['eval/eval_gsm8k_pass1'])
    expect(found.yardsticks[0]).toMatchObject({ role: 'optimised', dataset: 'gsm8k' })
  })

  test("klens' own score is what it pays, by a rule", () => {
    const found = goalIn(['reward.mean', 'score.mean', 'kl.ref', 'val.score', 'val.loss'])
    expect(roles(found)).toEqual({ 'val.score': 'optimised', 'val.loss': 'loss' })
  })

  test('Lever-Plus is judged by its accuracy', () => {
    const found = goalIn(['mean_ratio', 'max_advantage', 'reward_mean', 'kl', 'val_loss', 'accuracy'], {
      rce_epochs: 5,
    })
    expect(roles(found)).toEqual({ val_loss: 'loss', accuracy: 'independent' })
    expect(judges(found)).toEqual(['accuracy'])
  })

  test.each([
    [['reward', 'val/score'], 'optimised'],
    [['reward', 'val/reward'], 'optimised'],
    [['reward', 'eval/exact_match'], 'independent'],
    [['reward', 'train/accuracy', 'eval/accuracy'], 'part'],
    [['loss', 'train/accuracy', 'eval/accuracy'], 'independent'],
    [['loss', 'eval/score'], 'independent'],
    [['reward', 'eval/error_rate'], 'independent'],
    [['reward', 'val/ndcg@10'], 'unknown'],
    [['奖励', '验证集 Reward'], 'optimised'],
    [['奖励', '验证集准确率'], 'independent'],
  ])('a log of its own with %j: %s', (names, role) => {
    const found = goalIn(names)
    expect(found.series.at(-1)?.role).toBe(role)
    expect(judges(found)).toEqual(role === 'unknown' ? [] : names.slice(-1))
  })
})

describe('the goal that the user set', () => {
  const names = [...VERL, 'val-core/a/acc/mean_1', 'val-aux/a/reward/mean_1', 'val-aux/a/exact/mean_1', 'brevity']

  test('is found in the names of every tracker', () => {
    const found = goalIn(names, {}, { metric: 'val-aux/a/exact/mean@1', goal: null })
    expect(judges(found)).toEqual(['val-aux/a/exact/mean_1'])
    expect(found).toMatchObject({ source: 'user' })
    expect(paid(found)).toEqual(['val-aux/a/reward/mean_1'])
  })

  test('may be any metric, with its direction', () => {
    const found = goalIn(names, {}, { metric: 'brevity', goal: 'min' })
    expect(found.yardsticks).toMatchObject([{ metric: 'brevity', goal: 'min', reason: { key: 'role.set-by-user' } }])
  })

  test('leaves runs without it to their log', () => {
    expect(goalIn(names, {}, { metric: 'elsewhere', goal: null })).toMatchObject({ source: 'log' })
  })
})

test('a framework that validates its reward has no independent judge in it, whatever the score is called', () => {
  const found = goalIn([
    'trainer/global_step',
    'policy/policy_loss',
    'reward/avg_raw_reward',
    'eval/gsm8k/avg_score',
    'eval/gsm8k/pass_at_4',
  ])
  expect(new Set(Object.values(roles(found)))).toEqual(new Set(['optimised']))
})

test('preference training is judged by the held-out pairs that it ranks right, never by those of its own batch', () => {
  const found = goalIn([
    'loss',
    'grad_norm',
    'learning_rate',
    'rewards/chosen',
    'rewards/accuracies',
    'eval_rewards/chosen',
    'eval_rewards/accuracies',
  ])
  expect(roles(found)).toEqual({ 'eval_rewards/accuracies': 'optimised' })
  expect(judges(found)).toEqual(['eval_rewards/accuracies'])
})

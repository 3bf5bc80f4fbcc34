import { describe, expect, it } from 'vitest'
import type { Json } from '../../../logs/model/json.js'
import type { Config } from '../../../logs/model/run.js'
import { effectiveKl } from '../../../logs/model/vocabulary/effective-kl.js'
import type { Framework } from '../../../logs/model/vocabulary/framework.js'
import { settingsOf } from '../../../logs/model/vocabulary/settings.js'
import { encode } from '../../../text/encode.js'
import { objectiveCard } from './card.js'

/** As `show` asks: a config as it was logged, and the version where the log tells one. */
function cardOf(framework: Framework, config: Config, version: string | null = null) {
  const settings = new Map(settingsOf(config, framework).map(setting => [setting.key, setting.configured] as const))
  const card = objectiveCard({
    framework,
    version,
    config,
    setting: canonical => settings.get(canonical),
    kl: effectiveKl(config, framework),
    isKlens: framework === 'klens',
  })
  return encode(card, 'en')
}

function known<T>(card: T | null): T {
  if (card === null) throw new Error('there is no card')
  return card
}

const ACTOR = 'actor_rollout_ref.actor'
const VERL: Config = {
  'algorithm.adv_estimator': 'grpo',
  'algorithm.norm_adv_by_std_in_grpo': true,
  'algorithm.use_kl_in_reward': false,
  'algorithm.kl_penalty': 'kl',
  'algorithm.kl_ctrl.kl_coef': 0.001,
  'algorithm.gamma': 1,
  'algorithm.lam': 1,
  [`${ACTOR}.use_kl_loss`]: true,
  [`${ACTOR}.kl_loss_coef`]: 0.01,
  [`${ACTOR}.kl_loss_type`]: 'low_var_kl',
  [`${ACTOR}.clip_ratio`]: 0.2,
  [`${ACTOR}.clip_ratio_low`]: 0.2,
  [`${ACTOR}.clip_ratio_high`]: 0.2,
  [`${ACTOR}.clip_ratio_c`]: 3,
  [`${ACTOR}.loss_agg_mode`]: 'seq-mean-token-mean',
  [`${ACTOR}.entropy_coeff`]: 0,
  [`${ACTOR}.ppo_epochs`]: 1,
  [`${ACTOR}.ppo_mini_batch_size`]: 64,
  'data.train_batch_size': 64,
  'actor_rollout_ref.rollout.n': 8,
}
const NO_KL = { [`${ACTOR}.use_kl_loss`]: false }

function verl(changes: { readonly [key: string]: Json } = {}, version: string | null = null) {
  return known(cardOf('verl', { ...VERL, ...changes }, version))
}

describe('the name of an objective', () => {
  it.each([
    ['GRPO', {}],
    [
      'Dr. GRPO',
      { ...NO_KL, 'algorithm.norm_adv_by_std_in_grpo': false, [`${ACTOR}.loss_agg_mode`]: 'seq-mean-token-sum-norm' },
    ],
    [
      'DAPO',
      {
        ...NO_KL,
        [`${ACTOR}.loss_agg_mode`]: 'token-mean',
        [`${ACTOR}.clip_ratio_high`]: 0.28,
        'algorithm.filter_groups.enable': true,
        'reward_model.reward_kwargs.overlong_buffer_cfg.enable': true,
      },
    ],
    [
      'GSPO',
      {
        ...NO_KL,
        [`${ACTOR}.policy_loss.loss_mode`]: 'gspo',
        [`${ACTOR}.clip_ratio_low`]: 3e-4,
        [`${ACTOR}.clip_ratio_high`]: 4e-4,
      },
    ],
    ['CISPO', { ...NO_KL, [`${ACTOR}.policy_loss.loss_mode`]: 'cispo', [`${ACTOR}.loss_agg_mode`]: 'token-mean' }],
    ['GMPO', { ...NO_KL, [`${ACTOR}.policy_loss.loss_mode`]: 'geo_mean' }],
    ['PPO', { ...NO_KL, 'algorithm.adv_estimator': 'gae' }],
    [
      'RLOO',
      {
        ...NO_KL,
        'algorithm.adv_estimator': 'rloo',
        'algorithm.use_kl_in_reward': true,
        [`${ACTOR}.loss_agg_mode`]: 'seq-mean-token-sum',
      },
    ],
    ['REINFORCE++', { ...NO_KL, 'algorithm.adv_estimator': 'reinforce_plus_plus', 'algorithm.use_kl_in_reward': true }],
    [
      'REINFORCE++-baseline',
      { 'algorithm.adv_estimator': 'reinforce_plus_plus_baseline', [`${ACTOR}.kl_loss_type`]: 'mse' },
    ],
    ['ReMax', { ...NO_KL, 'algorithm.adv_estimator': 'remax' }],
    ['OPO', { ...NO_KL, 'algorithm.adv_estimator': 'opo' }],
    ['GPG', { ...NO_KL, 'algorithm.adv_estimator': 'gpg', [`${ACTOR}.policy_loss.loss_mode`]: 'gpg' }],
  ] as const)('is %s where all that defines it is set so', (name, changes) => {
    expect(verl(changes)).toMatchObject({ paper: name, name })
  })

  it.each([
    ['GRPO with token-mean aggregation', { [`${ACTOR}.loss_agg_mode`]: 'token-mean' }],
    ['GRPO with no KL', NO_KL],
    ['GRPO with clip-higher (0.2/0.28)', { [`${ACTOR}.clip_ratio_high`]: 0.28 }],
    ['GRPO with k2 in the loss', { [`${ACTOR}.kl_loss_type`]: 'k2' }],
    [
      'GRPO with no division by the group’s std, k1 in the reward',
      { ...NO_KL, 'algorithm.use_kl_in_reward': true, 'algorithm.norm_adv_by_std_in_grpo': false },
    ],
    ['GRPO with KL in the loss and in the reward', { 'algorithm.use_kl_in_reward': true }],
    ['GRPO with the sapo loss, no KL', { ...NO_KL, [`${ACTOR}.policy_loss.loss_mode`]: 'sapo' }],
    ['GRPO with one response per prompt', { 'actor_rollout_ref.rollout.n': 1 }],
    [
      'CISPO with k3 in the loss',
      { [`${ACTOR}.policy_loss.loss_mode`]: 'cispo', [`${ACTOR}.loss_agg_mode`]: 'token-mean' },
    ],
    [
      'ReMax with 4 clipped updates per batch',
      { ...NO_KL, 'algorithm.adv_estimator': 'remax', 'data.train_batch_size': 256 },
    ],
    ['PPO with k1 in the reward', { ...NO_KL, 'algorithm.adv_estimator': 'gae', 'algorithm.use_kl_in_reward': true }],
    [
      'policy gradient with optimal_token_baseline advantages',
      { ...NO_KL, 'algorithm.adv_estimator': 'optimal_token_baseline' },
    ],
  ] as const)('says what differs: %s', (name, changes) => {
    expect(verl(changes)).toMatchObject({ paper: null, name })
  })

  it('is not given where a log keeps only the KL settings, whose gradient is still said', () => {
    const kept = Object.entries(VERL).filter(([key]) => key.includes('kl_loss'))
    expect(known(cardOf('verl', Object.fromEntries(kept)))).toMatchObject({
      name: 'unknown policy gradient with k3 in the loss',
      loss: 'mean[L(r, A)] + 0.01·mean[k3] − c·H?',
      seeds: [],
      kl: [{ gradient: 'biased' }],
    })
    expect(cardOf('verl', { 'data.train_files': 'a.parquet', 'optim.lr': 1e-4 })).toBeNull()
  })

  it('is not given where the config leaves a part open', () => {
    const { [`${ACTOR}.loss_agg_mode`]: _, ...rest } = VERL
    const card = known(cardOf('verl', rest))
    expect(card).toMatchObject({ paper: null, name: 'GRPO, as far as the config says', aggregation: null })
    expect(card.unknown).toContain('how losses are aggregated')
    expect(card.loss).toContain('mean[max')
  })
})

describe('the KL of an objective', () => {
  it('is taken from where it acts, with this run’s figures in the loss', () => {
    const card = verl()
    expect(card.loss).toBe('seq-mean-token-mean[max(−A·r, −A·clip(r, 1±0.2))] + 0.01·seq-mean-token-mean[k3]')
    expect(card.kl).toMatchObject([
      { place: 'loss', coefficient: 0.01, estimator: 'k3', weight: 'none', gradient: 'biased' },
    ])
  })

  it.each([
    ['kl', 'none'],
    ['k1', 'none'],
    ['mse', 'right'],
    ['low_var_kl', 'biased'],
    ['abs', 'biased'],
  ])('of verl in the loss by %s: %s', (type, gradient) => {
    expect(verl({ [`${ACTOR}.kl_loss_type`]: type }).kl?.[0]).toMatchObject({ gradient })
  })

  it('with a plus is right from verl 0.8 on, stops before, and depends on the release where none is known', () => {
    const plus = { [`${ACTOR}.kl_loss_type`]: 'low_var_kl+' }
    expect(verl(plus, '0.8.0').kl?.[0]).toMatchObject({ estimator: 'k3+', gradient: 'right' })
    const before = verl(plus, '0.7.1').kl?.[0]
    expect(before?.gradient).toBeNull()
    expect(before?.reasons.join()).toContain('NotImplementedError')
    expect(verl(plus).unknown.join()).toContain('before 0.8')
  })

  it('says where later updates on a batch make the term stale', () => {
    expect(verl({ 'data.train_batch_size': 256 }).kl?.[0].reasons.join()).toContain('second of 4 updates')
    expect(verl().kl?.[0].reasons).toHaveLength(1)
  })

  it('in the reward is right by k1 alone, and scaled with the rewards of the group', () => {
    const inReward = { ...NO_KL, 'algorithm.use_kl_in_reward': true }
    const card = verl(inReward)
    expect(card.kl?.[0]).toMatchObject({ place: 'reward', estimator: 'k1', coefficient: 0.001, gradient: 'right' })
    expect(card.kl?.[0].reasons.join()).toContain('group’s std')
    expect(verl({ ...inReward, 'algorithm.kl_penalty': 'low_var_kl' }).kl?.[0].gradient).toBe('biased')
  })
})

const TRL: Config = {
  beta: 0.04,
  use_bias_correction_kl: false,
  loss_type: 'grpo',
  num_generations: 8,
  epsilon: 0.2,
  scale_rewards: 'group',
  num_iterations: 1,
  steps_per_generation: 4,
  gradient_accumulation_steps: 4,
  entropy_coef: 0,
  seed: 42,
}

describe('TRL', () => {
  it('has k3 in the loss, right only with the ratio', () => {
    expect(known(cardOf('trl', TRL))).toMatchObject({ paper: 'GRPO', updates: 1 })
    const corrected = known(cardOf('trl', { ...TRL, use_bias_correction_kl: true }))
    expect(corrected.kl).toMatchObject([{ weight: 'ratio', gradient: 'right' }])
    expect(corrected.loss).toContain('[r·k3]')
    const sequence = known(
      cardOf('trl', { ...TRL, use_bias_correction_kl: true, importance_sampling_level: 'sequence' }),
    )
    expect(sequence.kl).toMatchObject([{ weight: 'sequence', gradient: 'biased' }])
  })

  it('multiplies k3 by the ratio or not by a default that changed: without a version, it is not known', () => {
    const { use_bias_correction_kl: _, ...rest } = TRL
    expect(known(cardOf('trl', rest, '0.25.1')).kl).toMatchObject([{ weight: 'none', gradient: 'biased' }])
    const unknown = known(cardOf('trl', rest))
    expect(unknown).toMatchObject({ paper: null, kl: [{ weight: null, gradient: null }] })
    expect(unknown.unknown.join()).toContain('use_bias_correction_kl')
  })

  it('prints a loss of 0 where the ratio is 1 and beta is 0, and beta times the KL where it is not', () => {
    expect(known(cardOf('trl', { ...TRL, beta: 0 })).normal[0]).toContain('loss prints about 0')
    expect(known(cardOf('trl', TRL)).normal[0]).toContain('0.04 times the KL')
    expect(known(cardOf('trl', { ...TRL, loss_type: 'dapo' })).normal[0]).toContain('weighted by length')
    expect(known(cardOf('trl', { ...TRL, num_iterations: 2 })).normal.join()).not.toContain('near 0')
  })

  it('answers for verl’s own names: the policy loss without the KL, and a KL that is logged at coefficient 0', () => {
    expect(verl().normal[0]).toBe(
      'the logged actor/pg_loss prints about 0 from start to end: the ratio is 1 and the advantages of a group sum to 0. The gradient is not 0: watch the gradient norm and the reward',
    )
    expect(verl(NO_KL).normal.join()).toContain('no KL to the reference is logged')
    const zero = verl({ [`${ACTOR}.kl_loss_coef`]: 0 })
    expect(zero.kl).toEqual([])
    expect(zero.normal.join()).toContain('actor/kl_loss begins at about 0')
  })

  it('does not guess a beta that the config lacks: its default changed', () => {
    const { beta: _, ...rest } = TRL
    expect(known(cardOf('trl', rest))).toMatchObject({ kl: null, paper: null })
  })

  it('has no card for a training without a policy gradient', () => {
    expect(cardOf('trl', { beta: 0.1, loss_type: 'sigmoid', learning_rate: 1e-6 })).toBeNull()
  })

  it('puts the KL of RLOO into the reward', () => {
    const card = known(
      cardOf('trl', {
        beta: 0.05,
        num_generations: 2,
        epsilon: 0.2,
        normalize_advantages: false,
        reward_clip_range: null,
        num_iterations: 1,
      }),
    )
    expect(card).toMatchObject({ paper: 'RLOO', kl: [{ place: 'reward', estimator: 'k1', gradient: 'right' }] })
  })
})

const LANGUAGE: Config = {
  task: 'intention',
  seed: 1,
  'kl.loss.coef': 0.1,
  'kl.loss.estimator': 'k3+',
  'kl.reward.coef': 0,
  'adv.scale': true,
  'credit.turn': 'equal',
  'clip.low': 0.2,
  'clip.high': 0.2,
  'clip.dual': 3,
  'clip.ratio': 'token',
  'loss.aggregation': 'token-mean',
  'entropy.coef': 0,
  'batch.prompts': 8,
  'epochs.inner': 1,
  'group.size': 6,
}

describe('other frameworks', () => {
  const OPENRLHF: Config = {
    'algo.advantage.estimator': 'group_norm',
    'algo.kl.init_coef': 0.01,
    'algo.kl.use_loss': true,
    'algo.kl.estimator': 'k2',
    'rollout.n_samples_per_prompt': 8,
    'rollout.batch_size': 128,
    'train.batch_size': 1024,
    'train.max_epochs': 1,
    'actor.eps_clip': 0.2,
    'train.seed': 42,
  }

  it('reads OpenRLHF’s one estimator where it acts', () => {
    const card = known(cardOf('openrlhf', OPENRLHF))
    expect(card).toMatchObject({ name: 'GRPO with token-mean aggregation, k2 in the loss', updates: 1 })
    expect(card.kl).toMatchObject([{ place: 'loss', estimator: 'k2', gradient: 'right' }])
    const inReward = known(cardOf('openrlhf', { ...OPENRLHF, 'algo.kl.use_loss': false, 'algo.kl.estimator': 'k1' }))
    expect(inReward.kl).toMatchObject([{ place: 'reward', estimator: 'k1', gradient: 'right' }])
  })

  it.each([
    ['0.6.0', 'k1', 'none'],
    ['0.6.0', 'k2', 'right'],
    ['0.6.0', 'k3', 'biased'],
    ['0.7.0', 'k1', 'right'],
    ['0.7.0', 'k2', 'biased'],
    ['0.7.0', 'k3', 'right'],
  ])('knows what NeMo-RL %s does with %s: %s', (version, type, gradient) => {
    const config: Config = {
      'loss_fn.reference_policy_kl_penalty': 0.01,
      'loss_fn.reference_policy_kl_type': type,
      'loss_fn.ratio_clip_min': 0.2,
      'loss_fn.ratio_clip_max': 0.2,
      'loss_fn.token_level_loss': true,
      'grpo.num_prompts_per_step': 32,
      'grpo.num_generations_per_prompt': 16,
      'grpo.normalize_rewards': true,
      'policy.train_global_batch_size': 512,
    }
    expect(known(cardOf('nemo-rl', config, version)).kl?.[0].gradient).toBe(gradient)
    const unknown = known(cardOf('nemo-rl', config))
    expect(unknown.kl?.[0].gradient).toBeNull()
    expect(unknown.unknown.join()).toContain('#2506')
  })

  it('reads UserRL as GRPO with turn-level credit', () => {
    const turns = { 'actor_rollout_ref.rollout.multi_turn.turn_level_method': 'Equalized' }
    expect(verl({ ...turns, ...NO_KL, 'algorithm.adv_estimator': 'grpo_multiturn' }).name).toBe(
      'GRPO with turn-level credit (equalized), no KL',
    )
  })

  it('says of klens’s own language model what its settings do', () => {
    const card = known(cardOf('klens', LANGUAGE))
    expect(card.name).toBe('GRPO with token-mean aggregation, k3+ in the loss')
    const weighed = { ...LANGUAGE, 'kl.loss.estimator': 'k3', 'kl.loss.bias_correction': true, 'ref.sync.steps': 50 }
    expect(known(cardOf('klens', weighed))).toMatchObject({ kl: [{ weight: 'ratio', gradient: 'right' }] })
    expect(known(cardOf('klens', weighed)).normal.join()).toContain('every 50 steps')
    expect(known(cardOf('klens', { ...LANGUAGE, 'kl.loss.coef': 0, 'loss.type': 'cispo' })).paper).toBe('CISPO')
    expect(known(cardOf('klens', { ...LANGUAGE, 'kl.loss.estimator': 'forward' })).kl?.[0].gradient).toBe('biased')
    expect(card.kl).toMatchObject([{ estimator: 'k3+', gradient: 'right' }])
    expect(card.stays).toEqual([])
  })

  it('survives words that no framework has', () => {
    for (const word of ['constructor', '__proto__', 'toString', '', '[object Object]', '\u0000']) {
      const names = [
        'algorithm.adv_estimator',
        `${ACTOR}.policy_loss.loss_mode`,
        `${ACTOR}.kl_loss_type`,
        `${ACTOR}.loss_agg_mode`,
      ]
      for (const key of names) expect(() => verl({ [key]: word })).not.toThrow()
      expect(() => cardOf('trl', { ...TRL, loss_type: word, scale_rewards: word })).not.toThrow()
      expect(() =>
        cardOf('openrlhf', { ...OPENRLHF, 'algo.advantage.estimator': word, 'actor.eps_clip_low_high': word }),
      ).not.toThrow()
    }
    expect(verl({ 'algorithm.adv_estimator': 'constructor', ...NO_KL }).name).toBe(
      'policy gradient with constructor advantages',
    )
    expect(known(cardOf('openrlhf', { ...OPENRLHF, 'actor.eps_clip_low_high': [0.2, 0.28] })).clip).toEqual({
      low: 0.2,
      high: 0.28,
    })
  })

  it('has no card where the loss of a framework was not read', () => {
    expect(cardOf('cleanrl', { clip_coef: 0.2 })).toBeNull()
  })
})

describe('seeds', () => {
  it('of verl act on what their switches let them', () => {
    const seeds = verl(
      { 'data.seed': null, [`${ACTOR}.data_loader_seed`]: 42, [`${ACTOR}.shuffle`]: false },
      '0.7.1',
    ).seeds
    expect(seeds).toMatchObject([
      { key: 'data.seed', value: null, acts: false },
      { key: `${ACTOR}.data_loader_seed`, value: 42, acts: false },
    ])
    expect(seeds[0].what).toContain('same order')
    expect(verl({ 'data.seed': 7 }).seeds[0]).toMatchObject({ value: 7, acts: true })
  })
})

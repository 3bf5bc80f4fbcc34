import { describe, expect, test } from 'vitest'
import type { Config } from '../run.js'
import type { Framework } from './framework.js'
import { settingsOf, validationSize } from './settings.js'
import { parseUserVocabulary } from './user.js'

function setting(key: string, config: Config, framework: Framework | null) {
  return settingsOf(config, framework).find(found => found.key === key)
}

const ACTOR = 'actor_rollout_ref.actor'

describe('finding a setting', () => {
  test.each([
    ['verl', 'actor_rollout_ref.actor.kl_loss_coef', 'kl.loss.coef'],
    ['verl', 'actor.kl_loss_coef', 'kl.loss.coef'],
    ['verl', 'kl_loss_coef', 'kl.loss.coef'],
    ['verl', 'config.actor_rollout_ref.actor.kl_loss_coef', 'kl.loss.coef'],
    ['verl', '++actor_rollout_ref.actor.kl_loss_coef', 'kl.loss.coef'],
    ['verl', 'rollout.n', 'group.size'],
    ['verl', 'critic.optim.lr', 'lr.critic'],
    ['trl', 'args.beta', 'kl.loss.coef'],
    ['trl', 'epsilon_high', 'clip.high'],
    ['openrlhf', '--algo.kl.init_coef', 'kl.reward.coef'],
    ['openrlhf', 'actor_learning_rate', 'lr'],
    ['lever-plus', 'KL_BETA', 'kl.loss.coef'],
    ['lever-plus', 'USE_RANK_ADVANTAGE', 'adv.rank'],
    ['lever-plus', 'GRPO_LR', 'lr'],
    ['lever-plus', 'GRPO LR', 'lr'],
    [null, 'KL_BETA', 'kl.loss.coef'],
    [null, 'Entropy Coeff', 'entropy.coef'],
    [null, 'Rollout N', 'group.size'],
    [null, '学习率调度', 'lr.schedule'],
    [null, '训练步数', 'steps'],
    ['klens', 'kl.loss.coef', 'kl.loss.coef'],
  ] as const)('in a config of %s, %s is %s', (framework, rawKey, key) => {
    expect(setting(key, { [rawKey]: 0.5 }, framework)).toMatchObject({ rawKey, configured: 0.5 })
  })

  test('a word that could be anything is not taken for a setting of another framework', () => {
    expect(settingsOf({ epsilon: 1e-8, delta: 3 }, null)).toEqual([])
    expect(settingsOf({ 'lab.kl_coef': 1, 'critic.optim.lr_warmup_steps': 5 }, null)).toEqual([])
  })

  test('the key that says it best wins over shorter and foreign ones', () => {
    const config = { lr: 1, 'actor.optim.lr': 2, 'actor_rollout_ref.actor.optim.lr': 3 }
    expect(setting('lr', config, 'verl')).toMatchObject({ configured: 3 })
  })

  test('the user’s own keys come first, and new ones at the end', () => {
    const { vocabulary } = parseUserVocabulary('config:\n  kl.loss.coef: [penalty]\n  judge: [judge_model]')
    const settings = settingsOf({ judge_model: 'x', beta: 0.1, penalty: 0.2, num_generations: 4 }, 'trl', vocabulary)
    expect(settings.map(({ key, configured }) => [key, configured])).toEqual([
      ['kl.loss.coef', 0.2],
      ['group.size', 4],
      ['judge', 'x'],
    ])
  })

  test('settings come in one order, whatever the order of the config', () => {
    const config = { seed: 1, 'trainer.test_freq': 5, [`${ACTOR}.optim.lr`]: 1e-6, [`${ACTOR}.use_kl_loss`]: true }
    const keys = settingsOf(config, 'verl').map(({ key }) => key)
    expect(keys).toEqual(['kl.loss.on', 'kl.loss.coef', 'kl.reward.on', 'lr', 'seed', 'eval.every'])
    const reversed = Object.fromEntries(Object.entries(config).toReversed())
    expect(settingsOf(reversed, 'verl').map(({ key }) => key)).toEqual(keys)
  })

  test('values lose the spelling of their source, but what was written is kept', () => {
    expect(setting('lr', { GRPO_LR: '5e-6' }, 'lever-plus')).toMatchObject({ configured: '5e-6', effective: 5e-6 })
    expect(setting('adv.rank', { USE_RANK_ADVANTAGE: 'False' }, 'lever-plus')?.effective).toBe(false)
  })
})

describe('what takes effect', () => {
  test('a KL coefficient without its flag is 0, and the flag is named', () => {
    const config = { [`${ACTOR}.kl_loss_coef`]: 0.01, [`${ACTOR}.use_kl_loss`]: 'False' }
    expect(setting('kl.loss.coef', config, 'verl')).toMatchObject({
      key: 'kl.loss.coef',
      rawKey: `${ACTOR}.kl_loss_coef`,
      configured: 0.01,
      effective: 0,
      reason: { key: 'setting.kl-flag-off', params: { flag: 'use_kl_loss' } },
    })
    expect(setting('kl.loss.on', config, 'verl')).toMatchObject({ effective: false, reason: null })
  })

  test('the estimator of a KL that is off has no effect', () => {
    const config = { [`${ACTOR}.kl_loss_type`]: 'low_var_kl', [`${ACTOR}.use_kl_loss`]: false }
    expect(setting('kl.loss.estimator', config, 'verl')).toMatchObject({ effective: null })
  })

  test('a default is told only for the KL, as one: nothing configured, the effect, the reason', () => {
    const settings = settingsOf({ [`${ACTOR}.use_kl_loss`]: true }, 'verl').filter(({ rawKey }) => rawKey === null)
    expect(settings).toMatchObject([
      {
        key: 'kl.loss.coef',
        rawKey: null,
        configured: null,
        effective: 0.001,
        reason: { key: 'setting.default', params: { framework: 'verl', value: 0.001 } },
      },
      {
        key: 'kl.reward.on',
        rawKey: null,
        configured: null,
        effective: false,
        reason: { key: 'setting.kl-flag-missing.use_kl_in_reward', params: { flag: 'use_kl_in_reward' } },
      },
    ])
  })

  test('an empty config has no settings, not even defaults', () => {
    for (const framework of ['verl', 'trl', 'openrlhf', 'lever-plus', null] as const) {
      expect(settingsOf({}, framework)).toEqual([])
    }
  })

  test('verl’s adaptive controller is idle while the KL is not in the reward, and so are its target and horizon', () => {
    const config = {
      'algorithm.kl_ctrl.type': 'adaptive',
      'algorithm.kl_ctrl.target_kl': 0.1,
      'algorithm.kl_ctrl.horizon': 1e4,
    }
    expect(setting('kl.controller', config, 'verl')).toMatchObject({
      effective: 'fixed',
      reason: { key: 'setting.kl-controller-idle' },
    })
    expect(setting('kl.target', config, 'verl')).toMatchObject({
      effective: null,
      reason: { key: 'setting.kl-no-controller' },
    })
    expect(setting('kl.horizon', { ...config, 'algorithm.use_kl_in_reward': true }, 'verl')?.effective).toBe(1e4)
  })

  test('Lever-Plus runs its controller unless told otherwise, and the settings say so', () => {
    expect(setting('kl.loss.coef', { kl_beta: 0.1 }, 'lever-plus')).toMatchObject({
      configured: 0.1,
      effective: 0.1,
      reason: { key: 'setting.kl-initial-lever-plus' },
    })
    expect(setting('kl.controller', { kl_beta: 0.1 }, 'lever-plus')).toMatchObject({
      rawKey: null,
      effective: 'adaptive',
    })
    const disabled = { kl_beta: 0.1, disable_adaptive_kl: 'True' }
    expect(setting('kl.controller', disabled, 'lever-plus')).toMatchObject({
      configured: 'True',
      effective: 'fixed',
      reason: { key: 'setting.kl-controller.fixed' },
    })
  })

  test('Lever-Plus’s use_ppo_clip_only reads as its opposite, the KL in the loss', () => {
    expect(setting('kl.loss.on', { use_ppo_clip_only: true }, 'lever-plus')).toMatchObject({ effective: false })
    expect(setting('kl.loss.on', { use_ppo_clip_only: false }, 'lever-plus')).toMatchObject({
      effective: true,
      reason: { key: 'setting.kl-clip-only-off' },
    })
  })

  test('an entropy coefficient of 0 is off', () => {
    const found = setting('entropy.coef', { [`${ACTOR}.entropy_coeff`]: 0 }, 'verl')
    expect(found).toMatchObject({ effective: 0, reason: { key: 'setting.zero-is-off' } })
    expect(setting('entropy.coef', { [`${ACTOR}.entropy_coeff`]: 0.01 }, 'verl')?.reason).toBeNull()
  })

  test('OpenRLHF logs the entropy at 0 and is off at None', () => {
    expect(setting('entropy.coef', { 'actor.entropy_coef': 0, init_kl_coef: 0.1 }, 'openrlhf')?.reason?.key).toBe(
      'setting.entropy-only-logged',
    )
    expect(setting('entropy.coef', { 'actor.entropy_coef': 'None', init_kl_coef: 0.1 }, 'openrlhf')).toMatchObject({
      effective: 0,
      reason: { key: 'setting.zero-is-off' },
    })
  })

  test('TRL’s adaptive entropy makes the coefficient an initial value', () => {
    const config = { entropy_coef: 0.01, use_adaptive_entropy: true }
    expect(setting('entropy.coef', config, 'trl')).toMatchObject({
      effective: 0.01,
      reason: { key: 'setting.entropy-initial' },
    })
  })

  test('verl’s warm-up of −1 steps falls back to the ratio, counted where the number of steps is known', () => {
    const steps = { [`${ACTOR}.optim.lr_warmup_steps`]: -1 }
    const ratio = { ...steps, [`${ACTOR}.optim.lr_warmup_steps_ratio`]: 0.1 }
    expect(setting('lr.warmup.steps', steps, 'verl')).toMatchObject({ effective: 0 })
    expect(setting('lr.warmup.steps', ratio, 'verl')).toMatchObject({
      effective: null,
      reason: { key: 'setting.warmup-share' },
    })
    const counted = setting('lr.warmup.steps', { ...ratio, 'trainer.total_training_steps': 465 }, 'verl')
    expect(counted).toMatchObject({ effective: 46, reason: { key: 'setting.warmup-from-ratio' } })
  })

  test('a warm-up in steps makes the ratio idle, from 0 on in verl and above 0 in Hugging Face', () => {
    const verl = { [`${ACTOR}.optim.lr_warmup_steps`]: 0, [`${ACTOR}.optim.lr_warmup_steps_ratio`]: 0.1 }
    expect(setting('lr.warmup.ratio', verl, 'verl')).toMatchObject({ effective: null })
    expect(setting('lr.warmup.ratio', { warmup_steps: 0, warmup_ratio: 0.1 }, 'trl')).toMatchObject({ effective: 0.1 })
    expect(setting('lr.warmup.ratio', { warmup_steps: 10, warmup_ratio: 0.1 }, 'trl')).toMatchObject({
      effective: null,
    })
    expect(setting('lr.warmup.steps', { warmup_steps: 0, warmup_ratio: 0.03, max_steps: 110 }, 'trl')?.effective).toBe(
      4,
    )
  })

  test('verl’s two-sided clip overrules the single one, and falls back to it', () => {
    const both = { [`${ACTOR}.clip_ratio`]: 0.3, [`${ACTOR}.clip_ratio_low`]: 0.2, [`${ACTOR}.clip_ratio_high`]: 0.28 }
    expect(setting('clip.range', both, 'verl')).toMatchObject({
      effective: null,
      reason: { key: 'setting.clip-sides-win' },
    })
    const single = { [`${ACTOR}.clip_ratio`]: 0.3, [`${ACTOR}.clip_ratio_low`]: null }
    expect(setting('clip.low', single, 'verl')).toMatchObject({ configured: null, effective: 0.3 })
    expect(setting('clip.high', { epsilon: 0.2, epsilon_high: null }, 'trl')).toMatchObject({ effective: 0.2 })
  })

  test('OpenRLHF’s no_std_norm reads as its opposite, and a flag of that kind is never read in another framework', () => {
    const found = setting('adv.scale', { '--algo.advantage.no_std_norm': true }, 'openrlhf')
    expect(found).toMatchObject({ effective: false, reason: { key: 'setting.says-the-opposite' } })
    expect(
      settingsOf({ use_ppo_clip_only: true, disable_adaptive_kl: true, no_advantage_std_norm: true }, null),
    ).toEqual([])
  })

  test('TRL counts answers where others count prompts', () => {
    const config = { generation_batch_size: 8, num_generations: 4, beta: 0.04 }
    expect(setting('batch.prompts', config, 'trl')).toMatchObject({
      effective: 2,
      reason: { key: 'setting.batch-counts-answers', params: { answers: 8, size: 4 } },
    })
    expect(setting('batch.prompts', { generation_batch_size: 8, beta: 0.04 }, 'trl')).toMatchObject({ effective: 8 })
  })

  test('Lever-Plus trains one query at a time whatever the batch size', () => {
    expect(setting('batch.prompts', { kl_beta: 0.1, batch_size: 8 }, 'lever-plus')).toMatchObject({ effective: 1 })
  })

  test('klens’s own trainers have no switch for the sync of the reference: its steps say it', () => {
    const mixup = (steps: number | null) =>
      setting('ref.sync.mixup', { 'ref.sync.steps': steps, 'ref.sync.mixup': 0.3 }, 'klens')?.effective
    expect([mixup(20), mixup(null)]).toEqual([0.3, null])
  })

  test('the sync of TRL’s reference is idle unless switched on', () => {
    expect(setting('ref.sync.steps', { ref_model_sync_steps: 512 }, 'trl')).toMatchObject({ effective: null })
    expect(setting('ref.sync.steps', { ref_model_sync_steps: 512, sync_ref_model: true }, 'trl')?.effective).toBe(512)
  })
})

test('the size of a validation is believed when it is a size', () => {
  expect(validationSize({ 'data.val_size': 200 }, 'verl')).toBe(200)
  expect(validationSize({ 'data.val_size': '40' }, null)).toBe(40)
  expect(validationSize({ 'data.val_size': -1 }, 'verl')).toBeNull()
  expect(validationSize({ 'data.val_max_samples': 64 }, 'verl')).toBeNull()
})

test('klens’s own controllers stay told apart, though two of them adapt', () => {
  const rules = ['band', 'proportional', 'scheduled']
  for (const framework of ['klens', 'verl'] as const) {
    const controller = (value: string) =>
      setting('kl.controller', { 'kl.controller': value, 'kl.loss.coef': 0.1 }, framework)?.effective
    expect(rules.map(controller)).toEqual(rules)
  }
})

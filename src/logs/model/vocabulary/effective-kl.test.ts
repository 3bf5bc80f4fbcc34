import { describe, expect, test } from 'vitest'
import type { Config } from '../run.js'
import { effectiveKl } from './effective-kl.js'

const ACTOR = 'actor_rollout_ref.actor'

describe('verl', () => {
  test.each([true, 'True', 'true', 1, '1'])('a KL loss switched on with %s acts with its coefficient', flag => {
    const kl = effectiveKl({ [`${ACTOR}.use_kl_loss`]: flag, [`${ACTOR}.kl_loss_coef`]: 0.01 }, 'verl')
    expect(kl.inLoss).toEqual({ on: true, coefficient: 0.01, reason: null })
    expect(kl.adaptive).toBe(false)
  })

  test.each([false, 'False', 'false', 0, '0'])('kl_loss_coef is inert while use_kl_loss is %s', flag => {
    const { inLoss } = effectiveKl({ [`${ACTOR}.use_kl_loss`]: flag, [`${ACTOR}.kl_loss_coef`]: 0.01 }, 'verl')
    expect(inLoss).toMatchObject({ on: false, coefficient: 0 })
    expect(inLoss.reason).toMatchObject({ key: 'setting.kl-flag-off', params: { flag: 'use_kl_loss' } })
  })

  test('kl_loss_coef is inert when use_kl_loss was left out', () => {
    const { inLoss } = effectiveKl({ [`${ACTOR}.kl_loss_coef`]: 0.01 }, 'verl')
    expect(inLoss).toMatchObject({ on: false, coefficient: 0 })
    expect(inLoss.reason?.key).toBe('setting.kl-flag-missing.use_kl_loss')
  })

  test('kl_ctrl.kl_coef is inert unless use_kl_in_reward is on', () => {
    const coefficient = { 'algorithm.kl_ctrl.kl_coef': 0.001 }
    expect(effectiveKl(coefficient, 'verl').inReward).toMatchObject({ on: false, coefficient: 0 })
    const on = { ...coefficient, 'algorithm.use_kl_in_reward': 'True' }
    expect(effectiveKl(on, 'verl').inReward).toEqual({ on: true, coefficient: 0.001, reason: null })
  })

  test('a missing coefficient takes the default, and the reason says so', () => {
    const { inLoss } = effectiveKl({ [`${ACTOR}.use_kl_loss`]: true }, 'verl')
    expect(inLoss).toMatchObject({ on: true, coefficient: 0.001, reason: { key: 'setting.default' } })
  })

  test('a coefficient of 0 is off although the flag is on', () => {
    const { inLoss } = effectiveKl({ [`${ACTOR}.use_kl_loss`]: true, [`${ACTOR}.kl_loss_coef`]: '0.0' }, 'verl')
    expect(inLoss).toMatchObject({ on: false, coefficient: 0, reason: { key: 'setting.zero-is-off' } })
  })

  test('the adaptive controller makes the coefficient in the reward an initial value', () => {
    const config = { 'algorithm.kl_ctrl.type': 'adaptive', 'algorithm.kl_ctrl.target_kl': 0.05 }
    const kl = effectiveKl({ ...config, 'algorithm.use_kl_in_reward': true }, 'verl')
    expect(kl.adaptive).toBe(true)
    expect(kl.inReward).toMatchObject({ on: true, coefficient: 0.001, reason: { key: 'setting.kl-initial' } })
    expect(kl.inReward.reason?.params).toEqual({ target: 0.05 })
  })

  test('the adaptive controller does not reach the KL in the loss', () => {
    const config = {
      'algorithm.kl_ctrl.type': 'adaptive',
      [`${ACTOR}.use_kl_loss`]: true,
      [`${ACTOR}.kl_loss_coef`]: 0.1,
    }
    const kl = effectiveKl(config, 'verl')
    expect(kl.adaptive).toBe(false)
    expect(kl.inLoss).toEqual({ on: true, coefficient: 0.1, reason: null })
  })

  test('a negative coefficient acts as it is', () => {
    const { inLoss } = effectiveKl({ [`${ACTOR}.use_kl_loss`]: true, [`${ACTOR}.kl_loss_coef`]: -0.05 }, 'verl')
    expect(inLoss).toMatchObject({ on: true, coefficient: -0.05 })
  })
})

describe('TRL', () => {
  test('beta 0 is off, any other beta acts in the loss', () => {
    expect(effectiveKl({ beta: 0, num_generations: 8 }, 'trl').inLoss).toMatchObject({ on: false, coefficient: 0 })
    expect(effectiveKl({ beta: 0.04 }, 'trl').inLoss).toEqual({ on: true, coefficient: 0.04, reason: null })
    expect(effectiveKl({ beta: 0.04 }, 'trl').inReward.on).toBe(false)
  })

  test('a missing beta stays unknown, because its default changed', () => {
    const { inLoss } = effectiveKl({ num_generations: 8 }, 'trl')
    expect(inLoss).toMatchObject({ on: null, coefficient: null, reason: { key: 'setting.trl-beta-missing' } })
  })

  test('RLOO puts its beta into the reward, 0.05 by default', () => {
    const kl = effectiveKl({ beta: 0.1, normalize_advantages: false }, 'trl')
    expect(kl.inReward).toMatchObject({ on: true, coefficient: 0.1 })
    expect(kl.inLoss.on).toBe(false)
    expect(effectiveKl({ num_generations: 2, normalize_advantages: false }, 'trl').inReward.coefficient).toBe(0.05)
  })

  test('PPO always has its KL in the reward', () => {
    expect(effectiveKl({ kl_coef: 0.2 }, 'trl-ppo').inReward).toEqual({ on: true, coefficient: 0.2, reason: null })
    expect(effectiveKl({ cliprange: 0.2 }, 'trl-ppo').inReward).toMatchObject({ on: true, coefficient: 0.05 })
  })
})

describe('OpenRLHF', () => {
  test('one coefficient acts in the reward, or with use_loss in the loss', () => {
    const inReward = effectiveKl({ init_kl_coef: 0.02 }, 'openrlhf')
    expect(inReward.inReward.coefficient).toBe(0.02)
    expect(inReward.inLoss.on).toBe(false)
    const inLoss = effectiveKl({ '--algo.kl.init_coef': '0.02', '--algo.kl.use_loss': 'True' }, 'openrlhf')
    expect(inLoss.inLoss.coefficient).toBe(0.02)
    expect(inLoss.inReward.on).toBe(false)
  })

  test('a target switches the controller on, None does not', () => {
    expect(effectiveKl({ init_kl_coef: 0.02, kl_target: 6 }, 'openrlhf').adaptive).toBe(true)
    expect(effectiveKl({ init_kl_coef: 0.02, kl_target: 'None' }, 'openrlhf').adaptive).toBe(false)
  })
})

describe('Lever-Plus', () => {
  test('the configured beta is only an initial value, since the controller is on by default', () => {
    const kl = effectiveKl({ KL_BETA: 0.1 }, 'lever-plus')
    expect(kl.adaptive).toBe(true)
    expect(kl.inLoss).toMatchObject({ on: true, coefficient: 0.1, reason: { key: 'setting.kl-initial-lever-plus' } })
  })

  test('disable_adaptive_kl makes it hold', () => {
    const kl = effectiveKl({ kl_beta: 0.1, disable_adaptive_kl: true }, 'lever-plus')
    expect(kl).toMatchObject({ adaptive: false, inLoss: { on: true, coefficient: 0.1, reason: null } })
  })

  test('use_ppo_clip_only takes the KL out of the loss', () => {
    const { inLoss } = effectiveKl({ kl_beta: 0.1, use_ppo_clip_only: 'True' }, 'lever-plus')
    expect(inLoss).toMatchObject({ on: false, coefficient: 0, reason: { key: 'setting.kl-clip-only' } })
  })

  test('a beta of 0 under the controller may or may not come to act', () => {
    expect(effectiveKl({ kl_beta: 0 }, 'lever-plus').inLoss).toMatchObject({ on: null, coefficient: 0 })
    expect(effectiveKl({ kl_beta: 0, disable_adaptive_kl: 1 }, 'lever-plus').inLoss.on).toBe(false)
  })
})

describe('a config that does not tell', () => {
  test('assumes nothing when it is empty or holds no word of the framework', () => {
    const configs: readonly Config[] = [{}, { seed: 1 }, { comment: 'x' }]
    for (const config of configs) {
      expect(effectiveKl(config, 'verl')).toMatchObject({
        inLoss: { on: null },
        inReward: { on: null },
        adaptive: false,
      })
    }
  })

  test('of nobody’s framework is taken at its word', () => {
    expect(effectiveKl({ kl_coef: 0.1 }, null).inLoss).toEqual({ on: true, coefficient: 0.1, reason: null })
    expect(effectiveKl({ use_kl_loss: false, kl_loss_coef: 0.1 }, null).inLoss).toMatchObject({
      on: false,
      coefficient: 0,
    })
    expect(effectiveKl({ 'kl.loss.coef': 0.2 }, 'klens').inLoss.coefficient).toBe(0.2)
  })
})

test.each([
  ['band', true],
  ['proportional', true],
  ['constant', false],
  ['scheduled', false],
])('klens’s own controller %s moves the coefficient by what it sees: %s', (controller, adaptive) => {
  const config = { 'kl.loss.coef': 0.1, 'kl.controller': controller }
  for (const framework of ['klens', null] as const) expect(effectiveKl(config, framework).adaptive).toBe(adaptive)
})

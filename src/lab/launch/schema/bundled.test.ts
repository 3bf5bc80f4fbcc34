import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bundledSchemas } from './bundled.js'
import { newNames } from './renamed.js'
import { knows, type Schema } from './schema.js'

async function verl(version: string, flavour = 'ppo_trainer'): Promise<Schema> {
  const found = (await bundledSchemas('verl', flavour)).find(schema => schema.version === version)
  if (found === undefined) throw new Error(`no list of verl ${version} ${flavour}`)
  return found
}

describe('the bundled key lists', () => {
  it('take less than 300 kB together', () => {
    const sizes = ['verl', 'trl', 'openrlhf'].map(name => statSync(new URL(`lists/${name}.json`, import.meta.url)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000)
  })

  it('know the KL settings of every release, with their defaults', async () => {
    for (const { settings } of await bundledSchemas('verl', 'ppo_trainer')) {
      expect(settings.get('actor_rollout_ref.actor.kl_loss_coef')?.value).toBe(0.001)
      expect(settings.get('actor_rollout_ref.actor.use_kl_loss')?.value).toBe(false)
    }
    const betas = (await bundledSchemas('trl', 'grpo')).map(({ version, settings }) => [
      version,
      settings.get('beta')?.value,
    ])
    expect(betas).toEqual([
      ['1.16.0', 0],
      ['0.29.1', 0],
      ['0.20.0', 0],
      ['0.15.2', 0.04],
    ])
    const [openrlhf] = await bundledSchemas('openrlhf', 'train_ppo_ray')
    expect(openrlhf.settings.get('algo.kl.init_coef')?.value).toBe(0.01)
  })

  it('know what a release refuses', async () => {
    const [fork, newest] = [await verl('userrl'), await verl('0.9.1')]
    const turns = 'actor_rollout_ref.rollout.multi_turn.max_turns'
    expect([knows(fork, turns), knows(newest, turns)]).toEqual([true, false])
    expect([fork, newest].map(({ estimators }) => estimators?.includes('grpo_multiturn'))).toEqual([true, false])
  })
})

describe('what a key is called in a release that does not have it', () => {
  it.each([
    ['actor_rollout_ref.actor.kl_loss_coeff', ['actor_rollout_ref.actor.kl_loss_coef']],
    [
      'actor_rollout_ref.rollout.multi_turn.max_turns',
      [
        'actor_rollout_ref.rollout.multi_turn.max_assistant_turns',
        'actor_rollout_ref.rollout.multi_turn.max_user_turns',
      ],
    ],
    ['actor_rolout_ref.actor.use_kl_loss', ['actor_rollout_ref.actor.use_kl_loss']],
    ['trainer.nothing_like_it', []],
  ])('%s', async (key, names) => expect(newNames(key, await verl('0.9.1'))).toEqual(names))
})

import { describe, expect, it } from 'vitest'
import { configuredSettings } from '../vocabulary/config-lookup.js'
import { detectFramework } from '../vocabulary/detect.js'
import { meaningOf, vocabularyFor } from '../vocabulary/resolve.js'

/** What the logs of each framework say, and what that means: each pair read in its source. */
// biome-ignore format: a table is read by its lines
const LOGS: { readonly [framework: string]: { readonly [name: string]: string | null } } = {
  sb3: {
    'rollout/ep_rew_mean': 'episode.return', 'rollout/ep_len_mean': 'episode.length', 'train/entropy_loss': 'entropy.negative',
    'train/approx_kl': 'kl.old', 'train/critic_loss': 'loss.value', 'eval/mean_reward': 'val.score', 'time/fps': null, 'time/total_timesteps': 'step',
  },
  cleanrl: {
    'charts/episodic_return': 'episode.return', 'losses/entropy': 'entropy', 'losses/approx_kl': 'kl.old', 'losses/old_approx_kl': null,
    'losses/clipfrac': 'clip.frac', 'charts/SPS': null, 'charts/learning_rate': 'lr',
  },
  'rsl-rl': {
    'Train/mean_reward': 'episode.return', 'Loss/surrogate': 'loss.policy', 'Loss/value_function': 'loss.value', 'Loss/value': 'loss.value', 'Perf/total_fps': null, 'Perf/collection_time': null, 'Policy/mean_std': null,
    'Episode/rew_torques': 'reward.part', 'Train/mean_reward/time': null,
  },
  'spinning-up': {
    AverageEpRet: 'episode.return', AverageTestEpRet: 'val.score', LossPi: 'loss.policy', TotalEnvInteracts: 'step', StopIter: null,
  },
  baselines: {
    eprewmean: 'episode.return', 'rollout/return_history': 'episode.return', eplenmean: 'episode.length', 'loss/approxkl': 'kl.old', 'loss/policy_entropy': 'entropy', 'misc/nupdates': null,
  },
  rllib: {
    episode_reward_mean: 'episode.return', timesteps_total: 'step', 'info/learner/default_policy/learner_stats/kl': 'kl.old',
    'info.learner.pursuer.learner_stats.entropy': 'entropy', 'info/learner/default_policy/learner_stats/cur_kl_coeff': null, 'learners/default_policy/vf_loss': 'loss.value',
  },
  verl: {
    critic_score_mean: 'score.mean', response_length_clip_ratio: 'len.truncated', actor_entropy: 'entropy', actor_prefix_loss: null, timing_s_update_actor: 'time.update',
  },
}

describe.each(Object.entries(LOGS))('%s', (framework, meanings) => {
  it('is told by its names', () => {
    expect(detectFramework(Object.keys(meanings), [])).toBe(framework)
  })

  it.each(Object.entries(meanings))('means by %s: %s', (name, canonical) => {
    const told = detectFramework(Object.keys(meanings), [])
    expect(meaningOf(name, vocabularyFor({ framework: told })).canonical).toBe(canonical)
  })
})

describe('names with underscores for slashes', () => {
  it('are read in a log of verl alone', () => {
    const names = ['actor_entropy', 'value_loss', 'episode_reward']
    expect(detectFramework(names, [])).toBeNull()
    expect(meaningOf('actor_entropy', vocabularyFor({ framework: null })).canonical).toBeNull()
  })
})

describe('the settings of CleanRL', () => {
  it('are its own: updates are no passes over a batch, and steps no prompts', () => {
    const config = { num_iterations: 488, batch_size: 2048, update_epochs: 10, num_minibatches: 32, clip_coef: 0.2 }
    const settings = configuredSettings(config, 'cleanrl')
    expect([...settings].map(([key, { rawKey }]) => [key, rawKey]).sort()).toEqual([
      ['batch.mini.count', 'num_minibatches'],
      ['clip.range', 'clip_coef'],
      ['epochs.inner', 'update_epochs'],
    ])
  })
})

import { framework } from './framework.js'

/** UserRL (Salesforce): verl with users that are simulated. Its runs are verl's in all but a few settings. See docs/sources/userrl.md. */
// biome-ignore format: a table is read by its lines
export const userrl = framework({
  id: 'userrl',
  name: 'UserRL',
  asOf: '20e2301 (2025-11)',
  runsAs: 'verl',
  layout: [
    { path: 'wandb/run-*/run-*.wandb', source: 'wandb' },
    { path: '*.log', source: 'verl' },
    { path: '*_reward_cache.json', source: 'userrl' },
  ],
  tells: { metrics: [], keys: ['turn_level_method', 'trajectory_score_method'] },
  metrics: {},
  settings: {
    'reward.mode': ['actor_rollout_ref.rollout.multi_turn.trajectory_score_method'],
    'reward.turns': ['actor_rollout_ref.rollout.multi_turn.turn_level_method'],
    'gym.user': ['actor_rollout_ref.rollout.multi_turn.model_name'],
  },
})

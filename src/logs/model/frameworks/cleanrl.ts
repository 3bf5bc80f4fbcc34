import { framework } from './framework.js'

/** CleanRL: TensorBoard, and W&B with the same names. The step is that of the environment, over all copies of it. */
// biome-ignore format: a table is read by its lines
export const cleanrl = framework({
  id: 'cleanrl',
  name: 'CleanRL',
  asOf: '020cf0e',
  tells: {
    metrics: [
      'charts/episodic_return', 'charts/episodic_length', 'charts/SPS', 'charts/learning_rate', 'losses/old_approx_kl', 'losses/approx_kl',
      'losses/clipfrac', 'losses/td_loss', 'losses/qf1_loss', 'losses/qf_loss', 'metrics/episodic_return', 'metrics/episodic_length',
    ],
    keys: ['num_minibatches', 'update_epochs', 'anneal_lr', 'clip_vloss', 'norm_adv'],
    atLeast: 2,
  },
  layout: [
    { path: 'runs/{run}/events.out.tfevents.*', source: 'tensorboard' },
    { path: 'wandb/run-*/run-*.wandb', source: 'wandb' },
  ],
  steps: ['global_step'],
  metrics: {
    step: ['global_step'],
    // Forks file the episodes under metrics/.
    'episode.return': ['charts/episodic_return', 'metrics/episodic_return'],
    'episode.length': ['charts/episodic_length', 'metrics/episodic_length'],
    'loss.policy': ['losses/policy_loss', 'losses/actor_loss'],
    'loss.value': ['losses/value_loss', 'losses/qf_loss', 'losses/qf1_loss', 'losses/td_loss'],
    'kl.old': ['losses/approx_kl'],
    'clip.frac': ['losses/clipfrac'],
    entropy: ['losses/entropy'],
    'entropy.coef': ['losses/alpha'],
    'value.mean': ['losses/qf1_values', 'losses/q_values'],
    'value.explained_var': ['losses/explained_variance'],
    lr: ['charts/learning_rate'],
  },
  quirks: [{ names: ['losses/approx_kl', 'losses/entropy'], unit: 'nats' }],
  settings: {
    lr: ['learning_rate'],
    gamma: ['gamma'],
    'clip.range': ['clip_coef'],
    'entropy.coef': ['ent_coef'],
    'kl.target': ['target_kl'],
    'grad.clip': ['max_grad_norm'],
    'epochs.inner': ['update_epochs'],
    'batch.mini.count': ['num_minibatches'],
    'batch.mini': ['minibatch_size'],
    seed: ['seed'],
  },
  unknown: {
    'charts/SPS': 'steps of the environment per second, not of the training',
    'losses/old_approx_kl': 'the same KL by an estimator with more noise, which may be negative',
    'losses/qf2_values': 'the second critic',
    'losses/qf2_loss': 'the second critic',
    num_iterations: 'the number of updates, not of passes over a batch',
    batch_size: 'steps of the environment per update, not prompts',
    num_steps: 'steps of each copy of the environment per update',
    total_timesteps: 'steps of the environment, not of the optimiser',
  },
  traps: [
    { id: 'cleanrl-last-minibatch', names: ['losses/value_loss', 'losses/policy_loss', 'losses/entropy', 'losses/approx_kl', 'losses/old_approx_kl'], source: 'cleanrl 0.4.8 and vwxyzjn/cleanrl 020cf0e: cleanrl/ppo.py, the writer behind the update',
      says: { en: 'the value of the last minibatch of the update, not a mean over it; losses/clipfrac, where it is logged, is a mean', zh: '该次更新最后一个 minibatch 的值，不是均值；losses/clipfrac（若有记录）是均值' } },
    { id: 'cleanrl-single-episodes', names: ['charts/episodic_return', 'charts/episodic_length'], source: 'vwxyzjn/cleanrl 020cf0e: cleanrl/ppo.py, the rollout loop',
      says: { en: 'one episode, of a copy of the environment that ended: its variance is that of single episodes; of copies that end at the same step some scripts log only the first', zh: '单个 episode（某个并行环境结束时记录）：波动是单个 episode 的波动；多个环境同一步结束时，有的脚本只记第一个' } },
  ],
})

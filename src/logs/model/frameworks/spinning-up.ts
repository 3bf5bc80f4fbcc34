import { framework } from './framework.js'

/**
 * Spinning Up: `progress.txt`, a row per epoch between tabs. Its own plots count in `TotalEnvInteracts`, the steps of the
 * environment. Means of several workers or episodes carry `Average`, with `Std`, `Max` and `Min` beside them.
 */
// biome-ignore format: a table is read by its lines
export const spinningUp = framework({
  id: 'spinning-up',
  name: 'Spinning Up',
  asOf: '2092113',
  tells: {
    metrics: ['TotalEnvInteracts', 'AverageEpRet', 'AverageTestEpRet', 'AverageVVals', 'AverageQVals', 'AverageQ1Vals', 'LossPi', 'LossV', 'DeltaLossPi', 'StopIter'],
    keys: ['steps_per_epoch', 'train_pi_iters', 'train_v_iters', 'ac_kwargs'],
    atLeast: 2,
  },
  layout: [{ path: '{experiment}/{experiment}_s{seed}/progress.txt', source: 'csv' }],
  steps: ['TotalEnvInteracts', 'Epoch'],
  metrics: {
    step: ['TotalEnvInteracts'],
    epoch: ['Epoch'],
    'episode.return': ['AverageEpRet'],
    'episode.return.std': ['StdEpRet'],
    'episode.return.max': ['MaxEpRet'],
    'episode.return.min': ['MinEpRet'],
    'episode.length': ['EpLen'],
    'val.score': ['AverageTestEpRet'],
    'val.score.std': ['StdTestEpRet'],
    'value.mean': ['AverageVVals', 'AverageQVals', 'AverageQ1Vals'],
    'value.max': ['MaxVVals', 'MaxQVals', 'MaxQ1Vals'],
    'value.min': ['MinVVals', 'MinQVals', 'MinQ1Vals'],
    'loss.policy': ['LossPi'],
    'loss.value': ['LossV', 'LossQ', 'LossQ1'],
    'kl.old': ['KL'],
    'clip.frac': ['ClipFrac'],
    entropy: ['Entropy'],
    'entropy.negative': ['AverageLogPi'],
    'entropy.coef': ['Alpha'],
    'time.total': ['Time'],
  },
  quirks: [
    { names: ['KL'], unit: 'nats', note: 'metric-note.kl-may-be-negative' },
    { names: ['Entropy'], unit: 'nats' },
  ],
  settings: {
    lr: ['pi_lr'],
    'lr.critic': ['vf_lr', 'q_lr'],
    gamma: ['gamma'],
    'clip.range': ['clip_ratio'],
    'kl.target': ['target_kl'],
    'epochs.inner': ['train_pi_iters'],
    seed: ['seed'],
  },
  unknown: {
    DeltaLossPi: 'how far one update moved the loss',
    DeltaLossV: 'how far one update moved the loss',
    StopIter: 'the iteration at which the KL stopped an update',
    TestEpLen: 'the length of the episodes of an evaluation',
    epochs: 'rollouts with their updates, not passes over data',
  },
  traps: [
    { id: 'spinning-up-before-update', names: ['LossPi', 'LossV'], source: 'openai/spinningup 2092113: spinup/algos/pytorch/ppo/ppo.py, vpg/vpg.py and sac/sac.py',
      says: { en: 'PPO and VPG log the loss before the update; PPO’s LossPi is near 0 there whatever the update does, and DeltaLossPi is what it changed. SAC logs a mean over its updates', zh: 'PPO 与 VPG 记录更新之前的 loss；PPO 的 LossPi 此时总接近 0，DeltaLossPi 才是更新带来的变化。SAC 记录各次更新的均值' } },
    { id: 'spinning-up-kl-of-vpg', names: ['KL'], source: 'openai/spinningup 2092113: spinup/algos/pytorch/vpg/vpg.py, update()',
      says: { en: 'VPG measures it before its one step: 0 whatever the step does. PPO measures it before its last step', zh: 'VPG 在唯一一步更新之前测量：无论更新多大都是 0。PPO 在最后一步更新之前测量' } },
  ],
})

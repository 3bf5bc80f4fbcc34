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
  quirks: [{ names: ['KL', 'Entropy'], unit: 'nats' }],
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
    { id: 'spinning-up-before-update', names: ['LossPi', 'LossV'], source: 'spinup/algos/pytorch/ppo/ppo.py, update()',
      says: { en: 'the loss before the update, so LossPi is near 0 whatever the update does; DeltaLossPi is what it changed', zh: '更新之前的 loss，所以无论更新如何 LossPi 都接近 0；DeltaLossPi 才是更新带来的变化' } },
  ],
})

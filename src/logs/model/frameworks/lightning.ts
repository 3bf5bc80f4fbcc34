import { framework } from './framework.js'

/** Lightning's CSVLogger and TensorBoardLogger: own names, each logged per step, per epoch or both. */
// biome-ignore format: a table is read by its lines
export const lightning = framework({
  id: 'lightning',
  name: 'Lightning',
  tells: {
    metrics: ['hp_metric', 'train_loss_step', 'train_loss_epoch', 'train/loss_step', 'train/loss_epoch'],
    metricPrefixes: ['lr-Adam', 'lr-AdamW', 'lr-SGD'],
    keys: [],
  },
  layout: [
    { path: 'lightning_logs/version_{n}/metrics.csv', source: 'csv' },
    { path: 'lightning_logs/version_{n}/events.out.tfevents.*', source: 'tensorboard' },
  ],
  steps: ['step'],
  metrics: {
    'loss.total': ['train_loss_step', 'train/loss_step', 'train_loss', 'train/loss', 'train_loss_epoch', 'train/loss_epoch'],
    'val.loss': ['val_loss', 'val/loss', 'val_loss_epoch'],
    lr: ['lr-AdamW', 'lr-Adam', 'lr-SGD'],
  },
  unknown: {
    hp_metric: 'a place for one number beside the settings, −1 unless it was used',
  },
})

import type { Message } from '../../model/run.js'
import { sentences } from '../../text/sentences.js'
import type { IntentionConfig } from '../intention/settings.js'
import type { TrainConfig } from './schema.js'

/** Quantities that the settings fix beforehand: a reader of the log must not take them for results. */

const say = sentences({
  'train.ratio-is-one': {
    en: 'by construction (clip.old=inner, epochs.inner=1) the ratio is 1, kl.old and clip.frac are 0 and loss.policy is minus the mean advantage in every update, while its gradient is not 0: see docs/verbs/train.md',
    zh: '由设置决定（clip.old=inner，epochs.inner=1）：每次更新的 ratio 恒为 1，kl.old 与 clip.frac 恒为 0，loss.policy 恒为负的平均优势值，但其梯度并不为 0：见 docs/verbs/train.md',
  },
  'train.one-update': {
    en: 'by construction (one update a step) the ratio is 1, actor/ppo_kl and actor/pg_clipfrac are 0 and the clip never acts; batch.mini or epochs.inner make it act',
    zh: '由设置决定（每步只更新一次）：ratio 恒为 1，actor/ppo_kl 与 actor/pg_clipfrac 恒为 0，裁剪不起作用；设置 batch.mini 或 epochs.inner 后才起作用',
  },
  'train.old-is-reference': {
    en: 'by construction (clip.old=start) the ratio is to the reference, and kl.old is the k3 of the KL to it: the clip bounds the whole way from there, whatever the KL coefficient',
    zh: '由设置决定（clip.old=start）：ratio 以参考策略为分母，kl.old 即相对参考策略的 k3 估计；裁剪限制的是离开参考策略的总距离，与 KL 系数无关',
  },
})

/** With one update on each batch of dialogues no weight has moved when the ratio is taken. */
export function ratioByConstruction({ batch, epochs }: IntentionConfig): readonly Message[] {
  const updates = epochs.inner * Math.ceil(batch.prompts / (batch.mini ?? batch.prompts))
  return updates === 1 ? [say('train.one-update', {})] : []
}

export function byConstruction({ clip, epochs }: TrainConfig): readonly Message[] {
  if (epochs.grpo === 0) return []
  if (clip.old === 'start') return [say('train.old-is-reference', {})]
  return epochs.inner === 1 ? [say('train.ratio-is-one', {})] : []
}

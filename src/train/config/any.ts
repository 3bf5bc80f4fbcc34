import type { Message } from '../../model/run.js'
import { sentences } from '../../text/sentences.js'
import { INTENTION_DEFAULTS, type IntentionConfig, intentionSchema } from '../intention/settings.js'
import { controllerProblems, klProblems } from './controller.js'
import {
  type ConfigReading,
  type ConfigSources,
  readSettings,
  readTrainConfig,
  type SettingsFamily,
  settingSaid,
} from './read.js'
import type { TrainConfig } from './schema.js'

/** The settings of any training: what the task is decides which there are. */
export type AnyTrainConfig = TrainConfig | IntentionConfig

const say = sentences({
  'train-config.key-heads': {
    en: 'model.heads ({heads}) must be a multiple of model.key_heads ({keys}), and model.head_width ({width}) must be even.',
    zh: 'model.heads（{heads}）须为 model.key_heads（{keys}）的整数倍，且 model.head_width（{width}）须为偶数。',
  },
  'train-config.outage-order': {
    en: 'gym.outage.to ({to}) comes before gym.outage.from ({from}).',
    zh: 'gym.outage.to（{to}）早于 gym.outage.from（{from}）。',
  },
})

const INTENTION: SettingsFamily<IntentionConfig> = {
  schema: intentionSchema,
  defaults: INTENTION_DEFAULTS,
  paths: new Set(),
  contradictions: ({ kl, entropy, model, gym: { outage } }): readonly Message[] => {
    const { heads, key_heads: keys, head_width: width } = model
    const misshapen = heads % keys !== 0 || width % 2 !== 0
    const { from, to } = outage
    return [
      ...klProblems(kl),
      ...controllerProblems('entropy', entropy),
      ...(misshapen ? [say('train-config.key-heads', { heads, keys, width })] : []),
      ...(from !== null && to !== null && to < from ? [say('train-config.outage-order', { from, to })] : []),
    ]
  },
}

export function readAnyConfig(sources: ConfigSources): ConfigReading<AnyTrainConfig> {
  const task = settingSaid('task', sources)
  const isIntention = typeof task === 'string' && task.trim().toLowerCase() === 'intention'
  return isIntention ? readSettings(INTENTION, sources) : readTrainConfig(sources)
}

/** What its progress is counted in. */
export function epochsOf(config: AnyTrainConfig): number {
  // Before the first step of the language model there is an evaluation.
  return config.task === 'intention' ? config.steps + 1 : config.epochs.rce + config.epochs.grpo
}

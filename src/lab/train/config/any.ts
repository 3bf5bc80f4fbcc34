import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import {
  type IntentionConfig,
  intentionDefaults,
  intentionSchema,
  OWN_TASKS_DEFAULTS,
  TASK_FILES,
} from './language-settings.js'
import { isEndpoint } from './problems.js'
import {
  type ConfigReading,
  type ConfigSources,
  readSettings,
  readTrainConfig,
  type SettingsFamily,
  settingSaid,
} from './read.js'
import type { TrainConfig } from './selector-settings.js'
import { controllerProblems, klProblems } from './shared-settings.js'

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
  'train-config.simulator': {
    en: 'simulator must be embedded or the address of an endpoint with its model, such as http://localhost:8001/v1#MODEL; a key belongs into the variable that endpoint.key_env names.',
    zh: 'simulator 应为 embedded，或带模型名的接口地址，如 http://localhost:8001/v1#MODEL；密钥应放在 endpoint.key_env 所指的环境变量中。',
  },
  'train-config.test-without-train': {
    en: 'data.test is set and data.train is not: klens would train on its own tasks and validate on yours. Set both.',
    zh: '设置了 data.test 而未设置 data.train：这样会在 klens 自带的任务上训练、在你的任务上验证。请同时设置。',
  },
  'train.ratio-is-one': {
    en: 'by construction (clip.old=inner, epochs.inner=1) the ratio is 1, kl.old and clip.frac are 0 and loss.policy is minus the mean advantage in every update, while its gradient is not 0: see docs/verbs/train.md',
    zh: '由设置决定（clip.old=inner，epochs.inner=1）：每次更新的 ratio 恒为 1，kl.old 与 clip.frac 恒为 0，loss.policy 恒为负的平均优势值，但其梯度并不为 0：见 docs/verbs/train.md',
  },
  'train.one-update': {
    en: 'by construction (one update per step) the ratio is 1, actor/ppo_kl and actor/pg_clipfrac are 0 and the clip has no effect; batch.mini or epochs.inner give it one',
    zh: '由设置决定（每步只更新一次）：ratio 恒为 1，actor/ppo_kl 与 actor/pg_clipfrac 恒为 0，裁剪不起作用；设置 batch.mini 或 epochs.inner 后才起作用',
  },
  'train.old-is-reference': {
    en: 'by construction (clip.old=start) the ratio is to the reference, and kl.old is the k3 of the KL to it: the clip bounds the total distance from there, at any KL coefficient',
    zh: '由设置决定（clip.old=start）：ratio 以参考策略为分母，kl.old 即相对参考策略的 k3 估计；裁剪限制的是离开参考策略的总距离，与 KL 系数无关',
  },
})

const INTENTION: SettingsFamily<IntentionConfig> = {
  schema: intentionSchema,
  defaults: intentionDefaults,
  paths: new Set(),
  pathLists: TASK_FILES,
  contradictions: ({ kl, entropy, model, gym: { outage }, simulator, data }): readonly Message[] => {
    const { heads, key_heads: keys, head_width: width } = model
    const misshapen = heads % keys !== 0 || width % 2 !== 0
    const { from, to } = outage
    return [
      ...klProblems(kl),
      ...controllerProblems('entropy', entropy),
      ...(misshapen ? [say('train-config.key-heads', { heads, keys, width })] : []),
      ...(from !== null && to !== null && to < from ? [say('train-config.outage-order', { from, to })] : []),
      ...(simulator === 'embedded' || isEndpointWithModel(simulator) ? [] : [say('train-config.simulator', {})]),
      ...(data.test.length > 0 && data.train.length === 0 ? [say('train-config.test-without-train', {})] : []),
    ]
  },
}

function isEndpointWithModel(address: string): boolean {
  const [url, model = ''] = address.split('#')
  return isEndpoint(url) && model !== ''
}

export function readAnyConfig(sources: ConfigSources): ConfigReading<AnyTrainConfig> {
  const task = settingSaid('task', sources)
  const isIntention = typeof task === 'string' && task.trim().toLowerCase() === 'intention'
  return isIntention ? readIntention(sources) : readTrainConfig(sources)
}

function readIntention(sources: ConfigSources): ConfigReading<IntentionConfig> {
  const read = readSettings(INTENTION, sources)
  if (read.kind === 'problems' || read.config.data.train.length === 0) return read
  return readSettings(INTENTION, { ...sources, base: { ...OWN_TASKS_DEFAULTS, ...sources.base } })
}

/** What its progress is counted in. */
export function epochsOf(config: AnyTrainConfig): number {
  // Before the first step of the language model there is an evaluation.
  return config.task === 'intention' ? config.steps + 1 : config.epochs.rce + config.epochs.grpo
}

/** Quantities that the settings fix beforehand: a reader of the log must not take them for results. */
export function byConstruction(config: AnyTrainConfig): readonly Message[] {
  const { epochs } = config
  if (config.task === 'intention') {
    // With one update on each batch of dialogues no weight has moved when the ratio is taken.
    const { prompts, mini } = config.batch
    const updates = epochs.inner * Math.ceil(prompts / (mini ?? prompts))
    return updates === 1 ? [say('train.one-update', {})] : []
  }
  if (config.epochs.grpo === 0) return []
  if (config.clip.old === 'start') return [say('train.old-is-reference', {})]
  return epochs.inner === 1 ? [say('train.ratio-is-one', {})] : []
}

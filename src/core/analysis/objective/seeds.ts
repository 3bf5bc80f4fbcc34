import type { Json } from '../../../logs/model/json.js'
import type { Config } from '../../../logs/model/run.js'
import { isNothing, numberOf, truthOf } from '../../../logs/model/vocabulary/config-value.js'
import { isReleasedBefore } from '../../../logs/model/vocabulary/traps.js'
import { type Message, sentences } from '../../../text/sentences.js'
import type { ObjectiveSource } from './objective.js'

/**
 * Which seeds of a training act, on what, and which randomness stays whatever they are. As read in the sources: verl
 * 0.4 to 0.9.1, TRL 0.20 to 1.16, OpenRLHF 0.11.
 */
export interface SeedInForce {
  readonly key: string
  readonly value: number | null
  /** Null: it depends on the release. */
  readonly acts: boolean | null
  readonly what: Message
}

export interface Randomness {
  readonly seeds: readonly SeedInForce[]
  readonly stays: readonly Message[]
}

// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'seed.order': { en: 'order of the prompts', zh: 'prompt 的顺序' },
  'seed.order-fixed': { en: 'order of the prompts; if omitted, every run gets the same order, from torch’s default generator', zh: 'prompt 的顺序；不设置时所有 run 顺序相同（torch 默认生成器）' },
  'seed.order-stored': { en: 'no effect: data.shuffle is off, prompts come as stored', zh: '不起作用：data.shuffle 关闭，prompt 按存储顺序' },
  'seed.mini': { en: 'order of the mini-batches', zh: 'mini-batch 的顺序' },
  'seed.mini-idle': { en: 'no effect: actor.shuffle is off', zh: '不起作用：actor.shuffle 关闭' },
  'seed.sampler': { en: 'start of the sampler’s generator, one per replica', zh: '采样器生成器的初始状态，每个副本一个' },
  'seed.everything-requests': { en: 'every request of the sampler, with full_determinism', zh: '采样器的每个请求（full_determinism 开启）' },
  'seed.trl': { en: 'order of the prompts, adapter initialisation, dropout, sampling by transformers', zh: 'prompt 的顺序、适配器初始化、dropout、transformers 采样' },
  'seed.trl-vllm': { en: 'order of the prompts, adapter initialisation, dropout; not vLLM’s sampling, whose seed is the number of the process', zh: 'prompt 的顺序、适配器初始化、dropout；不影响 vLLM 采样（其种子是进程编号）' },
  'seed.openrlhf': { en: 'order of the prompts, dropout, start of vLLM’s generator, one per engine', zh: 'prompt 的顺序、dropout、vLLM 生成器的初始状态（每个引擎一个）' },
  'seed.klens': { en: 'everything: data, initialisation, samples. The same seed gives the same run, bit for bit', zh: '全部：数据、初始化、采样。相同种子得到逐位相同的 run' },
  'seed.plain': { en: 'its effect is unknown for this framework', zh: '未查证该框架中它的作用范围' },
  'stays.sampling': { en: 'sampled responses: requests are batched as they arrive, so the same seed gives other responses', zh: '采样的回答：请求按到达先后组批，种子相同回答也会不同' },
  'stays.kernels': { en: 'floating-point sums in another order on each run (GPU kernels, all-reduce)', zh: '每次运行浮点求和顺序不同（GPU 内核、all-reduce）' },
  'stays.user': { en: 'the simulated user and the judge, if they are sampled', zh: '模拟用户与评判模型（若采样生成）' },
  'stays.endpoint': { en: 'the responses of the model behind the endpoint, unless cached', zh: '端点模型的回答（不在缓存中时）' },
  'stays.batching': { en: 'the order in which asynchronous responses arrive', zh: '异步回答到达的先后' },
})

export function randomnessOf(source: ObjectiveSource): Randomness {
  if (source.isKlens) {
    const stays = source.config.task === 'llm' ? [say('stays.endpoint', {})] : []
    return { seeds: [seed(source.config, 'seed', say('seed.klens', {}))], stays }
  }
  switch (source.framework) {
    case 'verl':
      return verlRandomness(source)
    case 'trl':
    case 'trl-ppo': {
      const isVllm = truthOf(source.config.use_vllm) === true
      return {
        seeds: [seed(source.config, 'seed', say(isVllm ? 'seed.trl-vllm' : 'seed.trl', {}))],
        stays: [...(isVllm ? [say('stays.sampling', {})] : []), say('stays.kernels', {})],
      }
    }
    case 'openrlhf': {
      const key = isNothing(source.config['train.seed']) ? 'seed' : 'train.seed'
      return {
        seeds: [seed(source.config, key, say('seed.openrlhf', {}))],
        stays: [say('stays.sampling', {}), say('stays.kernels', {})],
      }
    }
    default: {
      const keys = Object.keys(source.config).filter(key => /(?:^|\.)seed$/.test(key))
      return { seeds: keys.slice(0, 3).map(key => seed(source.config, key, say('seed.plain', {}), null)), stays: [] }
    }
  }
}

function seed(config: Config, key: string, what: Message, acts: boolean | null = true): SeedInForce {
  return { key, value: numberOf(config[key]), acts, what }
}

function verlRandomness({ config, version }: ObjectiveSource): Randomness {
  const isShuffled = truthOf(config['data.shuffle']) !== false
  const shufflesMini = truthOf(config['actor_rollout_ref.actor.shuffle']) === true
  const isDetermined = truthOf(config['actor_rollout_ref.rollout.full_determinism']) === true
  const order: Json | undefined = config['data.seed']
  // Since 0.5 a missing seed leaves torch.Generator() as it is made, with a constant; before, 1 was taken.
  const fixed = isReleasedBefore(version, [0, 5]) === true ? 'seed.order' : 'seed.order-fixed'
  const hasRolloutSeed = 'actor_rollout_ref.rollout.seed' in config
  const isMultiTurn = Object.keys(config).some(key => /\.multi_turn\.model_name$/.test(key))
  const seeds = [
    isShuffled
      ? seed(config, 'data.seed', say(isNothing(order) ? fixed : 'seed.order', {}), !isNothing(order))
      : seed(config, 'data.seed', say('seed.order-stored', {}), false),
    seed(
      config,
      'actor_rollout_ref.actor.data_loader_seed',
      say(shufflesMini ? 'seed.mini' : 'seed.mini-idle', {}),
      shufflesMini,
    ),
    ...(hasRolloutSeed
      ? [
          seed(
            config,
            'actor_rollout_ref.rollout.seed',
            say(isDetermined ? 'seed.everything-requests' : 'seed.sampler', {}),
          ),
        ]
      : []),
  ]
  return {
    // A log may keep only some settings; what is not there says nothing.
    seeds: seeds.filter(({ key }) => key in config),
    stays: [
      ...(isDetermined ? [] : [say('stays.sampling', {}), say('stays.kernels', {})]),
      ...(isNothing(config['async_training.staleness_threshold']) ? [] : [say('stays.batching', {})]),
      ...(isMultiTurn ? [say('stays.user', {})] : []),
    ],
  }
}

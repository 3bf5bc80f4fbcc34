import type { ParamsOf } from '../../../text/language.js'
import { sentences } from '../../../text/sentences.js'
import type { Message } from '../run.js'

/** What is to be said about names and settings: in what a number differs, what takes effect, what misleads. */
const texts = {
  'metric-note.ambiguous': {
    en: '“{name}” means different things in different frameworks ({readings}); the config or vocabulary.yaml can decide which',
    zh: '“{name}”在不同框架中含义不同（{readings}）；需由配置或 vocabulary.yaml 说明是哪一种',
  },
  'metric-note.kl-unit-unknown': {
    en: 'it is unknown whether this KL is per token or per sequence',
    zh: '未说明该 KL 是按 token 还是按序列计算',
  },
  'metric-note.kl-per-sequence': {
    en: 'summed over the tokens of a sequence; not comparable with a KL per token, and may be negative (k1)',
    zh: '按序列对 token 求和，不能与按 token 平均的 KL 直接比较；k1 估计可能为负',
  },
  'metric-note.kl-per-pointers': {
    en: 'per sequence of chosen demonstrations, not per token; a penalty rather than an unbiased KL, and large values are normal',
    zh: '按所选范例序列（而非 token）计算；它是惩罚项，不是 KL 的无偏估计，数值偏大属正常',
  },
  'metric-note.kl-in-reward': {
    en: 'the KL subtracted from the reward, a mean over tokens; its effect on the reward grows with the response length',
    zh: '计入 reward 的 KL，按 token 平均；对 reward 的影响随回答长度增大',
  },
  'metric-note.kl-may-be-negative': {
    en: 'a k1 estimate: small negative values are noise, not an error',
    zh: 'k1 估计：出现小的负值是噪声，不是错误',
  },
  'metric-note.kl-sign-flipped': {
    en: 'the KL part of the reward, −coefficient × KL: negative once the policy has moved away',
    zh: 'reward 中的 KL 部分，即 −系数 × KL：策略偏离时为负',
  },
  'metric-note.log-ratio': {
    en: 'the mean of log(new/old), the k1 estimate with the opposite sign: negative once the policy has moved away',
    zh: 'log(新/旧) 的均值，即符号相反的 k1 估计：策略偏离时为负',
  },
  'metric-note.kl-k2': {
    en: 'a k2 estimate: half the squared log ratio, never negative and biased for large steps',
    zh: 'k2 估计：log 比值平方的一半，恒非负，步子大时有偏',
  },
  'metric-note.kl-k3': {
    en: 'a k3 estimate: never negative, but a single rare token can dominate it',
    zh: 'k3 估计：恒非负，但个别低概率 token 可能主导数值',
  },
  'metric-note.kl-direction': {
    en: 'the direction is trainer to sampler; other frameworks log sampler to trainer',
    zh: '方向为训练端到推理端，其他框架记录的是推理端到训练端',
  },
  'metric-note.entropy-sampled': {
    en: 'estimated from the sampled tokens only (minus the mean log-probability), not from the full distribution',
    zh: '只由采样到的 token 估计（−log-prob 的均值），并非整个分布的熵',
  },
  'metric-note.with-padding': {
    en: 'averaged over padding too, so it is smaller than the share among real tokens',
    zh: '连同 padding 一起平均，小于真实 token 中的占比',
  },
  'metric-note.truncated-by-batch': {
    en: 'counts sequences as long as the longest one in their batch, so there is always at least one',
    zh: '统计与本 batch 最长序列等长的序列，因此每个 batch 至少有一条',
  },
  'metric-note.rejected-by-one-token': {
    en: 'sequences rejected because one of their tokens is outside the limits',
    zh: '因个别 token 超出界限而整条被拒绝的序列占比',
  },
  'metric-note.share-of-tokens-or-sequences': {
    en: 'a share of tokens, or of sequences where the correction acts on whole sequences',
    zh: '按 token 的占比；若校正作用于整条序列，则为序列的占比',
  },
  'metric-note.ratio-after-clipping': {
    en: 'measured after the weights were clipped, so the true distance from 1 is larger',
    zh: '在截断之后测得，与 1 的差距只是下限',
  },
  'metric-note.prompt-of-every-turn': {
    en: 'the prompt of every turn counts, including the whole conversation before it',
    zh: '每一轮的 prompt 都计入，包括之前的全部对话',
  },
  'metric-note.mean-of-parts': {
    en: 'the mean over reward functions, not their sum',
    zh: '各 reward 函数的均值，而非总和',
  },
  'metric-note.percent': {
    en: 'logged in percent: 40 means 0.4',
    zh: '以百分数记录：40 即 0.4',
  },
  'metric-note.since-start': {
    en: 'a mean since the start of the run, not of the last step',
    zh: '自训练开始以来的均值，并非最近一步的值',
  },
  'metric-note.logp-difference': {
    en: 'a difference of log-probabilities between trainer and sampler, not a KL',
    zh: '训练端与推理端 log-prob 之差，并非 KL',
  },
  'metric-note.lr-scaled': {
    en: 'logged in units of 1e-4: 0.01 here is a learning rate of 1e-6',
    zh: '以 1e-4 为单位记录：此处 0.01 即学习率 1e-6',
  },
  'metric-note.entropy-not-loss': {
    en: 'the entropy itself, despite its name',
    zh: '名为 loss，实际就是熵',
  },
  'metric-note.entropy-summed': {
    en: 'negative log-probability summed per sequence; grows with length, so it is not the entropy per token',
    zh: '按序列对 −log-prob 求和，随长度增长，不是每 token 的熵',
  },
  'metric-note.adv-token-weighted': {
    en: 'weighted by tokens: not 0 when length correlates with reward, even though every group averages to 0',
    zh: '按 token 加权：当长度与 reward 相关时不为 0，即使每组均值都是 0',
  },
  'metric-note.adv-max-absolute': {
    en: 'the largest absolute advantage, not the largest',
    zh: '优势绝对值的最大值，而非优势的最大值',
  },
  'metric-note.clip-dual': {
    en: 'the share caught by the dual clip (clip_ratio_c), not the low side of the ordinary clip',
    zh: '触发 dual clip（clip_ratio_c）的比例，并非普通 clip 的下侧',
  },
  'metric-note.ratio-to-reference': {
    en: 'the ratio to the reference; there is no separate old policy',
    zh: '相对参考策略的概率比；此处没有单独的旧策略',
  },
  'metric-note.std-of-groups': {
    en: 'the mean of the groups’ standard deviations',
    zh: '各组标准差的均值',
  },
  'metric-note.val-loss-is-rce': {
    en: 'the RCE loss on held-out queries at temperature 1; it need not follow accuracy',
    zh: '验证查询上温度为 1 的 RCE loss，不一定与准确率同向',
  },
  'metric-note.val-not-validation': {
    en: '“val” does not mean validation here; it is measured on the training batch',
    zh: '此处 val 不是验证：它在训练 batch 上测得',
  },

  'setting.default': {
    en: 'not in the config; {framework} uses {value} by default',
    zh: '配置中没有此项；{framework} 默认为 {value}',
  },
  'setting.zero-is-off': {
    en: '0 switches it off',
    zh: '为 0 即关闭',
  },
  'setting.kl-flag-off': {
    en: 'no effect while {flag} is off',
    zh: '{flag} 关闭时不起作用',
  },
  'setting.kl-flag-missing.use_kl_loss': {
    en: '{flag} is not in the config, and verl leaves it off by default',
    zh: '配置中没有 {flag}，verl 默认关闭',
  },
  'setting.kl-flag-missing.use_kl_in_reward': {
    en: '{flag} is not in the config, and verl leaves it off by default (verl from before PR #644, without this flag, applied it)',
    zh: '配置中没有 {flag}，verl 默认关闭（PR #644 之前没有该开关的版本则会启用）',
  },
  'setting.kl-initial': {
    en: 'only the initial value: the adaptive controller moves it towards a KL of {target}',
    zh: '只是初始值：自适应控制器会调整它，使 KL 趋向 {target}',
  },
  'setting.kl-initial-untargeted': {
    en: 'only the initial value: the adaptive controller moves it',
    zh: '只是初始值：自适应控制器会调整它',
  },
  'setting.kl-initial-lever-plus': {
    en: 'only the initial value: the controller (on unless disable_adaptive_kl) moves it every batch, ×1.5 above a KL of 0.1, ÷1.5 below 0.01, between 0.001 and 10',
    zh: '只是初始值：控制器（除非设置 disable_adaptive_kl）每个 batch 调整一次，KL 高于 0.1 则 ×1.5，低于 0.01 则 ÷1.5，范围 0.001 ~ 10',
  },
  'setting.kl-clip-only': {
    en: 'use_ppo_clip_only leaves the KL out of the loss; it is still logged',
    zh: 'use_ppo_clip_only 使 KL 不计入 loss，但仍会记录',
  },
  'setting.kl-clip-only-off': {
    en: 'use_ppo_clip_only is off, so the KL is in the loss',
    zh: 'use_ppo_clip_only 关闭，KL 计入 loss',
  },
  'setting.kl-controller-idle': {
    en: 'verl’s controller acts only on the KL in the reward, which is off',
    zh: 'verl 的控制器只作用于 reward 中的 KL，而它未启用',
  },
  'setting.kl-controller.adaptive': {
    en: 'the controller is on',
    zh: '控制器已启用',
  },
  'setting.kl-controller.fixed': {
    en: 'the controller is off',
    zh: '控制器已关闭',
  },
  'setting.kl-no-controller': {
    en: 'no effect: there is no adaptive controller',
    zh: '不起作用：没有启用自适应控制器',
  },
  'setting.trl-beta-missing': {
    en: 'beta is not in the config; TRL’s default is 0 (off) since mid-2025 and was 0.04 before',
    zh: '配置中没有 beta；TRL 自 2025 年中起默认 0（关闭），此前默认 0.04',
  },
  'setting.entropy-only-logged': {
    en: '0 logs the entropy without acting on it',
    zh: '为 0 时只记录熵，不起正则作用',
  },
  'setting.entropy-initial': {
    en: 'only the initial value: use_adaptive_entropy moves it',
    zh: '只是初始值：use_adaptive_entropy 会调整它',
  },
  'setting.warmup-from-ratio': {
    en: 'from the warm-up ratio {ratio}: {steps} {steps|step|steps}',
    zh: '按 warmup 占比 {ratio} 计算，为 {steps} 步',
  },
  'setting.warmup-share': {
    en: 'from the warm-up ratio {ratio}; the total number of steps is not in the config',
    zh: '按 warmup 占比 {ratio} 计算；配置中没有总步数',
  },
  'setting.warmup-steps-win': {
    en: 'no effect: the warm-up of {steps} {steps|step|steps} takes precedence',
    zh: '不起作用：已指定 warmup {steps} 步',
  },
  'setting.clip-sides-win': {
    en: 'no effect: clip_ratio_low and clip_ratio_high are both set',
    zh: '不起作用：clip_ratio_low 与 clip_ratio_high 均已设置',
  },
  'setting.clip-as-other': {
    en: 'not set, so {key} applies',
    zh: '未设置，沿用 {key}',
  },
  'setting.says-the-opposite': {
    en: '{key} is the opposite: setting it switches this off',
    zh: '{key} 含义相反：设置后即关闭此项',
  },
  'setting.batch-counts-answers': {
    en: '{key} counts responses: {answers} of them, {size} per prompt',
    zh: '{key} 数的是回答：共 {answers} 个，每个 prompt {size} 个',
  },
  'setting.batch-forced': {
    en: 'Lever-Plus always trains one query at a time',
    zh: 'Lever-Plus 始终一次只训练一个查询',
  },
  'setting.ref-not-synced': {
    en: 'no effect while sync_ref_model is off',
    zh: 'sync_ref_model 关闭时不起作用',
  },

  'user-vocabulary.not-yaml': {
    en: 'vocabulary.yaml is not valid YAML and was not used: {detail}',
    zh: 'vocabulary.yaml 不是合法的 YAML，未使用：{detail}',
  },
  'user-vocabulary.too-long': {
    en: 'vocabulary.yaml has {characters} characters, more than the {most} that klens reads; it was not used',
    zh: 'vocabulary.yaml 有 {characters} 个字符，超过上限 {most}，未使用',
  },
  'user-vocabulary.no-map': {
    en: 'vocabulary.yaml must contain the sections “metrics” and “config”; it was not used',
    zh: 'vocabulary.yaml 应包含 metrics 与 config 两节，未使用',
  },
  'user-vocabulary.no-section-map': {
    en: 'vocabulary.yaml: “{section}” should map canonical names to raw names, such as kl.ref: [my/kl]',
    zh: 'vocabulary.yaml：“{section}”应把规范名映射到原始名，例如 kl.ref: [my/kl]',
  },
  'user-vocabulary.unknown-section': {
    en: 'vocabulary.yaml: “{where}” is not a section; the sections are {known}',
    zh: 'vocabulary.yaml：没有“{where}”这一节，可用的有 {known}',
  },
  'user-vocabulary.unknown-section-meant': {
    en: 'vocabulary.yaml: “{where}” is not a section; did you mean “{meant}”?',
    zh: 'vocabulary.yaml：没有“{where}”这一节，是否指“{meant}”？',
  },
  'user-vocabulary.unknown-field': {
    en: 'vocabulary.yaml: “{where}” is unknown; known fields are {known}. The metric was left out',
    zh: 'vocabulary.yaml：不认识“{where}”，可用的有 {known}；该指标已略过',
  },
  'user-vocabulary.unknown-field-meant': {
    en: 'vocabulary.yaml: “{where}” is unknown; did you mean “{meant}”? The metric was left out',
    zh: 'vocabulary.yaml：不认识“{where}”，是否指“{meant}”？该指标已略过',
  },
  'user-vocabulary.bad-metric': {
    en: 'vocabulary.yaml: “metrics.{name}” should be a list of raw names, or names, unit and goal (max, min or none); it was left out',
    zh: 'vocabulary.yaml：“metrics.{name}”应为原始名列表，或包含 names、unit、goal（max、min 或 none），已略过',
  },
  'user-vocabulary.bad-names': {
    en: 'vocabulary.yaml: “{where}” should be a list of raw names; it was left out',
    zh: 'vocabulary.yaml：“{where}”应为原始名列表，已略过',
  },
  'user-vocabulary.new-metric-meant': {
    en: 'vocabulary.yaml: “{name}” is a new metric; if you meant “{meant}”, correct it',
    zh: 'vocabulary.yaml：“{name}”是新指标；若本意是“{meant}”，请更正',
  },
  'user-vocabulary.new-setting-meant': {
    en: 'vocabulary.yaml: “{name}” is a new setting; if you meant “{meant}”, correct it',
    zh: 'vocabulary.yaml：“{name}”是新配置项；若本意是“{meant}”，请更正',
  },
  'user-vocabulary.said-twice': {
    en: 'vocabulary.yaml gives “{name}” to both “{first}” and “{second}”; the first is used',
    zh: 'vocabulary.yaml 把“{name}”同时给了“{first}”和“{second}”，以前者为准',
  },
} as const

export const note = sentences(texts)

type Texts = typeof texts

/** A note without blanks. */
export type NoteKey = {
  [Key in keyof Texts]: ParamsOf<Texts[Key]['en']> extends never ? Key : never
}[keyof Texts]

export function plainNote(key: NoteKey): Message {
  return note(key, {})
}

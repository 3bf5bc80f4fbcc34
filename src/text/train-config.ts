import type { Templates } from './language.js'

/** What can be wrong with the settings of `klens train`. */
export const trainConfigTexts = {
  'train-config.unknown': {
    en: '"{key}" is not a setting of klens train.',
    zh: 'klens train 没有“{key}”这一配置项。',
  },
  'train-config.unknown-suggest': {
    en: '"{key}" is not a setting of klens train. Did you mean "{suggestion}"?',
    zh: 'klens train 没有“{key}”这一配置项。是否想写“{suggestion}”？',
  },
  'train-config.unknown-in-section': {
    en: '"{key}" is not a setting of klens train. That section has: {settings}.',
    zh: 'klens train 没有“{key}”这一配置项。该部分的配置项有：{settings}。',
  },
  'train-config.section': {
    en: '"{key}" is a section and cannot be {value}. Set one of its settings: {settings}.',
    zh: '“{key}”包含多个配置项，不能直接设为 {value}。请设置其中之一：{settings}。',
  },
  'train-config.not-number': {
    en: '"{key}" must be a number, not {value}.',
    zh: '“{key}”应为数字，而不是 {value}。',
  },
  'train-config.not-whole': {
    en: '"{key}" must be a whole number, not {value}.',
    zh: '“{key}”应为整数，而不是 {value}。',
  },
  'train-config.not-flag': {
    en: '"{key}" must be true or false, not {value}.',
    zh: '“{key}”应为 true 或 false，而不是 {value}。',
  },
  'train-config.not-list': {
    en: '"{key}" must be a list, or comma-separated words, not {value}.',
    zh: '“{key}”应为列表，或以逗号分隔的若干词，而不是 {value}。',
  },
  'train-config.not-text': {
    en: '"{key}" must be text, not {value}.',
    zh: '“{key}”应为一段文字，而不是 {value}。',
  },
  'train-config.least': {
    en: '"{key}" is {value}; it must be at least {limit}.',
    zh: '“{key}”为 {value}，不得小于 {limit}。',
  },
  'train-config.above': {
    en: '"{key}" is {value}; it must be more than {limit}.',
    zh: '“{key}”为 {value}，必须大于 {limit}。',
  },
  'train-config.most': {
    en: '"{key}" is {value}; it must be at most {limit}.',
    zh: '“{key}”为 {value}，不得大于 {limit}。',
  },
  'train-config.below': {
    en: '"{key}" is {value}; it must be less than {limit}.',
    zh: '“{key}”为 {value}，必须小于 {limit}。',
  },
  'train-config.not-a-choice': {
    en: '"{key}" is {value}; it can be: {choices}.',
    zh: '“{key}”为 {value}，可选值：{choices}。',
  },
  'train-config.not-a-choice-suggest': {
    en: '"{key}" is {value}; did you mean "{suggestion}"? It can be: {choices}.',
    zh: '“{key}”为 {value}，是否想写“{suggestion}”？可选值：{choices}。',
  },
  'train-config.not-yaml': {
    en: '{file} is not valid YAML: {detail}',
    zh: '{file} 不是有效的 YAML：{detail}',
  },
  'train-config.tangled': {
    en: '{file} has too much nesting or too many aliases for settings.',
    zh: '{file} 的嵌套或别名过多，不像配置文件。',
  },
  'train-config.not-a-map': {
    en: '{file} must contain settings, one "key: value" per line.',
    zh: '{file} 应包含配置项，每行一个“key: value”。',
  },
  'train-config.twice': {
    en: '{file} sets "{key}" twice. Keep one.',
    zh: '{file} 两次设置了“{key}”，请只保留一处。',
  },
  'train-config.not-a-set': {
    en: '--set needs key=value, not {given}.',
    zh: '--set 应写成 key=value，而不是 {given}。',
  },
  'train-config.kl-twice': {
    en: 'The KL is in the loss (kl.loss.coef {loss}) and in the reward (kl.reward.coef {reward}), so it would count twice. Set one of them to 0.',
    zh: 'KL 同时出现在 loss（kl.loss.coef {loss}）和 reward（kl.reward.coef {reward}）中，会被计算两次。请将其中之一设为 0。',
  },
  'train-config.no-final': {
    en: '{key}.controller is "scheduled", which needs {key}.final, the coefficient to end with.',
    zh: '{key}.controller 为“scheduled”，还需要设置 {key}.final，即结束时的系数。',
  },
  'train-config.order': {
    en: '"{key}" is {value}; it must be less than "{other}", which is {limit}.',
    zh: '“{key}”为 {value}，必须小于“{other}”（{limit}）。',
  },
  'train-config.heads': {
    en: 'policy.hidden {hidden} cannot be split evenly into policy.heads {heads}.',
    zh: 'policy.hidden {hidden} 不能被 policy.heads {heads} 整除。',
  },
  'train-config.shots': {
    en: 'policy.shots is {shots}, but there are only {candidates} candidates to pick from (data.candidates).',
    zh: 'policy.shots 为 {shots}，但候选只有 {candidates} 个（data.candidates）。',
  },
  'train-config.llm-needs': {
    en: 'The task "llm" needs "{key}".',
    zh: '任务“llm”需要设置“{key}”。',
  },
  'train-config.llm-url': {
    en: '"llm.url" must be the address of an endpoint up to /v1, such as http://localhost:8000/v1, without user, password or query; the key comes from the environment variable that llm.key_env names.',
    zh: '“llm.url”应为接口地址，写到 /v1 为止，如 http://localhost:8000/v1，不得含用户名、密码或查询参数；密钥由 llm.key_env 所指的环境变量提供。',
  },
  'train-config.key-name': {
    en: '"llm.key_env" must be the NAME of an environment variable in capital letters, such as OPENAI_API_KEY, never the key itself.',
    zh: '“llm.key_env”应为环境变量的名称（大写），如 OPENAI_API_KEY，而不是密钥本身。',
  },
  'train-config.val-not-lever': {
    en: '"data.val" is for the task "lever"; {task} has its own validation queries.',
    zh: '“data.val”仅用于任务“lever”；{task} 自带验证样本。',
  },
  'train-config.no-proposals': {
    en: 'The warm-up needs groups of at least two choices: raise group.proposals.beams, .samples, .random or .retrieval, or set epochs.rce=0.',
    zh: '预热阶段每组至少需要两个选择：请调大 group.proposals 的 beams、samples、random 或 retrieval，或设 epochs.rce=0。',
  },
  'train-config.shares': {
    en: 'data.val_share and data.test_share add up to {shares}; they must leave something to train on (less than 1).',
    zh: 'data.val_share 与 data.test_share 合计 {shares}，必须小于 1，留出训练样本。',
  },
  'train-config.task-needs': {
    en: 'The task "{task}" needs "{key}", the path of a file.',
    zh: '任务“{task}”需要设置“{key}”（文件路径）。',
  },
} as const satisfies Templates

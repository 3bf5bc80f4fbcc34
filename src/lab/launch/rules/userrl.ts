import { isNothing, numberOf, truthOf } from '../../../logs/model/vocabulary/config-value.js'
import { percentage } from '../../../text/numbers.js'
import { cannotSay, launchRule, threshold } from '../rule.js'

export const sumIsMean = launchRule({
  id: 'sum-is-mean',
  severity: 'warning',
  about: {
    en: 'UserRL’s trajectory score "Sum" divides by the number of turns.',
    zh: 'UserRL 的轨迹得分 “Sum” 会除以轮数。',
  },
  says: {
    'launch.sum-is-mean': {
      en: '"Sum" is a mean: the optimised score is the turn rewards divided by the number of turns, while the validation logs their sum. A shorter dialogue can raise the one and lower the other',
      zh: '“Sum” 其实是平均值：优化的是各轮 reward 之和除以轮数，而验证记录的是总和。对话变短可能使前者升高、后者降低',
    },
  },
  remedy: {
    en: 'use R2G (discounted sum) if you want the sum, or watch the number of turns next to the score',
    zh: '若要总和，用 R2G（折扣和）；否则同时关注轮数',
  },
  check({ launch }, { say }) {
    const written = launch.settings.findLast(({ key }) => key.endsWith('.trajectory_score_method'))
    if (written === undefined || written.value !== 'Sum') return
    return {
      key: written.key,
      line: written.line,
      message: say('launch.sum-is-mean', {}),
    }
  },
})

export const turnsOffByOne = launchRule({
  id: 'turns-off-by-one',
  severity: 'note',
  about: {
    en: 'UserRL’s rollout (verl 0.4) counts a turn before it carries out its call: one call less than the limit.',
    zh: 'UserRL 的 rollout（verl 0.4）先计轮数再执行调用：执行次数比上限少一。',
  },
  says: {
    'launch.turns-off-by-one': {
      en: 'a limit of {turns} turn{turns||s} means {executed} executed calls: the loop ends before the last call is executed, and its turn counts as a reward of 0',
      zh: '上限 {turns} 轮意味着只执行 {executed} 次调用：循环在执行最后一次调用前结束，该轮 reward 记为 0',
    },
    'launch.turns-off-by-one.remedy': {
      en: 'set {more} if you want {turns} questions',
      zh: '若要执行 {turns} 次提问，设为 {more}',
    },
  },
  check({ launch, schema }, { say }) {
    const written = launch.settings.findLast(({ key }) => key.endsWith('.multi_turn.max_turns'))
    const turns = numberOf(written?.value)
    if (written === undefined || turns === null || schema?.version !== 'userrl') return
    return {
      key: written.key,
      line: written.line,
      message: say('launch.turns-off-by-one', { turns, executed: turns - 1 }),
      remedy: say('launch.turns-off-by-one.remedy', { turns, more: turns + 1 }),
    }
  },
})

const SECTION = 'actor_rollout_ref.rollout.multi_turn'

export const toolResponseCut = launchRule({
  id: 'tool-response-cut',
  severity: 'note',
  about: {
    en: 'Since 0.5 verl cuts tool responses in the middle, at 256 characters unless told otherwise.',
    zh: 'verl 自 0.5 起默认把工具回复从中间截断到 256 个字符。',
  },
  says: {
    'launch.tool-response-cut': {
      en: 'tool responses are cut to {length} character{length||s} ({side}): a longer reply reaches the policy with a hole in it',
      zh: '工具返回的文本会截断到 {length} 个字符（{side}）：较长的回复会缺一段',
    },
    'launch.tool-response-cut.remedy': {
      en: 'set {key} to the longest response of your tools',
      zh: '把 {key} 设为工具最长回复的长度',
    },
  },
  check({ launch, config }, { say }) {
    if (launch.program.framework !== 'verl') return
    const key = `${SECTION}.max_tool_response_length`
    const length = numberOf(config[key])
    const usesTools = !isNothing(config[`${SECTION}.tool_config_path`]) || truthOf(config[`${SECTION}.enable`]) === true
    const written = launch.settings.findLast(setting => setting.key === key)
    if (length === null || !usesTools || written !== undefined) return
    const tools = launch.settings.findLast(setting => /\.multi_turn\.(?:tool_config_path|enable)$/.test(setting.key))
    return {
      key,
      line: tools?.line ?? launch.program.line,
      message: say('launch.tool-response-cut', {
        length,
        side: String(config[`${SECTION}.tool_response_truncate_side`] ?? 'middle'),
      }),
      remedy: say('launch.tool-response-cut.remedy', { key }),
    }
  },
})

export const userrlTraps = launchRule({
  id: 'userrl-traps',
  severity: 'note',
  about: {
    en: 'What is known of UserRL’s fork of verl and does not show in its logs.',
    zh: 'UserRL 的 verl 分支中已知、但日志里看不出来的问题。',
  },
  says: {
    'launch.userrl-traps': {
      en: 'what this fork’s logs hide: a failing simulator is a reward of 0 (an outage looks like a collapse); actor/kl_loss is the KL of {logged} of {answers} response{answers||s}; actor/entropy includes the simulator’s tokens; the policy sees its reward in training and not in evaluation',
      zh: '该分支的日志掩盖了：模拟器失败记为 reward 0（中断看起来像崩溃）；actor/kl_loss 只是 {answers} 个答案中 {logged} 个的 KL；actor/entropy 也计入模拟器的 token；训练时策略能看到 reward，评估时看不到',
    },
  },
  remedy: {
    en: 'watch the simulator’s own log, and compare runs by validation, not by logged KL or entropy',
    zh: '同时关注模拟器日志；比较 run 时看验证得分，不看日志中的 KL 或熵',
  },
  check({ schema, setting, amounts, groupSize }, { say }) {
    const { value, written } = setting('algorithm')
    if (value !== 'grpo_multiturn' || written === null || schema?.version !== 'userrl') return
    const answers = amounts.promptsPerStep === null || groupSize === null ? '?' : amounts.promptsPerStep * groupSize
    return {
      key: written.key,
      line: written.line,
      message: say('launch.userrl-traps', { logged: numberOf(setting('batch.micro').value) ?? '?', answers }),
    }
  },
})

export const simulatorReady = launchRule({
  id: 'simulator',
  severity: 'warning',
  about: {
    en: 'The user simulator that the launch names does not answer, serves another model or, with `--call-simulator`, fails the gym’s check.',
    zh: '启动脚本指定的用户模拟器没有响应、提供的是别的模型，或（加 `--call-simulator` 时）未通过 gym check。',
  },
  thresholds: {
    LEAST_RECALL: threshold(0.8, {
      en: 'A judge that misses a fifth of the right questions teaches the wrong thing.',
      zh: '漏判五分之一正确提问的裁判，会教错东西。',
    }),
    MOST_ALARMS: threshold(0.1, {
      en: 'And so does one that lets a tenth of foreign questions pass.',
      zh: '放过十分之一无关提问的裁判同样如此。',
    }),
  },
  says: {
    'launch.simulator.unreachable': {
      en: 'no user simulator answers at {url}: every turn would count as a reward of 0',
      zh: '{url} 没有响应，而用户模拟器应在此处：每一轮的 reward 都会记为 0',
    },
    'launch.simulator.model': {
      en: 'the simulator at {url} does not serve {model}',
      zh: '{url} 上的模拟器没有提供模型 {model}',
    },
    'launch.simulator.unfit': {
      en: 'the simulator at {url} is not fit to train on: it recognises {recall} % of the right questions, accepts {falseAlarms} % of unrelated ones, and {failures} calls failed',
      zh: '{url} 上的模拟器不适合训练：正确的提问只识别 {recall}%，无关的提问有 {falseAlarms}% 通过，{failures} 次调用失败',
    },
    'launch.simulator.cannot.asked': {
      en: 'whether the simulator at {url} answers: it is on another machine (--call-simulator calls it)',
      zh: '无法得知 {url} 上的模拟器是否可用：它不在本机（--call-simulator 会去询问）',
    },
  },
  remedy: { en: 'start it first, and check it with klens gym check', zh: '先启动它，并用 klens gym check 检查' },
  check({ simulator }, { say, LEAST_RECALL, MOST_ALARMS }) {
    if (simulator === null) return
    const { url, model, line, state, serves, fitness } = simulator
    if (state === 'not-asked') return cannotSay(say('launch.simulator.cannot.asked', { url }))
    const place = { key: 'OPENAI_BASE_URL', line }
    if (state === 'unreachable') return { ...place, message: say('launch.simulator.unreachable', { url }) }
    if (serves === false) return { ...place, message: say('launch.simulator.model', { url, model: model ?? '?' }) }
    if (fitness === null) return
    const { recall, falseAlarms, failures } = fitness
    const isFit = (recall ?? 0) >= LEAST_RECALL && (falseAlarms ?? 1) <= MOST_ALARMS && failures === 0
    if (isFit) return
    const share = (value: number | null): string => (value === null ? '?' : percentage(value))
    const said = { url, recall: share(recall), falseAlarms: share(falseAlarms), failures }
    return { ...place, message: say('launch.simulator.unfit', said) }
  },
})

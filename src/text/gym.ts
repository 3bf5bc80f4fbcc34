import type { Templates } from './language.js'

/** `klens gym`. */
export const gymTexts = {
  'gym.about': {
    en: 'multi-turn environments: evaluate a policy, check a simulator, play, serve',
    zh: '多轮交互环境：评测策略、检查用户模拟器、亲自试玩、对外提供服务',
  },
  'gym.replay.about': {
    en: 'replay recorded transitions and show every difference',
    zh: '重放录制的交互，列出每一处差异',
  },
  'gym.argument.recording': { en: 'a recording (.jsonl or .jsonl.gz)', zh: '录制文件（.jsonl 或 .jsonl.gz）' },
  'gym.no-file': { en: 'there is no file {path}', zh: '找不到文件 {path}' },
  'gym.replay.equal': {
    en: '{transitions} transitions in {episodes} episodes: no difference',
    zh: '{episodes} 个 episode、{transitions} 步：没有差异',
  },
  'gym.replay.different': {
    en: '{transitions} transitions in {episodes} episodes: {count} {count|difference|differences}',
    zh: '{episodes} 个 episode、{transitions} 步：{count} 处差异',
  },
  'gym.replay.difference': {
    en: 'episode {episode}, step {step}, {member}: recorded {recorded}, replayed {replayed}',
    zh: 'episode {episode} 第 {step} 步 {member}：录制为 {recorded}，重放为 {replayed}',
  },
} as const satisfies Templates

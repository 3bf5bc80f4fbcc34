import { isNothing, numberOf, truthOf } from '../../model/vocabulary/config-value.js'
import { sentences } from '../../text/sentences.js'
import type { LaunchRule } from '../rule.js'

const say = sentences({
  'launch.tool-response-cut': {
    en: 'what a tool answers is cut to {length} characters ({side}): a longer reply reaches the policy with a hole in it',
    zh: '工具返回的文本会截断到 {length} 个字符（{side}）：较长的回复会缺一段',
  },
  'launch.tool-response-cut.remedy': {
    en: 'set {key} to the longest answer that your tools give',
    zh: '把 {key} 设为工具最长回复的长度',
  },
})

const SECTION = 'actor_rollout_ref.rollout.multi_turn'

export const toolResponseCut: LaunchRule = {
  id: 'tool-response-cut',
  severity: 'note',
  about: {
    en: 'Since 0.5 verl cuts tool responses in the middle, at 256 characters unless told otherwise.',
    zh: 'verl 自 0.5 起默认把工具回复从中间截断到 256 个字符。',
  },
  check({ launch, config }) {
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
}

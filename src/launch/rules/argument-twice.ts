import type { Json } from '../../model/json.js'
import { sentences } from '../../text/sentences.js'
import type { LaunchSetting } from '../launch.js'
import type { LaunchRule, LaunchSymptom } from '../rule.js'

const say = sentences({
  'launch.argument-twice': {
    en: '{all} and {one} are both passed on: argument {position} of the script arrives twice',
    zh: '{all} 与 {one} 都传给了命令：脚本的第 {position} 个参数会传两次',
  },
  'launch.argument-twice.remedy': { en: 'pass on "$@" alone', zh: '只传 "$@"' },
  'launch.argument-twice.key': {
    en: '{key} is set twice: {first} on line {line}, {last} here, which counts',
    zh: '{key} 设置了两次：第 {line} 行为 {first}，此处为 {last}，以此处为准',
  },
  'launch.argument-twice.remedy.key': { en: 'take one of them out', zh: '删去其中之一' },
})

export const argumentTwice: LaunchRule = {
  id: 'argument-twice',
  severity: 'warning',
  about: {
    en: 'An argument of the script is passed on twice, or a setting is written twice with different values.',
    zh: '脚本的参数被传递两次，或同一参数写了两次且取值不同。',
  },
  check({ launch }) {
    return [...passedTwice(launch.passedOn), ...setTwice(launch.settings)]
  },
}

function passedTwice(passedOn: readonly { readonly text: string; readonly line: number }[]): readonly LaunchSymptom[] {
  const all = passedOn.find(({ text }) => text === '$@')
  if (all === undefined) return []
  return passedOn.slice(passedOn.indexOf(all) + 1).map(({ text, line }) => ({
    key: null,
    line,
    message: say('launch.argument-twice', { all: all.text, one: text, position: text === '$@' ? '1…' : text.slice(1) }),
    remedy: say('launch.argument-twice.remedy', {}),
  }))
}

function setTwice(settings: readonly LaunchSetting[]): readonly LaunchSymptom[] {
  const before = new Map<string, LaunchSetting>()
  const symptoms: LaunchSymptom[] = []
  for (const setting of settings) {
    const first = before.get(setting.key)
    before.set(setting.key, setting)
    // What a config says, the command may say otherwise: that is what it is for.
    if (first === undefined || first.from === 'config' || setting.operation === 'force') continue
    if (JSON.stringify(first.value) === JSON.stringify(setting.value)) continue
    const said = { key: setting.key, first: shown(first.value), line: first.line, last: shown(setting.value) }
    symptoms.push({
      key: setting.key,
      line: setting.line,
      message: say('launch.argument-twice.key', said),
      remedy: say('launch.argument-twice.remedy.key', {}),
    })
  }
  return symptoms
}

function shown(value: Json | undefined): string {
  return value === undefined ? '?' : typeof value === 'string' ? value.slice(0, 60) : JSON.stringify(value).slice(0, 60)
}

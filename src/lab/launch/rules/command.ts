import type { Json } from '../../../logs/model/json.js'
import type { LaunchSetting } from '../launch.js'
import { launchRule, type UntreatedLaunchSymptom } from '../rule.js'

export const linesLost = launchRule({
  id: 'lines-lost',
  severity: 'error',
  about: {
    en: 'Settings behind the end of the command: a comment or a blank after a backslash cut it off.',
    zh: '命令结束之后还有参数：续行被注释或反斜杠后的空格截断。',
  },
  says: {
    'launch.lines-lost': {
      en: 'the command ends before this line: {word} and what follows ({n} in total) never reach the trainer',
      zh: '命令在此行之前已经结束：{word} 及其后共 {n} 项不会传给训练器',
    },
  },
  remedy: {
    en: 'the line before must end in a backslash with nothing after it; a comment between continued lines ends the command',
    zh: '上一行必须以反斜杠结尾且其后无空格；续行之间的注释会结束命令',
  },
  check({ launch: { lost } }, { say }) {
    const [first] = lost
    if (first === undefined) return
    return {
      key: null,
      line: first.line,
      message: say('launch.lines-lost', { word: first.text.slice(0, 80), n: lost.length }),
    }
  },
})

export const argumentTwice = launchRule({
  id: 'argument-twice',
  severity: 'warning',
  about: {
    en: 'An argument of the script is passed on twice, or a setting is written twice with different values.',
    zh: '脚本的参数被传递两次，或同一参数写了两次且取值不同。',
  },
  says: {
    'launch.argument-twice': {
      en: '{all} and {one} are both passed on: argument {position} of the script arrives twice',
      zh: '{all} 与 {one} 都传给了命令：脚本的第 {position} 个参数会传两次',
    },
    'launch.argument-twice.key': {
      en: '{key} is set twice: {first} on line {line}, {last} here, which is used',
      zh: '{key} 设置了两次：第 {line} 行为 {first}，此处为 {last}，以此处为准',
    },
    'launch.argument-twice.remedy.key': { en: 'remove one of them', zh: '删去其中之一' },
  },
  remedy: { en: 'pass on "$@" alone', zh: '只传 "$@"' },
  check({ launch }) {
    return [...passedTwice(launch.passedOn), ...setTwice(launch.settings)]
  },
})

function passedTwice(
  passedOn: readonly { readonly text: string; readonly line: number }[],
): readonly UntreatedLaunchSymptom[] {
  const all = passedOn.find(({ text }) => text === '$@')
  if (all === undefined) return []
  return passedOn.slice(passedOn.indexOf(all) + 1).map(({ text, line }) => ({
    key: null,
    line,
    message: argumentTwice.say('launch.argument-twice', {
      all: all.text,
      one: text,
      position: text === '$@' ? '1…' : text.slice(1),
    }),
  }))
}

function setTwice(settings: readonly LaunchSetting[]): readonly UntreatedLaunchSymptom[] {
  const before = new Map<string, LaunchSetting>()
  const symptoms: UntreatedLaunchSymptom[] = []
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
      message: argumentTwice.say('launch.argument-twice.key', said),
      remedy: argumentTwice.say('launch.argument-twice.remedy.key', {}),
    })
  }
  return symptoms
}

function shown(value: Json | undefined): string {
  return value === undefined ? '?' : typeof value === 'string' ? value.slice(0, 60) : JSON.stringify(value).slice(0, 60)
}

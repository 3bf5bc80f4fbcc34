import { sentences } from '../../text/sentences.js'
import type { LaunchRule } from '../rule.js'

const say = sentences({
  'launch.lines-lost': {
    en: 'the command ends before this line: {word} and what follows ({n} in all) never reach the trainer',
    zh: '命令在此行之前已经结束：{word} 及其后共 {n} 项不会传给训练器',
  },
  'launch.lines-lost.remedy': {
    en: 'the line before must end in a backslash with nothing behind it; a comment between continued lines ends the command',
    zh: '上一行必须以反斜杠结尾且其后无空格；续行之间的注释会结束命令',
  },
})

export const linesLost: LaunchRule = {
  id: 'lines-lost',
  severity: 'error',
  about: {
    en: 'Settings behind the end of the command: a comment or a blank after a backslash cut it off.',
    zh: '命令结束之后还有参数：续行被注释或反斜杠后的空格截断。',
  },
  check({ launch: { lost } }) {
    const [first] = lost
    if (first === undefined) return
    return {
      key: null,
      line: first.line,
      message: say('launch.lines-lost', { word: first.text.slice(0, 80), n: lost.length }),
      remedy: say('launch.lines-lost.remedy', {}),
    }
  },
}

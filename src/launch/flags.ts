import { overrideValue } from './hydra/override.js'
import type { LaunchSetting } from './launch.js'
import type { ShellWord } from './shell/variables.js'

/** `--name value`, `--name=value`, `--name v1 v2` and bare `--name`, as argparse and Hugging Face's parser take them. */
export function plainFlags(words: readonly ShellWord[]): readonly LaunchSetting[] {
  const settings: LaunchSetting[] = []
  for (let at = 0; at < words.length; at += 1) {
    const { text, line, passes } = words[at]
    const match = /^--([A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(text)
    if (match === null || passes !== undefined) continue
    const values: string[] = match[2] === undefined ? [] : [match[2]]
    if (match[2] === undefined) {
      while (at + 1 < words.length && words[at + 1].passes === undefined && !isFlag(words[at + 1].text)) {
        at += 1
        values.push(words[at].text)
      }
    }
    const [first] = values
    const value =
      values.length > 1
        ? values.map(each => overrideValue(each) ?? null)
        : first === undefined
          ? true
          : overrideValue(first)
    settings.push({ key: match[1].replaceAll('-', '_'), value, line, operation: 'set', from: 'command' })
  }
  return settings
}

/** A negative number is a value. */
function isFlag(text: string): boolean {
  return text.startsWith('--') && text.length > 2
}

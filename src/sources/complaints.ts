import type { RunEvent } from '../model/events.js'
import type { Message } from '../model/run.js'
import { sentences } from '../text/sentences.js'

/** What readers have to say, whatever the format. It is stored with the run, and said whenever somebody asks. */
export const sayCommon = sentences({
  'source.bad-lines': {
    en: '{count} {count|line|lines} could not be read (first: line {line})',
    zh: '有 {count} 行无法解析（首个在第 {line} 行）',
  },
  'source.overlong-lines': {
    en: '{count} {count|line|lines} longer than 16 MiB {count|was|were} left out',
    zh: '有 {count} 行超过 16 MiB，已略过',
  },
  'source.bad-step': {
    en: '{count} {count|row has|rows have} a step that is no usable number (first: {step}); left out',
    zh: '有 {count} 行的 step 不是可用的数字（首个：{step}），已略过',
  },
  'source.unreadable': { en: 'it could not be read: {reason}', zh: '无法读取：{reason}' },
})

export function warning(message: Message): RunEvent {
  return { type: 'warning', message }
}

/** Of a count that grows as a log does: nothing as long as it is zero. */
export function overlongLines(count: number): RunEvent[] {
  return count === 0 ? [] : [warning(sayCommon('source.overlong-lines', { count }))]
}

import type { Templates } from './language.js'

/** What the readers of logs have to say, whatever the format. */
export const sourceTexts = {
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
} as const satisfies Templates

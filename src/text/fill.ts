import type { Templates } from './language.js'

export const fillTexts = {
  'fill.about': {
    en: 'insert figures from runs into a report, each with its source',
    zh: '把 run 中的数字填入报告，并附上来源',
  },
  'fill.report': {
    en: 'a report with references in double braces: show RUN METRIC last, compare A B final',
    zh: '报告，引用写在双花括号中：show RUN METRIC last、compare A B final',
  },
  'fill.option.output': { en: 'write here instead of into the report', zh: '写入该文件，而不改动报告' },
  'fill.option.check': {
    en: 'show what would change, write nothing, and exit with 1 if anything would',
    zh: '只说明哪些会变，不写入；有变化时以 1 退出',
  },
  'fill.option.accept': {
    en: 'accept verdicts that changed, and restore figures that were edited by hand',
    zh: '接受已改变的判定，并覆盖手工改过的数字',
  },
  'fill.state.filled': { en: 'filled', zh: '已填入' },
  'fill.state.same': { en: 'same', zh: '未变' },
  'fill.state.changed': { en: 'changed', zh: '已更新' },
  'fill.state.turned': { en: 'verdict changed', zh: '判定已变' },
  'fill.state.edited': { en: 'edited by hand', zh: '被手工改过' },
  'fill.state.failed': { en: 'failed', zh: '失败' },
  'fill.written': {
    en: '{total} {total|reference|references}: {changed} written, {wrong} wrong',
    zh: '{total} 处引用：写入 {changed} 处，{wrong} 处有误',
  },
  'fill.not-written': {
    en: '{total} {total|reference|references}: {changed} would change, {wrong} wrong; nothing was written',
    zh: '{total} 处引用：{changed} 处会变，{wrong} 处有误；未写入',
  },
} as const satisfies Templates

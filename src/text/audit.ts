import type { Templates } from './language.js'

/** `klens audit`: the frame around the rules' own sentences, which are in audit-arithmetic, -contradiction and -evidence. */
export const auditTexts = {
  'audit.about': {
    en: 'is this report true? a linter for experiment reports in Markdown',
    zh: '这份报告属实吗？实验报告（Markdown）的检查器',
  },
  'audit.files': { en: 'reports; several are also checked against each other', zh: '报告文件；给出多份时还会互相核对' },
  'audit.option.data': {
    en: 'check figures and claims against these runs (repeatable)',
    zh: '用这些 run 核对数字和结论（可重复给出）',
  },
  'audit.option.format': { en: 'text, json or sarif', zh: '输出格式：text、json 或 sarif' },
  'audit.option.fail-on': {
    en: 'exit with 1 on findings of this severity or graver: error, warning, note, never',
    zh: '出现该级别及以上的问题时以 1 退出：error、warning、note、never',
  },
  'audit.option.rules': { en: 'list all rules with an example each', zh: '列出全部规则，各附一例' },
  'audit.bad-format': {
    en: '--format is "{value}"; it must be text, json or sarif',
    zh: '--format 是“{value}”，只能是 text、json 或 sarif',
  },
  'audit.needs-file': {
    en: 'name at least one report, or ask for --rules',
    zh: '请至少给出一份报告，或用 --rules 列出规则',
  },
  'audit.unreadable': { en: '{path} cannot be read: {reason}', zh: '{path} 无法读取：{reason}' },
  'audit.no-file': { en: 'there is no file {path}', zh: '没有文件 {path}' },
  'audit.binary': { en: '{path} is no text', zh: '{path} 不是文本文件' },
  'audit.too-large': { en: '{path} is larger than {limit} MB; no report is', zh: '{path} 超过 {limit} MB，不像是报告' },
  'audit.clean': { en: 'nothing found', zh: '未发现问题' },
  'audit.summary': {
    en: '{errors} {errors|error|errors}, {warnings} {warnings|warning|warnings}, {notes} {notes|note|notes} · {quantities} quantities, {claims} claims checked',
    zh: '{errors} 个错误、{warnings} 个警告、{notes} 个提示 · 共检查 {quantities} 个数字、{claims} 处论断',
  },
  'audit.suppressed': {
    en: '{count} {count|finding is|findings are} explained away by comments in the report',
    zh: '报告中的注释说明了 {count} 处，未列出',
  },
  'audit.rule.faulty': { en: 'found in', zh: '会报告' },
  'audit.rule.sound': { en: 'not in', zh: '不报告' },
  'audit.data-value': {
    en: 'at step {step} the log of {run} has {expected} ({metric}), not {found}',
    zh: '{run} 的日志在 step {step} 是 {expected}（{metric}），不是 {found}',
  },
  'audit.data-verdict': {
    en: '"{found}" is not what the logs say: the verdict on {other} against {baseline} is {answer} (interval {low} … {high})',
    zh: '日志不支持“{found}”：{other} 对 {baseline} 的判定是“{answer}”（区间 {low} … {high}）',
  },
} as const satisfies Templates

import type { Templates } from './language.js'

/** `klens diagnose`: the frame around the findings, whose sentences stand with their rules; and how grave a finding is. */
export const diagnoseTexts = {
  'diagnose.about': {
    en: 'is the training healthy? problems, since when, what to change',
    zh: '训练是否健康？哪里有问题、从何时开始、该改什么',
  },
  'diagnose.runs': { en: 'runs: ids, names, patterns or paths to logs', zh: 'run：id、名称、通配符或日志路径' },
  'diagnose.option.fail-on': {
    en: 'exit with 1 on findings of this severity or worse: error, warning, note, never',
    zh: '出现该级别及以上的问题时以 1 退出：error、warning、note、never',
  },
  'diagnose.option.follow': {
    en: 'keep checking while the logs grow, and print each finding when it appears',
    zh: '随日志增长持续诊断，问题出现时立即报告',
  },
  'diagnose.option.all': {
    en: 'also list every check that passed or could not run',
    zh: '同时列出通过和未能检查的各项',
  },
  'diagnose.bad-fail-on': {
    en: '--fail-on is "{value}"; it must be error, warning, note or never',
    zh: '--fail-on 是“{value}”，只能是 error、warning、note 或 never',
  },
  'diagnose.summary': {
    en: '{errors} {errors|error|errors}, {warnings} {warnings|warning|warnings}, {notes} {notes|note|notes} · {passed} {passed|check|checks} passed, {unchecked} could not run',
    zh: '{errors} 个错误、{warnings} 个警告、{notes} 个提示 · {passed} 项检查通过，{unchecked} 项无法检查',
  },
  'diagnose.option.explain': {
    en: 'also print how often each rule that fired was right so far, and which metrics it read',
    zh: '同时给出每条规则以往判断正确的次数及所用指标',
  },
  'diagnose.records': {
    en: 'How often these rules were right, and what they read',
    zh: '这些规则以往的正确次数与所用指标',
  },
  'diagnose.passed': { en: 'passed: {rules}', zh: '通过：{rules}' },
  'diagnose.unknown-names': {
    en: '{count} {count|metric name is|metric names are} unknown, and no check uses {count|it|them}: klens vocabulary',
    zh: '{count} 个指标名还没有含义，任何检查都不会用到：klens vocabulary',
  },
  'diagnose.not-checked': { en: 'not checked:', zh: '未能检查：' },
  'diagnose.steps': { en: 'steps {from}–{to}', zh: 'step {from}–{to}' },
  'diagnose.in-runs': { en: 'in {count} run{count||s}', zh: '共 {count} 个 run' },
  'diagnose.step': { en: 'step {from}', zh: 'step {from}' },
  'severity.error': { en: 'error', zh: '错误' },
  'severity.warning': { en: 'warning', zh: '警告' },
  'severity.note': { en: 'note', zh: '提示' },
} as const satisfies Templates

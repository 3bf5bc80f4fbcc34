import { LAUNCH_RULES } from '../../src/lab/launch/registry.js'
import type { Language } from '../../src/text/language.js'
import { type Page, table } from './page.js'

/** The end of docs/verbs/preflight.md and its Chinese sister: the rules and their thresholds. The rest is written by hand. */
export function preflightPage(language: Language): Page {
  const { path, mark, columns, severities, limits } = WORDS[language]
  const rows = LAUNCH_RULES.map(({ id, severity, about }) => [`\`${id}\``, severities[severity], about[language]])
  const thresholds = LAUNCH_RULES.flatMap(({ id, thresholds }) =>
    Object.entries(thresholds).map(([name, { value, why }]) => [`\`${id}\``, `\`${name}\``, `${value}`, why[language]]),
  )
  return {
    path,
    write: current => `${current.split(mark)[0]}${mark}\n\n${table(columns, rows)}\n\n${table(limits, thresholds)}\n`,
  }
}

const WORDS = {
  en: {
    path: 'docs/verbs/preflight.md',
    mark: '<!-- From here on made by npm run docs of src/lab/launch/rules. -->',
    columns: ['rule', 'usually', 'what it sees'],
    limits: ['rule', 'threshold', 'value', 'where it comes from'],
    severities: { error: 'error', warning: 'warning', note: 'note' },
  },
  zh: {
    path: 'docs/verbs/preflight.zh.md',
    mark: '<!-- 以下由 npm run docs 根据 src/lab/launch/rules 生成。 -->',
    columns: ['规则', '通常级别', '检查内容'],
    limits: ['规则', '阈值', '值', '出处'],
    severities: { error: '错误', warning: '警告', note: '提示' },
  },
} as const

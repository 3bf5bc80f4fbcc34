import { RULES } from '../../src/core/diagnosis/registry.js'
import { recordOf } from '../../src/core/diagnosis/rule-record.js'
import type { RunRule } from '../../src/core/diagnosis/run-rule.js'
import type { Language } from '../../src/text/language.js'
import { render } from '../../src/text/sentences.js'
import { type Page, table } from './page.js'

/** docs/diagnosis.md and docs/diagnosis.zh.md: what every rule says of itself. */
export function diagnosisPage(language: Language): Page {
  const words = WORDS[language]
  return {
    path: language === 'en' ? 'docs/diagnosis.md' : 'docs/diagnosis.zh.md',
    write: () => `${[words.head, ...RULES.map(rule => section(rule, language))].join('\n\n')}\n`,
  }
}

function section(rule: RunRule, language: Language): string {
  const { id, severity, about, thresholds, needs, uses } = rule
  const words = WORDS[language]
  const metrics = needs.map(need => [need].flat().map(code).join(words.or)).join(words.and)
  const further = uses.filter(metric => !needs.flat().includes(metric))
  const limits = Object.entries(thresholds).map(([name, { value, why }]) => [
    code(name),
    String(Number(value.toPrecision(3))),
    why[language],
  ])
  const { findings, remedies, reasons } = sentencesOf(rule, language)
  return [
    `## ${id}`,
    `*${words.severity[severity]}*${words.space}${about[language]}`,
    `${words.needs(metrics)}${further.length === 0 ? '' : words.space + words.uses(further.map(code).join(', '))}`,
    words.sentence(render(recordOf(id), language)),
    ...(limits.length === 0 ? [] : [table(words.columns, limits)]),
    list(words.says, findings),
    list(words.advises, remedies),
    list(words.cannot, reasons),
  ]
    .filter(part => part !== '')
    .join('\n\n')
}

/** By the names that rule.ts gives to a rule's sentences. */
function sentencesOf({ id, says }: RunRule, language: Language) {
  const texts = (holds: (key: string) => boolean): string[] =>
    Object.entries(says)
      .filter(([key]) => holds(key))
      .map(([, template]) => plain(template[language]))
  const isReason = (key: string): boolean => key.startsWith(`${id}.cannot.`)
  const isRemedy = (key: string): boolean => key.includes('.remedy')
  return {
    findings: texts(key => !isReason(key) && !isRemedy(key)),
    remedies: texts(isRemedy),
    reasons: texts(isReason),
  }
}

/** Blanks stay as they are; of singular and plural the plural is shown. */
function plain(text: string): string {
  return text.replace(/\{[^{}|]+\|[^{}|]*\|([^{}|]*)\}/g, '$1').replace(/\{([^{}]+)\}/g, '`$1`')
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : [title, '', ...items.map(item => `- ${item}`)].join('\n')
}

function code(name: string): string {
  return `\`${name}\``
}

const WORDS = {
  en: {
    head: `<!-- Made by npm run docs of the files in src/core/diagnosis/rules. -->

# What \`klens diagnose\` looks for

One rule per pathology. Each says what it needs, and reports "could not be checked" where a run does not log it. A threshold has
its source: a framework's documentation, code or issue, or *derived* with the reasoning. They were tried on real GRPO runs of two
small transformers on two tasks, healthy and made sick on purpose, on made-up verl and TRL logs, and on public logs; see
[bench/diagnosis](../bench/diagnosis/README.md). *note*, *warning* and *error* are the usual severities; a rule may be milder or
more severe by case. What stands \`like this\` in a sentence is filled in with the run's own figures. [中文](diagnosis.zh.md)`,
    severity: { error: 'error', warning: 'warning', note: 'note' },
    needs: (metrics: string) => (metrics === '' ? 'Needs nothing but the log itself.' : `Needs ${metrics}.`),
    uses: (metrics: string) => `Looks at ${metrics} where they are logged.`,
    sentence: (text: string) => `${text[0].toUpperCase()}${text.slice(1)}.`,
    or: ' or ',
    and: ', ',
    space: ' ',
    columns: ['threshold', 'value', 'where it comes from'],
    says: 'It says:',
    advises: 'It advises:',
    cannot: 'It cannot say anything where:',
  },
  zh: {
    head: `<!-- 由 npm run docs 根据 src/core/diagnosis/rules 中的文件生成。 -->

# \`klens diagnose\` 检查什么

每种病症一条规则。规则会说明它需要什么；run 没有记录时，报告“未能检查”。每个阈值都有出处：框架的文档、代码或 issue，或注明“推得”及理由。
这些阈值在两个任务、两个小模型的真实 GRPO run（健康的和故意弄坏的）、模拟的 verl 与 TRL 日志以及公开日志上检验过，见
[bench/diagnosis](../bench/diagnosis/README.md)。*提示*、*警告*、*错误*是通常的级别，视情况可轻可重。句中\`这样\`的部分会填入该 run 自己的数值。
[English](diagnosis.md)`,
    severity: { error: '错误', warning: '警告', note: '提示' },
    needs: (metrics: string) => (metrics === '' ? '只需要日志本身。' : `需要 ${metrics}。`),
    uses: (metrics: string) => `若有记录，还会参考 ${metrics}。`,
    sentence: (text: string) => `${text}。`,
    or: ' 或 ',
    and: '、',
    space: ' ',
    columns: ['阈值', '值', '出处'],
    says: '会说：',
    advises: '会建议：',
    cannot: '以下情况无法判断：',
  },
} as const

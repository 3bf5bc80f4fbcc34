import { existsSync } from 'node:fs'
import { checksAllowed } from '../../src/core/diagnosis/coverage.js'
import { RULES } from '../../src/core/diagnosis/registry.js'
import type { FrameworkData, Trap } from '../../src/logs/model/frameworks/framework.js'
import { FRAMEWORK_DATA, type Framework } from '../../src/logs/model/frameworks/registry.js'
import { note } from '../../src/logs/model/vocabulary/notes.js'
import { fill, type Language } from '../../src/text/language.js'
import { metricLabel, settingLabel } from '../../src/text/vocabulary.js'
import { type Page, table } from './page.js'

/** docs/frameworks.md and docs/frameworks.zh.md: all that the files in src/logs/model/frameworks say, and which checks follow from it. */
export function frameworksPage(language: Language): Page {
  const words = WORDS[language]
  const shown = FRAMEWORK_DATA.filter(({ id }) => id !== 'klens')
  return {
    path: language === 'en' ? 'docs/frameworks.md' : 'docs/frameworks.zh.md',
    write: () =>
      `${[words.head(shown.length, RULES.length), overview(shown, language), ...shown.map(data => section(data, language))].join('\n\n')}\n`,
  }
}

type Data = FrameworkData<Framework>

/** Names of its own and of the framework that it builds on. */
function withBase(data: Data): readonly Data[] {
  return [data, ...FRAMEWORK_DATA.filter(({ id }) => id === data.base || id === data.runsAs)]
}

/** What its logs can hold: the table, and what the general rules read: a validation score, and parts of a reward by their folder. */
function metricsOf(data: Data): ReadonlySet<string> {
  const all = withBase(data).flatMap(({ metrics, also = {}, patterns = [], tells }) => [
    ...Object.keys(metrics),
    ...Object.keys(also),
    ...patterns.flatMap(({ canonical }) => canonical ?? []),
    ...(tells.metricPrefixes?.includes('rewards/') === true ? ['reward.part'] : []),
  ])
  return new Set([...all, 'val.score'])
}

function checksIn(data: Data, without: readonly string[] = []) {
  const metrics = [...metricsOf(data)].filter(metric => !without.includes(metric))
  return checksAllowed(new Set(metrics), data.id, RULES)
}

function overview(shown: readonly Data[], language: Language): string {
  const words = WORDS[language]
  const rows = shown.map(data => {
    const { allowed, lacking } = checksIn(data)
    const sources = [...new Set((data.layout ?? []).map(({ source }) => source))]
    return [
      `[${data.name}](#${anchor(data.name)})`,
      sources.length === 0 ? words.anySource : sources.map(sourceLink).join(', '),
      String(namesIn(data)),
      words.of(allowed.length, allowed.length + lacking.length),
      (data.switches ?? []).map(({ setting }) => code(setting)).join(', '),
    ]
  })
  return table(words.overview, rows)
}

function namesIn({ metrics, patterns = [] }: Data): number {
  return Object.values(metrics).flat().length + patterns.filter(({ canonical }) => canonical !== null).length
}

/** As GitHub makes it. */
function anchor(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function sourceLink(source: string): string {
  return existsSync(`docs/sources/${source}.md`) ? `[${source}](sources/${source}.md)` : source
}

function section(data: Data, language: Language): string {
  const words = WORDS[language]
  const base = FRAMEWORK_DATA.find(({ id }) => id === (data.base ?? data.runsAs))
  const layout = (data.layout ?? []).map(({ path, source }) => [code(path), sourceLink(source)])
  const settings = Object.entries(data.settings ?? {}).map(([key, names]) => [
    code(key),
    settingLabel(key, language),
    names.map(code).join(', '),
  ])
  const traps = (data.traps ?? []).map(trap => [
    trap.names.map(code).join(', '),
    versions(trap, language),
    textOf(trap, language),
  ])
  const unknown = Object.entries(data.unknown ?? {}).map(([name, reason]) => [code(name), reason])
  return [
    `## ${data.name}`,
    [
      ...(data.asOf === undefined ? [] : [words.asOf(data.asOf)]),
      ...(base === undefined ? [] : [words.base(`[${base.name}](#${anchor(base.name)})`)]),
      layout.length === 0 ? words.anyLayout : '',
      words.tells(tells(data, language)),
    ]
      .filter(text => text !== '')
      .join(words.space),
    ...(layout.length === 0 ? [] : [table(words.layout, layout)]),
    ...checks(data, language),
    ...folded(words.names, words.columns, metricRows(data, language)),
    ...folded(words.settings, words.settingColumns, settings),
    ...(traps.length === 0 ? [] : [`**${words.traps}**`, table(words.trapColumns, traps)]),
    ...folded(words.unknown, words.unknownColumns, unknown),
  ].join('\n\n')
}

function tells(
  { tells: { metrics, metricPrefixes = [], keys, keyPrefixes = [], atLeast = 1 } }: Data,
  language: Language,
) {
  const names = [...metricPrefixes.map(prefix => code(`${prefix}…`)), ...metrics.map(code)]
  const settings = [...keyPrefixes.map(prefix => code(`${prefix}…`)), ...keys.map(code)]
  return WORDS[language].tellsList(names.join(', ') || '–', settings.join(', ') || '–', atLeast)
}

/** Which checks can be made, what each switch opens, and what nothing in the log could serve. */
function checks(data: Data, language: Language): readonly string[] {
  const words = WORDS[language]
  const { allowed, lacking, toLog } = checksIn(data)
  const switches = (data.switches ?? []).map(({ setting, metrics }) => {
    const left = new Set(checksIn(data, metrics).allowed.map(({ id }) => id))
    const opens = allowed.map(({ id }) => id).filter(id => !left.has(id))
    return [code(setting), metrics.map(code).join(', '), opens.map(ruleLink(language)).join(', ') || '–']
  })
  return [
    words.checks(
      allowed.length,
      allowed.length + lacking.length,
      allowed.map(({ id }) => ruleLink(language)(id)).join(', '),
    ),
    ...(lacking.length === 0
      ? []
      : [
          words.lacking(
            lacking.map(({ id }) => ruleLink(language)(id)).join(', '),
            toLog.map(({ metric, opens }) => `${code(metric)} (+${opens})`).join(', '),
          ),
        ]),
    ...(switches.length === 0 ? [] : [table(words.switches, switches)]),
  ]
}

function ruleLink(language: Language): (id: string) => string {
  return id => `[${id}](diagnosis${language === 'zh' ? '.zh' : ''}.md#${id})`
}

function metricRows({ metrics, patterns = [], quirks = [] }: Data, language: Language): readonly string[][] {
  const remark = (names: readonly string[]): string => {
    return quirks
      .flatMap(({ names: of, unit, note: key }) => {
        const here = of.filter(name => names.includes(name))
        const said = [...(unit == null ? [] : [unit]), ...(key === undefined ? [] : [noteText(key, language)])].join(
          '; ',
        )
        if (here.length === 0 || said === '') return []
        return [here.length === names.length ? said : `${here.map(code).join(', ')}: ${said}`]
      })
      .join('; ')
  }
  return [
    ...Object.entries(metrics).map(([canonical, names]) => [
      code(canonical),
      metricLabel(canonical, language),
      names.map(code).join(', '),
      remark(names),
    ]),
    ...patterns.flatMap(({ name, canonical, aggregate, note: key }) =>
      canonical === null
        ? []
        : [
            [
              code(canonical),
              metricLabel(canonical, language),
              code(name),
              [aggregate ?? '', key === undefined ? '' : noteText(key, language)]
                .filter(text => text !== '')
                .join('; '),
            ],
          ],
    ),
  ]
}

function noteText(key: Parameters<typeof note>[0], language: Language): string {
  return note(key, {} as never).text[language]
}

function textOf({ says, source }: Trap, language: Language): string {
  return `${fill(says[language], { version: WORDS[language].itsVersion })} (${source})`
}

function versions({ from, before }: Trap, language: Language): string {
  return WORDS[language].versions(from?.join('.') ?? null, before?.join('.') ?? null)
}

/** Long tables open on a click. */
function folded(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  return [`<details><summary>${title} (${rows.length})</summary>`, table(columns, rows), '</details>']
}

function code(name: string): string {
  return `\`${name}\``
}

const WORDS = {
  en: {
    head: (
      frameworks: number,
      rules: number,
    ) => `<!-- Made by npm run docs of the files in src/logs/model/frameworks. -->

# Frameworks: what klens reads in the logs of each

klens knows the names of ${frameworks} frameworks, each from one file that was written from the framework's source or from logs that it wrote. A log
of another one is read too: names that several projects share are known, and [\`klens vocabulary\`](verbs/vocabulary.md) proposes a meaning for the rest.
*Checks* are the ${rules} rules of [\`klens diagnose\`](diagnosis.md); one applies when a training of that kind can log what it needs. A check counts as
possible when the framework can log what it needs, with a validation set and with every switch of the table set. [How to add a framework](add-framework.md).
[中文](frameworks.zh.md)`,
    overview: ['framework', 'read from', 'names', 'checks possible', 'switches that open more'],
    anySource: 'any tracker',
    of: (made: number, all: number) => `${made} of ${all}`,
    space: ' ',
    asOf: (version: string) => `As of ${version}.`,
    base: (name: string) => `It also speaks the names of ${name}.`,
    anyLayout: 'Its metrics are read wherever they are logged: console, W&B, TensorBoard, MLflow, SwanLab, JSONL, CSV.',
    tells: (list: string) => `Recognised by ${list}.`,
    tellsList: (names: string, settings: string, atLeast: number) =>
      `the metrics ${names} or the settings ${settings}${atLeast > 1 ? ` (at least ${atLeast})` : ''}`,
    layout: ['where it lies', 'read as'],
    checks: (made: number, all: number, rules: string) => `**Checks: ${made} of the ${all} that apply.** ${rules}.`,
    lacking: (rules: string, metrics: string) =>
      `Not possible with what it logs: ${rules}.${metrics === '' ? '' : ` To log first: ${metrics}.`}`,
    switches: ['switch on', 'is logged then', 'checks that need it'],
    names: 'Names and their meaning',
    columns: ['canonical', 'meaning', 'names', 'remark'],
    settings: 'Settings',
    settingColumns: ['canonical', 'meaning', 'names'],
    traps: 'Numbers that mislead',
    trapColumns: ['metric', 'versions', 'what it really is'],
    unknown: 'Known, and given no meaning on purpose',
    unknownColumns: ['name', 'why'],
    itsVersion: 'such a version',
    versions: (from: string | null, before: string | null) =>
      from === null
        ? before === null
          ? 'all'
          : `before ${before}`
        : before === null
          ? `from ${from}`
          : `${from} to before ${before}`,
  },
  zh: {
    head: (frameworks: number, rules: number) => `<!-- 由 npm run docs 根据 src/logs/model/frameworks 中的文件生成。 -->

# 框架：klens 能从各框架的日志中读到什么

klens 认识 ${frameworks} 个框架的名称，每个框架一个文件，依据该框架的源码或其写出的日志编写。其他框架的日志同样可以读取：多个项目共用的名称已经认识，其余由
[\`klens vocabulary\`](verbs/vocabulary.md) 给出建议。“检查”指 [\`klens diagnose\`](diagnosis.zh.md) 的 ${rules} 条规则；该类训练能记录所需数值时才算适用。框架能够记录所需数值
（有验证集，且表中开关均已打开）时，检查算作可做。[如何添加框架](add-framework.md)（英文）。框架文件中的理由以英文书写。[English](frameworks.md)`,
    overview: ['框架', '读取来源', '名称数', '可做的检查', '可打开的开关'],
    anySource: '任意 tracker',
    of: (made: number, all: number) => `${made} / ${all}`,
    space: '',
    asOf: (version: string) => `依据版本 ${version}。`,
    base: (name: string) => `同时使用 ${name} 的名称。`,
    anyLayout: '指标记录在哪里都能读取：控制台、W&B、TensorBoard、MLflow、SwanLab、JSONL、CSV。',
    tells: (list: string) => `识别依据：${list}。`,
    tellsList: (names: string, settings: string, atLeast: number) =>
      `指标 ${names}，或配置项 ${settings}${atLeast > 1 ? `（至少 ${atLeast} 个）` : ''}`,
    layout: ['所在位置', '读取方式'],
    checks: (made: number, all: number, rules: string) => `**检查：适用的 ${all} 项中可做 ${made} 项。** ${rules}。`,
    lacking: (rules: string, metrics: string) =>
      `其日志不足以做：${rules}。${metrics === '' ? '' : `建议先记录：${metrics}。`}`,
    switches: ['打开', '随之记录', '需要它的检查'],
    names: '名称及含义',
    columns: ['规范名', '含义', '名称', '备注'],
    settings: '配置项',
    settingColumns: ['规范名', '含义', '名称'],
    traps: '容易误解的数值',
    trapColumns: ['指标', '版本', '实际含义'],
    unknown: '已知，但特意不赋予含义',
    unknownColumns: ['名称', '理由'],
    itsVersion: '该版本',
    versions: (from: string | null, before: string | null) =>
      from === null
        ? before === null
          ? '全部'
          : `${before} 之前`
        : before === null
          ? `${from} 起`
          : `${from} 至 ${before} 之前`,
  },
} as const

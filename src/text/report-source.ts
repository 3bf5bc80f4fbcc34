import type { Templates } from './language.js'

/** What is said about tables in a written report. */
export const reportSourceTexts = {
  'report.no-rule': {
    en: '{count} {count|table was|tables were} left out: the headers do not tell which cells are runs, steps or metrics (line {lines}); docs/sources/report.md shows the layouts that are read',
    zh: '略过 {count} 个表格：从表头看不出哪些是 run、step 或指标（第 {lines} 行）；支持的表格形式见 docs/sources/report.md',
  },
  'report.no-step': {
    en: '{count} {count|table was|tables were} left out: neither a column nor the heading says at which step or epoch the values were measured (line {lines})',
    zh: '略过 {count} 个表格：列和标题都没有说明数值对应哪个 step 或 epoch（第 {lines} 行）',
  },
  'report.no-numbers': {
    en: '{count} {count|table was|tables were} left out: the cells are ranges or carry units, so none is a plain number (line {lines})',
    zh: '略过 {count} 个表格：单元格是区间或带单位，没有可直接使用的数值（第 {lines} 行）',
  },
  'report.rows-without-step': {
    en: 'rows without a step, such as averages, were left out of {count} {count|table|tables} (line {lines})',
    zh: '{count} 个表格中没有 step 的行（例如平均值）已略过（第 {lines} 行）',
  },
  'report.unread-cells': {
    en: '{count} {count|cell is|cells are} no plain number and {count|was|were} left out (first: “{first}”)',
    zh: '有 {count} 个单元格不是单纯的数值，已略过（首个：“{first}”）',
  },
  'report.no-values': {
    en: 'the report gives settings of {runs}, but no values under these names',
    zh: '报告给出了 {runs} 的配置，但没有对应的数值',
  },
  'report.too-many-runs': {
    en: 'the tables name more than {limit} runs; the rest was left out',
    zh: '表格中的 run 超过 {limit} 个，其余已略过',
  },
  'report.too-large': {
    en: 'only the first 64 MiB of this report were read',
    zh: '报告超过 64 MiB，只读取了前 64 MiB',
  },
} as const satisfies Templates

import { sentences } from '../../text/sentences.js'

/** What the readers of CSV, JSONL and JSON tables have to say. */
export const say = sentences({
  'table.no-step-rows': {
    en: '{count} {count|row has|rows have} numbers but no step; left out',
    zh: '有 {count} 行有数值但没有 step，已略过',
  },
  'table.uneven-rows': {
    en: '{count} {count|row has|rows have} more or fewer fields than the header (first: line {line}); left out',
    zh: '有 {count} 行的字段数与表头不一致（首个在第 {line} 行），已略过',
  },
  'table.broken-quotes': {
    en: '{count} {count|line opens|lines open} a quoted field that is never closed (first: line {line}); left out',
    zh: '有 {count} 行的引号没有闭合（首个在第 {line} 行），已略过',
  },
  'table.too-deep': {
    en: '{count} {count|row is|rows are} nested deeper than 64 levels; what lies deeper was left out',
    zh: '有 {count} 行的嵌套超过 64 层，更深的内容已略过',
  },
  'table.step-hint-absent': {
    en: 'there is no column "{asked}"; the step was taken from "{taken}"',
    zh: '没有名为“{asked}”的列，step 改取自“{taken}”',
  },
  'table.repeated-columns': {
    en: 'several columns have the same name; the later ones were numbered: {names}',
    zh: '有多列同名，后面的列已加编号：{names}',
  },
  'table.too-many-runs': {
    en: 'the file names more than {limit} runs; only the first {limit} were imported',
    zh: '文件里的 run 超过 {limit} 个，只导入了前 {limit} 个',
  },
  'table.too-large': {
    en: 'a JSON table of {size} MiB is too large to read (limit {limit} MiB); write one object per line (JSONL) instead',
    zh: 'JSON 表有 {size} MiB，超过 {limit} MiB 的上限，未读取；请改存为每行一个对象的 JSONL',
  },
  'table.not-json': {
    en: 'not valid JSON; perhaps it was cut off while it was written',
    zh: '不是合法的 JSON，可能写到一半被截断了',
  },
  'table.no-table': {
    en: 'neither a list of rows nor one of equally long columns; nothing was read',
    zh: '既不是行对象的列表，也不是等长的列，未读取',
  },
  'samples.bad-scores': {
    en: '{count} {count|score is|scores are} no finite number; left out',
    zh: '有 {count} 个得分不是有限的数字，已略过',
  },
})

import { sentences } from '../../text/sentences.js'

/** What is said about scores of single samples, and about the answers behind them. */
export const say = sentences({
  'samples.too-many-groups': {
    en: 'more than {limit} steps and conditions in one file of sample scores; the rest was left out',
    zh: '逐样本得分文件里的 step 与条件组合超过 {limit} 个，其余已略过',
  },
  'completions.too-many-metrics': {
    en: 'more than {limit} columns of numbers beside the completions; the rest was left out',
    zh: '回答旁的数值列超过 {limit} 个，其余已略过',
  },
  'completions.damaged': {
    en: 'the Parquet file is damaged; what could be read was kept',
    zh: 'Parquet 文件已损坏，能读出的部分已保存',
  },
  'completions.column-too-large': {
    en: 'the texts in column {column} are more than {limit} MiB in one piece and were left out; scores were kept. Write smaller row groups (pyarrow: row_group_size)',
    zh: '列 {column} 的文本单块超过 {limit} MiB，未读取文本，得分已保存；请写成较小的 row group（pyarrow 的 row_group_size）',
  },
  'completions.cut': {
    en: '{count} {count|text is|texts are} longer than {limit} characters; the rest of {count|it|them} was left out',
    zh: '有 {count} 段文本超过 {limit} 个字符，超出部分已略过',
  },
  'completions.too-large': {
    en: 'the file takes more memory than klens allows itself; what could be read was kept. Write smaller row groups (pyarrow: row_group_size)',
    zh: '读取该文件所需内存超出 klens 的上限，能读出的部分已保存；请写成较小的 row group（pyarrow 的 row_group_size）',
  },
  'completions.no-step': {
    en: 'neither a column nor the file name tells the step; kept as step 0',
    zh: '没有 step 列，文件名也看不出 step，按 step 0 保存',
  },
})

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
  'completions.no-step': {
    en: 'neither a column nor the file name tells the step; kept as step 0',
    zh: '没有 step 列，文件名也看不出 step，按 step 0 保存',
  },
})

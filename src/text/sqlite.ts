import type { Templates } from './language.js'

/** What the reader of SQLite databases, and the trackers that keep one, have to say. */
export const sqliteTexts = {
  'sqlite.damaged': {
    en: '{count} {count|page or row|pages or rows} of the database could not be read and {count|was|were} left out; the rest was read',
    zh: '数据库有 {count} 个页面或行无法读取，已略过；其余部分已正常读取',
  },
  'sqlite.busy': {
    en: 'the database is being written to without pause: what could be read between two commits was read, import again for the rest',
    zh: '数据库正被持续写入：已读取两次提交之间能读到的部分，其余请稍后重新导入',
  },
  'sqlite.journal': {
    en: 'the writer of the database was cut off in the middle of a transaction: klens read the state before it and left the file as it is',
    zh: '数据库的写入进程在事务中途中断：klens 读取的是该事务之前的状态，未改动文件',
  },
  'sqlite.too-many-runs': {
    en: 'the database holds {count} runs; the first {limit} were read',
    zh: '数据库中有 {count} 个 run，只读取了前 {limit} 个',
  },
  'mlflow.deleted': {
    en: '{count} {count|run|runs} of this MLflow store {count|is|are} marked as deleted and {count|was|were} left out',
    zh: '该 MLflow 存储中有 {count} 个 run 已标记为删除，已略过',
  },
  'mlflow.bad-lines': {
    en: '{count} {count|line|lines} of the metric files could not be read (first in {file})',
    zh: '指标文件中有 {count} 行无法解析（首个位于 {file}）',
  },
  'trackio.bad-rows': {
    en: '{count} {count|row|rows} of the Trackio database {count|holds|hold} no JSON object and {count|was|were} left out',
    zh: 'Trackio 数据库中有 {count} 行不是 JSON 对象，已略过',
  },
} as const satisfies Templates

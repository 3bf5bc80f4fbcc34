import { sentences } from '../../text/sentences.js'

/** What the reader of SQLite databases has to say. */
export const say = sentences({
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
})

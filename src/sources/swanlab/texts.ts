import { sentences } from '../../text/sentences.js'

/** What the reader of SwanLab logs has to say. */
export const say = sentences({
  'swanlab.damaged': {
    en: '{count} damaged {count|place|places} in the SwanLab log, {bytes} bytes in all (first at byte {offset}): what was logged there is lost, the rest was read',
    zh: 'SwanLab 日志有 {count} 处损坏，共 {bytes} 字节（首处在第 {offset} 字节）：损坏处的记录已丢失，其余部分已正常读取',
  },
  'swanlab.undecodable': {
    en: '{count} {count|record|records} of the SwanLab log could not be decoded and {count|was|were} left out',
    zh: 'SwanLab 日志中有 {count} 条记录无法解码，已略过',
  },
  'swanlab.version': {
    en: 'this SwanLab log has format version {version}, klens reads versions up to {known}: nothing was read; please update klens',
    zh: '该 SwanLab 日志的格式版本为 {version}，klens 仅支持到版本 {known}，因此未读取任何内容；请升级 klens',
  },
})

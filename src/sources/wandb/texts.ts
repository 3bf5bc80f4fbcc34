import { sentences } from '../../text/sentences.js'

/** What the reader of W&B logs has to say. */
export const say = sentences({
  'wandb.damaged': {
    en: '{count} damaged {count|place|places} in the W&B log, {bytes} bytes in all (first at byte {offset}): what was logged there is lost, the rest was read',
    zh: 'W&B 日志有 {count} 处损坏，共 {bytes} 字节（首处在第 {offset} 字节）：损坏处的记录已丢失，其余部分已正常读取',
  },
  'wandb.undecodable': {
    en: '{count} {count|record|records} of the W&B log could not be decoded and {count|was|were} left out',
    zh: 'W&B 日志中有 {count} 条记录无法解码，已略过',
  },
  'wandb.version': {
    en: 'this W&B log has format version {version}, klens reads version {known}: nothing was read; please update klens',
    zh: '该 W&B 日志的格式版本为 {version}，klens 仅支持版本 {known}，因此未读取任何内容；请升级 klens',
  },
})

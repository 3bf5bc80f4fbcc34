import { sentences } from '../../text/sentences.js'

/** What the reader of TensorBoard event files has to say. */
export const say = sentences({
  'tensorboard.bad-records': {
    en: '{count} {count|record|records} of the event file {count|was|were} damaged and left out (first at byte {offset})',
    zh: '事件文件中有 {count} 条记录已损坏，已略过（首条在第 {offset} 字节）',
  },
  'tensorboard.stopped': {
    en: 'the event file is damaged at byte {offset}, and its format gives no way to find the next record: the last {bytes} bytes were not read',
    zh: '事件文件在第 {offset} 字节处损坏，且该格式无法定位下一条记录，因此最后 {bytes} 字节未读取',
  },
  'tensorboard.overlong-records': {
    en: '{count} {count|record|records} longer than 64 MiB {count|was|were} left out (first at byte {offset})',
    zh: '有 {count} 条记录超过 64 MiB，已略过（首条在第 {offset} 字节）',
  },
  'tensorboard.undecodable': {
    en: '{count} {count|record|records} of the event file {count|is|are} no valid event and {count|was|were} left out',
    zh: '事件文件中有 {count} 条记录不是有效的 event，已略过',
  },
})

import { sentences } from '../../text/sentences.js'

/** What is said about how a process ended. */
export const say = sentences({
  'ending.error': { en: 'it ended in an error: {error}', zh: '因异常退出：{error}' },
  'ending.memory': { en: 'it ran out of memory: {error}', zh: '显存或内存不足：{error}' },
  'ending.communication': {
    en: 'communication between the processes failed: {error}',
    zh: '进程间通信失败：{error}',
  },
  'ending.killed': { en: 'it was ended from outside: {error}', zh: '被外部终止：{error}' },
})

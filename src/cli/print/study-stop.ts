import type { StudyStopAnswer } from '../../model/study/answers.js'
import { sentences } from '../../text/sentences.js'
import type { Context } from '../context.js'
import { alignTable, printable } from './style.js'

/** What became of the trials that an executor was told to end. */

const say = sentences({
  'study.stop.none': { en: 'nothing of this study is at an executor', zh: '此研究没有任何试验在执行器上' },
  'study.stop.stopped': { en: 'stopped', zh: '已停止' },
  'study.stop.done': { en: 'had ended well', zh: '已正常结束' },
  'study.stop.failed': { en: 'had failed', zh: '已失败' },
  'study.stop.lost': { en: 'had not begun', zh: '尚未开始' },
  'study.stop.evicted': { en: 'had been cut off', zh: '已被中断' },
  'study.stop.waiting': { en: 'still waits, though it was told to end', zh: '已要求结束，但仍在排队' },
  'study.stop.running': { en: 'still runs, though it was told to end', zh: '已要求结束，但仍在运行' },
  'study.stop.elsewhere': {
    en: 'is at another executor: give --executor',
    zh: '在另一个执行器上：请用 --executor 指定',
  },
})

export function printStudyStop(context: Context, { jobs }: StudyStopAnswer): void {
  if (jobs.length === 0) context.print(context.render(say('study.stop.none', {})))
  const rows = jobs.map(({ trial, place, handle, state }) => [
    `  ${printable(trial, 60)}`,
    context.render(say(`study.stop.${state}`, {})),
    printable(place, 80),
    handle,
  ])
  for (const row of alignTable(rows)) context.print(row)
}

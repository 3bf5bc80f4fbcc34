import { sentences } from '../../text/sentences.js'
import type { Speaker } from '../speaker.js'

/** What the columns of a study's tables are called, the same thing by the same name in each. */

const say = sentences({
  'report.study.arm': { en: 'arm', zh: 'arm' },
  'report.study.settings': { en: 'settings', zh: '设置' },
  'report.study.mean': { en: 'mean', zh: '均值' },
  'report.study.spread': { en: 'seeds scatter by', zh: '种子间标准差' },
  'report.study.worst': { en: 'worst seed', zh: '最差种子' },
  'report.study.seconds': { en: 'seconds a run', zh: '每个 run 秒数' },
  'report.study.p': { en: 'p', zh: 'p' },
  'report.study.count': { en: 'seeds', zh: '种子数' },
  'report.study.checkpoint': { en: 'checkpoint', zh: 'checkpoint' },
  'report.study.state': { en: 'state', zh: '状态' },
  'report.study.trial': { en: 'trial', zh: '试验' },
})

type Column = Parameters<typeof say>[0] extends `report.study.${infer Name}` ? Name : never

export function column(speaker: Speaker, name: Column): string {
  return speaker.say(say(`report.study.${name}`, {}))
}

import { sentences } from '../../text/sentences.js'
import type { NewSuspicion } from '../lineage/suspicion.js'
import type { AdoptedRun } from './adopted.js'

/** A run from outside whose config is not the cell's stands in the way of a comparison until somebody vouches for it. */

const say = sentences({
  'study.adopted.otherwise': {
    en: 'the adopted run {run} was trained otherwise: {list}',
    zh: '收编的 run {run} 的训练设置不同：{list}',
  },
  'study.adopted.difference': { en: '{key} {run}, in the study {study}', zh: '{key} 为 {run}，研究为 {study}' },
})

export function adoptionSuspicions(adopted: AdoptedRun | undefined): readonly NewSuspicion[] {
  if (adopted === undefined || adopted.differences.length === 0) return []
  const { run, differences } = adopted
  const list = differences.map(each =>
    say('study.adopted.difference', {
      key: each.key,
      run: JSON.stringify(each.run),
      study: JSON.stringify(each.study),
    }),
  )
  const subject = `${run} ${differences.map(({ key }) => key).join(' ')}`
  return [{ rule: 'adopted-otherwise', subject, message: say('study.adopted.otherwise', { run, list }) }]
}

import type { Message } from '../../../model/run.js'
import { message } from '../../../text/say.js'
import type { LeverChoice, LeverRecord, PooledRecord } from './records.js'

/** What was left out of the data, or teaches nothing, each with the first record that it is true of. */
export function remarksOn(
  file: string,
  records: readonly LeverRecord[],
  used: readonly PooledRecord[],
  oneDataSet: boolean,
): readonly Message[] {
  const failed = records.filter(record => record.fixFailed)
  const thin = records.filter(record => !record.fixFailed && record.choices.filter(isScored).length < 2)
  const tied = used.filter(isTied)
  const own = oneDataSet ? used.filter(({ id, pool }) => pool.includes(id)) : []
  const choices = used.flatMap(record => record.choices)
  const unscored = choices.length - choices.filter(isScored).length
  const about = (of: readonly LeverRecord[]) => ({ file: of[0].place.file, count: of.length, record: String(of[0].id) })
  return [
    ...(failed.length > 0 ? [message('lever.fix-failed', about(failed))] : []),
    ...(thin.length > 0 ? [message('lever.too-few-scored', about(thin))] : []),
    ...(unscored > 0 ? [message('lever.missing-scores', { file, count: unscored, total: choices.length })] : []),
    ...(tied.length > 0 ? [message('lever.all-equal', { ...about(tied), total: used.length })] : []),
    ...(own.length > 0 ? [message('lever.self-in-pool', about(own))] : []),
  ]
}

const isScored = ({ outcome }: LeverChoice) => outcome.kind === 'scored'

/** All scores equal, hard and soft: in every reward mode such a group says nothing. */
function isTied({ choices }: LeverRecord): boolean {
  const scores = choices.flatMap(({ outcome }) =>
    outcome.kind === 'scored' ? [`${outcome.hard} ${outcome.soft}`] : [],
  )
  return new Set(scores).size === 1
}

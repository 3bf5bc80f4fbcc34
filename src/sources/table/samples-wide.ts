import type { Row, RunEvent } from '../../model/events.js'
import { nameLists } from '../name-lists.js'
import type { TableRecord } from './records.js'
import { isSampleColumn, type SamplesShape } from './samples-shape.js'
import { numberOf, scoreOf, stepOf } from './samples-values.js'
import type { TableTally } from './tally.js'

/** Per-sample scores with a column per sample: each row is one evaluation of all samples. Other numbers are metrics. */
export function wideSamples(metric: string, shape: SamplesShape & { readonly kind: 'wide' }, tally: TableTally) {
  let columns: readonly string[] = []
  let stepAt = -1
  let sampleAt: number[] = []
  let ids: readonly string[] = []
  let others: readonly (readonly [string, number])[] = []
  const shared = nameLists()

  function lookUp(names: readonly string[]): void {
    columns = names
    stepAt = names.indexOf(shape.step)
    sampleAt = names.flatMap((name, index) => (isSampleColumn(name, shape.prefix) ? [index] : []))
    ids = sampleAt.map(index => names[index])
    others = shape.others.map(name => [name, names.indexOf(name)])
  }

  function otherMetrics(values: TableRecord['values'], step: number): Row | null {
    const found = others.flatMap(([name, at]) => {
      const value = numberOf(values[at])
      return value === null ? [] : [{ name, value }]
    })
    if (found.length === 0) return null
    const metrics = shared(found.map(({ name }) => name))
    return { type: 'row', step, time: null, metrics, values: found.map(({ value }) => value) }
  }

  return (record: TableRecord, emit: (event: RunEvent) => void): void => {
    if (record.columns !== columns) lookUp(record.columns)
    const step = stepOf(record.values[stepAt], tally)
    if (step === null) return
    const row = otherMetrics(record.values, step)
    if (row !== null) emit(row)
    const found: string[] = []
    const scores: number[] = []
    let sum = 0
    for (let index = 0; index < ids.length; index += 1) {
      const score = scoreOf(record.values[sampleAt[index]], tally)
      if (score === null) continue
      found.push(ids[index])
      scores.push(score)
      sum += score
    }
    if (scores.length === 0) return
    const about = { metric, step, condition: {} }
    emit({ type: 'samples', samples: { ...about, ids: found.length === ids.length ? ids : found, scores } })
    const value = sum / scores.length
    emit({ type: 'evaluation', evaluation: { ...about, value, n: scores.length, quality: 'measured' } })
  }
}

import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import type { TableRecord } from './records.js'
import { gatherSamples } from './samples-gather.js'
import type { SamplesShape } from './samples-shape.js'
import { conditionFrom, countOf, scoreOf, stepOf, textOf } from './samples-values.js'
import type { TableTally } from './tally.js'

/** Per-sample scores with a row per step and sample. */
export function longSamples(metric: string, shape: SamplesShape & { readonly kind: 'long' }, tally: TableTally) {
  const { more } = shape
  const gathered = gatherSamples(metric, { asSeries: false })

  function take({ columns, values }: TableRecord, emit: (event: RunEvent) => void): void {
    const valueIn = (column: string | undefined): Json | undefined => {
      const at = column === undefined ? -1 : columns.indexOf(column)
      return at < 0 ? undefined : values[at]
    }
    const score = scoreOf(valueIn(shape.score), tally)
    const id = textOf(valueIn(shape.sample))
    if (score === null || id === null) return
    const step = stepOf(valueIn(shape.step), tally)
    if (step === null) return
    const condition = conditionFrom(part => valueIn(more[part]))
    const repeat = countOf(valueIn(more.repeat))
    const choice = textOf(valueIn(more.choice))
    const texts = choice === null ? null : { input: null, output: null, expected: null, choice }
    gathered.take({ step, condition, id, repeat, scores: [[metric, score]], texts }, emit)
  }

  return { take, finish: gathered.finish }
}

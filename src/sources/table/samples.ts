import { basename, extname } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import type { Source } from '../source.js'
import { readTableHead } from './head.js'
import { readRecords } from './records.js'
import { wholeFile } from './runs.js'
import { longSamples } from './samples-long.js'
import { samplesShape } from './samples-shape.js'
import { wideSamples } from './samples-wide.js'
import { type TableTally, tallyWarnings } from './tally.js'

export { samplesShape }

/**
 * Scores of single samples at several steps, as CSV or JSONL: what paired tests are made of. The metric is named after
 * the file. Read anew when it changes: such files are written once per evaluation and stay small beside the logs.
 */
export const samples: Source = {
  id: 'samples',
  role: 'samples',
  grows: false,
  keep: 'all',

  recognise: file => samplesShape(file) !== null,

  describe: async file => (samplesShape(file) === null ? [] : [wholeFile(file, '')]),

  async *read(file) {
    const head = readTableHead(file)
    const shape = samplesShape(file)
    if (head === null || shape === null) return
    const metric = basename(file.path, extname(file.path))
    const tally: TableTally = {}
    let events: RunEvent[] = []
    const emit = (event: RunEvent): void => void events.push(event)
    const reader =
      shape.kind === 'wide'
        ? { take: wideSamples(metric, shape, tally), finish: () => {} }
        : longSamples(metric, shape, tally)
    for await (const records of readRecords(file, head, tally)) {
      for (const record of records) reader.take(record, emit)
      if (events.length > 0) yield events
      events = []
    }
    reader.finish(emit)
    yield [...events, ...tallyWarnings(tally)]
  },
}

import type { RunEvent } from '../../model/events.js'
import type { Source } from '../source.js'
import { readTableHead, type TableHead } from '../table/head.js'
import { readRecords } from '../table/records.js'
import { type TableTally, tallyWarnings } from '../table/tally.js'
import { placeOf } from './place.js'
import { completionRecords } from './records.js'
import { beginsWithLongPrompt, isCompletions } from './shape.js'

/**
 * Prompts with what the model answered and how it was scored: verl's validation and rollout dumps, and JSONL or CSV of
 * one's own. A row per answer. See docs/sources/samples-and-configs.md.
 */
export const completions: Source = {
  id: 'samples',
  role: 'samples',
  grows: false,
  keep: 'all',
  namesMetrics: true,

  recognise: isCompletions,

  describe: async file => (isCompletions(file) ? [placeOf(file).belonging] : []),

  async *read(file) {
    const head = beginsWithLongPrompt(file) ? LINES_OF_JSON : readTableHead(file)
    if (head === null) return
    const tally: TableTally = {}
    let events: RunEvent[] = []
    const emit = (event: RunEvent): void => void events.push(event)
    const reader = completionRecords(placeOf(file), tally)
    for await (const records of readRecords(file, head, tally)) {
      for (const record of records) reader.take(record, emit)
      if (events.length > 0) yield events
      events = []
    }
    reader.finish(emit)
    yield [...events, ...tallyWarnings(tally)]
  },
}

const LINES_OF_JSON: TableHead = { format: 'jsonl', columns: [], rows: [], settled: true }

import type { RunEvent } from '../../model/events.js'
import { message } from '../../text/say.js'
import { isParquet, type ParquetColumn, parquetColumns, readParquet } from '../parquet/parquet.js'
import type { Source } from '../source.js'
import { type TableTally, tallyWarnings } from '../table/tally.js'
import { columnsOf } from './columns.js'
import { isCompletionsFile, placeOf } from './place.js'
import { completionRecords } from './records.js'

/**
 * What TRL's trainers write with `log_completions`: `completions/completions_00040.parquet` with step, prompt,
 * completion, a column per reward function, and the advantage. There is no column for the whole reward, and klens makes
 * none up: its weights are not in the file.
 */
export const completionsParquet: Source = {
  id: 'samples',
  role: 'samples',
  grows: false,
  keep: 'all',
  namesMetrics: true,

  // The columns stand at the end of a Parquet file, out of sight here; `describe` looks at them.
  recognise: ({ path, head }) => isParquet(head) && isCompletionsFile(path),

  async describe(file) {
    const columns = await parquetColumns(file.path)
    return columns !== null && holdCompletions(columns) ? [placeOf(file).belonging] : []
  },

  async *read(file) {
    const columns = await parquetColumns(file.path)
    if (columns === null) return
    const tally: TableTally = {}
    let events: RunEvent[] = []
    const emit = (event: RunEvent): void => void events.push(event)
    const names = columns.map(({ name }) => name)
    const reader = completionRecords(placeOf(file), tally)
    try {
      for await (const rows of readParquet(file.path, columns)) {
        for (const values of rows) reader.take({ columns: names, values }, emit)
        if (events.length > 0) yield events
        events = []
      }
    } catch {
      emit({ type: 'warning', message: message('completions.damaged', {}) })
    }
    reader.finish(emit)
    yield [...events, ...tallyWarnings(tally)]
  },
}

function holdCompletions(columns: readonly ParquetColumn[]): boolean {
  const { at, others } = columnsOf(columns.map(({ name }) => name))
  const isScored = (index: number): boolean => ['number', 'boolean'].includes(columns[index].kind)
  return (
    at.input !== undefined &&
    at.output !== undefined &&
    [...others.map(({ at }) => at), at.score ?? -1].some(index => index >= 0 && isScored(index))
  )
}

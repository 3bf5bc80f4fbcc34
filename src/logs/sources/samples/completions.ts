import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import {
  isOutOfMemory,
  isParquet,
  LARGEST_COLUMN,
  LONGEST_TEXT,
  type ParquetColumn,
  parquetColumns,
  readParquet,
} from '../parquet/parquet.js'
import type { Source } from '../source.js'
import { warning } from '../source-helpers.js'
import { readTableHead, type TableHead } from '../table/head.js'
import { eventsOfRecords } from '../table/records.js'
import { type TableTally, tallyWarnings } from '../table/tally.js'
import {
  beginsWithLongPrompt,
  columnsOf,
  completionRecords,
  isCompletions,
  isCompletionsFile,
  placeOf,
} from './completion-records.js'

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
    yield* eventsOfRecords(file, head, tally, completionRecords(placeOf(file), tally))
  },
}

const LINES_OF_JSON: TableHead = { format: 'jsonl', columns: [], rows: [], settled: true }

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
  surroundings: { mayBeLog: isCompletionsFile },

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
    const reading = {
      columns,
      onTooLarge: (column: string) =>
        emit(warning(say('completions.column-too-large', { column, limit: LARGEST_COLUMN >> 20 }))),
      onCut: (count: number) => emit(warning(say('completions.cut', { count, limit: LONGEST_TEXT }))),
    }
    const reader = completionRecords(placeOf(file), tally)
    try {
      for await (const rows of readParquet(file.path, reading)) {
        for (const values of rows) {
          reader.take({ columns: names, values }, emit)
          // At once: a batch of long answers is more than should wait to be stored.
          if (events.length > 0) yield events
          events = []
        }
      }
    } catch (error) {
      emit(warning(isOutOfMemory(error) ? say('completions.too-large', {}) : say('completions.damaged', {})))
    }
    reader.finish(emit)
    yield [...events, ...tallyWarnings(tally)]
  },
}

function holdCompletions(columns: readonly ParquetColumn[]): boolean {
  const { at, others } = columnsOf(columns.map(({ name }) => name))
  const isScored = (index: number): boolean => ['number', 'boolean'].includes(columns[index]?.kind ?? '')
  return (
    at.input !== undefined &&
    at.output !== undefined &&
    [...others.map(({ at }) => at), at.score ?? -1].some(index => index >= 0 && isScored(index))
  )
}

const say = sentences({
  'completions.column-too-large': {
    en: 'the texts in column {column} are more than {limit} MiB in one piece and were left out; scores were kept. Write smaller row groups (pyarrow: row_group_size)',
    zh: '列 {column} 的文本单块超过 {limit} MiB，未读取文本，得分已保存；请写成较小的 row group（pyarrow 的 row_group_size）',
  },
  'completions.cut': {
    en: '{count} {count|text is|texts are} longer than {limit} characters; the rest of {count|it|them} was left out',
    zh: '有 {count} 段文本超过 {limit} 个字符，超出部分已略过',
  },
  'completions.too-large': {
    en: 'the file needs more memory than klens allows; what could be read was kept. Write smaller row groups (pyarrow: row_group_size)',
    zh: '读取该文件所需内存超出 klens 的上限，能读出的部分已保存；请写成较小的 row group（pyarrow 的 row_group_size）',
  },
  'completions.damaged': {
    en: 'the Parquet file is damaged; what could be read was kept',
    zh: 'Parquet 文件已损坏，能读出的部分已保存',
  },
})

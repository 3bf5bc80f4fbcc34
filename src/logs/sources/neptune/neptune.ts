import { basename, dirname } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import { isFileProblem, isParquet, parquetColumns, readParquet } from '../parquet/parquet.js'
import type { Source, SourceFile } from '../source.js'
import { nameAlone, stepGate, warning } from '../source-helpers.js'

/**
 * Runs that neptune-exporter took out of Neptune before it closed: `<project>/<run>_part_<n>.parquet`, a row for each
 * setting and for each point of a series. See docs/sources/neptune.md.
 */
export const neptune: Source = {
  id: 'neptune',
  role: 'log',
  grows: false,
  keep: 'all',
  recognise: ({ path, head }) => isParquet(head) && PART.test(basename(path)),

  async describe(file) {
    const [, name = '', order = '0'] = PART.exec(basename(file.path)) ?? []
    const folder = dirname(file.path)
    const belonging = { run: `neptune:${folder}/${name}`, name, folder, order: Number(order), firstRecord: '' }
    const columns = await columnsIn(file)
    if (columns === 'damaged') return [belonging]
    if (columns === null) return []
    const run = await firstRun(file)
    return [run === null ? belonging : { ...belonging, name: run.id, trackerId: run.id, trackerScope: run.project }]
  },

  async *read(file) {
    const columns = await columnsIn(file)
    if (columns === null || columns === 'damaged') {
      yield [warning(say('neptune.unreadable', {}))]
      return
    }
    try {
      yield* events(file, columns)
    } catch (error) {
      if (isFileProblem(error)) throw error
      yield [warning(say('neptune.unreadable', {}))]
    }
  },

  surroundings: { mayBeLog: path => PART.test(basename(path)) },
}

const PART = /^(.+)_part_(\d{1,9})\.parquet$/

const COLUMNS = {
  attribute_path: 'text',
  attribute_type: 'text',
  step: 'number',
  timestamp: 'time',
  float_value: 'number',
  int_value: 'number',
  string_value: 'text',
  bool_value: 'boolean',
} as const

type Columns = readonly { readonly name: string; readonly kind: (typeof COLUMNS)[keyof typeof COLUMNS] }[]

/** Null where it is another kind of table: many writers number their parts. */
async function columnsIn({ path }: SourceFile): Promise<Columns | 'damaged' | null> {
  const found = await parquetColumns(path)
  if (found === null) return 'damaged'
  const names = new Set(found.map(({ name }) => name))
  const isOurs = ['project_id', 'run_id', ...Object.keys(COLUMNS)].every(name => names.has(name))
  return isOurs ? Object.entries(COLUMNS).map(([name, kind]) => ({ name, kind })) : null
}

async function firstRun({ path }: SourceFile): Promise<{ readonly id: string; readonly project: string } | null> {
  const columns = [
    { name: 'run_id', kind: 'text' },
    { name: 'project_id', kind: 'text' },
  ] as const
  try {
    for await (const [row] of readParquet(path, { columns, onTooLarge: () => {}, onCut: () => {} })) {
      if (typeof row?.[0] === 'string' && row[0] !== '') return { id: row[0], project: String(row[1] ?? '') }
    }
  } catch (error) {
    if (isFileProblem(error)) throw error
  }
  return null
}

async function* events({ path }: SourceFile, columns: Columns): AsyncGenerator<readonly RunEvent[]> {
  const alone = nameAlone()
  const gate = stepGate()
  for await (const rows of readParquet(path, { columns, onTooLarge: () => {}, onCut: () => {} })) {
    const batch: RunEvent[] = []
    const config: { [name: string]: Json } = {}
    for (const [metric, type, step, time, float, whole, text, truth] of rows) {
      if (typeof metric !== 'string') continue
      if (type === 'float_series') {
        if (typeof float !== 'number' || typeof step !== 'number' || !gate.admits(step)) continue
        const at = typeof time === 'number' ? time : null
        batch.push({ type: 'row', step, time: at, metrics: alone(metric), values: [float] })
      } else if (typeof type === 'string' && SETTINGS.has(type) && !metric.startsWith('sys/')) {
        config[metric] = float ?? whole ?? text ?? truth ?? null
      }
    }
    if (Object.keys(config).length > 0) batch.push({ type: 'config', config })
    yield batch
  }
  yield gate.complaints()
}

const SETTINGS = new Set(['float', 'int', 'string', 'bool'])

const say = sentences({
  'neptune.unreadable': {
    en: 'this Parquet file is damaged or truncated and could not be read to its end; export the run again',
    zh: '该 Parquet 文件已损坏或不完整，无法读到末尾；请重新导出该 run',
  },
})

import { basename, dirname } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import {
  isFileProblem,
  isParquet,
  type NumberRows,
  type ParquetColumn,
  parquetColumns,
  readNumbers,
} from '../parquet/parquet.js'
import type { Belonging, Source, SourceFile } from '../source.js'
import { nameLists, stepGate, timeFromNumber, warning } from '../source-helpers.js'

/**
 * The history of a W&B run as Parquet: what `run.download_history_exports` downloads, and the `<run id>-history`
 * artifact. A row per step, a column per metric, empty where a step did not log it. A long run comes in several files.
 */
export const wandbParquet: Source = {
  id: 'wandb-export',
  role: 'log',
  grows: false,
  keep: 'all',
  recognise: ({ head }) => isParquet(head),
  describe,
  read,
  surroundings: { mayBeLog: isRunHistoryFile },
}

const STEP = '_step'
const TIME = '_timestamp'

async function describe(file: SourceFile): Promise<readonly Belonging[]> {
  const columns = await parquetColumns(file.path)
  // Data sets are Parquet too; what W&B writes has its own step. A damaged file is claimed where its name says whose it
  // is, so that reading can say what is wrong.
  const isOurs = columns === null ? isRunHistoryFile(file.path) : columns.some(({ name }) => name === STEP)
  if (!isOurs) return []
  return [belongingOf(file.path)]
}

async function* read(file: SourceFile): AsyncGenerator<readonly RunEvent[]> {
  const columns = (await parquetColumns(file.path))?.filter(({ kind }) => kind === 'number')
  const step = columns?.find(({ name }) => name === STEP)
  if (columns === undefined || step === undefined) {
    yield [warning(say('wandb-export.unreadable', {}))]
    return
  }
  const time = columns.filter(({ name }) => name === TIME)
  const metrics = columns.filter(({ name }) => !name.startsWith('_'))
  try {
    yield* rows(file.path, step, time, metrics)
  } catch (error) {
    if (isFileProblem(error)) throw error
    yield [warning(say('wandb-export.unreadable', {}))]
  }
}

async function* rows(
  path: string,
  step: ParquetColumn,
  time: readonly ParquetColumn[],
  metrics: readonly ParquetColumn[],
): AsyncGenerator<readonly RunEvent[]> {
  const names = metrics.map(({ name }) => name)
  const shared = nameLists()
  const gate = stepGate()
  for await (const piece of readNumbers(path, [step, ...time, ...metrics])) {
    const events: RunEvent[] = []
    const [steps, ...others] = piece.columns
    const times = time.length === 0 ? undefined : others[0]
    const series = others.slice(time.length).map((column, index) => ({ column, name: names[index] ?? '' }))
    for (let row = 0; row < piece.rows; row += 1) {
      const at = numberIn(steps, row)
      if (!gate.admits(at)) continue
      const logged = presentIn(series, row)
      if (logged.metrics.length === 0) continue
      const seconds = times?.present(row) ? timeFromNumber(numberIn(times, row)) : null
      events.push({ type: 'row', step: at, time: seconds, metrics: shared(logged.metrics), values: logged.values })
    }
    yield events
  }
  yield gate.complaints()
}

type NumberColumn = NumberRows['columns'][number]

/** NaN where there is none. */
function numberIn(column: NumberColumn | undefined, row: number): number {
  return (column?.present(row) ? column.values[row] : undefined) ?? Number.NaN
}

function presentIn(series: readonly { readonly name: string; readonly column: NumberColumn }[], row: number) {
  const metrics: string[] = []
  const values: number[] = []
  for (const { name, column } of series) {
    if (!column.present(row)) continue
    metrics.push(name)
    values.push(column.values[row] ?? Number.NaN)
  }
  return { metrics, values }
}

const say = sentences({
  'wandb-export.unreadable': {
    en: 'this Parquet file is damaged or truncated and could not be read to its end; download it again',
    zh: '该 Parquet 文件已损坏或不完整，无法读到末尾；请重新下载',
  },
})

/** How W&B names the Parquet files of a run's history, and what that tells about the run. */

/** `<entity>_<project>_<run id>_<n>.runhistory.parquet`, one of several parts. */
const PART = /^(.+)_(\d{1,9})\.runhistory\.parquet$/
/** The folder of the artifact that W&B makes of a history: `run-<run id>-history:v0`. */
const ARTIFACT = /^(?:run-)?(.+)-history(?:[:-]v\d+)?$/

/** Most Parquet files are data sets, so in a folder only those with such a name are looked into. */
function isRunHistoryFile(path: string): boolean {
  return PART.test(basename(path)) || (path.endsWith('.parquet') && ARTIFACT.test(basename(dirname(path))))
}

function belongingOf(path: string): Belonging {
  const folder = dirname(path)
  const file = basename(path, '.parquet')
  const [, whole, nth] = PART.exec(basename(path)) ?? []
  const artifact = ARTIFACT.exec(basename(folder))?.[1]
  const order = Number(nth ?? /\d{1,9}$/.exec(file)?.[0] ?? 0)
  if (whole === undefined && artifact === undefined) {
    return { run: `wandb-export:${path}`, name: file, folder, order, firstRecord: '' }
  }
  const name = whole ?? artifact ?? file
  return { run: `wandb-export:${folder}/${name}`, name, folder, order, firstRecord: '' }
}

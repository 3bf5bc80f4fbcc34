import { access } from 'node:fs/promises'
import type { RunEvent } from '../model/events.js'
import { readConfigFile } from './config/config-file.js'
import { discover, prefixMetrics } from './discover.js'
import type { FoundRun } from './run-identity.js'
import type { Hints } from './source.js'
import { warning } from './source-helpers.js'

/** A run that lies at a path, in whatever format. */
export interface LoggedRun {
  /** The tracker's own id where it has one, else one that stays the same as long as the log does. */
  readonly id: string
  readonly name: string
  /** The format of its log: `wandb`, `verl`, `tensorboard`, … */
  readonly source: string
  readonly folder: string
  /** The files that are read, in their order. */
  readonly files: readonly string[]
  /** What the files say, read as it is asked for. Each call reads them from the beginning. */
  events(): AsyncGenerator<LoggedEvent>
}

/** What a log says of its run; where to go on reading is the store's business. */
export type LoggedEvent = Exclude<RunEvent, { readonly type: 'cursor' | 'tail' }>

/**
 * The runs at a path, a file or a folder, one after the other. Metrics of a table beside a log carry the table's name in
 * front, as in the store. Secondary logs of the same training repeat the first one and are left out. A path that does not
 * exist is an error of the file system, not a folder without runs.
 */
export async function* readRuns(path: string, hints: Hints = {}): AsyncGenerator<LoggedRun> {
  await access(path)
  const { runs } = await discover([path], hints)
  for (const run of runs) yield loggedRun(run, hints)
}

function loggedRun({ id, name, source, folder, logs, tables, configs }: FoundRun, hints: Hints): LoggedRun {
  const beside = tables.filter(({ mergesInto }) => mergesInto === undefined)
  const files = [...configs, ...[...logs, ...beside].map(({ file }) => file)].map(file => file.path)

  async function* events(): AsyncGenerator<LoggedEvent> {
    for (const { path } of configs) {
      const { config, warnings } = await readConfigFile(path)
      yield { type: 'config', config }
      for (const message of warnings) yield* saidIn([warning(message)])
    }
    for (const { file, source: reader, run } of logs) {
      for await (const batch of reader.read(file, { run, cursor: null, hints })) yield* saidIn(batch)
    }
    for (const { file, source: reader, run } of beside) {
      const named = reader.namesMetrics === true ? (batch: readonly RunEvent[]) => batch : prefixMetrics(file.path)
      for await (const batch of reader.read(file, { run, cursor: null, hints })) yield* saidIn(named(batch))
    }
  }

  return { id, name, source: source.id, folder, files, events }
}

function* saidIn(batch: readonly RunEvent[]): Generator<LoggedEvent> {
  for (const event of batch) if (event.type !== 'cursor' && event.type !== 'tail') yield event
}

import type { Row } from '../model/events.js'
import type { Config } from '../model/run.js'
import type { RunFile } from './run-identity.js'
import type { Hints, Source } from './source.js'

/** How the logs of a run begin: their first rows, and the settings among them. */
export interface FirstRows {
  readonly source: Source
  readonly rows: readonly Row[]
  readonly config: Config
}

/** So many rows, or pieces of a file, are looked at. */
const ROWS_READ = 500
const BATCHES_READ = 4

export async function readFirstRows(reader: Source, logs: readonly RunFile[], hints: Hints): Promise<FirstRows> {
  const rows: Row[] = []
  let config: Config = {}
  for (const { file, run, source } of logs) {
    let batches = 0
    for await (const events of source.read(file, { run, cursor: null, hints })) {
      for (const event of events) {
        if (event.type === 'row') rows.push(event)
        else if (event.type === 'config') config = { ...config, ...event.config }
      }
      batches += 1
      if (rows.length >= ROWS_READ || batches === BATCHES_READ) break
    }
    if (rows.length >= ROWS_READ) break
  }
  return { source: reader, rows, config }
}

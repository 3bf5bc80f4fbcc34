import { dirname } from 'node:path'
import { firstTitle, tablesIn } from '../../document/tables.js'
import type { RunEvent } from '../../model/events.js'
import type { Message } from '../../model/run.js'
import { readChunks } from '../files.js'
import { runNameFromPath } from '../run-identity.js'
import type { Source, SourceFile } from '../source.js'
import { warning } from '../source-helpers.js'
import { holdsMarkdownTable } from './recognise.js'
import { type ReportRuns, runsOfTables, say } from './runs.js'

/**
 * Tables inside a written report, as people keep them when the logs are gone. Which cells are runs, steps and metrics
 * is decided by the words around them (layout.ts). A report is read whole: its last table may name a run of
 * its first.
 */
export const report: Source = {
  id: 'report',
  role: 'document',
  grows: false,
  keep: 'all',
  recognise: holdsMarkdownTable,

  async describe(file) {
    const { runs, firstRecord } = await readReport(file)
    return runs.map(({ name }) => ({
      run: runId(file, name),
      name,
      folder: dirname(file.path),
      order: 0,
      ...(runs.length > 1 && { member: name }),
      firstRecord,
    }))
  },

  async *read(file, { run }) {
    const { runs, warnings } = await readReport(file)
    const index = runs.findIndex(({ name }) => runId(file, name) === run)
    const found = runs[index]
    if (found === undefined) return
    const { config, events } = found
    const warned = index === 0 ? warnings.map(warning) : []
    yield Object.keys(config).length === 0 ? warned : [...warned, { type: 'config', config }]
    yield* batches(events())
  },
}

const BATCH_EVENTS = 10_000

function* batches(events: Iterable<RunEvent>): Generator<readonly RunEvent[]> {
  let batch: RunEvent[] = []
  for (const event of events) {
    batch.push(event)
    if (batch.length < BATCH_EVENTS) continue
    yield batch
    batch = []
  }
  yield batch
}

const MOST_BYTES = 64 << 20

interface Report extends ReportRuns {
  readonly firstRecord: string
}

/** `describe` and the `read` of every run need the same reading; it is kept as long as the file is being worked on. */
const readings = new WeakMap<SourceFile, Promise<Report>>()

function readReport(file: SourceFile): Promise<Report> {
  const known = readings.get(file)
  if (known !== undefined) return known
  const reading = parseReport(file)
  readings.set(file, reading)
  reading.catch(() => readings.delete(file))
  return reading
}

async function parseReport(file: SourceFile): Promise<Report> {
  const { text, whole } = await readText(file.path)
  const { runs, warnings } = runsOfTables(tablesIn(text), runNameFromPath(file.path))
  const tooLarge: readonly Message[] = whole ? [] : [say('report.too-large', {})]
  return { runs, warnings: [...tooLarge, ...warnings], firstRecord: firstTitle(text) }
}

async function readText(path: string): Promise<{ readonly text: string; readonly whole: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of readChunks(path)) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return { text: text.slice(0, text.lastIndexOf('\n') + 1), whole: false }
    text += decoder.decode(chunk, { stream: true })
  }
  return { text: text + decoder.decode(), whole: true }
}

function runId(file: SourceFile, name: string): string {
  return `report:${file.path}#${name}`
}

import { dirname } from 'node:path'
import { type Block, markdownBlocks } from '../../document/markdown.js'
import { withoutMarkup } from '../../document/markup.js'
import type { RunEvent } from '../../model/events.js'
import type { Message } from '../../model/run.js'
import { readChunks } from '../files.js'
import { runNameFromPath } from '../run-name.js'
import type { Source, SourceFile } from '../source.js'
import { holdsMarkdownTable } from './recognise.js'
import { type ReportRuns, runsOfTables, say } from './runs.js'
import { type TableWords, wordsOfTable } from './table-words.js'
import { cleanHeading } from './words.js'

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
      firstRecord,
    }))
  },

  async *read(file, { run }) {
    const { runs, warnings } = await readReport(file)
    const index = runs.findIndex(({ name }) => runId(file, name) === run)
    if (index < 0) return
    const { config, events } = runs[index]
    const warned = index === 0 ? warnings.map(warningEvent) : []
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
  const tables = tablesOf(text)
  const { runs, warnings } = runsOfTables(tables.all(), runNameFromPath(file.path))
  const tooLarge: readonly Message[] = whole ? [] : [say('report.too-large', {})]
  return { runs, warnings: [...tooLarge, ...warnings], firstRecord: tables.firstRecord() }
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

/** The tables of a report with the headings above them, and the first line that tells this report from others. */
function tablesOf(text: string): { all(): Generator<TableWords>; firstRecord(): string } {
  let firstRecord = ''
  const lineOf = lineCounter(text)
  return {
    *all() {
      let headings: readonly Title[] = []
      for (const block of markdownBlocks(text)) {
        if (firstRecord === '') firstRecord = titleOf(text, block)
        if (block.kind === 'heading') {
          const { level } = block
          headings = [
            { level, text: cleanHeading(titleOf(text, block)) },
            ...headings.filter(above => above.level < level),
          ]
        } else if (block.kind === 'table') {
          yield wordsOfTable(
            text,
            block,
            lineOf(block.from),
            headings.map(title => title.text),
          )
        }
      }
    },
    firstRecord: () => firstRecord,
  }
}

interface Title {
  readonly level: number
  readonly text: string
}

const LONGEST_TITLE = 200

function titleOf(text: string, block: Block): string {
  if (block.kind !== 'heading' && block.kind !== 'table') return ''
  const { from, to } = block.kind === 'table' ? block.header : block
  return withoutMarkup(text.slice(from, Math.min(to, from + LONGEST_TITLE)))
}

/** Line numbers for offsets that only grow. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let at = 0
  return offset => {
    for (let newline = text.indexOf('\n', at); newline >= 0 && newline < offset; newline = text.indexOf('\n', at)) {
      line += 1
      at = newline + 1
    }
    return line
  }
}

function runId(file: SourceFile, name: string): string {
  return `report:${file.path}#${name}`
}

function warningEvent(warning: Message): RunEvent {
  return { type: 'warning', message: warning }
}

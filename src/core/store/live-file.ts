import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { RunEvent } from '../../logs/model/events.js'
import { encodeJson, numberFromJson } from '../../logs/model/json.js'

/**
 * live.jsonl: the events of a growing run that are not yet in a part, one batch a line. It is a journal: whoever finds
 * it, a reader or the next writer, replays its lines through RunState. Each line carries its checksum. A line that was
 * cut off by a crash or damaged since was never said, nor was what follows it: the log is read again from there.
 */

const FILE = 'live.jsonl'

export interface LiveBatch {
  /** Index of the file that says so; null where klens itself does. */
  readonly file: number | null
  readonly events: readonly RunEvent[]
}

export interface LiveFile {
  /** Bytes written so far. */
  readonly size: number
  append(batch: LiveBatch): Promise<void>
  close(): Promise<void>
}

export function livePath(folder: string): string {
  return join(folder, FILE)
}

/** A new, empty live file. A writer that lost the run while it slept still holds the old one, and must not reach this. */
export async function startLiveFile(folder: string): Promise<LiveFile> {
  await rm(livePath(folder), { force: true })
  const handle = await open(livePath(folder), 'wx')
  let size = 0
  return {
    get size() {
      return size
    },
    async append(batch) {
      const line = Buffer.from(`${sealed(encodeJson(batch))}\n`)
      await handle.appendFile(line)
      size += line.length
    },
    close: () => handle.close(),
  }
}

export async function readLiveFile(folder: string, from: number): Promise<LiveBatch[]> {
  let handle: FileHandle
  try {
    handle = await open(livePath(folder), 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  try {
    const { size } = await handle.stat()
    const bytes = Buffer.alloc(Math.max(0, size - from))
    await handle.read(bytes, 0, bytes.length, from)
    return replay(bytes.toString('utf8'))
  } finally {
    await handle.close()
  }
}

function replay(text: string): LiveBatch[] {
  const batches: LiveBatch[] = []
  for (const line of text.split('\n')) {
    const content = unsealed(line)
    if (content === null) break
    batches.push(decode(JSON.parse(content) as LiveBatch))
  }
  return batches
}

/** `["1f2e3d4c",{…}]`: still a line of JSON. */
function sealed(content: string): string {
  return `["${checksum(content)}",${content}]`
}

function unsealed(line: string): string | null {
  const content = line.slice('["1f2e3d4c",'.length, -1)
  return line === sealed(content) ? content : null
}

function checksum(content: string): string {
  return crc32(content).toString(16).padStart(8, '0')
}

/** Undoes the spelling of NaN and infinities, and lets rows of equal names share one array, as RunState likes it. */
function decode(batch: LiveBatch): LiveBatch {
  let names: readonly string[] = []
  const events = batch.events.map((event): RunEvent => {
    switch (event.type) {
      case 'row':
        if (event.metrics.length !== names.length || event.metrics.some((name, i) => name !== names[i])) {
          names = event.metrics
        }
        return { ...event, metrics: names, values: event.values.map(decodeNumber) }
      case 'evaluation':
        return { ...event, evaluation: { ...event.evaluation, value: decodeNumber(event.evaluation.value) } }
      case 'samples':
        return { ...event, samples: { ...event.samples, scores: event.samples.scores.map(decodeNumber) } }
      default:
        return event
    }
  })
  return { file: batch.file, events }
}

function decodeNumber(value: unknown): number {
  return numberFromJson(value) ?? Number.NaN
}

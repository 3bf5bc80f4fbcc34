import { open, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { isJsonObject, type Json, numberFromJson } from '../../model/json.js'
import { MalformedMessage } from '../binary/protobuf.js'
import { type Message, parseMessage } from '../binary/protobuf-message.js'
import { readRecords } from '../binary/record-log.js'
import { type LoggedMedia, type MediaCollector, MOST_IMAGE_BYTES, mediaCollector } from '../media.js'
import { parsePythonJson } from '../python-json.js'

/** Pictures, histograms and system stats of a W&B log. Pictures are files in `files/media` beside it; older W&B keeps stats there, too. */

/** Record: HistoryRecord and StatsRecord. */
const HISTORY = 2
const STATS = 7

export async function wandbMedia(path: string, signal?: AbortSignal): Promise<LoggedMedia> {
  const found = mediaCollector()
  for await (const { records } of readRecords(path)) {
    signal?.throwIfAborted()
    for (const record of records) {
      try {
        noteRecord(record, found)
      } catch (error) {
        if (!(error instanceof MalformedMessage)) throw error
      }
    }
  }
  if (found.collected().system.size === 0) await noteEvents(dirname(path), found)
  return found.collected()
}

/** The number of the record comes first, in a byte or a few; then which kind it is. */
const KIND_WITHIN = 16

function noteRecord(record: Buffer, found: MediaCollector): void {
  const head = record.subarray(0, KIND_WITHIN)
  if (record.includes('_type') && head.includes((HISTORY << 3) | 2)) {
    const history = parseMessage(record).message(HISTORY)
    if (history !== undefined) noteHistory(history, found)
  } else if (head.includes((STATS << 3) | 2)) {
    const stats = parseMessage(record).message(STATS)
    for (const item of stats?.messages(3) ?? []) {
      found.system(item.text(1), stats?.seconds(2) ?? Number.NaN, Number(item.text(16)))
    }
  }
}

/** Newer W&B writes a dict as one item for each leaf, older W&B as one object. */
function noteHistory(history: Message, found: MediaCollector): void {
  const media = new Map<string, Map<string, Json>>()
  let step = history.message(2)?.integer(1) ?? 0
  for (const item of history.messages(1)) {
    const path = item.texts(2).length > 0 ? item.texts(2) : [item.text(1)]
    const value = parsePythonJson(item.text(16))
    if (path.join('.') === '_step') step = numberFromJson(value ?? null) ?? step
    const leaves = isJsonObject(value) ? Object.entries(value) : [[path.at(-1) ?? '', value ?? null] as const]
    const name = (isJsonObject(value) ? path : path.slice(0, -1)).join('.')
    const known = media.get(name) ?? new Map<string, Json>()
    for (const [leaf, content] of leaves) known.set(leaf, content)
    media.set(name, known)
  }
  for (const [name, leaves] of media) noteMedia(name, step, leaves, found)
}

function noteMedia(name: string, step: number, leaves: ReadonlyMap<string, Json>, found: MediaCollector): void {
  const type = leaves.get('_type')
  const list = (leaf: string): readonly Json[] => {
    const value = leaves.get(leaf)
    return Array.isArray(value) ? value : []
  }
  const numbers = (leaf: string): readonly number[] => list(leaf).map(Number)
  if (type === 'histogram') found.histogram({ name, step, edges: edgesOf(leaves, numbers), counts: numbers('values') })
  else if (type === 'image-file' || type === 'images/separated') {
    for (const path of [leaves.get('path'), ...list('filenames')]) {
      if (typeof path === 'string') found.image({ name, step, place: path })
    }
  }
}

/** As they are, or as the lowest and their width. */
function edgesOf(leaves: ReadonlyMap<string, Json>, numbers: (leaf: string) => readonly number[]): readonly number[] {
  const packed = leaves.get('packedBins')
  if (!isJsonObject(packed)) return numbers('bins')
  const [low, size] = [Number(packed.min), Number(packed.size)]
  return Array.from({ length: numbers('values').length + 1 }, (_, i) => low + i * size)
}

const MOST_EVENT_BYTES = 64 << 20

async function noteEvents(folder: string, found: MediaCollector): Promise<void> {
  for (const path of [join(folder, 'files', 'wandb-events.jsonl'), join(folder, 'wandb-events.jsonl')]) {
    const { size } = await stat(path).catch(() => ({ size: Number.POSITIVE_INFINITY }))
    if (size > MOST_EVENT_BYTES) continue
    for (const line of (await readFile(path, 'utf8')).split('\n')) {
      const event = parsePythonJson(line)
      if (!isJsonObject(event)) continue
      for (const [name, value] of Object.entries(event)) {
        if (name.startsWith('system.'))
          found.system(name.slice('system.'.length), Number(event._timestamp), Number(value))
      }
    }
    return
  }
}

/** The bytes of a picture: a file below the folder of the log, and no link that leads out of it. */
export async function wandbImage(logPath: string, place: string): Promise<Buffer | null> {
  const home = await realpath(join(dirname(logPath), 'files')).catch(() => null)
  const real = home === null ? null : await realpath(join(home, place)).catch(() => null)
  if (home === null || real === null || !real.startsWith(home + sep)) return null
  const file = await open(real, 'r')
  try {
    const about = await file.stat()
    return about.isFile() && about.size <= MOST_IMAGE_BYTES ? await file.readFile() : null
  } finally {
    await file.close()
  }
}

import type { LogPosition } from '../model/events.js'
import { canResume, decodeText, readTextLines } from './encoding.js'
import { kept, NEWLINE, RETURN, readChunks } from './files.js'
import type { SourceFile } from './source.js'

/** The lines of a log around a place that a reader has marked, as they stand in the file; each cut where it is very long. */

export interface FileLine {
  /** As an editor counts: by line ends alone. Null where the file's encoding hides them. */
  readonly number: number | null
  readonly text: string
  /** Of several texts on one line, whether it is the one of the place. */
  readonly isPlace: boolean
  readonly isCut: boolean
}

const BEFORE = 40
const BEHIND = 4
/** A step of verl's console has some 8 kB. */
const LONGEST_BYTES = 32_768

/** Empty for places that are not counted in lines. */
export async function linesAround(file: SourceFile, { unit, number }: LogPosition): Promise<readonly FileLine[]> {
  if (unit !== 'line' && unit !== 'text') return []
  const returns = unit === 'text'
  const found = canResume(file) ? textsOf(file, returns) : wideTextsOf(file, returns)
  const lines: FileLine[] = []
  let nth = 0
  for await (const { bytes, line, isLong } of found) {
    nth += 1
    if (nth > number + BEHIND) break
    if (nth < number - BEFORE) continue
    // Between a carriage return and a line end there is nothing to see.
    if (bytes.length === 0 && nth !== number) continue
    lines.push({ number: line, text: decodeText(bytes), isPlace: nth === number, isCut: isLong })
  }
  return lines
}

interface FoundText {
  readonly bytes: Buffer
  readonly line: number | null
  readonly isLong: boolean
}

/** Byte by byte where carriage returns count, so that lines are counted as an editor does and texts as the reader did. */
async function* textsOf({ path }: SourceFile, returns: boolean): AsyncGenerator<FoundText> {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let line = 1
  const keep = (piece: Buffer): void => {
    if (pendingBytes < LONGEST_BYTES) pending.push(piece.subarray(0, LONGEST_BYTES - pendingBytes))
    pendingBytes += piece.length
  }
  const text = (): FoundText => {
    const found = { bytes: Buffer.concat(pending), line, isLong: pendingBytes > LONGEST_BYTES }
    pending = []
    pendingBytes = 0
    return found
  }
  for await (const chunk of readChunks(path)) {
    let start = 0
    for (;;) {
      const end = endIn(chunk, start, returns)
      if (end < 0) break
      keep(chunk.subarray(start, end))
      yield text()
      if (chunk[end] === NEWLINE) line += 1
      start = end + 1
    }
    keep(kept(chunk.subarray(start)))
  }
  if (pendingBytes > 0) yield text()
}

function endIn(chunk: Buffer, start: number, returns: boolean): number {
  const newline = chunk.indexOf(NEWLINE, start)
  if (!returns) return newline
  // Not beyond the line end: in a log without carriage returns every search would go through all of it.
  const before = chunk.subarray(start, newline < 0 ? undefined : newline).indexOf(RETURN)
  return before < 0 ? newline : start + before
}

async function* wideTextsOf(file: SourceFile, returns: boolean): AsyncGenerator<FoundText> {
  for await (const { lines, rest } of readTextLines(file, 0, { returns })) {
    for (const text of rest === '' ? lines : [...lines, rest]) {
      const bytes = Buffer.from(text)
      yield { bytes: bytes.subarray(0, LONGEST_BYTES), line: null, isLong: bytes.length > LONGEST_BYTES }
    }
  }
}

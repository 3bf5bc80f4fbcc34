import { isUtf8 } from 'node:buffer'
import { type LineBatch, readChunks, readLines } from './files.js'
import type { SourceFile } from './source.js'

/**
 * The text of a table file, whatever its encoding. Spreadsheets and PowerShell write UTF-16 with a byte order mark,
 * Chinese Windows writes GBK; such a file is decoded as it streams, without the byte offsets of its lines, so reading
 * it cannot be resumed.
 */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030'

function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return isGbk(head) ? 'gb18030' : 'utf-8'
}

/** As UTF-8, GBK is nearly all errors, while a damaged UTF-8 file has a few among many good characters. */
function isGbk(head: Uint8Array): boolean {
  if (isUtf8(head)) return false
  const characters = new TextDecoder().decode(head).match(/[^\0-\x7F]/g) ?? []
  const errors = characters.filter(character => character === '\uFFFD').length
  return errors > characters.length / 2 && errors > 1
}

/** A small file's text, without its byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes)
}

/** Whether byte offsets of lines are known, which cursors are made of. */
export function canResume(file: SourceFile): boolean {
  return encodingOf(file.head) === 'utf-8'
}

export interface HeadLines {
  readonly lines: readonly string[]
  /** What stands behind the last line end. */
  readonly rest: string
  /** Whether the head is the whole file. */
  readonly whole: boolean
}

/** The first lines of a file, or null when it is not text. */
export function headLines(file: SourceFile): HeadLines | null {
  const isWide = encodingOf(file.head).startsWith('utf-16')
  if (!isWide && file.head.includes(0)) return null
  const lines = decodeText(file.head).split(/\r?\n/)
  const rest = lines.pop() ?? ''
  return { lines, rest, whole: file.size <= file.head.length }
}

/** Like `readLines`, without the byte order mark, and for other encodings too. */
export async function* readTextLines(file: SourceFile, from = 0): AsyncGenerator<LineBatch> {
  const encoding = encodingOf(file.head)
  if (encoding !== 'utf-8') {
    yield* readDecodedLines(file.path, encoding)
    return
  }
  let first = from === 0
  for await (const batch of readLines(file.path, from)) {
    yield first ? withoutMark(batch) : batch
    first = false
  }
}

function withoutMark(batch: LineBatch): LineBatch {
  const [firstLine = '', ...others] = batch.lines
  if (batch.lines.length === 0) return { ...batch, rest: batch.rest.replace(/^\uFEFF/, '') }
  return firstLine.startsWith('\uFEFF') ? { ...batch, lines: [firstLine.slice(1), ...others] } : batch
}

const LONGEST_DECODED_LINE = 16 << 20

async function* readDecodedLines(path: string, encoding: Encoding): AsyncGenerator<LineBatch> {
  const decoder = new TextDecoder(encoding)
  let rest = ''
  let overlong = 0
  for await (const chunk of readChunks(path)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_DECODED_LINE) {
      rest = ''
      overlong += 1
    }
    yield { lines, end: 0, rest: '', restBytes: 0, overlong }
    overlong = 0
  }
  yield { lines: [], end: 0, rest: rest + decoder.decode(), restBytes: rest.length, overlong }
}

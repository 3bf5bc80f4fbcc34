import { isUtf8 } from 'node:buffer'
import { type LineBlock, NEWLINE, readChunks, readLineBlocks } from './files.js'
import type { SourceFile } from './source.js'

/**
 * The text of a file, whatever its encoding. Most are UTF-8. Chinese Windows writes GBK, often only in some lines of a
 * log; a line that is no UTF-8 is decoded by itself, so that two names never become the same row of question marks.
 * Spreadsheets and PowerShell write UTF-16; such a file is decoded as it streams, without the byte offsets of its lines,
 * so reading it cannot be resumed.
 */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return looksWide(head) ? 'utf-16le' : 'utf-8'
}

/** Enough to judge by. */
const WIDE_SAMPLE = 256

/** UTF-16 without its mark: of mostly Latin text every second byte is zero, and no other. */
function looksWide(head: Uint8Array): boolean {
  const sample = head.subarray(0, Math.min(WIDE_SAMPLE, head.length & ~1))
  let odd = 0
  for (let at = 0; at < sample.length; at += 1) {
    if (sample[at] !== 0) continue
    if (at % 2 === 0) return false
    odd += 1
  }
  return sample.length >= 8 && odd > 0.4 * sample.length
}

const GBK = new TextDecoder('gb18030', { fatal: true })

/** A line that may be no UTF-8. */
function decoded(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (isUtf8(bytes) || !isForeign(text)) return text
  // The beginning of a file may end within a character.
  for (let cut = 0; cut < LONGEST_CHARACTER; cut += 1) {
    try {
      return GBK.decode(bytes.subarray(0, bytes.length - cut))
    } catch {
      // Not GBK, or not yet.
    }
  }
  // Whatever it is, different bytes stay different characters.
  return bytes.toString('latin1')
}

/** Of GB18030, in bytes. */
const LONGEST_CHARACTER = 4

/** As UTF-8, another encoding is nearly all errors, while a damaged text has a few among many good characters. */
function isForeign(text: string): boolean {
  const characters = text.match(/[^\0-\x7F]/g) ?? []
  const errors = characters.filter(character => character === '\uFFFD').length
  return errors > characters.length / 2 && errors > 1
}

/** A small file's text, without its byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return encoding === 'utf-8'
    ? inUtf8(bytesWithoutMark(buffer)).toString('utf8')
    : new TextDecoder(encoding).decode(bytes)
}

/** Whether byte offsets of lines are known, which cursors are made of. */
export function canResume(file: SourceFile): boolean {
  return encodingOf(file.head) === 'utf-8'
}

/** Many sources look at a file in turn: what it begins with is decoded once. */
let latest: { readonly head: Uint8Array; readonly text: string | null } | null = null

/** The beginning of a text file; null of one that is no text. */
export function headText({ head }: SourceFile): string | null {
  if (latest?.head !== head) {
    const isText = encodingOf(head) !== 'utf-8' || !head.includes(0)
    latest = { head, text: isText ? decodeText(head) : null }
  }
  return latest.text
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
  const text = headText(file)
  if (text === null) return null
  const lines = text.split(/\r?\n/)
  const rest = lines.pop() ?? ''
  return { lines, rest, whole: file.size <= file.head.length }
}

type TextFile = Pick<SourceFile, 'path' | 'head'>

interface LineBatch extends Omit<LineBlock, 'body' | 'rest'> {
  /** Without their ends. */
  readonly lines: readonly string[]
  /** Text behind the last newline; only in the last batch, which has no lines. */
  readonly rest: string
}

/** Whole lines in batches. With `returns`, a carriage return ends a line too. */
export async function* readTextLines(file: TextFile, from = 0, { returns = false } = {}): AsyncGenerator<LineBatch> {
  for await (const { body, rest, ...block } of readTextBlocks(file, from, { returns })) {
    yield {
      ...block,
      lines: body === null ? [] : splitLines(body.toString('utf8'), returns),
      rest: rest.toString('utf8'),
    }
  }
}

/** With `returns`, a carriage return ends a line too. */
export function splitLines(text: string, returns: boolean): string[] {
  if (returns) return text.replaceAll('\r', '\n').split('\n')
  const lines = text.split('\n')
  return text.includes('\r') ? lines.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line)) : lines
}

/** Blocks of whole lines as UTF-8, without a byte order mark; offsets are those of the file. */
export async function* readTextBlocks(file: TextFile, from = 0, { returns = false } = {}): AsyncGenerator<LineBlock> {
  const encoding = encodingOf(file.head)
  if (encoding !== 'utf-8') {
    yield* readWideBlocks(file.path, encoding)
    return
  }
  let isFirst = from === 0
  for await (const { body, rest, ...block } of readLineBlocks(file.path, from, { returns })) {
    const clean = (bytes: Buffer): Buffer => inUtf8(isFirst ? bytesWithoutMark(bytes) : bytes)
    yield { ...block, body: body === null ? null : clean(body), rest: body === null ? clean(rest) : rest }
    isFirst = false
  }
}

const MARK = Buffer.from('\uFEFF')

function bytesWithoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes
}

function inUtf8(block: Buffer): Buffer {
  if (isUtf8(block)) return block
  const lines: string[] = []
  for (let start = 0; start <= block.length; ) {
    const newline = block.indexOf(NEWLINE, start)
    const end = newline < 0 ? block.length : newline
    lines.push(decoded(block.subarray(start, end)))
    start = end + 1
  }
  return Buffer.from(lines.join('\n'))
}

const LONGEST_DECODED_LINE = 16 << 20

async function* readWideBlocks(path: string, encoding: Encoding): AsyncGenerator<LineBlock> {
  const decoder = new TextDecoder(encoding)
  const nowhere = { end: 0, restBytes: 0, rest: Buffer.alloc(0) }
  let rest = ''
  let overlong = 0
  for await (const chunk of readChunks(path)) {
    const text = rest + decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n')
    rest = text.slice(end + 1)
    if (rest.length > LONGEST_DECODED_LINE) {
      rest = ''
      overlong += 1
    }
    if (end < 0) continue
    yield { ...nowhere, body: Buffer.from(text.slice(0, end)), overlong }
    overlong = 0
  }
  const last = Buffer.from(rest + decoder.decode())
  yield { ...nowhere, body: null, rest: last, restBytes: last.length, overlong }
}

import { closeSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'
import type { SourceFile } from '../source.js'

/**
 * Is this a written report with a table? Looked for is a row of dashes under a row with pipes, outside code fences,
 * in valid UTF-8. Bytes are enough for that: every character that matters is ASCII. A name that says document lets
 * the search go on behind the head, since the first table of a long report may stand on its third page. What klens
 * itself wrote is about runs that the workspace has, and no source of further ones.
 */
export function holdsMarkdownTable(file: SourceFile): boolean {
  const extension = extname(file.path).toLowerCase()
  if (NOT_PROSE.has(extension) || !isText(file) || looksLikeData(file.head)) return false
  try {
    return holdsTable(linesOf(DOCUMENTS.has(extension) ? wholeFile(file) : [file.head]))
  } catch {
    return false
  }
}

const DOCUMENTS = new Set(['.md', '.markdown', '.txt'])

/** Programs and data, which may hold a table in a comment or a string. */
const NOT_PROSE = new Set(
  [
    '.py',
    '.pyi',
    '.ipynb',
    '.js',
    '.mjs',
    '.ts',
    '.tsx',
    '.jsx',
    '.sh',
    '.c',
    '.cc',
    '.cpp',
    '.h',
    '.rs',
    '.go',
  ].concat(
    ['.java', '.sql', '.html', '.htm', '.xml', '.svg', '.css', '.tex', '.json', '.jsonl', '.ndjson', '.yaml', '.yml'],
    ['.toml', '.ini', '.cfg', '.csv', '.tsv', '.log'],
  ),
)

function isText({ head, size }: SourceFile): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: size > head.length })
    return true
  } catch {
    return false
  }
}

/** JSON lines, scripts and logs can print such a table as well; how they begin tells them from prose. */
function looksLikeData(head: Uint8Array): boolean {
  const opening = new TextDecoder().decode(head.subarray(0, 2_000)).trimStart()
  return /^(?:[{[]["{[]|#!|\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\([\w ]+ pid=\d+|step:\d+ - )/.test(opening)
}

function holdsTable(lines: Iterable<Buffer>): boolean {
  let headed = false
  let isFound = false
  let fence: string | null = null
  for (const line of lines) {
    if (line.subarray(0, OWN.length).equals(OWN)) return false
    const mark = fenceOf(line)
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null
    isFound ||= fence === null && headed && isRowOfDashes(line)
    headed = fence === null && line.includes('|')
  }
  return isFound
}

/** How the comment begins that ends every report of klens's own. */
const OWN = Buffer.from('<!-- klens-report ')

/** The three characters that open or close a code fence on this line. */
function fenceOf(line: Buffer): string | null {
  return /^[ >\t]{0,40}(`{3}|~{3})/.exec(line.toString('latin1', 0, 64))?.[1] ?? null
}

function isRowOfDashes(line: Buffer): boolean {
  return line.includes('|') && line.includes('-') && line.every(byte => DASHES_ROW.has(byte))
}

const DASHES_ROW = new Set(Buffer.from(' \t\r>|:-'))

const MOST_BYTES = 64 << 20
const CHUNK_BYTES = 1 << 20

function* wholeFile({ path, head, size }: SourceFile): Generator<Uint8Array> {
  yield head
  if (size <= head.length) return
  const file = openSync(path, 'r')
  try {
    for (let at = head.length; at < MOST_BYTES; at += CHUNK_BYTES) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const bytes = readSync(file, chunk, 0, CHUNK_BYTES, at)
      yield chunk.subarray(0, bytes)
      if (bytes < CHUNK_BYTES) return
    }
  } finally {
    closeSync(file)
  }
}

/** No row of a table is longer; the rest of a longer line is passed over. */
const LONGEST_LINE = 1 << 18

function* linesOf(chunks: Iterable<Uint8Array>): Generator<Buffer> {
  let begun = Buffer.alloc(0)
  for (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const line = chunk.subarray(start, end)
      yield begun.length === 0 ? line : Buffer.concat([begun, line])
      begun = Buffer.alloc(0)
      start = end + 1
    }
    if (begun.length < LONGEST_LINE) begun = Buffer.concat([begun, chunk.subarray(start)])
  }
  yield begun
}

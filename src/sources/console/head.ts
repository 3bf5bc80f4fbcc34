import { extname } from 'node:path'
import type { SourceFile } from '../source.js'

/** Documents and programs that quote log lines. */
const NOT_A_LOG = new Set(['.md', '.markdown', '.rst', '.html', '.ipynb', '.py', '.sh'])

/** The beginning of what a program has printed; null of a file that is no such text. */
export function consoleHead(file: SourceFile): string | null {
  if (NOT_A_LOG.has(extname(file.path).toLowerCase()) || file.head.includes(0)) return null
  const head = Buffer.from(file.head).toString('utf8')
  return /^\s*(?:\{"|\[\s*[{["])/.test(head) ? null : head
}

import { extname } from 'node:path'
import { headText } from '../encoding.js'
import type { SourceFile } from '../source.js'

/** Documents and programs that quote log lines. */
const NOT_A_LOG = new Set(['.md', '.markdown', '.rst', '.html', '.ipynb', '.py', '.sh'])

/** The beginning of what a program has printed; null of a file that is no such text. */
export function consoleHead(file: SourceFile): string | null {
  const head = NOT_A_LOG.has(extname(file.path).toLowerCase()) ? null : headText(file)
  return head === null || /^\s*(?:\{"|\[\s*[{["])/.test(head) ? null : head
}
